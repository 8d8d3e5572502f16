import Type from "typebox";
import {
  checkAccountInfo,
  type SoundAccountInfo,
} from "../../../domain/accounts/external/account-info.ts";
import {
  type CreateExternalAccountInput,
  takesIncomingMoney,
} from "../../../domain/accounts/external/create-external-account.ts";
import { deleteExternalAccount } from "../../../domain/accounts/external/delete-external-account.ts";
import {
  findExternalAccount,
  listExternalAccounts,
} from "../../../domain/accounts/external/external-account.sql.ts";
import {
  type AccountOwner,
  type ExternalAccount,
  isOwnedBy,
} from "../../../domain/accounts/external/external-account.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import {
  customerPayeeOrder,
  platformPayeeOrder,
} from "../../../domain/people/approvals/held-payees.ts";
import type { HoldableOrder } from "../../../domain/people/approvals/hold-order.ts";
import type { Answer, Answered } from "../../../engine/command.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import type { JsonObject } from "../../../std/json.ts";
import { currencyFacet, OWNED_BY_CUSTOMERS, OWNED_BY_PLATFORM } from "../../../tables/facets.ts";
import type { ListQuery } from "../../../tables/list-query.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { accountInfoRequest } from "../../../wire/accounts/account-info-schema.ts";
import {
  ExternalAccountSchema,
  externalAccountExample,
  externalAccountJson,
} from "../../../wire/accounts/external-account.ts";
import { currencyField, filledText, listOf } from "../../../wire/fields.ts";
import { customerIdParameter, pathId } from "../../../wire/id-fields.ts";
import { queryId, requireId, requireIdField } from "../../../wire/ids.ts";
import { MetadataSchema } from "../../../wire/metadata.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { currencyParameter, when, whenFacet } from "../../request/filters.ts";
import { answerList, type ListSource } from "../../request/list.ts";
import {
  type Caller,
  defineOperation,
  isPerson,
  type OperationRequest,
  type Principal,
  requireCapability,
} from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

/** Shared by the creation of a customer's and of the platform's own external account. */

/** The table of account types validates these fields; the document shows it as a schema. */
export const accountFields = {
  currency: currencyField(),
  accountInfo: Type.Unsafe<object>({ type: "object", "x-document": accountInfoRequest }),
  platformAccountId: Type.Optional(filledText(255)),
  metadata: Type.Optional(MetadataSchema),
};

export const createFacts = {
  method: "POST",
  tag: "External accounts",
  description:
    "`accountType` decides which fields `accountInfo` has; every field that is missing or wrong is named at once. " +
    "In production the check digits of IBANs, routing numbers and CLABEs must fit, and the number of a payment card is refused. In a sandbox the " +
    "last three digits of the primary identifier steer the name check: 102 NOT_MATCHED, 103 PARTIAL_MATCH, 104 PENDING and MATCHED " +
    "a minute later, " +
    "105 refused, 106 UNSUPPORTED, 107 CHECKED_BY_RECEIVING_FI, anything else MATCHED.",
  answers: {
    201: {
      description: "The account.",
      schema: ExternalAccountSchema,
      example: externalAccountExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_CURRENCY",
    "INVALID_BANK_ACCOUNT",
    "USER_NOT_FOUND",
    "CONFLICT",
  ],
  judge: judgeAccount,
} as const;

export const createExample = {
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: "000123456789",
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
  },
};

function judgeAccount({ currency, accountInfo }: JsonObject): Judgement<SoundAccountInfo> {
  const info = checkAccountInfo(currency, accountInfo);
  return info.ok ? { ok: true, value: info } : info;
}

