/** Jobs that call a payment rail: send or inquire, then record the answer. Only an answer of the rail decides an outcome. */

import type { RailPayload } from "../../domain/job-kinds.ts";
import { UMA_ADDRESS } from "../../domain/payments/carrier/carrier.port.ts";
import { recordQuoteOutcome } from "../../domain/payments/quotes/record-quote-outcome.ts";
import { recordQuotePull } from "../../domain/payments/quotes/record-quote-pull.ts";
import { recordQuoteRefund } from "../../domain/payments/quotes/record-quote-refund.ts";
import { beneficiaryReference, umaReference } from "../../domain/payments/transactions/delivery.ts";
import { causes } from "../../domain/payments/transactions/failure.ts";
import type {
  PaymentRail,
  RailAnswer,
  RailInstruction,
} from "../../domain/payments/transfers/payment-rail.port.ts";
import { recordPayoutOutcome } from "../../domain/payments/transfers/record-payout-outcome.ts";
import { recordPullOutcome } from "../../domain/payments/transfers/record-pull-outcome.ts";
import { recordDepositOutcome } from "../../domain/uma/record-deposit-outcome.ts";
import type { ClaimedJob, Command } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { assert, present } from "../../std/assert.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobRunners } from "../job-runners.ts";
import { JobRefused, submitForJob } from "../submit-for-job.ts";

/** The rail of jobs that name none: those of quotes, which only sandbox platforms pay through a rail. */
const SIMULATED = "simulated";

/** The delay before the next inquiry, where the rail did not name one. */
const ASK_AGAIN_MS = 5_000;

type RailJob = ClaimedJob<RailPayload>;

interface RailJobs {
  readonly engine: Engine;
  /** Rails by the name in a payment's job. */
  readonly rails: Readonly<Record<string, PaymentRail>>;
  /** The rail for payments of this platform to UMA addresses. */
  readonly umaNetwork: (platformId: string) => PaymentRail;
}

export function railJobRunners(
  options: RailJobs,
): Pick<
  JobRunners,
  | "send-payout"
  | "pull-funds"
  | "pull-quote-funds"
  | "pay-quote"
  | "refund-quote"
  | "send-uma-deposit"
> {
  const runner = (kind: RailJobKind) => {
    const tools = { ...options, kind };
    return (job: RailJob) => runRailJob(job, tools);
  };
  return {
    "send-payout": runner(payouts),
    "pull-funds": runner(pulls),
    "pull-quote-funds": runner(quotePulls),
    "pay-quote": runner(quotePayouts),
    "refund-quote": runner(quoteRefunds),
    "send-uma-deposit": runner(umaDeposits),
  };
}

/** An answer that carries an outcome. */
type RailReport = Exclude<RailAnswer, { kind: "unknown" | "not-received" }>;

/** The input of the commands that record an answer. */
interface Recorded<Answer> {
  readonly transactionId: string;
  readonly quoteId: string;
  readonly jobId: string;
  readonly minor: bigint;
  readonly answer: Answer;
}

interface RailJobKind {
  readonly direction: RailInstruction["direction"];
  readonly purpose: RailInstruction["purpose"];
  readonly reports: readonly RailReport["kind"][];
  /** An answer outside `reports` is a bug of the rail or of ours: the job fails with it and is tried again. */
  record(engine: Engine, job: RailJob, recorded: Recorded<RailReport>): Promise<void>;
}

function railJobKind<const Kind extends RailReport["kind"]>(
  kind: Pick<RailJobKind, "direction" | "purpose"> & {
    readonly command: Command<Recorded<Extract<RailReport, { kind: Kind }>>, unknown>;
    /** The answers that the command records. An `accepted` that is not one of them is not recorded: the rail is asked again. */
    readonly reports: readonly Kind[];
  },
): RailJobKind {
  const { command, reports } = kind;
  return {
    ...kind,
    async record(engine, job, { transactionId, quoteId, jobId, minor, answer }) {
      assert(isAmong(answer, reports), `a rail does not answer ${answer.kind} to this`);
      const input = { transactionId, quoteId, jobId, minor, answer };
      await submitForJob(engine, job, { command, input });
    },
  };
}

function isAmong<Kind extends RailReport["kind"]>(
  answer: RailReport,
  kinds: readonly Kind[],
): answer is Extract<RailReport, { kind: Kind }> {
  return kinds.some((kind) => kind === answer.kind);
}

const payouts = railJobKind({
  direction: "out",
  purpose: "transfer",
  command: recordPayoutOutcome,
  reports: ["settled", "accepted", "declined"],
});
const pulls = railJobKind({
  direction: "in",
  purpose: "transfer",
  command: recordPullOutcome,
  reports: ["settled", "declined"],
});
const umaDeposits = railJobKind({
  direction: "out",
  purpose: "transfer",
  command: recordDepositOutcome,
  reports: ["settled", "accepted", "declined"],
});
const quotePulls = railJobKind({
  direction: "in",
  purpose: "quote",
  command: recordQuotePull,
  reports: ["settled", "declined"],
});
const quotePayouts = railJobKind({
  direction: "out",
  purpose: "quote",
  command: recordQuoteOutcome,
  reports: ["settled", "declined", "cancelled", "returned"],
});
const quoteRefunds = railJobKind({
  direction: "back",
  purpose: "quote",
  command: recordQuoteRefund,
  reports: ["settled", "declined"],
});

