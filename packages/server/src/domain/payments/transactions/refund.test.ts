import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM, quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import { toIso } from "../../../std/clock.ts";
import { completeRefund, failRefund, openRefund } from "./refund.ts";
import { transactions } from "./transaction.ts";

const failed = {
  ...quoteTransaction,
  status: "FAILED",
  createdAt: DECIDED_AT - 9_000,
  updatedAt: DECIDED_AT - 9_000,
} as const;

function opened() {
  const command = { needs: () => [transactions.ref(failed.id)] };
  const tables = [rowsOf(transactions, failed)];
  const world = worldFor({ command, input: undefined, platformId: PLATFORM, tables });
  return { world, refunding: openRefund(world, failed, { reason: "TRANSACTION_FAILED" }) };
}

const now = toIso(DECIDED_AT);

describe("a refund", () => {
  it("starts at its own time, not that of its payment, with an event", () => {
    const { world, refunding } = opened();
    const { transaction, refund } = refunding;
    expect(refund).toEqual({
      reference: expect.stringMatching(/^RF-[0-9A-F]{16}$/),
      initiatedAt: now,
      status: "PENDING",
      reason: "TRANSACTION_FAILED",
    });
    expect(transaction).toEqual({ ...failed, refund, updatedAt: DECIDED_AT });
    expect(world.get(transactions.ref(failed.id))).toEqual(transaction);
    expect(world.events.map(({ type }) => type)).toEqual(["OUTGOING_PAYMENT.REFUND_PENDING"]);
  });

  it.each([
    [completeRefund, { status: "COMPLETED", settledAt: now }, "REFUND_COMPLETED"],
    [failRefund, { status: "FAILED" }, "REFUND_FAILED"],
  ] as const)("ends with the rest of it as it was: %o", (end, ended, type) => {
    const { world, refunding } = opened();
    const stale = { ...refunding, transaction: { ...refunding.transaction, updatedAt: 1 } };
    const transaction = end(world, stale);
    expect(transaction.refund).toEqual({ ...refunding.refund, ...ended });
    expect(transaction.updatedAt).toBe(DECIDED_AT);
    expect(world.get(transactions.ref(failed.id))).toEqual(transaction);
    expect(world.events.at(-1)?.type).toBe(`OUTGOING_PAYMENT.${type}`);
  });
});
