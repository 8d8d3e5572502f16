/** Every way to decide an incoming payment, tried on every state that it can be in. */

import { describe, expect, it } from "vitest";
import { external } from "../../../test/kit/payment-rows.ts";
import { Batch } from "../../engine/batch.ts";
import { RowCache } from "../../engine/cache/row-cache.ts";
import type { Command } from "../../engine/command.ts";
import { GENESIS_HASH } from "../../engine/head.ts";
import { Refusal } from "../../engine/refusal.ts";
import { enginePorts } from "../../engine-ports.ts";
import { ledgerAccounts, newInternalLedgerAccount, systemAccount } from "../../ledger/chart.ts";
import { randomIds } from "../../std/ids.ts";
import { type ExternalAccount, externalAccounts } from "../accounts/external/external-account.ts";
import { type InternalAccount, internalAccounts } from "../accounts/internal/internal-account.ts";
import {
  type Transaction,
  type TransactionStatus,
  transactions,
} from "../payments/transactions/transaction.ts";
import type { CounterpartyOutcome } from "./counterparties.ts";
import { creditUmaPayment } from "./credit-payment.ts";
import { approvePayment, rejectPayment } from "./decide-payment.ts";
import { type PaymentApproval, paymentApprovals } from "./payment-approval.ts";
import { type ApprovalAnswer, recordApprovalAnswer } from "./record-approval-answer.ts";
import { recordDepositOutcome } from "./record-deposit-outcome.ts";

const AT = Date.UTC(2026, 10, 21);
const PLATFORM = "018f0000-0000-7000-8000-0000000000aa";
const ID = "018f0000-0000-7000-8000-000000000001";
const CALL = { transactionId: ID, isUnanswered: false };
const ACCOUNT = "018f0000-0000-7000-8000-000000000002";
const JOB = "018f0000-0000-7000-8000-000000000003";
const MINOR = 500n;

const transaction: Transaction = {
  id: ID,
  type: "INCOMING",
  status: "PENDING",
  customerId: "018f0000-0000-7000-8000-000000000004",
  platformCustomerId: "c",
  source: { type: "UMA_ADDRESS", umaAddress: "$a@x.test" },
  destination: { type: "UMA_ADDRESS", umaAddress: "$b@y.test", currency: "USD" },
  sourceAccountId: null,
  destinationAccountId: ACCOUNT,
  sentMinor: null,
  sentCurrency: null,
  receivedMinor: MINOR,
  receivedCurrency: "USD",
  quoteId: null,
  agentId: null,
  reference: "R",
  description: null,
  failureReason: null,
  failure: null,
  refund: null,
  details: null,
  metadata: null,
  outcome: null,
  createdAt: AT,
  updatedAt: AT,
  settledAt: null,
};

const approval: PaymentApproval = {
  id: ID,
  eventSeq: 1n,
  jobId: JOB,
  requestedFields: [
    { name: "TAX_ID", mandatory: true },
    { name: "EMAIL", mandatory: false },
  ],
  deadlineAt: AT + 5_000,
  outcome: { kind: "succeeds" },
  depositAccountId: null,
  decision: null,
  decidedAt: null,
  reason: null,
  receiverInformation: null,
  missingFields: null,
};

const account: InternalAccount = {
  id: ACCOUNT,
  customerId: transaction.customerId,
  type: "INTERNAL_FIAT",
  status: "ACTIVE",
  currency: "USD",
  isSimulated: true,
  walletAddress: null,
  walletMnemonicSealed: null,
  frozen: null,
  customerFreeze: null,
  alerts: null,
  createdAt: AT,
  additional: null,
  name: null,
  metadata: null,
  changedAt: null,
};

interface State {
  readonly status?: TransactionStatus;
  readonly decision?: PaymentApproval["decision"];
  /** After the question. */
  readonly afterMs?: number;
  readonly outcome?: CounterpartyOutcome;
  readonly isAsked?: boolean;
  /** The account outside that it is for, where it is not for the one inside. */
  readonly deposit?: Partial<ExternalAccount>;
}

