/** The metadata of a transaction, replaced: in which states, what is written, and what is left alone. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../../test/kit/decided.ts";
import { PLATFORM, quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import type { Metadata } from "../../metadata.ts";
import { changeTransactionMetadata } from "./change-metadata.ts";
import { type Transaction, transactionStatuses, transactions } from "./transaction.ts";

const UNKNOWN = "018f0000-0000-7000-8000-0000000000ee";

function changed(row: Partial<Transaction>, metadata: Metadata | null, id = quoteTransaction.id) {
  return decided({
    command: changeTransactionMetadata,
    input: { transactionId: id, metadata },
    platformId: PLATFORM,
    tables: [rowsOf(transactions, { ...quoteTransaction, updatedAt: 1, ...row })],
  });
}

describe("a change of a transaction's metadata", () => {
  it.each(transactionStatuses)("is made of a %s one, and tells no event", (status) => {
    const { world } = changed({ status, metadata: { old: "1" } }, { orderId: "17" });
    expect(written(world, transactions)).toEqual([
      { ...quoteTransaction, status, metadata: { orderId: "17" }, updatedAt: DECIDED_AT },
    ]);
    expect([world.events, world.jobs]).toEqual([[], []]);
  });

  it.each<readonly [string, Metadata | null, Metadata | null, boolean]>([
    ["another value", { a: "1" }, { a: "2" }, true],
    ["another key", { a: "1" }, { b: "1" }, true],
    ["one key more", { a: "1" }, { a: "1", b: "2" }, true],
    ["one key less", { a: "1", b: "2" }, { a: "1" }, true],
    ["none", { a: "1" }, null, true],
    ["the first", null, { a: "1" }, true],
    ["the same", { a: "1", b: "2" }, { a: "1", b: "2" }, false],
    ["the same in another order", { a: "1", b: "2" }, { b: "2", a: "1" }, false],
    ["none where there is none", null, null, false],
  ])("to %s", (_what, before, after, writes) => {
    const { world, output } = changed({ metadata: before }, after);
    expect(written(world, transactions)).toHaveLength(writes ? 1 : 0);
    expect(output?.metadata).toEqual(after);
    expect(output?.updatedAt).toBe(writes ? DECIDED_AT : 1);
  });

  it("is refused of an unknown one", () => {
    const { refusal } = changed({}, { a: "1" }, UNKNOWN);
    expect(named(refusal)).toBe("TRANSACTION_NOT_FOUND");
  });
});
