/**
 * Holds while the server that creates, captures, releases or expires them is killed. Each call is repeated under its key, by the server that
 * lives, until it is answered. The judge is the ledger: money that was held is paid once or available once.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { chanceFrom } from "../kit/chance.ts";
import { eventually } from "./eventually.ts";
import { verified } from "./judge.ts";
import { acrossAKill, type Pair, persist, type Row } from "./persistent-calls.ts";
import { balanceOf, type Customer, customerWith, expectReply, type Rig, startRig } from "./rig.ts";
import { figures, limitMs, rounds, seedOf } from "./rounds.ts";

const HOLDS = 12;
const AMOUNT = 10;
const FUNDS = 100_000;
const DAY_S = 86_400;

let rig: Rig;
let pair: Pair;
let buyer: Customer;
let seller: Customer;
beforeAll(async () => {
  rig = await startRig({ servers: [{}, {}] });
  pair = {
    victim: present(rig.servers[0], "a server"),
    other: present(rig.servers[1], "another server"),
  };
  buyer = await customerWith(pair.other, FUNDS);
  seller = await customerWith(pair.other, 0);
}, 120_000);
afterAll(() => rig.close());

const post = (path: string, key: string, body?: unknown) =>
  persist(pair, { method: "POST", path, key, body });

const each = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: HOLDS }, (_, index) => work(index)));

const capture = (hold: Row, key: string, amount: number, final: boolean) =>
  post(`/holds/${hold.id}/capture`, `${key}-${hold.id}`, {
    amount,
    destination: { accountId: seller.accountId },
    final,
  });

async function listed(status: string): Promise<readonly Row[]> {
  const path = `/holds?internalAccountId=${buyer.accountId}&status=${status}&limit=100`;
  return (await expectReply(pair.other, 200, { method: "GET", path })).data as readonly Row[];
}

/** One half is captured twice, the second time for good; a quarter is released; the rest ends by itself. */
const endOf = (hold: Row, index: number): Promise<Row> => {
  if (index % 2 === 0) return capture(hold, "rest", 3, true);
  return index % 4 === 1
    ? post(`/holds/${hold.id}/release`, `release-${hold.id}`)
    : Promise.resolve(hold);
};

it("pay and come back once across kills", { timeout: limitMs(60) }, async () => {
  const chance = chanceFrom(seedOf(20_261_129));
  let spent = 0;
  for (let round = 0; round < rounds(3); round++) {
    const { now } = await expectReply(pair.other, 200, { method: "GET", path: "/sandbox/clock" });
    const expiresAt = new Date(Date.parse(String(now)) + DAY_S * 1_000).toISOString();
    const path = `/internal-accounts/${buyer.accountId}/holds`;
    const holds = await acrossAKill(pair, chance(60), () =>
      each((index) => {
        const end = index % 4 === 3 ? { expiresAt } : {};
        return post(path, `hold-${round}-${index}`, { amount: AMOUNT, ...end });
      }),
    );
    expect(new Set(holds.map(({ id }) => id)).size).toBe(HOLDS);
    const paid = await acrossAKill(pair, chance(60), () =>
      Promise.all(holds.map((hold) => capture(hold, "part", 2, false))),
    );
    expect(new Set(paid.map(({ id }) => id)).size).toBe(HOLDS);
    await acrossAKill(pair, chance(60), () => Promise.all(holds.map(endOf)));
    // The jobs of expiries run on either server.
    await acrossAKill(pair, chance(60), async () => [
      await post("/sandbox/clock/advance", `day-${round}`, { seconds: DAY_S }),
    ]);
    await eventually("no hold is open", async () =>
      (await listed("OPEN")).length === 0 ? true : undefined,
    );
    spent += HOLDS * 2 + (HOLDS / 2) * 3;
    expect(await balanceOf(pair.other, seller)).toBe(spent);
    expect(await balanceOf(pair.other, buyer)).toBe(FUNDS - spent);
    const ofStatus = async (status: string) => (await listed(status)).length;
    const ends = await Promise.all(["CAPTURED", "RELEASED", "EXPIRED"].map(ofStatus));
    expect(ends).toEqual([HOLDS / 2, HOLDS / 4, HOLDS / 4].map((count) => count * (round + 1)));
  }
  figures("killed holds", { kills: 4 * rounds(3), holds: HOLDS * rounds(3) });
  expect(await verified(rig.database.address)).toEqual([]);
});
