import Type from "typebox";
import {
  findBalanceAt,
  findInternalAccount,
  listInternalAccounts,
} from "../../../domain/accounts/internal/internal-account.sql.ts";
import {
  type InternalAccountSubject,
  internalAccountTypes,
} from "../../../domain/accounts/internal/internal-account.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { toIso } from "../../../std/clock.ts";
import {
  currencyFacet,
  OWNED_BY_CUSTOMERS,
  OWNED_BY_PLATFORM,
  standingFacet,
  typeFacet,
} from "../../../tables/facets.ts";
import type { Condition, ListQuery } from "../../../tables/list-query.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../wire/accounts/internal-account.ts";
import { wireBalanceAt } from "../../../wire/accounts/past-balance.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { customerIdParameter, pathId } from "../../../wire/id-fields.ts";
import { queryId, requireId } from "../../../wire/ids.ts";
import { asMoment, currencyParameter, when, whenFacet } from "../../request/filters.ts";
import { answerList, type ListSource } from "../../request/list.ts";
import { getFacts, listFacts } from "../../request/noun.ts";
import { type Caller, defineOperation, type Principal } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { TEXT_FILTER, textParameter, whenFoundBy } from "../../search/found-conditions.ts";
import { metadataConditions, metadataParameter } from "../../search/metadata-filter.ts";
import { seekerOf } from "../../search/seeker.ts";
import { type AccountFunding, fundingOf } from "./account-funding.ts";

export const internalAccounts = {
  path: "/customers/internal-accounts",
  tag: "Internal accounts",
  capability: "accounts.read",
  schema: InternalAccountSchema,
  example: internalAccountExample,
} as const;

export const defaultParameter = Type.Optional(
  Type.Boolean({
    description: "`true`: default accounts alone; `false`: those opened beside them alone.",
  }),
);

export function whenDefault(isDefault: boolean | undefined): Condition | undefined {
  if (isDefault === undefined) return undefined;
  return {
    sql: isDefault ? "t.additional is null" : "t.additional is not null",
    totalsFilter: {
      facet: { name: standingFacet.name, value: isDefault ? "default" : "additional" },
    },
  };
}

export const accountTypeParameter = Type.Optional(Type.Enum([...internalAccountTypes]));

/** The list of internal accounts. Its operations differ in their path, their access and their conditions. */
export function internalAccountsWhere(
  services: Services,
  caller: Caller,
  conditions: ListQuery["conditions"],
): ListSource<InternalAccountSubject> {
  let funding: AccountFunding = new Map();
  return {
    async load(page) {
      const found = await listInternalAccounts(services.reads, { ...page, conditions });
      funding = await fundingOf(
        services,
        caller,
        found.rows.map(({ account }) => account),
      );
      return found;
    },
    idOf: ({ account }) => account.id,
    toJson: (subject) => internalAccountJson(subject, funding.get(subject.account.id)),
  };
}

function accountsByMetadata(
  { reads }: Services,
  principal: Principal,
  { metadata }: { readonly metadata?: Readonly<Record<string, string>> },
) {
  return metadataConditions(seekerOf(reads, principal), "internal_accounts", metadata);
}

const listCustomerInternalAccounts = defineOperation({
  ...listFacts(internalAccounts),
  id: "listCustomerInternalAccounts",
  summary: "List customer internal accounts",
  query: Type.Object({
    currency: currencyParameter,
    customerId: customerIdParameter(),
    type: accountTypeParameter,
    isDefault: defaultParameter,
    metadata: metadataParameter,
    q: textParameter(`${TEXT_FILTER} The accounts of the customers that it names as well.`),
    ...pageParameters,
  }),
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listCustomerInternalAccounts",
      principal,
      query,
      ...internalAccountsWhere(services, principal, [
        OWNED_BY_CUSTOMERS,
        whenFacet(query.currency, currencyFacet),
        when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
        whenFacet(query.type, typeFacet),
        whenDefault(query.isDefault),
        await whenFoundBy(seekerOf(services.reads, principal), {
          text: query.q,
          kind: "InternalAccount",
          by: "Customer",
          column: "t.customer_id",
        }),
        ...(await accountsByMetadata(services, principal, query)),
      ]),
    }),
});

const listPlatformInternalAccounts = defineOperation({
  ...listFacts({ ...internalAccounts, path: "/platform/internal-accounts" }),
  id: "listPlatformInternalAccounts",
  summary: "List platform internal accounts",
  query: Type.Object({
    currency: currencyParameter,
    type: accountTypeParameter,
    isDefault: defaultParameter,
    metadata: metadataParameter,
    ...pageParameters,
    limit: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 100,
      description: "How many items a page holds at most.",
    }),
  }),
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listPlatformInternalAccounts",
      principal,
      query,
      ...internalAccountsWhere(services, principal, [
        OWNED_BY_PLATFORM,
        whenFacet(query.currency, currencyFacet),
        whenFacet(query.type, typeFacet),
        whenDefault(query.isDefault),
        ...(await accountsByMetadata(services, principal, query)),
      ]),
    }),
});

const getInternalAccount = defineOperation({
  ...getFacts(internalAccounts, "The account with its balance."),
  id: "getInternalAccount",
  path: "/internal-accounts/{id}",
  summary: "Get an internal account",
  description: "The account may belong to a customer or to the platform.",
  params: Type.Object({ id: pathId("InternalAccount") }),
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const id = requireId("InternalAccount", params.id, "REFERENCE_NOT_FOUND");
    const account = await findInternalAccount(services.reads, principal.platformId, id);
    if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const funding = await fundingOf(services, principal, [account.account]);
    return { status: 200, body: internalAccountJson(account, funding.get(id)) };
  },
});

const getInternalAccountBalance = defineOperation({
  ...getFacts({ ...internalAccounts, ...wireBalanceAt }, "The balance."),
  id: "getInternalAccountBalance",
  path: "/internal-accounts/{internalAccountId}/balance",
  summary: "Get the balance of an internal account at a time",
  description:
    "After the last entry of the account up to `at`, the moment itself included. Without `at`: now.",
  params: Type.Object({ internalAccountId: pathId("InternalAccount") }),
  query: Type.Object({ at: dateTimeParameter("A time that is not in the future.") }),
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params, query }, services: Services) {
    const id = requireId("InternalAccount", params.internalAccountId, "REFERENCE_NOT_FOUND");
    const found = await findInternalAccount(services.reads, platformId, id);
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const now = await platformTime(services, platformId);
    const at = query.at === undefined ? now : Math.max(0, Date.parse(asMoment(query.at)));
    if (at > now) throw invalidField("at", "lies in the future");
    const { account, ledger } = found;
    const latest = { version: ledger.version, availableMinor: ledger.balanceMinor };
    const asOf = toIso(at);
    const balance =
      at >= ledger.updatedAt
        ? { ...latest, totalMinor: ledger.balanceMinor + ledger.heldMinor }
        : await findBalanceAt(services.reads, platformId, { accountId: id, at: asOf });
    const body = wireBalanceAt.json({
      ...{ totalMinor: null, ...balance },
      ...{ accountId: id, currency: account.currency, asOf },
    });
    return { status: 200, body };
  },
});

export const internalAccountOperations = [
  listCustomerInternalAccounts,
  listPlatformInternalAccounts,
  getInternalAccount,
  getInternalAccountBalance,
];
