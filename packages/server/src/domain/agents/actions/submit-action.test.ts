/** In which order an agent's order is refused, when all that can stand in its way does. */
import { expect, it } from "vitest";
import { agent as powerless } from "../../../../test/kit/agent-rows.ts";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
  quote,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import { sandboxRails } from "../../../../test/kit/rails.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { platforms } from "../../platform.ts";
import { type Agent, agents } from "../agent.ts";
import { type AgentPolicy, agentPermissions } from "../agent-policy.ts";
import type { ActionOrder } from "./action-order.ts";
import { type AgentAction, agentActions, MAX_PENDING_ACTIONS } from "./agent-action.ts";
import { submitAction } from "./submit-action.ts";

interface State {
  readonly agent: Partial<Agent>;
  readonly policy: Partial<AgentPolicy>;
  /** Whose quote it is. */
  readonly quoteOf: string;
  readonly isWaiting: boolean;
  readonly at: number;
  readonly balanceMinor: bigint;
  readonly payee: Partial<ExternalAccount>;
}

const fine: State = {
  agent: {},
  policy: {},
  quoteOf: powerless.id,
  isWaiting: false,
  at: DECIDED_AT,
  balanceMinor: quote.sendingMinor,
  payee: {},
};

function agentIn(state: State): Agent {
  const policy: AgentPolicy = {
    permissions: agentPermissions,
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 1_000_000 },
    ...state.policy,
  };
  return { ...powerless, policy, ...state.agent };
}

/** Waits for the same quote. */
const waiting: AgentAction = {
  id: "018f0000-0000-7000-8000-0000000000ac",
  agentId: powerless.id,
  customerId: customer.id,
  platformCustomerId: customer.platformCustomerId,
  type: "EXECUTE_QUOTE",
  status: "PENDING_APPROVAL",
  sourceAccountId: internal.id,
  destinationAccountId: external.id,
  paymentRail: null,
  quoteId: quote.id,
  isSignedByOwner: false,
  approvalReason: "EXECUTION_MODE",
  transactionId: null,
  amountMinor: quote.sendingMinor,
  currency: "USD",
  countedMinor: quote.sendingMinor,
  countedCurrency: "USD",
  executedAt: null,
  usageReturnedAt: null,
  rejectionReason: null,
  failureReason: null,
  metadata: null,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
};

const execution: ActionOrder = { type: "EXECUTE_QUOTE", quoteId: quote.id, owner: undefined };
const between = {
  internalId: internal.id,
  externalId: external.id,
  amountMinor: 1_000n,
  metadata: null,
};
const transfers: readonly ActionOrder[] = [
  { type: "TRANSFER_OUT", ...between, paymentRail: undefined },
  { type: "TRANSFER_IN", ...between },
];

/** What was refused, as narrowly as the refusal says it; else how the action stands. */
function outcomeOf(state: State, order: ActionOrder = execution): unknown {
  const ledger = newInternalLedgerAccount(internal.id, internal.currency, internal.createdAt);
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, internal),
    rowsOf(externalAccounts, { ...external, ...state.payee }),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor: state.balanceMinor }),
    rowsOf(agents, agentIn(state)),
    rowsOf(agentActions, ...(state.isWaiting ? [waiting] : [])),
    rowsOf(quotes, { ...quote, agentId: state.quoteOf }),
    rowsOf(transactions, quoteTransaction),
  ];
  const input = { agentId: powerless.id, order, rails: sandboxRails };
  const scene = { command: submitAction, input, platformId: PLATFORM, tables };
  const world = worldFor({ ...scene, at: state.at });
  let status: string | undefined;
  const refusal = refusalOf(world, () => {
    const { action } = submitAction.decide(world, input);
    status = action.failureReason ?? action.status;
  });
  const { rule, reason } = refusal?.details ?? {};
  return rule ?? reason ?? refusal?.code ?? status;
}

/** This currency has no price. */
const withoutRate = { approvalThresholds: { currency: "ISK", amount: 1 } };
const tooMuch = { spendingLimits: { currency: "USD", perTransactionLimit: 1 } };

/** From the first that is told to the last; each stands in the way of a quote that is fine otherwise. */
const obstacles: readonly (readonly [reason: string, Partial<State>])[] = [
  ["UNAUTHORIZED", { agent: { deletedAt: DECIDED_AT } }],
  ["PERMISSION", { policy: { permissions: [] } }],
  ["PAUSED", { agent: { isPaused: true } }],
  ["QUOTE_NOT_FOUND", { quoteOf: PLATFORM }],
  ["ACCOUNT_NOT_ALLOWED", { policy: { accountRestrictions: { allowedAccountIds: [] } } }],
  ["PER_TRANSACTION_LIMIT", { policy: tooMuch }],
  ["INVALID_CURRENCY", { policy: withoutRate }],
  ["the quote waits for approval", { isWaiting: true }],
  ["QUOTE_EXPIRED", { at: quote.expiresAt }],
  [
    `${MAX_PENDING_ACTIONS} actions wait for approval`,
    {
      policy: { defaultExecutionMode: "APPROVAL_REQUIRED" },
      agent: { reservedCount: MAX_PENDING_ACTIONS },
    },
  ],
  ["INSUFFICIENT_BALANCE", { balanceMinor: 0n }],
];

function stateWith(some: typeof obstacles): State {
  const state = { ...fine };
  for (const [, { agent, policy, ...more }] of some) {
    Object.assign(state, more, {
      agent: { ...state.agent, ...agent },
      policy: { ...state.policy, ...policy },
    });
  }
  return state;
}

it("an order without an obstacle is carried out", () => {
  expect(outcomeOf(fine)).toBe("APPROVED");
});

it.each(obstacles)("%s is reported alone, before all later conflicts", (reason) => {
  const from = obstacles.findIndex(([each]) => each === reason);
  expect(outcomeOf(stateWith(obstacles.slice(from, from + 1)))).toBe(reason);
  expect(outcomeOf(stateWith(obstacles.slice(from)))).toBe(reason);
});

it.each(transfers)(
  "a $type with an account that is not the customer's own, or not any more, is told so before any limit",
  (order) => {
    expect(outcomeOf({ ...fine, policy: tooMuch }, order)).toBe("PER_TRANSACTION_LIMIT");
    for (const payee of [
      { deletedAt: DECIDED_AT },
      { customerId: PLATFORM },
      { customerId: null },
      { id: PLATFORM },
    ]) {
      for (const policy of [{}, tooMuch]) {
        expect([payee, outcomeOf({ ...fine, policy, payee }, order)]).toEqual([
          payee,
          "REFERENCE_NOT_FOUND",
        ]);
      }
    }
  },
);
