import Type from "typebox";
import type { ActionOrder } from "../../../domain/agents/actions/action-order.ts";
import type { AgentActionSubject } from "../../../domain/agents/actions/agent-action.ts";
import { refusingAsAgent } from "../../../domain/agents/actions/as-agent.ts";
import { submitAction, tryAction } from "../../../domain/agents/actions/submit-action.ts";
import { createAgentQuote, immediateFaults } from "../../../domain/agents/create-agent-quote.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import { findQuote } from "../../../domain/payments/quotes/quote.ts";
import {
  findTransaction,
  listTransactions,
} from "../../../domain/payments/transactions/transaction.sql.ts";
import type { Answered } from "../../../engine/command.ts";
import { Refusal, type RefusalCode } from "../../../engine/refusal.ts";
import {
  AgentActionSchema,
  agentActionJson,
  approvedActionExample,
} from "../../../wire/agents/agent-action.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { MetadataSchema } from "../../../wire/metadata.ts";
import { dryRunNote, quoteDryRun } from "../../../wire/payments/dry-run.ts";
import { quoteExample, quoteJson } from "../../../wire/payments/quote.ts";
import { transactionJson } from "../../../wire/payments/transaction.ts";
import { pageOf, shown } from "../../request/noun.ts";
import {
  type AgentPrincipal,
  defineOperation,
  type OperationRequest,
  route,
} from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitCompleted, submitDryRun, submitForCaller } from "../../request/submit-for-caller.ts";
import { whenReference } from "../../search/found-conditions.ts";
import { collectionEvents, executionEvents, payoutEvents, quoteEvents } from "../event-lists.ts";
import { ownerSignatureHeader, readQuoteStamp } from "../payments/owner-signature.ts";
import { judgeQuote, QuoteBody, readQuoteInput } from "../payments/quote-body.ts";
import { createQuote, quotes } from "../payments/quotes.ts";
import {
  transactionConditions,
  transactionFilters,
  transactionOrder,
} from "../payments/transaction-filters.ts";
import { transactions } from "../payments/transactions.ts";
import {
  requireAccounts,
  transferInExample,
  transferInFields,
  transferOutExample,
  transferOutFields,
} from "../payments/transfer-body.ts";
import { answerOwnList, ofAgents } from "./own-list.ts";

const actionAnswer = {
  description:
    "The action. `APPROVED` with its transaction when it was carried out, `PENDING_APPROVAL` when the platform decides first, " +
    "`FAILED` when it could not be carried out.",
  schema: AgentActionSchema,
  example: approvedActionExample,
};

const actionDryRun = dryRunNote(actionAnswer);

const transferRefusals: readonly RefusalCode[] = [
  "INVALID_INPUT",
  "INVALID_AMOUNT",
  "INVALID_CURRENCY",
  "AMOUNT_OUT_OF_RANGE",
  "USER_NOT_READY",
  "ACCOUNT_FROZEN",
  "CUSTOMER_FROZEN",
  "RAIL_PAUSED",
  "REFERENCE_NOT_FOUND",
  "CONFLICT",
  "NOT_IMPLEMENTED",
];

function submit(
  {
    principal,
    idempotency,
  }: Pick<OperationRequest<unknown, unknown, unknown, AgentPrincipal>, "principal" | "idempotency">,
  { engine, rails }: Services,
  { order, status }: { readonly order: ActionOrder; readonly status: number },
): Promise<Answered> {
  const { platformId, agentId } = principal;
  const toAnswer = (subject: AgentActionSubject) => ({
    status,
    body: agentActionJson(subject, platformId),
  });
  const input = { agentId, order, rails };
  if (principal.isDryRun === true) {
    const approvalOf = ({ action }: AgentActionSubject) =>
      action.status === "PENDING_APPROVAL" ? { needed: 1, kind: "AGENT_ACTION" } : undefined;
    return submitDryRun(engine, principal, { command: tryAction, input, toAnswer, approvalOf });
  }
  return submitForCaller(engine, principal, {
    command: submitAction,
    input,
    toAnswer,
    idempotency,
  });
}

