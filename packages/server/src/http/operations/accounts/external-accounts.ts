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
  type AccountOwner,
  type ExternalAccount,
  findExternalAccount,
  isOwnedBy,
  listExternalAccounts,
} from "../../../domain/accounts/external/external-account.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import {
  customerPayeeOrder,
  platformPayeeOrder,
} from "../../../domain/people/approvals/held-payees.ts";
import type { HoldableOrder } from "../../../domain/people/approvals/hold-order.ts";
import type { Answered } from "../../../engine/command.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import type { JsonObject } from "../../../std/json.ts";
import { OWNED_BY_CUSTOMERS, OWNED_BY_PLATFORM } from "../../../tables/facets.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { accountInfoRequest } from "../../../wire/accounts/account-info-schema.ts";
import { wireExternalAccount } from "../../../wire/accounts/external-account.ts";
import { currencyField, filledText } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import { MetadataSchema } from "../../../wire/metadata.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { defineNoun, getOne, listAll, shown } from "../../request/noun.ts";
import {
  defineOperation,
  isPerson,
  type OperationRequest,
  type Principal,
  requireCapability,
} from "../../request/operation.ts";
import { byCurrency, byCustomer, byMetadata, bySearch } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { TEXT_FILTER, whenFound, whenFoundBy } from "../../search/found-conditions.ts";

export const externalAccounts = defineNoun({
  path: "/customers/external-accounts",
  tag: "External accounts",
  capability: "accounts.read",
  ...wireExternalAccount,
});

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
  answers: { 201: shown(externalAccounts, "The account.") },
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

async function createAccount(
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
    toAnswer: (account) => ({ status: 201, body: wireExternalAccount.json(account) }),
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

export const AccountContent = Type.Object({
  ...accountFields,
  customerId: Type.Optional(Type.String()),
  defaultUmaDepositAccount: Type.Optional(Type.Boolean()),
});

/** The input for an account that people have approved. Refuses what the table of account types no longer allows. */
export function agreedAccountInput(content: CreateBody): CreateExternalAccountInput {
  const info = checkAccountInfo(content.currency, content.accountInfo);
  if (!info.ok) throw invalidFields(info.errors, info.code);
  return accountInputOf(content, info);
}

/** Finds the accounts of one owner, or of one kind of owners. */
export function findOwned(owner: AccountOwner) {
  return async (reads: Reads, platformId: string, id: string) => {
    const account = await findExternalAccount(reads, platformId, id);
    return account !== undefined && isOwnedBy(account, owner) ? account : undefined;
  };
}

export const deleteFacts = {
  method: "DELETE",
  tag: "External accounts",
  description: "Payments that are already under way to it go on.",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
} as const;

export const deletedAnswer = () => ({ status: 204, body: "" });

/** What the operations on the accounts of one kind of owners share; an account of the other kind is not found. */
function ofOwners(owner: "customer" | "platform", path: string) {
  const noun = { ...externalAccounts, path };
  const inPath = { param: "externalAccountId", kind: "ExternalAccount" } as const;
  return {
    noun,
    get: { ...noun, ...inPath, answer: "The account.", find: findOwned(owner) },
    delete: {
      ...deleteFacts,
      path: `${path}/{externalAccountId}`,
      access: "MANAGE",
      capability: "external-accounts.write",
      handle: async ({ principal, params }: Deletion, { engine }: Services) =>
        submitForCaller(engine, principal, {
          command: deleteExternalAccount,
          input: {
            accountId: requireId(
              "ExternalAccount",
              params.externalAccountId,
              "REFERENCE_NOT_FOUND",
            ),
            owner,
          },
          toAnswer: deletedAnswer,
        }),
    },
  } as const;
}

type Deletion = Pick<
  OperationRequest<{ readonly externalAccountId: string }, unknown, unknown, Principal>,
  "principal" | "params"
>;

const ofCustomers = ofOwners("customer", "/customers/external-accounts");
const ofPlatform = ofOwners("platform", "/platform/external-accounts");

const createCustomerExternalAccount = defineOperation({
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

const listCustomerExternalAccounts = listAll({
  ...ofCustomers.noun,
  id: "listCustomerExternalAccounts",
  summary: "List customer external accounts",
  where: [OWNED_BY_CUSTOMERS],
  filters: {
    currency: byCurrency,
    metadata: byMetadata("external_accounts"),
    customerId: byCustomer,
    q: bySearch(
      `${TEXT_FILTER} The accounts of the customers that it names as well.`,
      (seeker, text) =>
        whenFoundBy(seeker, {
          text,
          kind: "ExternalAccount",
          by: "Customer",
          column: "t.customer_id",
        }),
    ),
  },
  list: listExternalAccounts,
});

const getCustomerExternalAccount = getOne({
  ...ofCustomers.get,
  id: "getCustomerExternalAccount",
  summary: "Get a customer external account",
});

const deleteCustomerExternalAccount = defineOperation({
  ...ofCustomers.delete,
  id: "deleteCustomerExternalAccount",
  summary: "Delete a customer external account",
});

const createPlatformExternalAccount = defineOperation({
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

const listPlatformExternalAccounts = listAll({
  ...ofPlatform.noun,
  id: "listPlatformExternalAccounts",
  summary: "List platform external accounts",
  where: [OWNED_BY_PLATFORM],
  filters: {
    currency: byCurrency,
    metadata: byMetadata("external_accounts"),
    q: bySearch(TEXT_FILTER, (seeker, text) =>
      whenFound(seeker, { text, kind: "ExternalAccount" }),
    ),
  },
  list: listExternalAccounts,
});

const getPlatformExternalAccount = getOne({
  ...ofPlatform.get,
  id: "getPlatformExternalAccount",
  summary: "Get a platform external account",
});

const deletePlatformExternalAccount = defineOperation({
  ...ofPlatform.delete,
  id: "deletePlatformExternalAccount",
  summary: "Delete a platform external account",
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
