/** What makes a person look twice, and what may move between the showing and the agreement. */
import { describe, expect, it } from "vitest";
import {
  DAY_MS,
  from,
  NOW,
  payment,
  sends,
  shownOf,
  surroundings,
  to,
} from "../../../../../test/kit/shown-rows.ts";
import type { ShownPayment, Surroundings } from "./describe.ts";
import { changedFacts } from "./shown.ts";

describe("a warning", () => {
  const keysOf = (
    paid: Partial<ShownPayment>,
    asker: Partial<Surroundings["asker"]> = {},
    askedAt = NOW,
  ) =>
    shownOf(
      "transferOut",
      {},
      {
        payment: { ...payment, ...paid },
        asker: { ...surroundings.asker, ...asker },
        askedAt,
      },
    ).warnings.map(({ key }) => key);
  const at = (hour: number) => Date.parse("2026-11-28T00:30:00.000Z") + hour * 3_600_000;
  const times = (hour: number, count = 10) => Array.from({ length: count }, () => hour);
  const usual = (count: number, p95Minor: bigint) => ({ usual: { count, p95Minor } });
  const added = (days: number) => ({
    to: { ...to, created: { at: NOW - days * DAY_MS, by: null } },
  });

  it.each<[what: string, found: readonly string[], expected: readonly string[]]>([
    ["an account that was paid before", keysOf({}), []],
    [
      "a first payment",
      keysOf({ to: { ...to, paid: { count: 0, isMore: false, lastAt: null } } }),
      ["FIRST_PAYMENT"],
    ],
    [
      "a first payment to an address",
      keysOf({
        to: { kind: "UMA", address: "$a@b.c", paid: { count: 0, isMore: false, lastAt: null } },
      }),
      ["FIRST_PAYMENT"],
    ],
    ["an account of six days", keysOf(added(6)), ["NEW_ACCOUNT"]],
    ["an account of seven days", keysOf(added(7)), []],
    ["a name that differs", keysOf({ to: { ...to, nameCheck: "NOT_MATCHED" } }), ["NAME_DIFFERS"]],
    ["an amount above the usual", keysOf(usual(20, 301_249n)), ["LARGE_AMOUNT"]],
    ["an amount at the usual", keysOf(usual(20, 301_250n)), []],
    ["an amount after too few payments", keysOf(usual(19, 1n)), []],
    ["an hour that is usual", keysOf({}, { hours: times(9) }, at(11)), []],
    ["an hour that is not", keysOf({}, { hours: times(9) }, at(12)), ["UNUSUAL_HOUR"]],
    ["an hour across midnight", keysOf({}, { hours: times(23) }, at(1)), []],
    ["an hour after too few orders", keysOf({}, { hours: times(9, 9) }, at(20)), []],
    ["an asker whose roles changed", keysOf({}, { isChanged: true }), ["ASKER_CHANGED"]],
  ])("of %s", (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe("what was shown", () => {
  const shown = shownOf("transferOut", {}, { payment });

  it("may move in its balances and counts, and in nothing else", () => {
    const poorer = { ...from, balanceMinor: 1n };
    const again = { ...to, paid: { count: 8, isMore: false, lastAt: NOW } };
    const moved = shownOf("transferOut", {}, { payment: { ...payment, from: poorer, to: again } });
    expect(changedFacts(shown, moved)).toEqual([]);
    const renamed = shownOf(
      "transferOut",
      {},
      { payment: { ...payment, to: { ...to, name: "Eve" } } },
    );
    expect(changedFacts(shown, renamed)).toEqual(["payee.name"]);
    const larger = { ...payment, sends: { ...sends, minor: 1n } };
    expect(changedFacts(shown, shownOf("transferOut", {}, { payment: larger }))).toEqual([
      "amount",
    ]);
    expect(changedFacts(shown, shownOf("transferIn", {}, { payment }))).toEqual(["title"]);
  });
});
