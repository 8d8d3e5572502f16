/** Servers are killed between the time of scheduled batches and their items: each item runs once, on one of two servers. */
import { expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { pause, systemClock } from "../../src/std/clock.ts";
import { eventually } from "./eventually.ts";
import { type Call, send } from "./history.ts";
import { verified } from "./judge.ts";
import { balanceOf, customerWith, expectReply, startRig } from "./rig.ts";
import { figures, limitMs, rounds } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";

const ITEMS = 200;
const AHEAD_MS = 3_600_000;
const LIMIT_MS = limitMs(60);

const clockOf = async (server: ServerProcess) => {
  const { now } = await expectReply(server, 200, { method: "GET", path: "/sandbox/clock" });
  return Date.parse(String(now));
};

const advance: Call = {
  method: "POST",
  path: "/sandbox/clock/advance",
  body: { seconds: (2 * AHEAD_MS) / 1_000 },
};

interface Batch {
  readonly status: string;
  readonly counts: { readonly accepted: number; readonly completed: number };
}

it("run once each, over kills of two servers", { timeout: 3 * LIMIT_MS }, async () => {
  const rig = await startRig({ servers: [{}, {}] });
  try {
    const [first, second] = [present(rig.servers[0], "one"), present(rig.servers[1], "another")];
    const payer = await customerWith(first, 100_000);
    const payee = await customerWith(first, 0);
    const items = Array.from({ length: ITEMS }, (_, at) => ({
      reference: `item-${at}`,
      kind: "BOOK",
      source: { accountId: payer.accountId },
      destination: { accountId: payee.accountId },
      amount: 1,
    }));
    let paid = 0;
    for (let round = 0; round < rounds(4); round += 1) {
      const [killed, other] = round % 2 === 0 ? [first, second] : [second, first];
      const scheduledFor = new Date((await clockOf(other)) + AHEAD_MS).toISOString();
      const create = async (mode: string) => {
        const body = { mode, scheduledFor, requireFunds: true, items };
        const call = { method: "POST", path: "/payment-batches", body } as const;
        return String((await expectReply(other, 202, call)).id);
      };
      const ids = [await create("INDEPENDENT"), await create("ALL_OR_NOTHING")];
      // The answer is lost with the server; both servers have seen that the jobs are due.
      void send(killed, { limitMs: 5_000, ...advance }).catch(() => undefined);
      await pause(systemClock, 10 + 15 * round);
      await killed.kill();
      await killed.start();
      await expectReply(other, 200, advance);
      for (const id of ids) {
        const path = `/payment-batches/${id}`;
        const batch = await eventually(
          "the end of a batch",
          async () => {
            const found = await expectReply(other, 200, { method: "GET", path });
            const { status } = found as unknown as Batch;
            return status === "COMPLETED" || status === "CANCELLED" ? found : undefined;
          },
          LIMIT_MS,
        );
        const counts = { accepted: ITEMS, completed: ITEMS };
        expect(batch).toMatchObject({ status: "COMPLETED", counts });
      }
      paid += ids.length * ITEMS;
      expect(await balanceOf(other, payee)).toBe(paid);
    }
    expect(await verified(rig.database.address)).toEqual([]);
    figures("killed scheduled batches", { rounds: rounds(4), paid });
  } finally {
    await rig.close();
  }
});
