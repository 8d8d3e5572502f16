/** What is recorded of a transfer when its rail answers, in whatever state the answer finds it. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  external,
  internal,
  PLATFORM,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import {
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../../ledger/chart.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import {
  type Transaction,
  type TransactionStatus,
  transactions,
} from "../transactions/transaction.ts";
import { type OutcomeInput, recordPayoutOutcome } from "./record-payout-outcome.ts";
import { recordPullOutcome } from "./record-pull-outcome.ts";

const JOB = "018f0000-0000-7000-8000-0000000000e2";
const AGENT = "018f0000-0000-7000-8000-0000000000a9";
const MINOR = 700n;

const payout: Transaction = {
  ...quoteTransaction,
  sentMinor: MINOR,
  receivedMinor: MINOR,
  receivedCurrency: "USD",
  quoteId: null,
};
const pull: Transaction = {
  ...payout,
  type: "INCOMING",
  sourceAccountId: external.id,
  destinationAccountId: internal.id,
};

const ways = {
  payout: { command: recordPayoutOutcome, transaction: payout, heldMinor: MINOR },
  pull: { command: recordPullOutcome, transaction: pull, heldMinor: 0n },
} as const;

interface Found extends Partial<Transaction> {
  readonly balanceMinor?: bigint;
}

function recorded(
  way: keyof typeof ways,
  answer: OutcomeInput["answer"],
  { balanceMinor = 0n, ...found }: Found = {},
) {
  const { command, transaction, heldMinor } = ways[way];
  const ledger = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  const inFlight = newSystemAccount({ system: "in-flight", currency: "USD" }, DECIDED_AT);
  const tables = [
    rowsOf(internalAccounts, internal),
    rowsOf(
      ledgerAccounts,
      { ...ledger, balanceMinor, heldMinor },
      { ...inFlight, balanceMinor: heldMinor },
    ),
    rowsOf(transactions, { ...transaction, ...found }),
  ];
  const input = { transactionId: transaction.id, jobId: JOB, answer };
  const world = worldFor({ command, input, platformId: PLATFORM, tables });
  const { status, failureReason } = command.decide(world, input);
  return {
    status,
    failureReason,
    moved: world.entries.map(({ reason, amountMinor }) => `${reason} ${amountMinor}`),
    emitted: world.events.map(({ type }) => type.replace(/^[A-Z_]+\./, "")),
    jobs: world.jobs.map(({ kind }) => kind),
    endsJob: world.cancelledJobs.includes(JOB),
  };
}

const declined = {
  kind: "declined",
  failureReason: "COUNTERPARTY_POST_TX_FAILED",
  refundReason: "TIMEOUT",
  wasAccepted: true,
} as const;
const answers = [{ kind: "settled" }, { kind: "accepted" }, declined] as const;
const over: readonly TransactionStatus[] = ["COMPLETED", "FAILED"];

describe.each(["payout", "pull"] as const)("of a %s that has ended", (way) => {
  it.each(answers.flatMap((answer) => over.map((status) => ({ answer, status }))))(
    "nothing changes, and its job ends: %j",
    ({ answer, status }) => {
      expect(recorded(way, answer, { status })).toEqual({
        status,
        failureReason: null,
        moved: [],
        emitted: [],
        jobs: [],
        endsJob: true,
      });
    },
  );
});

describe("a payout", () => {
  it("that is accepted is recorded as accepted once, and queried again", () => {
    const first = recorded("payout", { kind: "accepted" });
    expect(first).toMatchObject({ status: "PROCESSING", emitted: ["PROCESSING"], endsJob: false });
    const second = recorded("payout", { kind: "accepted" }, { status: "PROCESSING" });
    expect(second).toMatchObject({ status: "PROCESSING", emitted: [], moved: [], endsJob: false });
  });

  it("that is settled is COMPLETED and leaves the in-flight account", () => {
    expect(recorded("payout", { kind: "settled" })).toMatchObject({
      status: "COMPLETED",
      moved: ["payout.settle -700", "payout.settle 700"],
      emitted: ["PROCESSING", "COMPLETED"],
      endsJob: true,
    });
  });

  it.each([
    [true, ["PROCESSING", "FAILED", "REFUND_PENDING", "REFUND_COMPLETED", "BALANCE_UPDATED"]],
    [false, ["FAILED", "REFUND_PENDING", "REFUND_COMPLETED", "BALANCE_UPDATED"]],
  ])("that is declined is refunded; accepted before: %s", (wasAccepted, emitted) => {
    expect(recorded("payout", { ...declined, wasAccepted })).toEqual({
      status: "FAILED",
      failureReason: declined.failureReason,
      moved: ["payout.release -700", "payout.release 700"],
      emitted,
      jobs: [],
      endsJob: true,
    });
  });
});

describe("a pull", () => {
  it("that is accepted is waited for", () => {
    expect(recorded("pull", { kind: "accepted" })).toMatchObject({
      status: "PENDING",
      moved: [],
      emitted: [],
      endsJob: false,
    });
  });

  it("that is settled is credited, as far as there is room to the last unit", () => {
    const most = MAX_AMOUNT_MINOR - MINOR;
    expect(recorded("pull", { kind: "settled" }, { balanceMinor: most })).toMatchObject({
      status: "COMPLETED",
      moved: ["pull.settle -700", "pull.settle 700"],
      emitted: ["COMPLETED", "BALANCE_UPDATED"],
    });
    expect(recorded("pull", { kind: "settled" }, { balanceMinor: most + 1n })).toMatchObject({
      status: "FAILED",
      failureReason: "QUOTE_EXECUTION_FAILED",
      moved: [],
      emitted: ["FAILED"],
    });
  });
});

describe.each(["payout", "pull"] as const)("a %s of an agent that fails", (way) => {
  it("schedules the update of the agent's action", () => {
    expect(recorded(way, declined, { agentId: AGENT }).jobs).toEqual(["follow-agent-payment"]);
  });
});
