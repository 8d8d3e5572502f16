import Type from "typebox";
import { deleteExternalAccount } from "../../../domain/accounts/external/delete-external-account.ts";
import { asAgent, refusingAsAgent } from "../../../domain/agents/actions/as-agent.ts";
import { createAgentExternalAccount } from "../../../domain/agents/create-agent-external-account.ts";
import { toCustomerId } from "../../../domain/customers/customer.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  ExternalAccountSchema,
  externalAccountExample,
  externalAccountJson,
} from "../../../wire/accounts/external-account.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import { currencyParameter, when } from "../../request/filters.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { submitFound } from "../../request/submit-found.ts";
import {
  accountFields,
  accountInputOf,
  createExample,
  createFacts,
  externalAccountsAnswer,
  externalAccountsWhere,
  getAccount,
} from "../accounts/external-accounts.ts";
import { answerOwnList } from "./own-list.ts";

export const agentListExternalAccounts = defineOperation({
  id: "agentListExternalAccounts",
  method: "GET",
  path: "/agents/me/external-accounts",
  access: "AGENT",
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  tag: "For agents",
  summary: "List external accounts of your customer",
  query: Type.Object({ currency: currencyParameter, ...pageParameters }),
  answers: { 200: externalAccountsAnswer },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerOwnList(services, {
      operationId: "agentListExternalAccounts",
      principal,
      query,
      ...externalAccountsWhere(services.reads, [
        { sql: "t.customer_id = ?::uuid", value: principal.customerId },
        when(query.currency, "t.currency = ?::text"),
      ]),
    }),
});

const permission = "MANAGE_EXTERNAL_ACCOUNTS";

export const agentCreateExternalAccount = defineOperation({
  ...createFacts,
  id: "agentCreateExternalAccount",
  path: "/agents/me/external-accounts",
  access: "AGENT",
  agentPermission: permission,
  tag: "For agents",
  summary: "Create an external account of your customer",
  description:
    "The account belongs to the agent's customer; `customerId`, where given, must be that one. Where the policy's payees are " +
    "`LISTED`, the new account is not in the list: the agent cannot pay it until the platform adds it. " +
    "`defaultUmaDepositAccount` is refused with 403 and the rule `PAYEE_NOT_ALLOWED` unless the policy lets the agent make transfers " +
    "from every account of its customer to any payee, and none of them waits for an approval.",
  body: Type.Object({
    ...accountFields,
    customerId: Type.Optional(Type.String()),
    defaultUmaDepositAccount: Type.Optional(Type.Boolean({ default: false })),
  }),
  requestExample: createExample,
  async handle({ principal, body, judged, idempotency }, { engine }: Services) {
    const { agentId } = principal;
    const customerId = toCustomerId(principal.customerId);
    const input = accountInputOf({ ...body, customerId }, judged);
    return submitFound(engine, principal, {
      command: createAgentExternalAccount,
      find: async () => {
        if (body.customerId === undefined || body.customerId === customerId) {
          return { agentId, input };
        }
        requireIdField("Customer", { field: "customerId", raw: body.customerId }, "USER_NOT_FOUND");
        throw new Refusal("USER_NOT_FOUND");
      },
      refuse: refusingAsAgent(createAgentExternalAccount.name, { agentId, permission }),
      toAnswer: (account) => ({ status: 201, body: externalAccountJson(account) }),
      idempotency,
    });
  },
});

export const agentGetExternalAccount = defineOperation({
  id: "agentGetExternalAccount",
  method: "GET",
  path: "/agents/me/external-accounts/{externalAccountId}",
  access: "AGENT",
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  tag: "For agents",
  summary: "Get an external account of your customer",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: {
    200: {
      description: "The account.",
      schema: ExternalAccountSchema,
      example: externalAccountExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params }, services: Services) => {
    const owner = { customerId: principal.customerId };
    return getAccount(services, { principal, rawId: params.externalAccountId, owner });
  },
});

const command = asAgent(deleteExternalAccount, "MANAGE_EXTERNAL_ACCOUNTS");

export const agentDeleteExternalAccount = defineOperation({
  id: "agentDeleteExternalAccount",
  method: "DELETE",
  path: "/agents/me/external-accounts/{externalAccountId}",
  access: "AGENT",
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  tag: "For agents",
  summary: "Delete an external account of your customer",
  description: "Payments that are already under way to it go on.",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { engine }: Services) {
    const { agentId, customerId } = principal;
    const accountId = requireId("ExternalAccount", params.externalAccountId, "REFERENCE_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command,
      input: { agentId, input: { accountId, owner: { customerId } } },
      toAnswer: () => ({ status: 204, body: "" }),
    });
  },
});

export const ownExternalAccountOperations = [
  agentListExternalAccounts,
  agentCreateExternalAccount,
  agentGetExternalAccount,
  agentDeleteExternalAccount,
];
