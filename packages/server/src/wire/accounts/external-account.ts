import Type from "typebox";
import {
  type ExternalAccount,
  externalAccountStatuses,
  toExternalAccountId,
} from "../../domain/accounts/external/external-account.ts";
import { beneficiaryVerificationStatuses } from "../../domain/accounts/external/sandbox-suffix.ts";
import { toCustomerId } from "../../domain/customers/customer.ts";
import { optional } from "../fields.ts";
import { MetadataSchema } from "../metadata.ts";
import { listedText } from "../value-lists.ts";
import { accountInfoResponse } from "./account-info-schema.ts";

export const ExternalAccountSchema = Type.Object(
  {
    id: Type.String({ description: "`ExternalAccount:<uuid>`" }),
    status: Type.Enum([...externalAccountStatuses]),
    currency: listedText("CurrencyCode"),
    accountInfo: accountInfoResponse,
    customerId: Type.Union([Type.String(), Type.Null()], {
      description: "Null when the account belongs to the platform.",
    }),
    platformAccountId: Type.Optional(Type.String()),
    defaultUmaDepositAccount: Type.Boolean(),
    beneficiaryVerificationStatus: Type.Optional(Type.Enum([...beneficiaryVerificationStatuses])),
    beneficiaryVerifiedData: Type.Optional(Type.Object({ fullName: Type.String() })),
    metadata: Type.Optional(MetadataSchema),
  },
  { $id: "ExternalAccount" },
);

export function externalAccountJson(account: ExternalAccount): string {
  const { customerId, beneficiaryVerifiedFullName: fullName } = account;
  return JSON.stringify({
    id: toExternalAccountId(account.id),
    status: account.status,
    currency: account.currency,
    accountInfo: account.accountInfo,
    customerId: customerId === null ? null : toCustomerId(customerId),
    ...optional("platformAccountId", account.platformAccountId),
    defaultUmaDepositAccount: account.defaultUmaDepositAccount,
    ...optional("beneficiaryVerificationStatus", account.beneficiaryVerificationStatus),
    ...(fullName === null ? {} : { beneficiaryVerifiedData: { fullName } }),
    ...optional("metadata", account.metadata),
  });
}

export const externalAccountExample = {
  id: "ExternalAccount:019a4f00-0000-7000-8000-000000000003",
  status: "ACTIVE",
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: "000123456789",
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
    paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
  },
  customerId: "Customer:019a4f00-0000-7000-8000-000000000001",
  defaultUmaDepositAccount: false,
  beneficiaryVerificationStatus: "MATCHED",
  beneficiaryVerifiedData: { fullName: "Ana Ruiz" },
};
