import Type from "typebox";
import {
  agentActionStatuses,
  agentActionTypes,
  toAgentActionId,
} from "../../domain/agents/actions/agent-action.ts";
import { approvalReasons, policyRules } from "../../domain/agents/actions/judge-action.ts";
import type { AgentPolicy } from "../../domain/agents/agent-policy.ts";
import {
  type Difference,
  type Judged,
  type VerdictChange,
  verdictChanges,
  verdictWords,
} from "../../domain/agents/preview/compare-policies.ts";
import { toQuoteId } from "../../domain/payments/quotes/quote.ts";
import { toTransactionId } from "../../domain/payments/transactions/transaction.ts";
import { printAmount } from "../../money/money.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, optional } from "../fields.ts";
import { listedText } from "../value-lists.ts";
import { agentActionExample } from "./agent-action.ts";
import { AgentPolicySchema, agentPolicyExample } from "./agent-policy.ts";

/** The most differences that an answer shows. */
const MOST_SHOWN = 20;

const JudgedSchema = Type.Object({
  verdict: Type.Enum([...verdictWords]),
  reason: Type.Optional(
    Type.Enum([...policyRules, ...approvalReasons, "NO_RATE"], {
      description: "The rule that refuses it, or why it waits.",
    }),
  ),
});

const DifferenceSchema = Type.Object({
  change: Type.Enum([...verdictChanges]),
  actionId: Type.String({ description: "`AgentAction:<uuid>`" }),
  type: Type.Enum([...agentActionTypes]),
  status: Type.Enum([...agentActionStatuses], { description: "What became of it." }),
  amount: Type.Integer({ description: "In the currency's smallest unit." }),
  currency: listedText("CurrencyCode"),
  quoteId: Type.Optional(Type.String()),
  transactionId: Type.Optional(Type.String()),
  createdAt: DateTimeSchema,
  before: JudgedSchema,
  after: JudgedSchema,
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const PolicyPreviewSchema = Type.Object(
  {
    policy: AgentPolicySchema,
    widens: Type.Array(Type.String(), {
      description:
        "The members by which the agent may do more. Empty when the change lets it do nothing more.",
    }),
    since: DateTimeSchema,
    ordersJudged: count("The orders since then that both policies judged."),
    isTruncated: Type.Boolean({
      description: "Whether there were more orders than the newest 1,000, which are judged.",
    }),
    counts: Type.Object({
      nowRefused: count("Allowed or waiting before, refused now."),
      nowAllowed: count("Refused before, allowed now."),
      nowWaits: count("Waits for approval now, and did not before."),
      noLongerWaits: count("Waited for approval before, allowed now."),
    }),
    differences: Type.Array(DifferenceSchema, {
      maxItems: MOST_SHOWN,
      description: "The newest 20 orders that are judged differently, newest first.",
    }),
  },
  { $id: "AgentPolicyPreview" },
);

export interface PolicyPreview {
  readonly policy: AgentPolicy;
  readonly widens: readonly string[];
  readonly since: number;
  readonly ordersJudged: number;
  readonly isTruncated: boolean;
  /** The oldest first. */
  readonly differences: readonly Difference[];
}

export function policyPreviewJson({ since, differences, ...preview }: PolicyPreview): string {
  const count = (wanted: VerdictChange) =>
    differences.filter(({ change }) => change === wanted).length;
  return JSON.stringify({
    ...preview,
    since: toIso(since),
    counts: {
      nowRefused: count("NOW_REFUSED"),
      nowAllowed: count("NOW_ALLOWED"),
      nowWaits: count("NOW_WAITS"),
      noLongerWaits: count("NO_LONGER_WAITS"),
    },
    differences: differences.slice(-MOST_SHOWN).reverse().map(toWire),
  });
}

function toWire({ order: { action }, change, before, after }: Difference) {
  const { quoteId, transactionId } = action;
  return {
    change,
    actionId: toAgentActionId(action.id),
    type: action.type,
    status: action.status,
    amount: printAmount(action.amountMinor),
    currency: action.currency,
    ...optional("quoteId", quoteId === null ? null : toQuoteId(quoteId)),
    ...optional("transactionId", transactionId === null ? null : toTransactionId(transactionId)),
    createdAt: toIso(action.createdAt),
    before: judgedToWire(before),
    after: judgedToWire(after),
  };
}

function judgedToWire({ verdict, reason }: Judged) {
  return { verdict, ...optional("reason", reason) };
}

export const policyPreviewExample = {
  policy: agentPolicyExample,
  widens: ["spendingLimits.monthlyLimit"],
  since: "2026-10-22T10:00:00.000Z",
  ordersJudged: 42,
  isTruncated: false,
  counts: { nowRefused: 1, nowAllowed: 0, nowWaits: 0, noLongerWaits: 0 },
  differences: [
    {
      change: "NOW_REFUSED",
      actionId: agentActionExample.id,
      type: "TRANSFER_OUT",
      status: "APPROVED",
      amount: 125000,
      currency: "USD",
      transactionId: "Transaction:019a4f00-0000-7000-8000-000000000005",
      createdAt: "2026-11-20T10:00:00.000Z",
      before: { verdict: "ALLOWED" },
      after: { verdict: "REFUSED", reason: "DAILY_LIMIT" },
    },
  ],
};
