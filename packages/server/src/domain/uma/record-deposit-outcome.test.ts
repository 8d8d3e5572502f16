import { expect, it } from "vitest";
import { rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { external, PLATFORM, quoteTransaction } from "../../../test/kit/payment-rows.ts";
import { externalAccounts } from "../accounts/external/external-account.ts";
import {
  type Transaction,
  type TransactionStatus,
  transactions,
} from "../payments/transactions/transaction.ts";
import type { OutcomeInput } from "../payments/transfers/record-payout-outcome.ts";
import { paymentApprovals } from "./payment-approval.ts";
import { recordDepositOutcome } from "./record-deposit-outcome.ts";

const JOB = "018f0000-0000-7000-8000-0000000000e2";

function recorded(answer: OutcomeInput["answer"], status: TransactionStatus) {
  const transaction: Transaction = {
    ...quoteTransaction,
    type: "INCOMING",
    status,
    destinationAccountId: external.id,
    receivedMinor: 500n,
    receivedCurrency: "USD",
  };
  const approval = {
    id: transaction.id,
    eventSeq: 1n,
    jobId: JOB,
    requestedFields: [],
    deadlineAt: 1,
    outcome: { kind: "succeeds" },
    depositAccountId: external.id,
    decision: "APPROVED",
    decidedAt: 1,
    reason: null,
    receiverInformation: null,
    missingFields: null,
  } as const;
  const tables = [
    rowsOf(transactions, transaction),
    rowsOf(paymentApprovals, approval),
    rowsOf(externalAccounts, external),
  ];
  const input = { transactionId: transaction.id, jobId: JOB, answer };
  const world = worldFor({ command: recordDepositOutcome, input, platformId: PLATFORM, tables });
  const after = recordDepositOutcome.decide(world, input);
  const moved = world.entries.map(({ reason, amountMinor }) => `${reason} ${amountMinor}`);
  return [after.status, moved, world.cancelledJobs];
}

const declined = {
  kind: "declined",
  failureReason: "COUNTERPARTY_POST_TX_FAILED",
  refundReason: "TRANSACTION_FAILED",
  wasAccepted: true,
} as const;
const settled = { kind: "settled" } as const;
const accepted = { kind: "accepted" } as const;

it("a payment to an external account settles, is returned, or is queried again", () => {
  expect(recorded(settled, "PROCESSING")).toEqual([
    "COMPLETED",
    ["uma.deposit -500", "uma.deposit 500"],
    [JOB],
  ]);
  expect(recorded(declined, "PROCESSING")).toEqual([
    "FAILED",
    ["uma.return -500", "uma.return 500"],
    [JOB],
  ]);
  expect(recorded(accepted, "PROCESSING")).toEqual(["PROCESSING", [], []]);
});

it.each(
  [settled, declined, accepted].flatMap((answer) =>
    (["COMPLETED", "FAILED"] as const).map((status) => ({ answer, status })),
  ),
)("one that is over stays what it is, and its job ends: %j", ({ answer, status }) => {
  expect(recorded(answer, status)).toEqual([status, [], [JOB]]);
});
