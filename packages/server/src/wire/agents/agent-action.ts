import Type from "typebox";
import { toExternalAccountId } from "../../domain/accounts/external/external-account.ts";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import {
  type AgentAction,
  type AgentActionSubject,
  agentActionStatuses,
  agentActionTypes,
  toAgentActionId,
} from "../../domain/agents/actions/agent-action.ts";
import { approvalReasons } from "../../domain/agents/actions/judge-action.ts";
import { toAgentId } from "../../domain/agents/agent.ts";
import { toCustomerId } from "../../domain/customers/customer.ts";
import { printAmount } from "../../money/money.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, optional } from "../fields.ts";
import { MetadataSchema } from "../metadata.ts";
import { QuoteSchema, quoteJson } from "../payments/quote.ts";
import {
  FailureSchema,
  TransactionSchema,
  transactionExample,
  transactionJson,
} from "../payments/transaction.ts";
import { listedText } from "../value-lists.ts";

export const AgentActionSchema = Type.Object(
  {
    id: Type.String({ description: "`AgentAction:<uuid>`" }),
    agentId: Type.String(),
    customerId: Type.String({ description: "The customer that the agent acts for." }),
    platformCustomerId: Type.String(),
    status: Type.Enum([...agentActionStatuses]),
    type: Type.Enum([...agentActionTypes]),
    quote: Type.Optional(QuoteSchema),
    transferDetails: Type.Optional(
      Type.Object(
        {
          amount: Type.Integer({ description: "In the currency's smallest unit." }),
          currency: listedText("CurrencyCode"),
          sourceAccountId: Type.String(),
          destinationAccountId: Type.String(),
        },
        { description: "Of a transfer." },
      ),
    ),
    approvalReason: Type.Optional(
      Type.Enum([...approvalReasons], {
        description:
          "Why it waited for approval: the execution mode of the policy, the rule of an account, or an amount above the threshold. Absent when it did not wait.",
      }),
    ),
    transaction: Type.Optional(TransactionSchema),
    rejectionReason: Type.Optional(
      Type.String({ description: "What the platform said when it rejected the action." }),
    ),
    failureReason: Type.Optional(
      Type.String({
        description:
          "Why a FAILED action came to nothing: the rule of the policy, the error code, or the transaction's own reason.",
      }),
    ),
    failure: Type.Optional(FailureSchema),
    metadata: Type.Optional(MetadataSchema),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "AgentAction" },
);

export function agentActionJson(subject: AgentActionSubject, platformId: string): string {
  const { quote, transaction } = subject;
  const inside = [
    quote === null ? "" : `,"quote":${quoteJson(quote)}`,
    transaction === null ? "" : `,"transaction":${transactionJson(transaction, platformId)}`,
  ];
  return `${JSON.stringify(toWire(subject)).slice(0, -1)}${inside.join("")}}`;
}

function toWire({ action, transaction }: AgentActionSubject) {
  return {
    id: toAgentActionId(action.id),
    agentId: toAgentId(action.agentId),
    customerId: toCustomerId(action.customerId),
    platformCustomerId: action.platformCustomerId,
    status: action.status,
    type: action.type,
    ...(action.type === "EXECUTE_QUOTE" ? {} : { transferDetails: detailsOf(action) }),
    ...optional("approvalReason", action.approvalReason),
    ...optional("rejectionReason", action.rejectionReason),
    ...optional("failureReason", action.failureReason),
    ...optional("failure", transaction?.failure ?? null),
    ...optional("metadata", action.metadata),
    createdAt: toIso(action.createdAt),
    updatedAt: toIso(action.updatedAt),
  };
}

function detailsOf(action: AgentAction) {
  const { type, sourceAccountId: source, destinationAccountId: destination } = action;
  const isOut = type === "TRANSFER_OUT";
  return {
    amount: printAmount(action.amountMinor),
    currency: action.currency,
    sourceAccountId: isOut ? toInternalAccountId(`${source}`) : toExternalAccountId(`${source}`),
    destinationAccountId: isOut
      ? toExternalAccountId(`${destination}`)
      : toInternalAccountId(`${destination}`),
  };
}

export const agentActionExample = {
  id: "AgentAction:019a4f00-0000-7000-8000-000000000007",
  agentId: "Agent:019a4f00-0000-7000-8000-000000000006",
  customerId: transactionExample.customerId,
  platformCustomerId: transactionExample.platformCustomerId,
  status: "PENDING_APPROVAL",
  type: "TRANSFER_OUT",
  transferDetails: {
    amount: 12500,
    currency: "USD",
    sourceAccountId: transactionExample.source.accountId,
    destinationAccountId: transactionExample.destination.accountId,
  },
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const approvedActionExample = {
  ...agentActionExample,
  status: "APPROVED",
  transaction: { ...transactionExample, agentId: agentActionExample.agentId },
};
