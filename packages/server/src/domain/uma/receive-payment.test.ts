import { expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import {
  customer,
  internal,
  PLATFORM,
  platform,
  quoteTransaction,
} from "../../../test/kit/payment-rows.ts";
import { internalAccounts } from "../accounts/internal/internal-account.ts";
import { customers } from "../customers/customer.ts";
import { umaReference } from "../payments/transactions/delivery.ts";
import { type Transaction, transactions } from "../payments/transactions/transaction.ts";
import { platforms } from "../platform.ts";
import { receivePayment } from "./receive-payment.ts";

const reference = umaReference(quoteTransaction.id);
const taken: Transaction = {
  ...quoteTransaction,
  id: "018f0000-0000-7000-8000-0000000000f9",
  type: "INCOMING",
  status: "COMPLETED",
  reference,
};

/** The transaction that was answered, and what was written. */
function takenIn(before: readonly Transaction[], accounts = [internal]) {
  const input = {
    reference,
    sender: { umaAddress: "$ana@there.test", information: {}, requestedFields: [] },
    receiver: { umaAddress: customer.umaAddress, customerId: customer.id },
    currency: "USD",
    amountMinor: 500n,
  };
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, ...accounts),
    rowsOf(transactions, ...before),
  ];
  const world = worldFor({ command: receivePayment, input, platformId: PLATFORM, tables });
  let answered: Transaction | undefined;
  const refusal = refusalOf(world, () => {
    answered = receivePayment.decide(world, input);
  });
  return { refusal: refusal?.code, answered, isNothingWritten: world.isEmpty };
}

it("a payment of another platform is taken in under its reference", () => {
  const { answered, isNothingWritten } = takenIn([{ ...taken, reference: "UMA-OTHER" }]);
  expect(answered).toMatchObject({ reference, status: "PENDING", createdAt: DECIDED_AT });
  expect(isNothingWritten).toBe(false);
});

it("a payment is received once, regardless of its end and of later changes", () => {
  const again = { refusal: undefined, answered: taken, isNothingWritten: true };
  expect(takenIn([taken])).toEqual(again);
  expect(takenIn([taken], [])).toEqual(again);
  const failed: Transaction = { ...taken, status: "FAILED" };
  expect(takenIn([failed])).toEqual({ ...again, answered: failed });
});
