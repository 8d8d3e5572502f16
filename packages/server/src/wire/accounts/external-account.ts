import Type from "typebox";
import {
  type ExternalAccount,
  externalAccountStatuses,
} from "../../domain/accounts/external/external-account.ts";
import { beneficiaryVerificationStatuses } from "../../domain/accounts/external/sandbox-suffix.ts";
import { toCustomerId } from "../../domain/customers/customer.ts";
import { MetadataSchema } from "../metadata.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { accountInfoResponse } from "./account-info-schema.ts";

export const wireExternalAccount = wireObject(
  "ExternalAccount",
  ({ of, maybe }: Kit<ExternalAccount>) => ({
    id: of.id("ExternalAccount", { description: "`ExternalAccount:<uuid>`", example: 3 }),
    status: of.enum(externalAccountStatuses, { example: "ACTIVE" }),
    currency: of.currency({ example: "USD" }),
    accountInfo: of.json(accountInfoResponse, {
      example: {
        accountType: "USD_ACCOUNT",
        accountNumber: "000123456789",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
        paymentRails: ["ACH", "WIRE", "RTP", "FEDNOW"],
      },
    }),
    customerId: of.json(Type.Union([Type.String(), Type.Null()]), {
      from: ({ customerId }) => (customerId === null ? null : toCustomerId(customerId)),
      description: "Null when the account belongs to the platform.",
      example: "Customer:019a4f00-0000-7000-8000-000000000001",
    }),
    platformAccountId: maybe.text(),
    defaultUmaDepositAccount: of.boolean({ example: false }),
    beneficiaryVerificationStatus: maybe.enum(beneficiaryVerificationStatuses, {
      example: "MATCHED",
    }),
    beneficiaryVerifiedData: maybe.json(Type.Object({ fullName: Type.String() }), {
      from: ({ beneficiaryVerifiedFullName: fullName }) =>
        fullName === null ? null : { fullName },
      example: { fullName: "Ana Ruiz" },
    }),
    metadata: maybe.json(MetadataSchema),
  }),
);
