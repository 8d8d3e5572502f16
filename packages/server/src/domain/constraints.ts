import type { ConstraintRefusal } from "../engine/refusal.ts";

/** A command refuses an invoice of its own platform in the same words. */
export const usedInvoice = {
  code: "INVALID_PAYREQ_RESPONSE",
  details: { reason: "INVOICE_USED" },
  message: "The receiver's institution gave an invoice that another quote pays.",
} as const;

/** The refusal for each database constraint. Constraints are the last check, after those of the commands. */
export const constraintRefusals: Readonly<Record<string, ConstraintRefusal>> = {
  people_email: {
    code: "CONFLICT",
    details: { field: "email" },
    message: "A person of the workspace has this email address already.",
  },
  person_passkeys_credential: {
    code: "CONFLICT",
    details: {},
    message: "The passkey is registered already.",
  },
  directory_pkey: "UMA_ADDRESS_EXISTS",
  domain_claims_pkey: "UMA_ADDRESS_EXISTS",
  domain_claims_apart: {
    code: "CONFLICT",
    details: { field: "umaDomain" },
    message:
      "The UMA domain lies above or below a domain of another platform: choose one that neither contains nor is part of it.",
  },
  customers_platform_customer_id: {
    code: "CONFLICT",
    details: { field: "platformCustomerId" },
    message: "A customer with this platformCustomerId exists; use another one.",
  },
  verifications_open: {
    code: "CONFLICT",
    details: {},
    message: "A verification of this customer is open; it must end before another one begins.",
  },
  external_accounts_same: {
    code: "CONFLICT",
    details: { field: "accountInfo" },
    message: "The holder has an external account with this accountInfo already; use that one.",
  },
  external_accounts_default_deposit: {
    code: "CONFLICT",
    details: { field: "defaultUmaDepositAccount" },
    message: "The customer has a default deposit account already; send the request again.",
  },
  rail_connections_name: {
    code: "CONFLICT",
    details: { field: "name" },
    message: "Another connection has this name; choose another one.",
  },
  rail_entries_once: "DUPLICATE_ENTRY",
  virtual_accounts_number: {
    code: "CONFLICT",
    details: { field: "accounts" },
    message: "Another call has added one of the numbers meanwhile; send the request again.",
  },
  rate_sources_name: {
    code: "CONFLICT",
    details: { field: "name" },
    message: "Another rate source has this name; choose another one.",
  },
  quote_invoices_once: usedInvoice,
  uma_nonces_pkey: "INVALID_NONCE",
  wallet_credentials_one_email: "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
  wallet_credentials_one_passkey: "PASSKEY_CREDENTIAL_ALREADY_EXISTS",
  ledger_accounts_guarded: "INSUFFICIENT_BALANCE",
};
