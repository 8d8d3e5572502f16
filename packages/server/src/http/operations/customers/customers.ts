import Type, { type Static } from "typebox";
import {
  createCustomer as createCustomerCommand,
  mayHaveWallet,
  type NewCustomer,
} from "../../../domain/customers/create-customer.ts";
import {
  findCustomer,
  findCustomerSubject,
  listCustomers as loadCustomers,
  listCustomersRoughly as roughCustomers,
  searchCustomers,
} from "../../../domain/customers/customer.sql.ts";
import {
  type BusinessInfo,
  customerTypes,
  kycStatuses,
  ofWhatCustomerType,
} from "../../../domain/customers/customer.ts";
import { plainPhoneNumber } from "../../../domain/customers/customer-fields.ts";
import type { CustomerSubject } from "../../../domain/customers/customer-subject.ts";
import {
  deleteCustomer as deleteCustomerCommand,
  paymentInFlight,
} from "../../../domain/customers/delete-customer.ts";
import {
  type UpdateCustomerInput,
  updateCustomer as updateCustomerCommand,
} from "../../../domain/customers/update-customer.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import { hasMoreInFlight } from "../../../domain/payments/transactions/open-payments.sql.ts";
import { MOST_IN_FLIGHT_LOADED } from "../../../domain/payments/transactions/open-payments.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { NOT_DELETED } from "../../../tables/facets.ts";
import type { Condition, ListPage } from "../../../tables/list-query.ts";
import { CustomerSchema, customerExample, customerJson } from "../../../wire/customers/customer.ts";
import {
  BusinessInfoChangesSchema,
  NewBusinessInfoSchema,
} from "../../../wire/customers/customer-field-schemas.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  currencyParameter,
  dateConditions,
  dateFilters,
  when,
  whenAddress,
  whenFacet,
} from "../../request/filters.ts";
import { answerPage } from "../../request/list.ts";
import { defineNoun, getOne, listFacts, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { TEXT_FILTER, textParameter, whenFound } from "../../search/found-conditions.ts";
import { metadataConditions, metadataParameter } from "../../search/metadata-filter.ts";
import { type Seeker, seekerOf } from "../../search/seeker.ts";
import { newCustomerEvents, verificationEvents } from "../event-lists.ts";
import {
  addressOf,
  businessInfoOf,
  type CustomerFields,
  changedCustomerBody,
  identityFieldsOf,
  identityOf,
  judgeChanges,
  judgeNewCustomer,
  newCustomerBody,
  profileOf,
  shownChangedCustomer,
  shownNewCustomer,
} from "./customer-body.ts";

const customers = defineNoun({
  path: "/customers",
  tag: "Customers",
  capability: "customers.read",
  schema: CustomerSchema,
  example: customerExample,
  json: customerJson,
});

const createCustomer = defineOperation({
  id: "createCustomer",
  ...route("POST /customers", "MANAGE", "customers.write"),
  tag: "Customers",
  summary: "Create a customer",
  description:
    "A person, or a business with its `businessInfo`. Without `currencies` the customer has those of the platform, of fiat " +
    "money only that of its `region` where the platform has any of it. Opens an internal account for each of the customer's currencies, and " +
    "an embedded wallet where USDB is one of them. In a sandbox the last three characters of `fullName` decide a person's " +
    "`kycStatus`: 001 PENDING, 002 REJECTED, 003 UNVERIFIED, anything else APPROVED. A business is UNVERIFIED until it is " +
    "submitted with POST /verifications. A `umaAddress` is never given out again: it stays taken when its customer takes " +
    "another one or is deleted.",
  body: newCustomerBody(NewBusinessInfoSchema),
  shownBody: shownNewCustomer,
  requestExample: {
    customerType: "INDIVIDUAL",
    platformCustomerId: "ana-1",
    fullName: "Ana Ruiz",
    birthDate: "1991-02-03",
    nationality: "US",
    currencies: ["USD", "EUR"],
  },
  answers: { 201: shown(customers, "The customer.") },
  events: newCustomerEvents,
  refusals: [
    "INVALID_INPUT",
    "INVALID_CURRENCY",
    "MISSING_MANDATORY_USER_INFO",
    "INVALID_UMA_ADDRESS",
    "UMA_ADDRESS_EXISTS",
    "CONFLICT",
  ],
  judge: judgeNewCustomer,
  async handle({ principal, body, judged, idempotency }, services: Services) {
    const { platformId } = principal;
    const platformCustomerId = body.platformCustomerId ?? services.ids.next(services.clock.now());
    return submitForCaller(services.engine, principal, {
      command: createCustomerCommand,
      input: {
        customer: {
          platformCustomerId,
          customerType: body.customerType,
          region: body.region ?? null,
          email: body.email ?? null,
          phoneNumber: body.phoneNumber === undefined ? null : plainPhoneNumber(body.phoneNumber),
          address: body.address === undefined ? null : addressOf(body.address),
          metadata: metadataOf(body.metadata),
          ...typedFields(body, (identifier) =>
            services.sealer.seal(identifier, identityOf(platformId, platformCustomerId)),
          ),
        },
        umaAddress: judged.umaAddress,
        currencies: body.currencies,
        wallet: mayHaveWallet(body.currencies) ? await services.newWallet(platformId) : undefined,
      },
      toAnswer: (customer) => ({ status: 201, body: customerJson(customer) }),
      idempotency,
    });
  },
});

type TypedFields = Pick<
  NewCustomer,
  | "fullName"
  | "birthDate"
  | "nationality"
  | "profile"
  | "businessInfo"
  | "identitySealed"
  | "identityHasSsnForm"
>;

/** The fields of the customer's own type; those of the other type are dropped. */
function typedFields(body: CustomerFields, seal: (identifier: string) => string): TypedFields {
  const isBusiness = body.customerType === "BUSINESS";
  const { fullName, birthDate, nationality, identifier } = body;
  return {
    fullName: isBusiness ? null : (fullName ?? null),
    birthDate: isBusiness ? null : (birthDate ?? null),
    nationality: isBusiness ? null : (nationality ?? null),
    profile: profileOf(body),
    // The schema requires these members for a business.
    businessInfo: isBusiness ? (businessInfoOf(body) as BusinessInfo) : null,
    ...(isBusiness || identifier === undefined
      ? { identitySealed: null, identityHasSsnForm: null }
      : identityFieldsOf(identifier, seal(identifier))),
  };
}

export const customerFilters = {
  platformCustomerId: Type.Optional(Type.String({ maxLength: 255, examples: ["ana-1"] })),
  customerType: Type.Optional(Type.Enum([...customerTypes])),
  region: Type.Optional(Type.String({ pattern: "^[A-Z]{2}$", examples: ["US"] })),
  currency: currencyParameter,
  umaAddress: Type.Optional(Type.String({ maxLength: 320, examples: ["$ana@florin.test"] })),
  isIncludingDeleted: Type.Optional(Type.Boolean({ default: false })),
  q: textParameter(TEXT_FILTER),
  name: textParameter("Beginnings of words of the name."),
  verificationStatus: Type.Optional(
    Type.Enum([...kycStatuses], { description: "The `kycStatus` or `kybStatus`." }),
  ),
  isFrozen: Type.Optional(Type.Boolean()),
  hasBalance: Type.Optional(
    Type.Boolean({ description: "Whether an internal account of the customer holds money." }),
  ),
  ...dateFilters,
};

const Filters = Type.Object(customerFilters);

const listCustomers = defineOperation({
  ...listFacts(
    customers,
    "Newest first. By `hasBalance` the list is searched: a page looks at 20,000 customers at most, so it may hold few of them, or none, and still have a " +
      "next one, and there is no `totalCount`. By `verificationStatus` and `isFrozen` there is none beyond 20,000.",
  ),
  id: "listCustomers",
  summary: "List customers",
  query: Type.Object({ ...customerFilters, metadata: metadataParameter, ...pageParameters }),
  handle: async ({ principal, query }, services: Services) => {
    const seeker = seekerOf(services.reads, principal);
    const conditions = [
      ...(await metadataConditions(seeker, "customers", query.metadata)),
      ...(await customerConditions(seeker, query)),
    ];
    const fits = balanceConditions(query);
    return answerPage(services, {
      operationId: "listCustomers",
      principal,
      query,
      load: (page): Promise<ListPage<CustomerSubject>> =>
        fits.length > 0
          ? searchCustomers(services.reads, { ...page, conditions, fits })
          : isRough(query)
            ? roughCustomers(services.reads, { ...page, conditions })
            : loadCustomers(services.reads, { ...page, conditions }),
      positionOf: ({ customer }) => customer.id,
      toJson: customerJson,
    });
  },
});

/** Nearly all customers may be of one status, or not frozen, and no totals of these are kept. */
const isRough = ({ verificationStatus, isFrozen }: Static<typeof Filters>) =>
  verificationStatus !== undefined || isFrozen !== undefined;

const HAS_BALANCE =
  "exists (select 1 from internal_accounts a join ledger_accounts l on l.platform_id = $1::uuid and l.id = a.id " +
  "where a.platform_id = $1::uuid and a.customer_id = t.id and l.balance_minor > 0 offset 0)";

/**
 * No index serves this condition: one on balances would be written by each payment. `offset 0` has PostgreSQL look up the accounts of each customer
 * that is searched. Without it, PostgreSQL may read all balances first.
 */
export function balanceConditions({
  hasBalance,
}: Pick<Static<typeof Filters>, "hasBalance">): readonly Condition[] {
  if (hasBalance === undefined) return [];
  // A customer has one account, or a few.
  return [{ sql: hasBalance ? HAS_BALANCE : `not ${HAS_BALANCE}`, lookups: 3 }];
}

export async function customerConditions(
  seeker: Seeker,
  query: Static<typeof Filters>,
): Promise<readonly (Condition | undefined)[]> {
  const { q, name, isFrozen } = query;
  return [
    await whenFound(seeker, { text: q, kind: "Customer" }),
    await whenFound(seeker, { text: name, kind: "Customer", fields: ["name"] }),
    when(query.verificationStatus, "coalesce(t.kyc_status, t.kyb_status) = ?::text"),
    isFrozen === undefined ? undefined : { sql: `t.frozen is ${isFrozen ? "not " : ""}null` },
    when(query.platformCustomerId, query.isIncludingDeleted === true ? LIVE_OR_DELETED : NAMED),
    whenFacet(query.customerType, ofWhatCustomerType),
    unordered(when(query.region, "t.region = ?::text")),
    unordered(when(query.currency, "t.currencies::jsonb @> to_jsonb(?::text)")),
    whenAddress(query.umaAddress, "t.uma_address = ?::text"),
    query.isIncludingDeleted === true ? undefined : NOT_DELETED,
    ...dateConditions(query),
  ];
}

/** A search by balance judges each customer by it. */
const unordered = (condition: Condition | undefined) =>
  condition && { ...condition, isUnordered: true };

const NAMED = "t.platform_customer_id = ?::text";

/** Live and deleted customers have an index each. */
const LIVE_OR_DELETED = [
  `${NAMED} and t.deleted_at is null`,
  `${NAMED} and t.deleted_at is not null`,
];

const getCustomer = getOne({
  ...customers,
  id: "getCustomer",
  summary: "Get a customer",
  description: "A deleted customer is answered with `isDeleted` true.",
  param: "customerId",
  kind: "Customer",
  answer: "The customer.",
  find: findCustomerSubject,
  missing: "USER_NOT_FOUND",
});

const updateCustomer = defineOperation({
  id: "updateCustomer",
  ...route("PATCH /customers/{customerId}", "MANAGE", "customers.write"),
  tag: "Customers",
  summary: "Update a customer",
  description:
    "Absent fields stay as they are, those of `businessInfo` too; a list and `metadata` replace the one before. `customerType` is " +
    "required and must be the customer's. `email` and `phoneNumber` are changed one at a time. " +
    "A `umaAddress` that the customer had before is still its own and can be taken back. An `idType` of SSN needs an " +
    "`identifier` of the form ###-##-####, be it one that was sent before.",
  params: Type.Object({ customerId: pathId("Customer") }),
  body: changedCustomerBody(BusinessInfoChangesSchema),
  shownBody: shownChangedCustomer,
  requestExample: { customerType: "INDIVIDUAL", email: "ana.ruiz@example.com" },
  answers: { 200: shown(customers, "The customer as it is now.") },
  events: verificationEvents,
  refusals: [
    "INVALID_INPUT",
    "INVALID_CURRENCY",
    "MISSING_MANDATORY_USER_INFO",
    "INVALID_UMA_ADDRESS",
    "USER_NOT_FOUND",
    "UMA_ADDRESS_EXISTS",
    "CONFLICT",
    "CUSTOMER_DELETED",
  ],
  judge: judgeChanges,
  async handle({ principal, params, body, judged }, services: Services) {
    const { platformId } = principal;
    const customerId = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    return submitForCaller(services.engine, principal, {
      command: updateCustomerCommand,
      input: {
        customerId,
        customerType: body.customerType,
        umaAddress: judged.umaAddress,
        currencies: body.currencies,
        fields: await sentFields(body, { platformId, customerId, services }),
        profile: profileOf(body),
        businessInfo: businessInfoOf(body),
      },
      toAnswer: (customer) => ({ status: 200, body: customerJson(customer) }),
    });
  },
});

interface Target {
  readonly platformId: string;
  readonly customerId: string;
  readonly services: Services;
}

async function sentFields(
  body: CustomerFields,
  target: Target,
): Promise<UpdateCustomerInput["fields"]> {
  const { email, phoneNumber, address, metadata } = body;
  return {
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber: plainPhoneNumber(phoneNumber) }),
    ...(address === undefined ? {} : { address: addressOf(address) }),
    ...(metadata === undefined ? {} : { metadata: metadataOf(metadata) }),
    ...(body.customerType === "INDIVIDUAL" ? await personalFields(body, target) : {}),
  };
}

