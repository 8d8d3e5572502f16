/** Accounts beside the default ones: opened, named, funded and closed by the platform. */
import Type from "typebox";
import {
  askForFunding,
  changeAccount,
  closeAccount,
  MOST_OF_CUSTOMER,
  MOST_OF_PLATFORM,
  openAdditionalAccount,
  tooManyUnderWay,
} from "../../../domain/accounts/internal/additional-accounts.ts";
import { countAdditionalOfPlatform } from "../../../domain/accounts/internal/internal-account.sql.ts";
import type { InternalAccountSubject } from "../../../domain/accounts/internal/internal-account.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import { accountHasMoreInFlight } from "../../../domain/payments/transactions/open-payments.sql.ts";
import { MOST_IN_FLIGHT_LOADED } from "../../../domain/payments/transactions/open-payments.ts";
import {
  additionalAccountExample,
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../wire/accounts/internal-account.ts";
import { currencyField, filledText } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { MetadataSchema } from "../../../wire/metadata.ts";
import { shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller, submitFound } from "../../request/submit-for-caller.ts";

const changes = {
  access: "MANAGE",
  capability: "customers.write",
  tag: "Internal accounts",
} as const;

const nameOfAccount = filledText(80, { examples: ["Rent"] });
const ofAccount = Type.Object({ internalAccountId: pathId("InternalAccount") });
const additional = { schema: InternalAccountSchema, example: additionalAccountExample };

function requireAccountId(raw: string): string {
  return requireId("InternalAccount", raw, "REFERENCE_NOT_FOUND");
}

function accountAnswer(status: 200 | 201) {
  return (account: InternalAccountSubject) => ({ status, body: internalAccountJson(account) });
}

const createInternalAccount = defineOperation({
  ...changes,
  id: "createInternalAccount",
  ...route("POST /internal-accounts"),
  summary: "Open an internal account",
  description:
    "Opens an account beside the default one, for the platform or for a customer. Payments use it when they name its id. Payments that name " +
    "a customer and a currency alone, such as those to a UMA address, use the default account. It has no funding instructions until " +
    `they are requested. At most ${MOST_OF_CUSTOMER} a customer and ${MOST_OF_PLATFORM} of the platform, closed ones included.`,
  body: Type.Object({
    name: nameOfAccount,
    currency: currencyField(),
    customerId: Type.Optional(
      Type.String({ description: "Absent for an account of the platform itself." }),
    ),
    metadata: Type.Optional(MetadataSchema),
  }),
  requestExample: {
    name: "Rent",
    currency: "USD",
    customerId: "Customer:019a4f00-0000-7000-8000-000000000001",
  },
  answers: { 201: shown(additional, "The account.") },
  refusals: ["INVALID_INPUT", "INVALID_CURRENCY", "USER_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, body, idempotency }, { engine, reads }: Services) => {
    const { name, currency, customerId, metadata } = body;
    return submitForCaller(engine, principal, {
      command: openAdditionalAccount,
      input: {
        name,
        currency,
        customerId:
          customerId === undefined
            ? undefined
            : requireId("Customer", customerId, "USER_NOT_FOUND"),
        metadata: metadataOf(metadata),
        platformHas:
          customerId === undefined
            ? await countAdditionalOfPlatform(reads, principal.platformId, MOST_OF_PLATFORM)
            : 0,
      },
      toAnswer: accountAnswer(201),
      idempotency,
    });
  },
});

const updateInternalAccount = defineOperation({
  ...changes,
  id: "updateInternalAccount",
  ...route("PATCH /internal-accounts/{internalAccountId}"),
  summary: "Name an internal account",
  description: "Absent fields stay as they are; `metadata` replaces the one before.",
  params: ofAccount,
  body: Type.Object({
    name: Type.Optional(nameOfAccount),
    metadata: Type.Optional(MetadataSchema),
  }),
  requestExample: { name: "Rent and bills" },
  answers: {
    200: shown(
      { ...additional, example: { ...additionalAccountExample, name: "Rent and bills" } },
      "The account.",
    ),
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: ({ principal, params, body }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: changeAccount,
      input: {
        accountId: requireAccountId(params.internalAccountId),
        name: body.name,
        metadata: body.metadata === undefined ? undefined : metadataOf(body.metadata),
      },
      toAnswer: accountAnswer(200),
    }),
});

const closeInternalAccount = defineOperation({
  ...changes,
  id: "closeInternalAccount",
  ...route("POST /internal-accounts/{internalAccountId}/close"),
  summary: "Close an internal account",
  description:
    "Closes an account that was opened beside a default one. It must be empty: no balance and no payments under way. 409 names what is left. " +
    "A closed account stays readable and neither sends nor takes money: what a bank returns to it later waits in suspense.",
  params: ofAccount,
  answers: {
    200: shown(
      { ...additional, example: { ...additionalAccountExample, status: "CLOSED" } },
      "The account, `CLOSED`.",
    ),
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: ({ principal, params, idempotency }, { engine, reads }: Services) => {
    const accountId = requireAccountId(params.internalAccountId);
    return submitFound(engine, principal, {
      command: closeAccount,
      async find() {
        const bound = { accountId, than: MOST_IN_FLIGHT_LOADED };
        const hasMore = await accountHasMoreInFlight(reads, principal.platformId, bound);
        if (hasMore) throw tooManyUnderWay(MOST_IN_FLIGHT_LOADED);
        return { accountId };
      },
      toAnswer: accountAnswer(200),
      idempotency,
    });
  },
});

const requestFundingInstructions = defineOperation({
  ...changes,
  id: "requestFundingInstructions",
  ...route("POST /internal-accounts/{internalAccountId}/funding-instructions"),
  summary: "Request funding instructions of an internal account",
  description:
    "From now on the account has `fundingPaymentInstructions`. In production they are made by the next read of the account, by the `FUNDING` " +
    "routes. A default account has them without this call.",
  params: ofAccount,
  answers: {
    200: shown(
      {
        ...additional,
        example: {
          ...additionalAccountExample,
          fundingPaymentInstructions: internalAccountExample.fundingPaymentInstructions,
        },
      },
      "The account with its instructions.",
    ),
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: askForFunding,
      input: { accountId: requireAccountId(params.internalAccountId) },
      toAnswer: accountAnswer(200),
      idempotency,
    }),
});

export const additionalAccountOperations = [
  createInternalAccount,
  updateInternalAccount,
  closeInternalAccount,
  requestFundingInstructions,
];
