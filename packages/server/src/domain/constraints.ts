import type { ConstraintRefusal } from "../engine/refusal.ts";

/** The refusal for each database constraint. Constraints are the last check, behind those of the commands. */
export const constraintRefusals: Readonly<Record<string, ConstraintRefusal>> = {
  directory_pkey: "UMA_ADDRESS_EXISTS",
  domain_claims_pkey: "UMA_ADDRESS_EXISTS",
  domain_claims_apart: {
    code: "CONFLICT",
    details: { field: "umaDomain" },
    message:
      "The UMA domain lies above or below a domain of another platform: choose one that neither contains nor is part of it.",
  },
  customers_platform_customer_id: "CONFLICT",
  verifications_open: "CONFLICT",
  external_accounts_same: "CONFLICT",
  external_accounts_default_deposit: "CONFLICT",
  wallet_credentials_one_email: "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
  wallet_credentials_one_passkey: "PASSKEY_CREDENTIAL_ALREADY_EXISTS",
  ledger_accounts_guarded: "INSUFFICIENT_BALANCE",
};
