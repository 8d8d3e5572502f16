/** What an agent's limits have reserved and spent, through every end that an action can have. */
import { describe, expect, it } from "vitest";
import { agent as fresh } from "../../../test/kit/agent-rows.ts";
import { DECIDED_AT, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
  quoteTransaction,
} from "../../../test/kit/payment-rows.ts";
import { sandboxRails } from "../../../test/kit/rails.ts";
import type { Command } from "../../engine/command.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../ledger/chart.ts";
import { externalAccounts } from "../accounts/external/external-account.ts";
import { internalAccounts } from "../accounts/internal/internal-account.ts";
import { customers } from "../customers/customer.ts";
import {
  type Refund,
  type Transaction,
  transactions,
} from "../payments/transactions/transaction.ts";
import { platforms } from "../platform.ts";
import { type AgentAction, agentActions } from "./actions/agent-action.ts";
import { approveAction, rejectAction } from "./actions/decide-action.ts";
import { expireAction } from "./actions/expire-action.ts";
import { followPayment } from "./actions/follow-payment.ts";
import { type Agent, agents } from "./agent.ts";
import { updatePolicy } from "./update-policy.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const JOB = "018f0000-0000-7000-8000-0000000000e2";

const agent: Agent = {
  ...fresh,
  policy: {
    permissions: ["CREATE_TRANSFERS"],
    defaultExecutionMode: "APPROVAL_REQUIRED",
    spendingLimits: { currency: "USD", perTransactionLimit: 9_000, monthlyLimit: 101 },
  },
  usageDayCount: 1,
  usageDayMinor: 10n,
  usageMonthMinor: 10n,
  reservedCount: 2,
  reservedMinor: 75n,
};

/** Pays 70 out. */
const action: AgentAction = {
  id: "018f0000-0000-7000-8000-0000000000ac",
  agentId: agent.id,
  customerId: customer.id,
  platformCustomerId: customer.platformCustomerId,
  type: "TRANSFER_OUT",
  status: "PENDING_APPROVAL",
  sourceAccountId: internal.id,
  destinationAccountId: external.id,
  paymentRail: null,
  quoteId: null,
  isSignedByOwner: false,
  approvalReason: "EXECUTION_MODE",
  transactionId: null,
  amountMinor: 70n,
  currency: "USD",
  countedMinor: 70n,
  countedCurrency: "USD",
  executedAt: null,
  usageReturnedAt: null,
  rejectionReason: null,
  failureReason: null,
  metadata: null,
  createdAt: DECIDED_AT - DAY_MS,
  updatedAt: DECIDED_AT - DAY_MS,
};

function refund(status: Refund["status"]): Refund {
  const initiatedAt = "2026-11-20T00:00:00.000Z";
  return { reference: "RF-1", initiatedAt, status, reason: "TRANSACTION_FAILED" };
}

interface State {
  readonly action?: Partial<AgentAction>;
  readonly agent?: Partial<Agent>;
  readonly balanceMinor?: bigint;
  readonly payment?: Partial<Transaction>;
}

function after<Input>(command: Command<Input, unknown>, input: Input, state: State = {}) {
  const ledger = newInternalLedgerAccount(internal.id, "USD", 1);
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, internal),
    rowsOf(externalAccounts, external),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor: state.balanceMinor ?? 1_000n }),
    rowsOf(agents, { ...agent, ...state.agent }),
    rowsOf(agentActions, { ...action, ...state.action }),
    rowsOf(transactions, {
      ...quoteTransaction,
      status: "FAILED",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refund: refund("COMPLETED"),
      ...state.payment,
    }),
  ];
  const world = worldFor({ command, input, platformId: PLATFORM, tables });
  command.decide(world, input);
  const { reservedCount, reservedMinor, usageDayCount, usageDayMinor, usageMonthMinor, policy } =
    world.get(agents.ref(agent.id));
  const { status, failureReason, countedMinor, countedCurrency } = world.get(
    agentActions.ref(action.id),
  );
  return {
    status,
    failureReason,
    counted: `${countedMinor} ${countedCurrency}`,
    reserved: [reservedCount, reservedMinor],
    used: [usageDayCount, usageDayMinor, usageMonthMinor],
    limits: policy.spendingLimits,
  };
}

const decided = { agentId: agent.id, actionId: action.id };
const approved = { ...decided, rails: sandboxRails };
const FREED = [1, 5n];
const UNUSED = [1, 10n, 10n];

describe("an action that is approved", () => {
  it("has spent what it had reserved", () => {
    expect(after(approveAction, approved)).toMatchObject({
      status: "APPROVED",
      reserved: FREED,
      used: [2, 80n, 80n],
    });
  });

  it("counts in the currency that the policy has by now", () => {
    const euros = {
      ...agent.policy,
      spendingLimits: { currency: "EUR", perTransactionLimit: 9_000 },
    };
    expect(after(approveAction, approved, { agent: { policy: euros } })).toMatchObject({
      status: "APPROVED",
      counted: "65 EUR",
      reserved: FREED,
      used: [2, 75n, 75n],
    });
  });

  it.each<readonly [string, State]>([
    ["INSUFFICIENT_BALANCE", { balanceMinor: 69n }],
    ["PAUSED", { agent: { isPaused: true } }],
    ["MONTHLY_LIMIT", { agent: { usageMonthMinor: 32n } }],
  ])("releases its reservation when %s prevents the payment", (failureReason, state) => {
    const { used: _, ...ended } = after(approveAction, approved, state);
    expect(ended).toMatchObject({ status: "FAILED", failureReason, reserved: FREED });
  });
});

