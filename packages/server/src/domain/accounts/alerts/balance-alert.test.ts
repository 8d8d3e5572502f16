import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alertsAt, type BalanceAlert, isBeyond } from "./balance-alert.ts";

function alert(wish: Partial<BalanceAlert> = {}): BalanceAlert {
  return {
    id: "018f0000-0000-7000-8000-000000000001",
    direction: "BELOW",
    minor: "100",
    isBeyond: false,
    createdAt: "2026-11-28T00:00:00.000Z",
    ...wish,
  };
}

describe("a balance is beyond", () => {
  it.each([
    ["BELOW", 99n, true],
    ["BELOW", 100n, false],
    ["BELOW", 101n, false],
    ["ABOVE", 99n, false],
    ["ABOVE", 100n, false],
    ["ABOVE", 101n, true],
  ] as const)("%s 100 at %d: %s", (direction, balance, beyond) => {
    expect(isBeyond({ direction, minor: "100" }, balance)).toBe(beyond);
  });
});

describe("alerts at a balance", () => {
  it.each([
    ["not yet told, not beyond", false, 100n, undefined],
    ["told, still beyond", true, 50n, undefined],
    ["crosses", false, 99n, { isBeyond: true, crossed: 1 }],
    ["comes back, which is not told", true, 100n, { isBeyond: false, crossed: 0 }],
  ] as const)("%s", (_name, was, balance, expected) => {
    const found = alertsAt([alert({ isBeyond: was })], balance);
    expect(found && { isBeyond: found.alerts[0]?.isBeyond, crossed: found.crossed.length }).toEqual(
      expected,
    );
  });

  it("tell of each crossing once, whatever the balances are", () => {
    const balances = fc.array(fc.bigInt(0n, 200n), { maxLength: 40 });
    fc.assert(
      fc.property(balances, fc.constantFrom("BELOW", "ABOVE"), (history, direction) => {
        let alerts: readonly BalanceAlert[] = [alert({ direction, isBeyond: false })];
        let told = 0;
        let expected = 0;
        let before = false;
        for (const balance of history) {
          const found = alertsAt(alerts, balance);
          alerts = found?.alerts ?? alerts;
          told += found?.crossed.length ?? 0;
          const beyond = direction === "BELOW" ? balance < 100n : balance > 100n;
          if (beyond && !before) expected += 1;
          before = beyond;
        }
        expect(told).toBe(expected);
      }),
    );
  });
});
