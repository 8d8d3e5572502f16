/** A server is killed three times while it runs a batch of payments: it, or the other server, goes on, and pays each item once. */
import { expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { eventually } from "./eventually.ts";
import { verified } from "./judge.ts";
import { balanceOf, customerWith, expectReply, startRig } from "./rig.ts";
import { figures, limitMs } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

const ITEMS = 10_000;
/** One item of a hundred names an account that is not there. */
const isBad = (at: number) => at % 100 === 99;
const BAD = ITEMS / 100;
const NOBODY = "InternalAccount:019a4f00-0000-7000-8000-0000000000ee";
const KILLED_AT = [1_000, 4_000, 7_000];

interface Counts {
  readonly accepted: number;
  readonly refused: number;
  readonly completed: number;
  readonly waiting: number;
}

async function countsAt(server: ServerProcess, id: string): Promise<Counts> {
  const path = `/payment-batches/${id}`;
  return (await expectReply(server, 200, { method: "GET", path })).counts as Counts;
}

async function refusedCodes(server: ServerProcess, id: string): Promise<readonly string[]> {
  const path = `/payment-batches/${id}/items?status=REFUSED&limit=100`;
  const { data } = await expectReply(server, 200, { method: "GET", path });
  const items = data as readonly {
    readonly index: number;
    readonly error: { readonly code: string };
  }[];
  expect(items.map(({ index }) => index)).toEqual(
    Array.from({ length: BAD }, (_, at) => at * 100 + 99),
  );
  return [...new Set(items.map(({ error }) => error.code))];
}

it("pays every item of a batch once across three kills and two servers", {
  timeout: limitMs(120),
}, async () => {
  const rig = await startRig({ servers: [{}, {}] });
  try {
    const victim = present(rig.servers[0], "a server");
    const other = present(rig.servers[1], "another server");
    const payer = await customerWith(other, ITEMS);
    const payee = await customerWith(other, 0);
    const items = Array.from({ length: ITEMS }, (_, at) => ({
      reference: `item-${at}`,
      kind: "BOOK",
      source: { accountId: payer.accountId },
      destination: { accountId: isBad(at) ? NOBODY : payee.accountId },
      amount: 1,
    }));
    const body = { mode: "INDEPENDENT", items };
    const call = { method: "POST", path: "/payment-batches", key: "payroll", body } as const;
    const id = String((await expectReply(victim, 202, call)).id);
    // The same call at the other server is the same batch.
    expect((await expectReply(other, 202, call)).id).toBe(id);
    let kills = 0;
    for (const ran of KILLED_AT) {
      const isUnderWay = await eventually(
        `${ran} items`,
        async () => {
          const { waiting } = await countsAt(other, id);
          return waiting === 0 ? false : waiting <= ITEMS - ran ? true : undefined;
        },
        limitMs(30),
      );
      if (!isUnderWay) break;
      await victim.kill();
      kills += 1;
      await victim.start();
    }
    const counts = await eventually(
      "the end of the batch",
      async () => {
        const now = await countsAt(other, id);
        return now.waiting === 0 ? now : undefined;
      },
      limitMs(60),
    );
    expect(counts).toMatchObject({
      accepted: ITEMS - BAD,
      refused: BAD,
      completed: ITEMS - BAD,
    });
    expect(await balanceOf(other, payee)).toBe(ITEMS - BAD);
    expect(await balanceOf(other, payer)).toBe(BAD);
    expect(await refusedCodes(other, id)).toEqual(["REFERENCE_NOT_FOUND"]);
    expect(await verified(rig.database.address)).toEqual([]);
    figures("killed batch", { kills, items: ITEMS });
  } finally {
    await rig.close();
  }
});