describe("an action without a decision", () => {
  it("frees what it had reserved", () => {
    const rejected = after(rejectAction, { ...decided, reason: "No." });
    expect(rejected).toMatchObject({ status: "REJECTED", reserved: FREED, used: UNUSED });
  });

  it("does so at the end of its day, and not a moment before", () => {
    const input = { actionId: action.id, jobId: JOB };
    expect(after(expireAction, input)).toMatchObject({
      status: "FAILED",
      failureReason: "APPROVAL_EXPIRED",
      reserved: FREED,
      used: UNUSED,
    });
    const younger = { action: { createdAt: action.createdAt + 1 } };
    expect(after(expireAction, input, younger)).toMatchObject({
      status: "PENDING_APPROVAL",
      reserved: [2, 75n],
    });
  });
});

describe("an action whose payment failed or was returned", () => {
  const carriedOut: Partial<AgentAction> = {
    status: "APPROVED",
    transactionId: quoteTransaction.id,
    executedAt: DECIDED_AT - 1,
    countedMinor: 7n,
  };
  const input = { transactionId: quoteTransaction.id, jobId: JOB };
  const used = { usageDayMinor: 10n, usageMonthMinor: 30n, usageDay: "2026-11-20" };

  it("returns its usage to the day of the action", () => {
    const today = { action: { ...carriedOut, executedAt: DECIDED_AT } };
    expect(after(followPayment, input, today)).toMatchObject({
      status: "FAILED",
      used: [0, 3n, 3n],
    });
    const yesterday = { action: carriedOut, agent: used };
    expect(after(followPayment, input, yesterday).used).toEqual([0, 0n, 23n]);
  });

  it("returns no more than its amount in the present currency of the policy", () => {
    const inEuros = { ...carriedOut, executedAt: DECIDED_AT, countedCurrency: "EUR" };
    const much = { usageDayMinor: 100n, usageMonthMinor: 100n };
    // 76.09 cents for 70 of the other.
    const state = { action: { ...inEuros, countedMinor: 70n }, agent: much };
    expect(after(followPayment, input, state).used).toEqual([0, 24n, 24n]);
  });

  it("returns an amount once", () => {
    const returned = { ...carriedOut, status: "FAILED", usageReturnedAt: DECIDED_AT - 1 } as const;
    const again = after(followPayment, input, { action: returned });
    expect(again).toMatchObject({ status: "FAILED", used: UNUSED });
  });

  it.each(["PENDING", "FAILED"] as const)("returns nothing while its refund is %s", (status) => {
    const payment = { refund: refund(status) };
    const held = after(followPayment, input, { action: carriedOut, agent: used, payment });
    expect(held).toMatchObject({ status: "FAILED", used: [1, 10n, 30n] });
  });

  it("returns its usage when the refund completes after an earlier failure", () => {
    const failed: State = { action: { ...carriedOut, status: "FAILED" }, agent: used };
    expect(after(followPayment, input, failed)).toMatchObject({
      status: "FAILED",
      used: [0, 0n, 23n],
    });
  });

  it("stays approved when the payment was called off, and its money is back", () => {
    const payment = { status: "COMPLETED", failureReason: null } as const;
    const today = { action: { ...carriedOut, executedAt: DECIDED_AT }, payment };
    expect(after(followPayment, input, today)).toMatchObject({
      status: "APPROVED",
      used: [0, 3n, 3n],
    });
  });

  it("returns nothing for a payment that is not undone", () => {
    const payment = { status: "COMPLETED", failureReason: null, refund: null } as const;
    const stands = after(followPayment, input, { action: carriedOut, payment });
    expect(stands).toMatchObject({ status: "APPROVED", used: UNUSED });
  });

  it("returns the amount of a declined pull at once", () => {
    const payment = { type: "INCOMING", refund: null } as const;
    const today = { action: { ...carriedOut, executedAt: DECIDED_AT }, payment };
    expect(after(followPayment, input, today).used).toEqual([0, 3n, 3n]);
  });
});

it("limits in another currency are rounded down, and what counts against them up", () => {
  const changes = { spendingLimits: { currency: "EUR" } };
  const used = { usageDayMinor: 99n, usageMonthMinor: 200n };
  expect(after(updatePolicy, { agentId: agent.id, changes }, { agent: used })).toMatchObject({
    counted: "65 EUR",
    reserved: [2, 65n],
    used: [1, 92n, 184n],
    limits: { currency: "EUR", perTransactionLimit: 8_280, monthlyLimit: 92 },
  });
});