function worldIn({ status = "PENDING", decision = null, ...state }: State): Batch {
  const at = AT + (state.afterMs ?? 1_000);
  const rows = new RowCache(100);
  const batch = new Batch({
    platformId: PLATFORM,
    head: { seq: 4n, eventSeq: 9n, clockOffsetMs: 0, lastAt: AT, chainHash: GENESIS_HASH },
    at,
    rows,
    ids: randomIds(),
    renderEvent: ({ id }) => JSON.stringify({ id }),
    ports: enginePorts(),
  });
  const decidedAt = decision === null ? null : AT;
  const outcome = state.outcome ?? approval.outcome;
  const depositAccountId = state.deposit === undefined ? null : external.id;
  const approved = { ...approval, decision, decidedAt, outcome, depositAccountId };
  const asked = state.isAsked === false ? [] : [approved];
  const payment: Transaction = { ...transaction, status };
  batch.receiveRows(transactions, [ID], [payment]);
  batch.receiveRows(paymentApprovals, [ID], asked);
  batch.receiveRows(internalAccounts, [ACCOUNT], [account]);
  batch.receiveRows(externalAccounts, [external.id], [{ ...external, ...state.deposit }]);
  const system = ["uma-clearing", "uma-transit", "rail-clearing"] as const;
  const systemIds = system.map((kind) => systemAccount(kind, "USD").id);
  const ledger = newInternalLedgerAccount(ACCOUNT, "USD", AT);
  batch.receiveRows(ledgerAccounts, [ACCOUNT, ...systemIds], [ledger]);
  batch.closeLoading();
  return batch;
}

interface Outcome {
  readonly refusal?: string;
  readonly status?: TransactionStatus;
  readonly failureReason?: string | null;
  readonly decision?: string | null;
  readonly emitted: readonly string[];
  readonly creditedMinor: bigint;
  readonly cancelled: readonly string[];
}

function run<Input>(state: State, command: Command<Input, unknown>, input: Input): Outcome {
  const world = worldIn(state);
  let refusal: string | undefined;
  try {
    command.decide(world, input);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error.code;
  }
  const after = world.get(transactions.ref(ID));
  return {
    ...(refusal === undefined ? {} : { refusal }),
    status: after.status,
    failureReason: after.failureReason,
    decision: world.find(paymentApprovals.ref(ID))?.decision ?? null,
    emitted: world.events.map(({ type }) => type),
    creditedMinor: world.get(ledgerAccounts.ref(ACCOUNT)).balanceMinor,
    cancelled: world.cancelledJobs,
  };
}

const INFO = { TAX_ID: "123" };
const answer = (given: ApprovalAnswer) => (state: State) =>
  run(state, recordApprovalAnswer, { transactionId: ID, answer: given });

const triggers: Readonly<Record<string, (state: State) => Outcome>> = {
  "a call of approve": (state) =>
    run(state, approvePayment, { ...CALL, receiverCustomerInfo: INFO }),
  "a call of reject": (state) => run(state, rejectPayment, { ...CALL, reason: null }),
  "the answer yes": answer({ kind: "approved", receiverCustomerInfo: INFO }),
  "the answer yes without data": answer({ kind: "approved", receiverCustomerInfo: {} }),
  "the answer no": answer({ kind: "rejected", reason: "no" }),
  "an answer that asks back": answer({ kind: "needs-more", requiredFields: ["TAX_ID"] }),
  "an answer of no use": answer({ kind: "unusable" }),
  silence: answer({ kind: "none" }),
};

const credited = {
  status: "COMPLETED",
  failureReason: null,
  decision: "APPROVED",
  emitted: ["INCOMING_PAYMENT.COMPLETED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"],
  creditedMinor: MINOR,
  cancelled: [JOB],
};
const ended = (decision: string, status: string, failureReason: string | null) => ({
  status,
  failureReason,
  decision,
  emitted: ["INCOMING_PAYMENT.FAILED"],
  creditedMinor: 0n,
  cancelled: [JOB],
});

const whenOpen: Readonly<Record<string, object>> = {
  "a call of approve": credited,
  "a call of reject": ended("REJECTED", "REJECTED", "PAY_REQUEST_FAILED"),
  "the answer yes": credited,
  "the answer yes without data": ended("FAILED", "FAILED", "MISSING_MANDATORY_PAYEE_DATA"),
  "the answer no": ended("REJECTED", "REJECTED", "PAY_REQUEST_FAILED"),
  "an answer that asks back": ended("FAILED", "FAILED", "PAY_REQUEST_FAILED"),
  "an answer of no use": ended("FAILED", "FAILED", "PAYMENT_APPROVAL_WEBHOOK_ERROR"),
  silence: ended("TIMED_OUT", "FAILED", "PAYMENT_APPROVAL_TIMED_OUT"),
};

describe("an open question", () => {
  it.each(Object.entries(triggers))("is decided by %s", (name, trigger) => {
    expect(trigger({})).toEqual(whenOpen[name]);
    expect(trigger({ afterMs: 4_999 })).toEqual(whenOpen[name]);
  });
});

