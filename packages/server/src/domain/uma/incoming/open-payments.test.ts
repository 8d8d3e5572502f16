/** The deletion of a customer with open payments: which hinder it, and what becomes of invoices that wait for money. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../../test/kit/decided.ts";
import { customer, internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { invoicedPayment, invoiceTables } from "../../../../test/kit/uma-invoice-rows.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import { customers } from "../../customers/customer.ts";
import { deleteCustomer } from "../../customers/delete-customer.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import type { UmaInvoice } from "./uma-invoice.ts";

const OTHER = "018f0000-0000-7000-8000-0000000000c9";

interface State {
  readonly invoice?: Partial<UmaInvoice>;
  readonly payment?: Partial<Transaction>;
  readonly other?: Partial<Transaction>;
  readonly balanceMinor?: bigint;
}

function remove({ invoice, payment, other, balanceMinor = 0n }: State) {
  const account = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  const { world, refusal } = decided({
    command: deleteCustomer,
    input: { customerId: customer.id },
    platformId: PLATFORM,
    tables: [
      ...invoiceTables({ ...(invoice && { invoice }), ...(payment && { payment }) }),
      rowsOf(ledgerAccounts, { ...account, balanceMinor }),
      ...(other === undefined
        ? []
        : [rowsOf(transactions, { ...invoicedPayment, id: OTHER, ...other })]),
    ],
  });
  const isDeleted = written(world, customers).some(({ deletedAt }) => deletedAt === DECIDED_AT);
  return {
    answer: isDeleted ? "deleted" : named(refusal, "reason"),
    jobs: world.jobs.map(({ kind, payload }) => ({ kind, payload })),
  };
}

const STOPS = [{ kind: "stop-uma-invoices", payload: { holderId: customer.id, after: null } }];
const IN_FLIGHT = "CONFLICT a payment is in flight";
const paid = { state: "PAID", jobId: null } as const;

describe("a customer", () => {
  it.each<readonly [what: string, state: State, answer: string, jobs: readonly object[]]>([
    ["with an open invoice", {}, "deleted", STOPS],
    ["with one whose text is being made", { invoice: { state: "WANTED" } }, "deleted", STOPS],
    ["whose payment is paid", { invoice: paid, payment: { status: "COMPLETED" } }, "deleted", []],
    ["whose platform is asked", { invoice: { state: "ASKED" } }, IN_FLIGHT, []],
    ["with a payment that is asked about", { other: {} }, IN_FLIGHT, []],
    ["with a payout", { other: { type: "OUTGOING" } }, IN_FLIGHT, []],
    ["with a payment that is processed", { other: { status: "PROCESSING" } }, IN_FLIGHT, []],
    ["with money", { balanceMinor: 1n }, "CONFLICT an account holds money", []],
  ])("%s", (_what, state, answer, jobs) => {
    expect(remove(state)).toEqual({ answer, jobs });
  });

  it("is not deleted while what failed is given back", () => {
    const refund = { reference: "RF", initiatedAt: "2026-11-21", reason: "x", status: "PENDING" };
    const other = { status: "FAILED", refund } as unknown as Partial<Transaction>;
    expect(remove({ other }).answer).toBe(IN_FLIGHT);
  });
});
