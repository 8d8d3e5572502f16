/** What creating a customer's and the platform's own external account have in common. */
import Type from "typebox";
import { checkAccountInfo } from "../../../domain/external-accounts/account-info.ts";
import { createExternalAccount } from "../../../domain/external-accounts/create-external-account.ts";
import type { Answered } from "../../../engine/command.ts";
import { invalidFields, type RefusalCode } from "../../../engine/refusal.ts";
import { requireId } from "../../ids.ts";
import type { OperationRequest, Principal } from "../../operation.ts";
import type { Services } from "../../services.ts";
import { accountInfoRequest } from "../../wire/account-info-schema.ts";
import { externalAccountJson } from "../../wire/external-account.ts";

/** The account's own fields are judged by the table of account types, which the document shows as a schema. */
export const accountFields = {
  currency: Type.String({ minLength: 1, maxLength: 16 }),
  accountInfo: Type.Unsafe<object>({ type: "object", "x-document": accountInfoRequest }),
  platformAccountId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
};

export const createRefusals: readonly RefusalCode[] = [
  "INVALID_INPUT",
  "INVALID_CURRENCY",
  "INVALID_BANK_ACCOUNT",
  "USER_NOT_FOUND",
  "CONFLICT",
  "CUSTOMER_DELETED",
];

interface CreateBody {
  readonly currency: string;
  readonly accountInfo: object;
  readonly platformAccountId?: string | undefined;
  readonly customerId?: string;
  readonly defaultUmaDepositAccount?: boolean;
}

export async function createAccount(
  {
    principal,
    body,
    idempotency,
  }: Pick<
    OperationRequest<unknown, unknown, CreateBody, Principal>,
    "principal" | "body" | "idempotency"
  >,
  { engine }: Services,
): Promise<Answered> {
  const info = checkAccountInfo(body.currency, body.accountInfo);
  if (!info.ok) throw invalidFields(info.errors, info.code);
  return engine.submit({
    platformId: principal.platformId,
    actor: { kind: "token", id: principal.tokenId },
    command: createExternalAccount,
    input: {
      customerId:
        body.customerId === undefined
          ? undefined
          : requireId("Customer", body.customerId, "USER_NOT_FOUND"),
      currency: body.currency,
      info,
      platformAccountId: body.platformAccountId,
      defaultUmaDepositAccount: body.defaultUmaDepositAccount ?? false,
    },
    toAnswer: (account) => ({ status: 201, body: externalAccountJson(account) }),
    idempotency,
  });
}