const decided: readonly (readonly [
  decision: NonNullable<PaymentApproval["decision"]>,
  status: TransactionStatus,
])[] = [
  ["APPROVED", "PROCESSING"],
  ["APPROVED", "COMPLETED"],
  ["APPROVED", "FAILED"],
  ["REJECTED", "REJECTED"],
  ["FAILED", "FAILED"],
  ["TIMED_OUT", "FAILED"],
];

describe("a question that was decided", () => {
  const pairs = decided.flatMap(([decision, status]) =>
    Object.keys(triggers).map((name) => ({ decision, status, name })),
  );
  it.each(pairs)("$decision, payment $status, stays so at $name", ({ decision, status, name }) => {
    const outcome = triggers[name]?.({ decision, status });
    const isCall = name.startsWith("a call");
    expect(outcome).toEqual({
      ...(isCall ? { refusal: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL" } : {}),
      status,
      failureReason: null,
      decision,
      emitted: [],
      creditedMinor: 0n,
      cancelled: [],
    });
  });
});

describe("from the deadline on", () => {
  it.each(["a call of approve", "a call of reject"])("%s is too late", (name) => {
    expect(triggers[name]?.({ afterMs: 5_000 })).toMatchObject({
      refusal: "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
      status: "PENDING",
      emitted: [],
    });
  });

  it("an answer that was given in time still counts, until the end was noted", () => {
    expect(triggers["the answer yes"]?.({ afterMs: 5_001 })).toEqual(credited);
  });
});

describe("a call refuses", () => {
  it("in the order of the rules", () => {
    const late = "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL";
    const call = (state: State) =>
      run(state, approvePayment, { ...CALL, receiverCustomerInfo: {} }).refusal;
    expect(call({ isAsked: false })).toBe(late);
    expect(call({ decision: "REJECTED", status: "REJECTED" })).toBe(late);
    expect(call({ afterMs: 5_000 })).toBe(late);
    const early = { ...CALL, isUnanswered: true };
    expect(run({}, approvePayment, { ...early, receiverCustomerInfo: {} }).refusal).toBe(late);
    expect(run({}, rejectPayment, { ...early, reason: null }).refusal).toBe(late);
    expect(call({})).toBe("MISSING_MANDATORY_USER_INFO");
  });
});

describe("an approved payment", () => {
  const approve = triggers["a call of approve"] as (state: State) => Outcome;
  const credit = (state: State) => run(state, creditUmaPayment, { transactionId: ID, jobId: JOB });
  const late: CounterpartyOutcome = { kind: "succeeds-late", seconds: 360 };
  const fails: CounterpartyOutcome = { kind: "fails", failureReason: "QUOTE_EXECUTION_FAILED" };

  it("that takes long is in progress, then credited, once", () => {
    expect(approve({ outcome: late })).toMatchObject({ status: "PROCESSING", emitted: [] });
    const due = { outcome: late, decision: "APPROVED", status: "PROCESSING" } as const;
    expect(credit(due)).toMatchObject({ status: "COMPLETED", creditedMinor: MINOR });
    const again = credit({ ...due, status: "COMPLETED" });
    expect(again).toMatchObject({ emitted: [], creditedMinor: 0n, cancelled: [JOB] });
  });

  it("that must fail fails, and credits nothing", () => {
    const failed = ended("APPROVED", "FAILED", "QUOTE_EXECUTION_FAILED");
    expect(approve({ outcome: fails })).toEqual(failed);
  });

  it("is sent on to an account outside that is active and there, and fails for any other", () => {
    expect(approve({ deposit: {} })).toMatchObject({ status: "PROCESSING", creditedMinor: 0n });
    const failed = ended("APPROVED", "FAILED", "OFFRAMP_FAILED");
    for (const status of ["PENDING", "UNDER_REVIEW", "INACTIVE"] as const) {
      expect([status, approve({ deposit: { status } })]).toEqual([status, failed]);
    }
    expect(approve({ deposit: { deletedAt: AT } })).toEqual(failed);
  });

  it("records the outcome of its deposit only while in progress", () => {
    for (const status of ["PENDING", "COMPLETED", "FAILED", "REJECTED"] as const) {
      const outcome = run({ status, decision: "APPROVED" }, recordDepositOutcome, {
        transactionId: ID,
        jobId: "late job",
        answer: { kind: "settled" },
      });
      expect(outcome).toMatchObject({ status, emitted: [], cancelled: ["late job"] });
    }
  });
});