async function personalFields(
  body: CustomerFields,
  target: Target,
): Promise<UpdateCustomerInput["fields"]> {
  const { fullName, birthDate, nationality } = body;
  return {
    ...(fullName === undefined ? {} : { fullName }),
    ...(birthDate === undefined ? {} : { birthDate }),
    ...(nationality === undefined ? {} : { nationality }),
    ...(await identityFields(body, target)),
  };
}

/** The identifier is sealed under the platform's id of the customer, which never changes. */
async function identityFields(
  { identifier }: CustomerFields,
  { platformId, customerId, services }: Target,
): Promise<Partial<ReturnType<typeof identityFieldsOf>>> {
  if (identifier === undefined) return {};
  const customer = await findCustomer(services.reads, platformId, customerId);
  if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
  const identity = identityOf(platformId, customer.platformCustomerId);
  return identityFieldsOf(identifier, services.sealer.seal(identifier, identity));
}

const deleteCustomer = defineOperation({
  id: "deleteCustomer",
  ...route("DELETE /customers/{customerId}", "MANAGE", "customers.write"),
  tag: "Customers",
  summary: "Delete a customer",
  description:
    "Refused while an account of the customer holds money or a payment is in flight. The customer's pending invitations " +
    "are cancelled by it. An incoming UMA payment whose invoice waits for money does not hinder it: the invoice is cancelled, and the payment then fails with `OFFRAMP_FAILED`.",
  params: Type.Object({ customerId: pathId("Customer") }),
  answers: {
    200: {
      description: "The customer, with `isDeleted` true.",
      schema: CustomerSchema,
      example: { ...customerExample, isDeleted: true },
    },
  },
  refusals: ["USER_NOT_FOUND", "CONFLICT", "CUSTOMER_DELETED"],
  async handle({ principal, params }, { engine, reads }: Services) {
    const customerId = requireId("Customer", params.customerId, "USER_NOT_FOUND");
    const bound = { customerId, than: MOST_IN_FLIGHT_LOADED };
    if (await hasMoreInFlight(reads, principal.platformId, bound)) throw paymentInFlight();
    return submitForCaller(engine, principal, {
      command: deleteCustomerCommand,
      input: { customerId },
      toAnswer: (customer) => ({ status: 200, body: customerJson(customer) }),
    });
  },
});

export const customerOperations = [
  createCustomer,
  listCustomers,
  getCustomer,
  updateCustomer,
  deleteCustomer,
];
