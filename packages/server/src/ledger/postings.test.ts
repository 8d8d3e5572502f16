import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { present } from "../std/assert.ts";
import { type LedgerAccount, newInternalLedgerAccount, systemAccountId } from "./chart.ts";
import { type AccountsInUse, applyPosting, type Leg, type Posting } from "./postings.ts";

const A = "018f0000-0000-7000-8000-00000000000a";
const B = "018f0000-0000-7000-8000-00000000000b";
const EUR = "018f0000-0000-7000-8000-00000000000e";
const FUNDING = systemAccountId("sandbox-funding", "USD");
const IN_FLIGHT = systemAccountId("in-flight", "USD");

interface Books extends AccountsInUse {
  readonly rows: Map<string, LedgerAccount>;
  balance(id: string): bigint;
}

function books(balances: Readonly<Record<string, bigint>> = { [A]: 100n, [B]: 0n }): Books {
  const rows = new Map<string, LedgerAccount>();
  for (const [id, balanceMinor] of Object.entries({ [EUR]: 50n, ...balances })) {
    const currency = id === EUR ? "EUR" : "USD";
    rows.set(id, { ...newInternalLedgerAccount(id, currency, 1), balanceMinor });
  }
  return {
    rows,
    find: (id) => rows.get(id),
    put: (account) => void rows.set(account.id, account),
    balance: (id) => present(rows.get(id), id).balanceMinor,
  };
}

const context = { at: 7_000, posting: 3 };

function posting(...legs: readonly Leg[]): Posting {
  return { reason: "payout.hold", legs };
}

describe("a posting", () => {
  it("moves money and records each balance after it", () => {
    const accounts = books();
    const outcome = applyPosting(
      accounts,
      posting({ account: A, minor: -30n }, { account: B, minor: 30n }),
      context,
    );
    expect(outcome).toMatchObject({
      kind: "posted",
      entries: [
        { accountId: A, version: 1n, amountMinor: -30n, balanceAfterMinor: 70n, posting: 3 },
        { accountId: B, version: 1n, amountMinor: 30n, balanceAfterMinor: 30n, posting: 3 },
      ],
    });
    expect(accounts.rows.get(A)).toMatchObject({
      balanceMinor: 70n,
      version: 1n,
      updatedAt: 7_000,
    });
  });

  it("creates a system account at its first use", () => {
    const accounts = books();
    const outcome = applyPosting(
      accounts,
      posting(
        { system: "sandbox-funding", currency: "USD", minor: -5n },
        { account: A, minor: 5n },
      ),
      context,
    );
    expect(outcome.kind).toBe("posted");
    expect(accounts.rows.get(FUNDING)).toMatchObject({
      kind: "sandbox-funding",
      guarded: false,
      balanceMinor: -5n,
    });
  });

  it("increments the version of an account per entry, also with two legs on it", () => {
    const accounts = books();
    const outcome = applyPosting(
      accounts,
      posting(
        { account: A, minor: -30n },
        { account: B, minor: 20n },
        { account: A, minor: -10n },
        { account: B, minor: 20n },
      ),
      context,
    );
    expect(outcome.kind === "posted" && outcome.entries.map((entry) => entry.version)).toEqual([
      1n,
      1n,
      2n,
      2n,
    ]);
    expect([accounts.balance(A), accounts.balance(B)]).toEqual([60n, 40n]);
  });

  it("records held money at the account that owns it", () => {
    const accounts = books();
    const legs = (minor: bigint) =>
      posting(
        { account: A, minor: -minor },
        { system: "in-flight", currency: "USD", minor, heldFor: A },
      );
    applyPosting(accounts, legs(40n), context);
    expect(accounts.rows.get(A)).toMatchObject({ balanceMinor: 60n, heldMinor: 40n });
    applyPosting(accounts, legs(-40n), context);
    expect(accounts.rows.get(A)).toMatchObject({ balanceMinor: 100n, heldMinor: 0n, version: 2n });
    expect(accounts.balance(IN_FLIGHT)).toBe(0n);
  });

  it("is refused whole when a guarded account would go below zero", () => {
    const accounts = books();
    const before = new Map(accounts.rows);
    const outcome = applyPosting(
      accounts,
      posting({ account: B, minor: 101n }, { account: A, minor: -101n }),
      context,
    );
    expect(outcome).toEqual({
      kind: "insufficient",
      accountId: A,
      currency: "USD",
      availableMinor: 100n,
      neededMinor: 101n,
    });
    expect(accounts.rows).toEqual(before);
  });

  it("is refused whole when its legs together overdraw an account and none does alone", () => {
    const accounts = books();
    const before = new Map(accounts.rows);
    const halves = posting(
      { account: A, minor: -60n },
      { account: A, minor: -60n },
      { account: B, minor: 120n },
    );
    expect(applyPosting(accounts, halves, context)).toMatchObject({
      kind: "insufficient",
      availableMinor: 100n,
      neededMinor: 120n,
    });
    expect(accounts.rows).toEqual(before);
    const returned = posting(
      { account: A, minor: -100n },
      { account: A, minor: 50n },
      { account: A, minor: -50n },
      { account: B, minor: 100n },
    );
    expect(applyPosting(accounts, returned, context).kind).toBe("posted");
  });

  it("is refused whole when a balance would exceed its range", () => {
    const most = 2n ** 63n - 1n;
    const accounts = books();
    const move = (minor: bigint) =>
      applyPosting(
        accounts,
        posting(
          { system: "rail-clearing", currency: "USD", minor: -minor },
          { system: "paid-in", currency: "USD", minor },
        ),
        context,
      );
    expect(move(most).kind).toBe("posted");
    const before = new Map(accounts.rows);
    expect(move(1n)).toEqual({ kind: "full", currency: "USD" });
    expect(accounts.rows).toEqual(before);
    expect(move(-1n).kind).toBe("posted");
    expect(move(1n).kind).toBe("posted");
  });

  it("is refused whole when it would take a balance below its range, and no other one beyond it", () => {
    const accounts = books();
    const most = 2n ** 63n - 1n;
    const payInto = (kind: "paid-in" | "fees", minor: bigint) =>
      applyPosting(
        accounts,
        posting(
          { system: "rail-clearing", currency: "USD", minor: -minor },
          { system: kind, currency: "USD", minor },
        ),
        context,
      );
    expect(payInto("paid-in", most).kind).toBe("posted");
    const before = new Map(accounts.rows);
    expect(payInto("fees", 1n)).toEqual({ kind: "full", currency: "USD" });
    expect(accounts.rows).toEqual(before);
  });

  it("may empty a guarded account to the last unit", () => {
    const accounts = books();
    const legs = posting({ account: A, minor: -100n }, { account: B, minor: 100n });
    expect(applyPosting(accounts, legs, context).kind).toBe("posted");
    expect(accounts.balance(A)).toBe(0n);
  });
});

