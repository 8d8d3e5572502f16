import type {
  Address,
  CalendarDate,
  CurrencyAmount,
  Open,
  PageQuery,
  PaymentRail,
  Timestamp,
} from "./types.ts";

export type InternalAccountType = Open<"INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET">;

export type InternalAccountStatus = Open<"PENDING" | "ACTIVE" | "CLOSED" | "FROZEN" | "FAILED">;

export interface InternalAccount {
  readonly id: string;
  /** Absent on the platform's own accounts. */
  readonly customerId?: string;
  readonly type: InternalAccountType;
  readonly status: InternalAccountStatus;
  /** What can be spent now. */
  readonly balance: CurrencyAmount;
  /** The same plus what is held for payments under way. */
  readonly totalBalance: CurrencyAmount;
  /** Alternatives: the payer uses one of them. */
  readonly fundingPaymentInstructions: readonly PaymentInstruction[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** The platform's own: 100 on a page when `limit` is absent. */
export interface PlatformInternalAccountQuery extends PageQuery {
  readonly currency?: string;
  readonly type?: InternalAccountType;
}

export interface InternalAccountQuery extends PlatformInternalAccountQuery {
  readonly customerId?: string;
}

export interface PaymentInstruction {
  readonly accountOrWalletInfo: InstructionTarget;
  readonly instructionsNotes?: string;
  readonly isPlatformAccount?: boolean;
}

/** Where to pay to. Which fields are there depends on `accountType`. */
export interface InstructionTarget extends AccountFields {
  readonly accountType: Open<
    ExternalAccountType | "ARS_ACCOUNT" | "BITCOIN_L1" | "EMBEDDED_WALLET"
  >;
  readonly paymentRails?: readonly PaymentRail[];
  /** The payer must give this text along, so that the money finds its account. */
  readonly reference?: string;
  readonly accountHolderName?: string;
  readonly bankAddress?: string;
  readonly qrCode?: string;
  readonly paymentUrl?: string;
  readonly assetType?: string;
  readonly network?: string;
  /** Embedded wallets only: to be signed byte for byte as it is. */
  readonly payloadToSign?: string;
}

export type ExternalAccountType = Open<
  | "AED_ACCOUNT"
  | "BDT_ACCOUNT"
  | "BRL_ACCOUNT"
  | "BWP_ACCOUNT"
  | "CAD_ACCOUNT"
  | "CNY_ACCOUNT"
  | "COP_ACCOUNT"
  | "DKK_ACCOUNT"
  | "EGP_ACCOUNT"
  | "EUR_ACCOUNT"
  | "GBP_ACCOUNT"
  | "GHS_ACCOUNT"
  | "GTQ_ACCOUNT"
  | "HKD_ACCOUNT"
  | "HTG_ACCOUNT"
  | "IDR_ACCOUNT"
  | "INR_ACCOUNT"
  | "JMD_ACCOUNT"
  | "KES_ACCOUNT"
  | "MWK_ACCOUNT"
  | "MXN_ACCOUNT"
  | "MYR_ACCOUNT"
  | "NGN_ACCOUNT"
  | "PHP_ACCOUNT"
  | "PKR_ACCOUNT"
  | "RWF_ACCOUNT"
  | "SGD_ACCOUNT"
  | "SLV_ACCOUNT"
  | "SWIFT_ACCOUNT"
  | "THB_ACCOUNT"
  | "TZS_ACCOUNT"
  | "UGX_ACCOUNT"
  | "USD_ACCOUNT"
  | "VND_ACCOUNT"
  | "XAF_ACCOUNT"
  | "XOF_ACCOUNT"
  | "ZAR_ACCOUNT"
  | "ZMW_ACCOUNT"
  | "BASE_WALLET"
  | "ETHEREUM_WALLET"
  | "LIGHTNING"
  | "PLASMA_WALLET"
  | "POLYGON_WALLET"
  | "SOLANA_WALLET"
  | "SPARK_WALLET"
  | "TRON_WALLET"
>;

/**
 * Every field that names an account somewhere. Which of them a type wants is in the API reference.
 */
export interface AccountFields {
  readonly accountNumber?: string;
  readonly routingNumber?: string;
  readonly bankAccountType?: Open<"CHECKING" | "SAVINGS">;
  readonly bankName?: string;
  readonly bankCode?: string;
  readonly branchCode?: string;
  readonly sortCode?: string;
  readonly iban?: string;
  readonly swiftCode?: string;
  readonly ifsc?: string;
  readonly clabeNumber?: string;
  readonly country?: string;
  /** ISO 3166-1 alpha-2, where one currency is used in several countries. */
  readonly region?: Open<"BJ" | "CG" | "CI" | "CM" | "SN" | "TG">;
  readonly intermediaryBankName?: string;
  readonly intermediaryRoutingNumber?: string;
  readonly fiToFiInformation?: string;
  readonly pixKey?: string;
  readonly pixKeyType?: Open<"CPF" | "CNPJ" | "EMAIL" | "PHONE" | "RANDOM">;
  readonly taxId?: string;
  readonly vpa?: string;
  readonly rail?: string;
  readonly phoneNumber?: string;
  readonly provider?: string;
  readonly address?: string;
  readonly vaspName?: string;
  readonly invoice?: string;
  readonly bolt12?: string;
  readonly lightningAddress?: string;
}

export interface NewAccountInfo extends AccountFields {
  readonly accountType: ExternalAccountType;
  /** Wanted by every bank and mobile money type. */
  readonly beneficiary?: Beneficiary;
  readonly platformAccountId?: string;
}

export interface AccountInfo extends NewAccountInfo {
  /** Set by the service. */
  readonly paymentRails?: readonly PaymentRail[];
}

/** `fullName` for an individual, `legalName` for a business. */
export interface Beneficiary {
  readonly beneficiaryType: Open<"INDIVIDUAL" | "BUSINESS">;
  readonly fullName?: string;
  readonly birthDate?: CalendarDate;
  readonly nationality?: string;
  readonly documentType?: Open<"CC" | "CE" | "TI" | "NIT" | "PP">;
  readonly documentNumber?: string;
  readonly legalName?: string;
  readonly taxId?: string;
  readonly registrationNumber?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly countryOfResidence?: string;
  readonly address?: Address;
}

export type ExternalAccountStatus = Open<"PENDING" | "ACTIVE" | "UNDER_REVIEW" | "INACTIVE">;

export type BeneficiaryVerificationStatus = Open<
  | "MATCHED"
  | "PARTIAL_MATCH"
  | "NOT_MATCHED"
  | "UNSUPPORTED"
  | "CHECKED_BY_RECEIVING_FI"
  | "PENDING"
>;

export interface ExternalAccount {
  readonly id: string;
  readonly status: ExternalAccountStatus;
  readonly currency: string;
  readonly accountInfo: AccountInfo;
  /** Null when the account belongs to the platform. */
  readonly customerId: string | null;
  readonly platformAccountId?: string;
  readonly defaultUmaDepositAccount: boolean;
  readonly beneficiaryVerificationStatus?: BeneficiaryVerificationStatus;
  readonly beneficiaryVerifiedData?: { readonly fullName: string };
}

export interface NewPlatformExternalAccount {
  readonly currency: string;
  readonly accountInfo: NewAccountInfo;
  readonly platformAccountId?: string;
}

export interface NewExternalAccount extends NewPlatformExternalAccount {
  /** When absent, the account belongs to the platform. */
  readonly customerId?: string;
  /** True takes the place of the customer's earlier default. */
  readonly defaultUmaDepositAccount?: boolean;
}

export interface PlatformExternalAccountQuery extends PageQuery {
  readonly currency?: string;
}

export interface ExternalAccountQuery extends PlatformExternalAccountQuery {
  readonly customerId?: string;
}