/** A payment to an internal account needs no rail: it settles at once. */
const IN_HOUSE = "INTERNAL_ACCOUNT";

async function runRailJob(
  job: RailJob,
  { engine, rails, umaNetwork, kind }: RailJobs & { readonly kind: RailJobKind },
): Promise<JobResult> {
  const { instruction, railName, transactionId, quoteId } = instructionOf(job, kind);
  const isUma = instruction.accountType === UMA_ADDRESS;
  const rail = isUma ? umaNetwork(job.platformId) : present(rails[railName], `rail ${railName}`);
  const answer = await askRail(rail, instruction, job);
  if (answer.kind === "unknown" || answer.kind === "not-received" || isNotRecorded(answer, kind))
    return { kind: "again", inMs: askAgainIn(answer) };
  const recorded = { transactionId, quoteId, jobId: job.id, minor: instruction.minor, answer };
  const refusal = await recordOrFail(recorded, (each) => kind.record(engine, job, each));
  if (refusal !== undefined) return { kind: "done", refusal };
  const inMs = askAgainIn(answer);
  const isOpen = answer.kind === "accepted" || isStillWatched(answer);
  return isOpen ? { kind: "again", inMs } : { kind: "done" };
}

/**
 * Records the answer. When the books refuse a payment that has settled (their totals have no room for it), repeating the
 * command cannot help: the payment is recorded as declined, which fails it and refunds the payer. Answers the code of that
 * refusal. A refusal of any other answer is thrown, and the job is tried again.
 */
async function recordOrFail(
  recorded: Recorded<RailReport>,
  record: (recorded: Recorded<RailReport>) => Promise<void>,
): Promise<string | undefined> {
  try {
    await record(recorded);
    return undefined;
  } catch (error) {
    if (!(error instanceof JobRefused) || recorded.answer.kind !== "settled") throw error;
    await record({ ...recorded, answer: NOT_BOOKED });
    return error.code;
  }
}

const NOT_BOOKED: RailReport = {
  kind: "declined",
  failureReason: "QUOTE_EXECUTION_FAILED",
  cause: causes.notBooked,
  refundReason: "TRANSACTION_FAILED",
  wasAccepted: true,
};

function isNotRecorded({ kind }: RailReport, { reports }: RailJobKind): boolean {
  return kind === "accepted" && !reports.includes(kind);
}

async function askRail(
  rail: PaymentRail,
  instruction: RailInstruction,
  job: RailJob,
): Promise<RailAnswer> {
  if (instruction.accountType === IN_HOUSE) return { kind: "settled" };
  const { platformTime } = job;
  const answer =
    job.attempts <= 1
      ? await rail.send(instruction, platformTime)
      : await rail.inquire(instruction, platformTime);
  return answer.kind === "not-received" ? rail.send(instruction, platformTime) : answer;
}

function isStillWatched(answer: RailAnswer): boolean {
  return answer.kind === "settled" && answer.mayComeBackInMs !== undefined;
}

function askAgainIn(answer: RailAnswer): number {
  if (answer.kind === "settled") return answer.mayComeBackInMs ?? ASK_AGAIN_MS;
  const said =
    answer.kind === "accepted" || answer.kind === "unknown" ? answer.askAgainInMs : undefined;
  return said ?? ASK_AGAIN_MS;
}

function instructionOf(job: RailJob, { direction, purpose }: RailJobKind) {
  const payload = job.payload;
  const instruction: RailInstruction = {
    key: keyOf(payload.transactionId, { direction, purpose }),
    direction,
    purpose,
    currency: payload.currency,
    minor: BigInt(payload.minor),
    accountType: payload.accountType,
    primaryIdentifier: payload.primaryIdentifier,
    reference: direction === "out" ? referenceOf(payload) : undefined,
    acceptedAt: payload.acceptedAt,
    isRefund: payload.isRefund === true,
  };
  const { transactionId, quoteId = "", rail: railName = SIMULATED } = payload;
  return { instruction, railName, transactionId, quoteId };
}

function referenceOf({ accountType, transactionId }: RailPayload): string {
  return accountType === UMA_ADDRESS
    ? umaReference(transactionId)
    : beneficiaryReference(transactionId);
}

/** A quote may pull, pay and refund: three orders, each with its own key. */
function keyOf(
  transactionId: string,
  { direction, purpose }: Pick<RailInstruction, "direction" | "purpose">,
): string {
  if (purpose === "transfer" || direction === "out") return transactionId;
  return `${transactionId}/${direction === "in" ? "pull" : "refund"}`;
}