describe("a posting that would break the books is a bug", () => {
  it.each<readonly [string, readonly Leg[]]>([
    ["no legs", []],
    ["one leg", [{ account: A, minor: 1n }]],
    [
      "legs that do not sum to zero",
      [
        { account: A, minor: -2n },
        { account: B, minor: 1n },
      ],
    ],
    [
      "zero over two currencies but not in each",
      [
        { account: A, minor: -1n },
        { account: EUR, minor: 1n },
      ],
    ],
    [
      "a leg of nothing",
      [
        { account: A, minor: 0n },
        { account: B, minor: 0n },
      ],
    ],
    [
      "an account that was not loaded",
      [
        { account: A, minor: -1n },
        { account: "018f0000-0000-7000-8000-0000000000ff", minor: 1n },
      ],
    ],
    [
      "more released than was held",
      [
        { system: "in-flight", currency: "USD", minor: -1n, heldFor: A },
        { account: A, minor: 1n },
      ],
    ],
  ])("%s", (_name, legs) => {
    expect(() => applyPosting(books(), posting(...legs), context)).toThrow();
  });
});

/** Random moves between three accounts and the funding account of their currency, some of them too large. */
const moves = fc.array(
  fc.record({
    from: fc.constantFrom("funding", A, B, EUR),
    to: fc.constantFrom("funding", A, B, EUR),
    minor: fc.bigInt({ min: 1n, max: 200n }),
  }),
  { maxLength: 60 },
);

it("random postings conserve each currency, never overdraw a guarded account and leave no gap", () => {
  fc.assert(
    fc.property(moves, (orders) => {
      const accounts = books({ [A]: 0n, [B]: 0n });
      const start = accounts.balance(EUR);
      const versions = new Map<string, bigint>();
      for (const { from, to, minor } of orders) {
        const crosses = (from === EUR) !== (to === EUR) && from !== "funding" && to !== "funding";
        if (from === to || crosses) continue;
        const currency = from === EUR || to === EUR ? "EUR" : "USD";
        const leg = (end: string, amount: bigint): Leg =>
          end === "funding"
            ? { system: "sandbox-funding", currency, minor: amount }
            : { account: end, minor: amount };
        const outcome = applyPosting(accounts, posting(leg(from, -minor), leg(to, minor)), context);
        if (outcome.kind !== "posted") continue;
        for (const entry of outcome.entries) {
          expect(entry.version).toBe((versions.get(entry.accountId) ?? 0n) + 1n);
          versions.set(entry.accountId, entry.version);
        }
      }
      const sums = new Map<string, bigint>();
      for (const row of accounts.rows.values()) {
        if (row.guarded) expect(row.balanceMinor >= 0n).toBe(true);
        sums.set(row.currency, (sums.get(row.currency) ?? 0n) + row.balanceMinor);
      }
      expect(sums.get("EUR")).toBe(start);
      expect(sums.get("USD") ?? 0n).toBe(0n);
    }),
  );
});
