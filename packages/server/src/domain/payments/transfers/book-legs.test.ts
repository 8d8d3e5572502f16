import { expect, it } from "vitest";
import { chanceFrom } from "../../../../test/kit/chance.ts";
import { rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { written } from "../../../../test/kit/decided.ts";
import { customer, internal, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { idOf } from "../../../../test/kit/person-rows.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { transactions } from "../transactions/transaction.ts";
import { type BookLegsInput, bookLegs, idsOfGroup, MOST_LEGS } from "./book-legs.ts";

const START = 1_000n;
const FROZEN = { reason: "OTHER", scope: "ALL", note: null, since: "2026-11-21" } as const;
const unready: Customer = { ...customer, id: idOf("c9"), kycStatus: "REJECTED" };

/** Three accounts in dollars, two in euros, and one for each refusal. */
const USD = [idOf("a1"), idOf("a2"), idOf("a3")] as const;
const EUR = [idOf("b1"), idOf("b2")] as const;
const accounts: readonly InternalAccount[] = [
  ...USD.map((id) => ({ ...internal, id })),
  ...EUR.map((id) => ({ ...internal, id, currency: "EUR" })),
  { ...internal, id: idOf("d1"), status: "CLOSED" },
  { ...internal, id: idOf("d2"), frozen: FROZEN },
  { ...internal, id: idOf("d3"), customerId: unready.id },
  { ...internal, id: idOf("d4"), type: "EMBEDDED_WALLET" },
];

type Leg = BookLegsInput["legs"][number];

const leg = (sourceId: string, destinationId: string, amountMinor = 100n): Leg => ({
  ...{ sourceId, destinationId, amountMinor },
  ...{ description: undefined, metadata: null },
});

function decided(legs: readonly Leg[]) {
  const command = bookLegs({ legs });
  const world = worldFor({
    command,
    input: { legs },
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, platform),
      rowsOf(customers, customer, unready),
      rowsOf(internalAccounts, ...accounts),
      rowsOf(
        ledgerAccounts,
        ...accounts.map(({ id, currency }) => ({
          ...newInternalLedgerAccount(id, currency, 0),
          balanceMinor: START,
        })),
      ),
    ],
  });
  world.begin({ kind: "operator", id: "none" }, 5n);
  // The engine undoes a refused command in the same way.
  const outcome = world.attempt(() => command.decide(world, { legs }));
  const moved = new Map(written(world, ledgerAccounts).map((row) => [row.id, row.balanceMinor]));
  const balances = accounts.map(({ id }) => moved.get(id) ?? START);
  return { world, outcome, balances };
}

const [one, two, three] = USD;

it("judges each leg by the balances after the legs before it, also back and forth", () => {
  const all = leg(one, two, START);
  const back = leg(two, one, 2n * START);
  const { world, outcome, balances } = decided([all, back, leg(EUR[0], EUR[1], 7n)]);
  expect(outcome).toHaveLength(3);
  expect(balances.slice(0, 5)).toEqual([2n * START, 0n, START, START - 7n, START + 7n]);
  const rows = written(world, transactions);
  expect(rows).toHaveLength(6);
  const groups = new Set(rows.map(({ details }) => details?.groupId));
  expect([...groups]).toEqual([expect.stringMatching(/^TransferGroup:[0-9a-f-]{36}$/)]);
  const [above, below] = idsOfGroup(String([...groups][0]).slice("TransferGroup:".length));
  expect(rows.every(({ id }) => id > above && id < below)).toBe(true);
  // The second leg would be refused without the first.
  expect(decided([back, all]).outcome).toMatchObject({ details: { leg: 0 } });
});

it("has the ids of the largest group within its bounds", () => {
  const legs = Array.from({ length: MOST_LEGS }, (_, place) =>
    place % 2 === 0 ? leg(one, two) : leg(two, one),
  );
  const { world, outcome } = decided(legs);
  expect(outcome).toHaveLength(MOST_LEGS);
  const rows = written(world, transactions);
  const group = String(rows[0]?.details?.groupId).slice("TransferGroup:".length);
  const [above, below] = idsOfGroup(group);
  expect(rows.filter(({ id }) => id > above && id < below)).toHaveLength(2 * MOST_LEGS);
  expect(bookLegs({ legs }).isLarge).toBe(true);
  expect(bookLegs({ legs: legs.slice(0, 2) }).isLarge).toBeUndefined();
});

/** Refused wherever they stand, by a rule that does not depend on the legs before. */
const REFUSED: readonly (readonly [code: string, leg: Leg])[] = [
  ["REFERENCE_NOT_FOUND", leg(idOf("ee"), one)],
  ["REFERENCE_NOT_FOUND", leg(one, idOf("ee"))],
  ["SELF_PAYMENT", leg(one, one)],
  ["INVALID_INPUT", leg(idOf("d4"), one)],
  ["INVALID_INPUT", leg(idOf("d1"), one)],
  ["INVALID_INPUT", leg(one, idOf("d1"))],
  ["INVALID_CURRENCY", leg(one, EUR[0])],
  ["AMOUNT_OUT_OF_RANGE", leg(one, two, 1_000_001n)],
  ["USER_NOT_READY", leg(idOf("d3"), one)],
  ["ACCOUNT_FROZEN", leg(idOf("d2"), one)],
  ["ACCOUNT_FROZEN", leg(one, idOf("d2"))],
  ["INSUFFICIENT_BALANCE", leg(one, two, 1_000_000n)],
];

const SEEDS = 1_000;

it(`leaves nothing of ${SEEDS} transfers with a refused leg anywhere, and names the leg`, () => {
  const chance = chanceFrom(46);
  const pick = <One>(from: readonly One[]) => from[chance(from.length)] as One;
  const codes = new Set<string>();
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const good = Array.from({ length: 1 + chance(12) }, () =>
      chance(4) === 0
        ? leg(EUR[0], EUR[1], 1n)
        : leg(pick([one, two]), three, BigInt(1 + chance(50))),
    );
    const place = chance(good.length + 1);
    const [code, bad] = pick(REFUSED);
    const later = [pick(REFUSED)[1]].slice(chance(2));
    const { world, outcome, balances } = decided([
      ...good.slice(0, place),
      bad,
      ...good.slice(place),
      ...later,
    ]);
    expect(outcome).toBeInstanceOf(Refusal);
    expect(outcome).toMatchObject({ code, details: { leg: place } });
    expect(world.isEmpty).toBe(true);
    expect(balances).toEqual(accounts.map(() => START));
    codes.add(code);
  }
  expect(codes.size).toBe(new Set(REFUSED.map(([code]) => code)).size);
});