interface CreateBody {
  readonly currency: string;
  readonly accountInfo: object;
  readonly platformAccountId?: string | undefined;
  readonly customerId?: string;
  readonly defaultUmaDepositAccount?: boolean;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export async function createAccount(
  {
    principal,
    body,
    judged,
    idempotency,
  }: Pick<
    OperationRequest<unknown, unknown, CreateBody, Principal, SoundAccountInfo>,
    "principal" | "body" | "judged" | "idempotency"
  >,
  {
    services,
    order,
  }: {
    readonly services: Services;
    readonly order: HoldableOrder<CreateExternalAccountInput, ExternalAccount>;
  },
): Promise<Answered> {
  const input = accountInputOf(body, judged);
  if (isPerson(principal) && takesIncomingMoney(input))
    requireCapability(principal, "payments.create");
  return submitOrder(services, principal, {
    order,
    content: body,
    input,
    toAnswer: (account) => ({ status: 201, body: externalAccountJson(account) }),
    idempotency,
  });
}

/** The command's input from a validated request. */
export function accountInputOf(
  body: Omit<CreateBody, "accountInfo">,
  info: SoundAccountInfo,
): CreateExternalAccountInput {
  return {
    customerId:
      body.customerId === undefined
        ? undefined
        : requireIdField(
            "Customer",
            { field: "customerId", raw: body.customerId },
            "USER_NOT_FOUND",
          ),
    currency: body.currency,
    info,
    platformAccountId: body.platformAccountId,
    defaultUmaDepositAccount: body.defaultUmaDepositAccount ?? false,
    metadata: metadataOf(body.metadata),
  };
}

/** Of an account that people have agreed to. Refuses what the table of account types no longer takes. */
export function agreedAccountInput(content: CreateBody): CreateExternalAccountInput {
  const info = checkAccountInfo(content.currency, content.accountInfo);
  if (!info.ok) throw invalidFields(info.errors, info.code);
  return accountInputOf(content, info);
}

/** The list of external accounts. Its operations differ in their path, their access and their conditions. */

export const externalAccountsAnswer = {
  description: "Newest first.",
  schema: listOf(ExternalAccountSchema),
  example: { data: [externalAccountExample], hasMore: false, totalCount: 1 },
};

export function externalAccountsWhere(
  reads: Reads,
  conditions: ListQuery["conditions"],
): ListSource<ExternalAccount> {
  return {
    load: (page) => listExternalAccounts(reads, { ...page, conditions }),
    idOf: (account) => account.id,
    toJson: externalAccountJson,
  };
}

/** Shared by the reading of a customer's and of the platform's own external account. */

export const getFacts = {
  method: "GET",
  access: "VIEW",
  capability: "accounts.read",
  tag: "External accounts",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: {
    200: {
      description: "The account.",
      schema: ExternalAccountSchema,
      example: externalAccountExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
} as const;

/** An external account of this owner; an account of another owner is not found. */
export async function getAccount(
  { reads }: Services,
  wanted: {
    readonly principal: Pick<Caller, "platformId">;
    readonly rawId: string;
    readonly owner: AccountOwner;
  },
): Promise<Answer> {
  const id = requireId("ExternalAccount", wanted.rawId, "REFERENCE_NOT_FOUND");
  const account = await findExternalAccount(reads, wanted.principal.platformId, id);
  if (account === undefined || !isOwnedBy(account, wanted.owner)) {
    throw new Refusal("REFERENCE_NOT_FOUND");
  }
  return { status: 200, body: externalAccountJson(account) };
}

/** Shared by the deletion of a customer's and of the platform's own external account. */

export const deleteFacts = {
  method: "DELETE",
  access: "MANAGE",
  capability: "external-accounts.write",
  tag: "External accounts",
  description: "Payments that are already under way to it go on.",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
} as const;

/** Deletes an account of this kind of owner; an account of the other kind is not found. */
export async function deleteAccount(
  { engine }: Services,
  unwanted: {
    readonly principal: Principal;
    readonly rawId: string;
    readonly owner: "customer" | "platform";
  },
): Promise<Answered> {
  const { principal, rawId, owner } = unwanted;
  return submitForCaller(engine, principal, {
    command: deleteExternalAccount,
    input: { accountId: requireId("ExternalAccount", rawId, "REFERENCE_NOT_FOUND"), owner },
    toAnswer: () => ({ status: 204, body: "" }),
  });
}

export const createCustomerExternalAccount = defineOperation({
  ...createFacts,
  access: "MANAGE",
  capability: "external-accounts.write",
  id: "createCustomerExternalAccount",
  path: "/customers/external-accounts",
  summary: "Create a customer external account",
  body: Type.Object({
    ...accountFields,
    customerId: Type.Optional(
      Type.String({ description: "Absent for an account of the platform itself." }),
    ),
    defaultUmaDepositAccount: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Incoming UMA payments in its currency go on to this account, which takes the place of the one before. In the console it needs " +
          "`payments.create`, and waits where payments of people do.",
      }),
    ),
  }),
  requestExample: { ...createExample, customerId: "Customer:019a4f00-0000-7000-8000-000000000001" },
  handle: async (request, services: Services) =>
    createAccount(request, { services, order: customerPayeeOrder }),
});

