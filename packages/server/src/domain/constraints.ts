import type { RefusalCode } from "../engine/refusal.ts";

/** What it means when the database refuses a row: the last guard behind the checks of the commands. */
export const constraintRefusals: Readonly<Record<string, RefusalCode>> = {
  directory_pkey: "UMA_ADDRESS_EXISTS",
  customers_platform_customer_id: "CONFLICT",
  verifications_open: "CONFLICT",
  external_accounts_same: "CONFLICT",
  external_accounts_default_deposit: "CONFLICT",
  wallet_credentials_one_email: "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
  wallet_credentials_one_passkey: "PASSKEY_CREDENTIAL_ALREADY_EXISTS",
  ledger_accounts_guarded: "INSUFFICIENT_BALANCE",
};
