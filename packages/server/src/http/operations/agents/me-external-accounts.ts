import Type from "typebox";
import { deleteExternalAccount } from "../../../domain/accounts/external/delete-external-account.ts";
import { listExternalAccounts } from "../../../domain/accounts/external/external-account.ts";
import { asAgent, refusingAsAgent } from "../../../domain/agents/actions/as-agent.ts";
import { createAgentExternalAccount } from "../../../domain/agents/create-agent-external-account.ts";
import { toCustomerId } from "../../../domain/customers/customer.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { wireExternalAccount } from "../../../wire/accounts/external-account.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import { currencyParameter, when } from "../../request/filters.ts";
import { pageOf, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller, submitFound } from "../../request/submit-for-caller.ts";
import {
  accountFields,
  accountInputOf,
  createExample,
  createFacts,
  deletedAnswer,
  deleteFacts,
  externalAccounts,
  findOwned,
} from "../accounts/external-accounts.ts";
import { answerOwnList, ofAgents } from "./own-list.ts";

const agentListExternalAccounts = defineOperation({
  ...ofAgents,
  id: "agentListExternalAccounts",
  ...route("GET /agents/me/external-accounts"),
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  summary: "List external accounts of your customer",
  query: Type.Object({ currency: currencyParameter, ...pageParameters }),
  answers: { 200: pageOf(externalAccounts) },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerOwnList(services, {
      operationId: "agentListExternalAccounts",
      principal,
      query,
      load: (page) =>
        listExternalAccounts(services.reads, {
          ...page,
          conditions: [
            { sql: "t.customer_id = ?::uuid", value: principal.customerId },
            when(query.currency, "t.currency = ?::text"),
          ],
        }),
      idOf: ({ id }) => id,
      toJson: wireExternalAccount.json,
    }),
});

const permission = "MANAGE_EXTERNAL_ACCOUNTS";

const agentCreateExternalAccount = defineOperation({
  ...createFacts,
  ...ofAgents,
  id: "agentCreateExternalAccount",
  path: "/agents/me/external-accounts",
  agentPermission: permission,
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
      toAnswer: (account) => ({ status: 201, body: wireExternalAccount.json(account) }),
      idempotency,
    });
  },
});

const agentGetExternalAccount = defineOperation({
  ...ofAgents,
  id: "agentGetExternalAccount",
  ...route("GET /agents/me/external-accounts/{externalAccountId}"),
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  summary: "Get an external account of your customer",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: { 200: shown(externalAccounts, "The account.") },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId, customerId }, params }, { reads }: Services) {
    const id = requireId("ExternalAccount", params.externalAccountId, "REFERENCE_NOT_FOUND");
    const account = await findOwned({ customerId })(reads, platformId, id);
    if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: wireExternalAccount.json(account) };
  },
});

const command = asAgent(deleteExternalAccount, "MANAGE_EXTERNAL_ACCOUNTS");

const agentDeleteExternalAccount = defineOperation({
  ...deleteFacts,
  ...ofAgents,
  id: "agentDeleteExternalAccount",
  path: "/agents/me/external-accounts/{externalAccountId}",
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  summary: "Delete an external account of your customer",
  async handle({ principal, params }, { engine }: Services) {
    const { agentId, customerId } = principal;
    const accountId = requireId("ExternalAccount", params.externalAccountId, "REFERENCE_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command,
      input: { agentId, input: { accountId, owner: { customerId } } },
      toAnswer: deletedAnswer,
    });
  },
});

export const ownExternalAccountOperations = [
  agentListExternalAccounts,
  agentCreateExternalAccount,
  agentGetExternalAccount,
  agentDeleteExternalAccount,
];
