/** Shared by the creation of a customer's and of the platform's own external account. */
import Type from "typebox";
import {
  checkAccountInfo,
  type SoundAccountInfo,
} from "../../../../domain/accounts/external/account-info.ts";
import {
  type CreateExternalAccountInput,
  takesIncomingMoney,
} from "../../../../domain/accounts/external/create-external-account.ts";
import type { ExternalAccount } from "../../../../domain/accounts/external/external-account.ts";
import { metadataOf } from "../../../../domain/metadata.ts";
import type { HoldableOrder } from "../../../../domain/people/approvals/hold-order.ts";
import type { Answered } from "../../../../engine/command.ts";
import { invalidFields } from "../../../../engine/refusal.ts";
import type { JsonObject } from "../../../../std/json.ts";
import type { Judgement } from "../../../../validation/validation.ts";
import { accountInfoRequest } from "../../../../wire/accounts/account-info-schema.ts";
import {
  ExternalAccountSchema,
  externalAccountExample,
  externalAccountJson,
} from "../../../../wire/accounts/external-account.ts";
import { currencyField, filledText } from "../../../../wire/fields.ts";
import { requireIdField } from "../../../../wire/ids.ts";
import { MetadataSchema } from "../../../../wire/metadata.ts";
import { submitOrder } from "../../../approvals/submit-held.ts";
import {
  isPerson,
  type OperationRequest,
  type Principal,
  requireCapability,
} from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

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

export const AccountContent = Type.Object({
  ...accountFields,
  customerId: Type.Optional(Type.String()),
  defaultUmaDepositAccount: Type.Optional(Type.Boolean()),
});

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