export const listCustomerExternalAccounts = defineOperation({
  id: "listCustomerExternalAccounts",
  method: "GET",
  path: "/customers/external-accounts",
  access: "VIEW",
  capability: "accounts.read",
  tag: "External accounts",
  summary: "List customer external accounts",
  query: Type.Object({
    currency: currencyParameter,
    customerId: customerIdParameter(),
    ...pageParameters,
  }),
  answers: { 200: externalAccountsAnswer },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listCustomerExternalAccounts",
      principal,
      query,
      ...externalAccountsWhere(services.reads, [
        OWNED_BY_CUSTOMERS,
        whenFacet(query.currency, currencyFacet),
        when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
      ]),
    }),
});

export const getCustomerExternalAccount = defineOperation({
  ...getFacts,
  id: "getCustomerExternalAccount",
  path: "/customers/external-accounts/{externalAccountId}",
  summary: "Get a customer external account",
  handle: ({ principal, params }, services: Services) =>
    getAccount(services, { principal, rawId: params.externalAccountId, owner: "customer" }),
});

export const deleteCustomerExternalAccount = defineOperation({
  ...deleteFacts,
  id: "deleteCustomerExternalAccount",
  path: "/customers/external-accounts/{externalAccountId}",
  summary: "Delete a customer external account",
  handle: ({ principal, params }, services: Services) =>
    deleteAccount(services, { principal, rawId: params.externalAccountId, owner: "customer" }),
});

export const createPlatformExternalAccount = defineOperation({
  ...createFacts,
  access: "MANAGE",
  capability: "external-accounts.write",
  id: "createPlatformExternalAccount",
  path: "/platform/external-accounts",
  summary: "Create a platform external account",
  body: Type.Object(accountFields),
  requestExample: createExample,
  async handle({ body, ...request }, services: Services) {
    // Fields that only a customer's account has are unknown here and ignored.
    const { currency, accountInfo, platformAccountId, metadata } = body;
    const known = { currency, accountInfo, platformAccountId, metadata };
    return createAccount({ ...request, body: known }, { services, order: platformPayeeOrder });
  },
});

export const listPlatformExternalAccounts = defineOperation({
  id: "listPlatformExternalAccounts",
  method: "GET",
  path: "/platform/external-accounts",
  access: "VIEW",
  capability: "accounts.read",
  tag: "External accounts",
  summary: "List platform external accounts",
  query: Type.Object({
    currency: currencyParameter,
    ...pageParameters,
  }),
  answers: { 200: externalAccountsAnswer },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listPlatformExternalAccounts",
      principal,
      query,
      ...externalAccountsWhere(services.reads, [
        OWNED_BY_PLATFORM,
        whenFacet(query.currency, currencyFacet),
      ]),
    }),
});

export const getPlatformExternalAccount = defineOperation({
  ...getFacts,
  id: "getPlatformExternalAccount",
  path: "/platform/external-accounts/{externalAccountId}",
  summary: "Get a platform external account",
  handle: ({ principal, params }, services: Services) =>
    getAccount(services, { principal, rawId: params.externalAccountId, owner: "platform" }),
});

export const deletePlatformExternalAccount = defineOperation({
  ...deleteFacts,
  id: "deletePlatformExternalAccount",
  path: "/platform/external-accounts/{externalAccountId}",
  summary: "Delete a platform external account",
  handle: ({ principal, params }, services: Services) =>
    deleteAccount(services, { principal, rawId: params.externalAccountId, owner: "platform" }),
});

export const externalAccountOperations = [
  createCustomerExternalAccount,
  listCustomerExternalAccounts,
  getCustomerExternalAccount,
  deleteCustomerExternalAccount,
  createPlatformExternalAccount,
  listPlatformExternalAccounts,
  getPlatformExternalAccount,
  deletePlatformExternalAccount,
];
