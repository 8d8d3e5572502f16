import type { Transaction } from "@florin/client";
import { describe, expect, it } from "vitest";
import { refundableOf, summaryOf } from "./refundable.ts";

const USD = { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 };
const usd = (amount: number) => ({ amount, currency: USD });
const account = { sourceType: "ACCOUNT", accountId: "ExternalAccount:1", currency: "USD" };

const paid = {
  type: "INCOMING",
  status: "COMPLETED",
  source: account,
  receivedAmount: usd(12_000),
} as unknown as Transaction;

describe("what can be given back of a payment", () => {
  it.each<[string, Partial<Transaction>, number | undefined]>([
    ["that came from an account", {}, 12_000],
    ["of which a part was given back", { refundedAmount: usd(2_000) }, 10_000],
    ["of which a part is on its way back", { refundPendingAmount: usd(500) }, 11_500],
    ["that was given back", { refundedAmount: usd(12_000) }, undefined],
    ["that is refunded", { status: "REFUNDED" }, undefined],
    ["that goes out", { type: "OUTGOING" }, undefined],
    ["that is not over", { status: "PENDING" }, undefined],
    ["without an amount", { receivedAmount: undefined as never }, undefined],
    ["without a source", { source: undefined as never }, undefined],
    [
      "from a UMA address",
      { source: { sourceType: "UMA_ADDRESS", umaAddress: "$a@b.test" } as never },
      undefined,
    ],
  ])("%s", (_, change, left) => {
    expect(refundableOf({ ...paid, ...change })?.amount).toBe(left);
  });
});

describe("the summary", () => {
  const left = usd(10_000);
  const lines = (minor: bigint | undefined, change: Partial<Transaction> = {}) =>
    summaryOf({ ...paid, ...change }, left, minor)?.map(([name, { amount }]) => [
      name.split(".").at(-1),
      amount,
    ]);

  it("has what arrived, what goes back and what stays", () => {
    expect(lines(4_000n)).toEqual([
      ["arrived", 12_000],
      ["now", 4_000],
      ["stays", 6_000],
    ]);
    expect(lines(10_000n, { refundedAmount: usd(2_000) })).toEqual([
      ["arrived", 12_000],
      ["before", 2_000],
      ["now", 10_000],
      ["stays", 0],
    ]);
  });

  it("is none of an amount that cannot be given back", () => {
    for (const minor of [undefined, 0n, 10_001n]) expect(lines(minor)).toBeUndefined();
  });
});