const agentListTransactions = defineOperation({
  ...ofAgents,
  id: "agentListTransactions",
  ...route("GET /agents/me/transactions"),
  agentPermission: "VIEW_TRANSACTIONS",
  summary: "List transactions of your customer",
  query: Type.Object({ ...transactionFilters, ...transactionOrder, ...pageParameters }),
  answers: {
    200: pageOf(
      transactions,
      "All of the customer's, newest first, unless `sortOrder` says otherwise.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerOwnList(services, {
      operationId: "agentListTransactions",
      principal,
      query,
      load: async (page) =>
        listTransactions(services.reads, {
          ...page,
          conditions: [
            { sql: "t.customer_id = ?::uuid", value: principal.customerId },
            await whenReference({ ...page, reads: services.reads }, query.reference),
            ...transactionConditions(query),
          ],
          order: query.sortOrder,
        }),
      idOf: (transaction) => transaction.id,
      toJson: (transaction) => transactionJson(transaction, principal.platformId),
    }),
});

const agentGetTransaction = defineOperation({
  ...ofAgents,
  id: "agentGetTransaction",
  ...route("GET /agents/me/transactions/{transactionId}"),
  agentPermission: "VIEW_TRANSACTIONS",
  summary: "Get a transaction of your customer",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  answers: { 200: shown(transactions, "The transaction.") },
  refusals: ["TRANSACTION_NOT_FOUND"],
  async handle({ principal: { platformId, customerId }, params }, { reads }: Services) {
    const id = requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND");
    const transaction = await findTransaction(reads, platformId, id);
    if (transaction?.customerId !== customerId) throw new Refusal("TRANSACTION_NOT_FOUND");
    return { status: 200, body: transactionJson(transaction, platformId) };
  },
});

const agentCreateQuote = defineOperation({
  ...ofAgents,
  id: "agentCreateQuote",
  ...route("POST /agents/me/quotes"),
  agentPermission: "CREATE_QUOTES",
  summary: "Create a quote as an agent",
  description:
    "Asks for a price that holds for five minutes. " +
    "The accounts are your customer's own. Nothing is paid until the quote is executed; `immediatelyExecute` is refused, " +
    "because the policy is asked when a quote is executed. `senderCustomerInfo` adds to what is on file about your customer " +
    "and replaces none of it.",
  body: QuoteBody,
  requestExample: {
    source: quoteExample.source,
    destination: quoteExample.destination,
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 100000,
  },
  answers: { 201: shown(quotes, "The quote.") },
  dryRun: quoteDryRun,
  events: quoteEvents,
  refusals: createQuote.refusals.filter((code) => code !== "INSUFFICIENT_BALANCE"),
  judge: (body) => ({ furtherFaults: () => immediateFaults(body), ...judgeQuote(body) }),
  async handle({ principal, body, idempotency }, services: Services) {
    const { platformId, agentId, customerId: agentCustomerId } = principal;
    return submitCompleted(services.engine, principal, {
      command: createAgentQuote,
      find: async () => {
        const { input, complete } = await readQuoteInput(
          services,
          { platformId, agentCustomerId },
          body,
        );
        return {
          input: { agentId, terms: input },
          complete: complete && (async () => ({ agentId, terms: await complete() })),
        };
      },
      refuse: refusingAsAgent(createAgentQuote.name, { agentId, permission: "CREATE_QUOTES" }),
      toAnswer: (quote) => ({ status: 201, body: quoteJson(quote) }),
      idempotency,
    });
  },
});

const agentGetQuote = defineOperation({
  ...ofAgents,
  id: "agentGetQuote",
  ...route("GET /agents/me/quotes/{quoteId}"),
  summary: "Get a quote of yours",
  params: Type.Object({ quoteId: pathId("Quote") }),
  answers: { 200: shown(quotes, "The quote.") },
  refusals: ["QUOTE_NOT_FOUND"],
  async handle({ principal: { platformId, agentId }, params }, { reads }: Services) {
    const id = requireId("Quote", params.quoteId, "QUOTE_NOT_FOUND");
    const quote = await findQuote(reads, platformId, id);
    if (quote?.agentId !== agentId) throw new Refusal("QUOTE_NOT_FOUND");
    return { status: 200, body: quoteJson(quote) };
  },
});

