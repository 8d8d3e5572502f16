/** What decides an invoice before it is paid: the platform's answer, the connector's text, and the end of the wait. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { INVOICE, invoiceTables } from "../../../../test/kit/uma-invoice-rows.ts";
import { present } from "../../../std/assert.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { fxPositions } from "../../prices/fx-positions/fx-position.ts";
import { approvePayment, rejectPayment } from "../decide-payment.ts";
import { type PaymentApproval, paymentApprovals } from "../payment-approval.ts";
import { type ApprovalAnswer, recordApprovalAnswer } from "../record-approval-answer.ts";
import { openInvoice } from "./open-invoice.ts";
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
