/** What decides an invoice before it is paid: the platform's answer, the connector's text, and the end of the wait. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { customer, internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { INVOICE, invoiceTables } from "../../../../test/kit/uma-invoice-rows.ts";
import { present } from "../../../std/assert.ts";
import type { Freeze } from "../../accounts/freezes/freeze.ts";
import { freezeAccount } from "../../accounts/freezes/freeze-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { fxPositions } from "../../prices/fx-positions/fx-position.ts";
import { approvePayment, rejectPayment } from "../decide-payment.ts";
import { type PaymentApproval, paymentApprovals } from "../payment-approval.ts";
import { type ApprovalAnswer, recordApprovalAnswer } from "../record-approval-answer.ts";
import { closeInvoice, openInvoice, stopInvoices } from "./open-invoice.ts";
import { type UmaInvoice, umaInvoices } from "./uma-invoice.ts";

const AS = { actor: { kind: "worker", id: "uma" }, at: DECIDED_AT } as const;

const approval: PaymentApproval = {
  id: INVOICE,
  eventSeq: 1n,
  jobId: "018f0000-0000-7000-8000-0000000000c3",
  requestedFields: [{ name: "TAX_ID", mandatory: true }],
  deadlineAt: DECIDED_AT + 5_000,
  outcome: { kind: "invoice" },
  depositAccountId: null,
  decision: null,
  decidedAt: null,
  reason: null,
  receiverInformation: null,
  missingFields: null,
};

const ASKED = { state: "ASKED", text: null, expiresAt: null, jobId: null } as const;
const WANTED = {
  ...ASKED,
  state: "WANTED",
  jobId: "018f0000-0000-7000-8000-0000000000c2",
} as const;

function opened(invoice: Partial<UmaInvoice>) {
  return new DecidedRows(PLATFORM, [
    ...invoiceTables({ invoice }),
    rowsOf(paymentApprovals, approval),
  ]);
}

function stateOf(rows: DecidedRows) {
  const [invoice] = rows.all(umaInvoices);
  const [payment] = rows.all(transactions);
  const isCommitted = rows.all(fxPositions).some(({ committedMinor }) => committedMinor !== 0n);
  return [
    invoice?.endedAs ?? invoice?.state,
    payment?.failureReason ?? payment?.status,
    isCommitted,
  ];
}

const approved = { kind: "approved", receiverCustomerInfo: { TAX_ID: "7" } } as const;

describe("the answer of the platform", () => {
  it.each<readonly [string, ApprovalAnswer, readonly [string, string, boolean]]>([
    ["approves", approved, ["WANTED", "PENDING", true]],
    [
      "approves without what the payer's institution must know",
      { kind: "approved", receiverCustomerInfo: {} },
      ["REFUSED", "MISSING_MANDATORY_PAYEE_DATA", false],
    ],
    ["rejects", { kind: "rejected", reason: "no" }, ["REFUSED", "PAY_REQUEST_FAILED", false]],
    [
      "needs more about the payer",
      { kind: "needs-more", requiredFields: ["TAX_ID"] },
      ["REFUSED", "PAY_REQUEST_FAILED", false],
    ],
    ["is not usable", { kind: "unusable" }, ["REFUSED", "PAYMENT_APPROVAL_WEBHOOK_ERROR", false]],
    ["does not come", { kind: "none" }, ["REFUSED", "PAYMENT_APPROVAL_TIMED_OUT", false]],
  ])("%s", (_what, answer, expected) => {
    const rows = opened(ASKED);
    const input = { transactionId: INVOICE, answer };
    rows.run(recordApprovalAnswer, input, AS);
    expect(stateOf(rows)).toEqual(expected);
    // A second answer changes nothing.
    rows.run(recordApprovalAnswer, { transactionId: INVOICE, answer: approved }, AS);
    expect(stateOf(rows)).toEqual(expected);
  });

  it("may be a call of approve or reject", () => {
    const call = { transactionId: INVOICE, isUnanswered: false };
    const taken = opened(ASKED);
    taken.run(approvePayment, { ...call, receiverCustomerInfo: { TAX_ID: "7" } }, AS);
    expect(stateOf(taken)).toEqual(["WANTED", "PENDING", true]);
    const refused = opened(ASKED);
    refused.run(rejectPayment, { ...call, reason: null }, AS);
    expect(stateOf(refused)).toEqual(["REFUSED", "PAY_REQUEST_FAILED", false]);
  });
});

describe("the text of a connector", () => {
  const text = {
    invoiceId: INVOICE,
    ...{ text: "bill-1", expiresAt: DECIDED_AT + 300_000, nodePubKey: null, utxos: [] },
    leftMs: 300_000,
  };

  it("opens a wanted invoice, and is stored before it is given away", () => {
    const rows = opened(WANTED);
    expect(rows.run(openInvoice, text, AS)).toBe(true);
    expect(present(rows.all(umaInvoices)[0], "the invoice")).toMatchObject({
      ...{ state: "OPEN", text: "bill-1", expiresAt: DECIDED_AT + 300_000 },
    });
    // The same server may repeat its command; another text is not the invoice.
    expect(rows.run(openInvoice, text, AS)).toBe(true);
    expect(rows.run(openInvoice, { ...text, text: "bill-2" }, AS)).toBe(false);
  });

  it.each(["ASKED", "PAID", "CLOSED"] as const)("is not given away when it is %s", (state) => {
    const rows = opened({ ...WANTED, state, endedAs: state === "CLOSED" ? "NOT_MADE" : null });
    expect(rows.run(openInvoice, text, AS)).toBe(false);
    expect(rows.all(umaInvoices)[0]?.text).toBeNull();
  });
});

describe("an account that takes no money any more", () => {
  const freeze = (scope: Freeze["scope"]) => ({ reason: "COMPLIANCE", scope, note: null }) as const;
  const frozen = (scope: Freeze["scope"]) => ({ ...freeze(scope), since: "2026-11-01" });
  const stop = {
    ...{ jobId: "018f0000-0000-7000-8000-0000000000c4", holderId: customer.id },
    ...{ invoiceIds: [INVOICE], after: null },
  };
  const holding = (
    account: object,
    invoice: Partial<UmaInvoice> = {},
    holder: Partial<Customer> = {},
  ) =>
    new DecidedRows(PLATFORM, [
      ...invoiceTables({ invoice }),
      rowsOf(internalAccounts, { ...internal, ...account }),
      rowsOf(customers, { ...customer, ...holder }),
    ]);
  const gone = { deletedAt: DECIDED_AT };

  it.each<readonly [string, object, Partial<Customer>]>([
    ["that is frozen", { frozen: frozen("ALL") }, {}],
    ["whose customer is frozen", { customerFreeze: frozen("ALL") }, {}],
    ["whose customer was deleted", {}, gone],
    ["that was closed", { status: "CLOSED" }, {}],
  ])("%s has its open invoice cancelled, and then the payment fails", (_what, account, holder) => {
    const rows = holding(account, {}, holder);
    rows.run(stopInvoices, stop, AS);
    const [invoice] = rows.all(umaInvoices);
    expect(invoice).toMatchObject({ state: "OPEN", text: "invoice-text" });
    expect(invoice?.jobId).not.toBe(WANTED.jobId);
    const close = { invoiceId: INVOICE, jobId: invoice?.jobId ?? "", isUndeliverable: true };
    rows.run(closeInvoice, close, AS);
    expect(stateOf(rows)).toEqual(["UNDELIVERABLE", "OFFRAMP_FAILED", false]);
    rows.run(closeInvoice, close, AS);
    expect(stateOf(rows)).toEqual(["UNDELIVERABLE", "OFFRAMP_FAILED", false]);
  });

  it.each<readonly [string, object, Partial<UmaInvoice>]>([
    ["an account that takes money again", {}, {}],
    ["a freeze of debits alone", { frozen: frozen("DEBITS") }, {}],
    ["an invoice without a text", { customerFreeze: frozen("ALL") }, WANTED],
    ["a paid one", { frozen: frozen("ALL") }, { state: "PAID", jobId: null }],
  ])("leaves alone %s", (_what, account, invoice) => {
    const rows = holding(account, invoice);
    const [before] = rows.all(umaInvoices);
    rows.run(stopInvoices, stop, AS);
    expect(rows.all(umaInvoices)).toEqual([before]);
  });

  it.each<readonly [string, object, Partial<Customer>]>([
    ["a frozen customer", { customerFreeze: frozen("ALL") }, {}],
    ["a deleted customer", {}, gone],
    ["a closed account", { status: "CLOSED" }, {}],
  ])("gets no text for an invoice that was being made: %s", (_what, account, holder) => {
    const rows = holding(account, WANTED, holder);
    const told = { text: "bill-1", expiresAt: DECIDED_AT, nodePubKey: null, utxos: [], leftMs: 0 };
    expect(rows.run(openInvoice, { invoiceId: INVOICE, ...told }, AS)).toBe(false);
    expect(stateOf(rows)).toEqual(["WANTED", "PENDING", true]);
  });

  it.each(["ALL", "DEBITS"] as const)(
    "is found by the job of a freeze with the scope %s",
    (scope) => {
      const command = freezeAccount;
      const input = { accountId: internal.id, freeze: freeze(scope) };
      const world = worldFor({ command, input, platformId: PLATFORM, tables: invoiceTables() });
      world.begin(AS.actor, 5n);
      command.decide(world, input);
      const kinds = world.jobs.map(({ kind }) => kind);
      expect(kinds).toEqual(scope === "ALL" ? ["stop-uma-invoices"] : []);
    },
  );
});