const agentExecuteQuote = defineOperation({
  ...ofAgents,
  id: "agentExecuteQuote",
  ...route("POST /agents/me/quotes/{quoteId}/execute"),
  agentPermission: "EXECUTE_QUOTES",
  summary: "Execute a quote of yours",
  description:
    "The policy is asked about the whole sending amount. With an embedded wallet as source, its owner's stamp goes into the " +
    "header; it holds while the action waits for approval, and no policy takes its place.",
  params: Type.Object({ quoteId: pathId("Quote") }),
  headers: [ownerSignatureHeader],
  answers: { 200: actionAnswer },
  dryRun: actionDryRun,
  events: ["AGENT_ACTION.PENDING_APPROVAL", ...executionEvents],
  refusals: [
    "QUOTE_NOT_FOUND",
    "INVALID_CURRENCY",
    "CONFLICT",
    "QUOTE_EXPIRED",
    "UNAUTHORIZED",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "FX_LIMIT",
    "NOT_IMPLEMENTED",
  ],
  handle: async ({ principal, params, ...asked }, services: Services) => {
    const quoteId = requireId("Quote", params.quoteId, "QUOTE_NOT_FOUND");
    const { owner, idempotency } = await readQuoteStamp(services, principal, { quoteId, ...asked });
    return submit({ principal, idempotency }, services, {
      status: 200,
      order: { type: "EXECUTE_QUOTE", quoteId, owner },
    });
  },
});

const agentTransferOut = defineOperation({
  ...ofAgents,
  id: "agentTransferOut",
  ...route("POST /agents/me/transfer-out"),
  agentPermission: "CREATE_TRANSFERS",
  summary: "Create a transfer out as an agent",
  description:
    "Sends money from an internal to an external account of your customer. " +
    "Both accounts are in one currency. The policy decides whether the transfer is carried out at once or waits for the " +
    "platform; an action that waits is answered with status `PENDING_APPROVAL` and its id, to be read again later. It fails " +
    "when it is not decided within 24 hours. At most 1,000 actions of an agent wait: the next one is refused with 409.",
  body: Type.Object({ ...transferOutFields, metadata: Type.Optional(MetadataSchema) }),
  requestExample: transferOutExample,
  answers: { 201: actionAnswer },
  dryRun: actionDryRun,
  events: ["AGENT_ACTION.PENDING_APPROVAL", ...payoutEvents],
  refusals: transferRefusals,
  handle: async (request, services: Services) => {
    const { destination, amount, metadata } = request.body;
    return submit(request, services, {
      status: 201,
      order: {
        type: "TRANSFER_OUT",
        ...requireAccounts(request.body, "OUTGOING"),
        amountMinor: BigInt(amount),
        metadata: metadataOf(metadata),
        paymentRail: destination.paymentRail,
      },
    });
  },
});

const agentTransferIn = defineOperation({
  ...ofAgents,
  id: "agentTransferIn",
  ...route("POST /agents/me/transfer-in"),
  agentPermission: "CREATE_TRANSFERS",
  summary: "Create a transfer in as an agent",
  description:
    "Pulls money from an external into an internal account of your customer. " +
    "Both accounts are in one currency, and the source must be one that money can be pulled from. The amount counts towards " +
    "the limits of the policy as one that is sent does.",
  body: Type.Object({ ...transferInFields, metadata: Type.Optional(MetadataSchema) }),
  requestExample: transferInExample,
  answers: { 201: actionAnswer },
  dryRun: actionDryRun,
  events: ["AGENT_ACTION.PENDING_APPROVAL", ...collectionEvents],
  refusals: transferRefusals,
  handle: async (request, services: Services) => {
    return submit(request, services, {
      status: 201,
      order: {
        type: "TRANSFER_IN",
        ...requireAccounts(request.body, "INCOMING"),
        amountMinor: BigInt(request.body.amount),
        metadata: metadataOf(request.body.metadata),
      },
    });
  },
});

export const ownPaymentOperations = [
  agentListTransactions,
  agentGetTransaction,
  agentCreateQuote,
  agentGetQuote,
  agentExecuteQuote,
  agentTransferOut,
  agentTransferIn,
];
