import {
  ADDRESS,
  asNeeded,
  COUNTRY,
  type FieldRule,
  FREE_TEXT,
  NAME,
  needed,
  optional,
  PHONE,
  type TextField,
} from "./field-rules.ts";

type PaymentRailCode =
  | "ACH"
  | "BANK_TRANSFER"
  | "FAST"
  | "FASTER_PAYMENTS"
  | "FEDNOW"
  | "MOBILE_MONEY"
  | "NEFT"
  | "PAYNOW"
  | "PIX"
  | "RTGS"
  | "RTP"
  | "SEPA"
  | "SEPA_INSTANT"
  | "SPEI"
  | "SWIFT"
  | "UPI"
  | "WIRE";

export type BeneficiaryKind = "INDIVIDUAL" | "BUSINESS";

/**
 * One way to identify an account of a type that has several. The first way whose leading field is present applies, and all of its fields
 * are then required.
 */
export interface Way {
  /** The first one is the leading field. */
  readonly fields: readonly [lead: string, ...rest: string[]];
  /** A stricter rule that this way sets for one field. */
  readonly narrows?: TextField;
  readonly beneficiary?: BeneficiaryKind;
}

export interface BeneficiaryRule {
  readonly required: boolean;
  readonly individual: readonly FieldRule[];
  readonly business: readonly FieldRule[];
}

/** How the bank's name is given: not at all, freely, or as the bank directory of the country spells it. */
export type BankNameRule = "absent" | "optional" | "required" | "directory";

export interface AccountTypeRule {
  readonly family: "fiat" | "wallet";
  /** Currencies of accounts of this type; `any-fiat` when such an account can be in any fiat currency. */
  readonly currencies: readonly string[] | "any-fiat";
  /** Countries in which accounts of this type are held; empty where a field names the country, or where none applies. */
  readonly countries: readonly string[];
  readonly fields: readonly FieldRule[];
  /** Empty when the required fields alone identify the account. */
  readonly ways: readonly Way[];
  /** Whether a request that identifies the account in two ways at once is refused. */
  readonly oneWayOnly: boolean;
  /** Set by the server, never read from a request. */
  readonly paymentRails: readonly PaymentRailCode[];
  /** Names of fields: the first one that is present identifies the account. */
  readonly identifiedBy: readonly string[];
  readonly bankName: BankNameRule;
  readonly beneficiary: BeneficiaryRule | undefined;
  /** Whether money can be pulled from the account into an internal one. */
  readonly pullable: boolean;
}

export const BUSINESS: readonly FieldRule[] = [
  needed("legalName"),
  optional("registrationNumber"),
  optional("taxId"),
  optional("email", { ...FREE_TEXT, format: "email" }),
  optional("phoneNumber", PHONE),
  optional("countryOfResidence", COUNTRY),
  ADDRESS,
];

export const INDIVIDUAL: readonly FieldRule[] = [
  needed("fullName"),
  optional("birthDate", { format: "date" }),
  optional("nationality", COUNTRY),
  ADDRESS,
  optional("email", { ...FREE_TEXT, format: "email" }),
  optional("phoneNumber", PHONE),
  optional("countryOfResidence", COUNTRY),
];

export const WALLET_INDIVIDUAL: readonly FieldRule[] = [
  needed("fullName"),
  needed("countryOfResidence", COUNTRY),
];

interface FiatType {
  readonly currencies: readonly [string] | "any-fiat";
  readonly countries: readonly string[];
  readonly fields: readonly TextField[];
  readonly rails: readonly [PaymentRailCode, ...PaymentRailCode[]];
  readonly identifiedBy: readonly [string, ...string[]];
  readonly ways?: readonly Way[];
  readonly oneWayOnly?: boolean;
  /** Fields that this type requires of an individual beneficiary. */
  readonly individualNeeds?: readonly ("address" | "phoneNumber" | "countryOfResidence")[];
  readonly individualMayHave?: readonly TextField[];
  readonly bankNameFromDirectory?: boolean;
  readonly pullable?: boolean;
}

/** An account at a bank or with a mobile-money operator; it always names its beneficiary. */
export function fiatType(type: FiatType): AccountTypeRule {
  const needs: readonly string[] = type.individualNeeds ?? [];
  return {
    family: "fiat",
    currencies: type.currencies,
    countries: type.countries,
    fields: type.fields,
    ways: type.ways ?? [],
    oneWayOnly: type.oneWayOnly ?? false,
    paymentRails: type.rails,
    identifiedBy: type.identifiedBy,
    bankName: type.bankNameFromDirectory ? "directory" : bankNameOf(type.fields),
    beneficiary: {
      required: true,
      individual: [
        ...INDIVIDUAL.map((rule) => (needs.includes(rule.name) ? asNeeded(rule) : rule)),
        ...(type.individualMayHave ?? []),
      ],
      business: BUSINESS,
    },
    pullable: type.pullable ?? false,
  };
}

/** An address on one chain; naming its owner is optional. */
export function walletType(currencies: readonly string[], address: TextField): AccountTypeRule {
  return {
    family: "wallet",
    currencies,
    countries: [],
    fields: [address, optional("vaspName", NAME)],
    ways: [],
    oneWayOnly: false,
    paymentRails: [],
    identifiedBy: ["address"],
    bankName: "absent",
    beneficiary: { required: false, individual: WALLET_INDIVIDUAL, business: BUSINESS },
    pullable: false,
  };
}

function bankNameOf(fields: readonly TextField[]): BankNameRule {
  const rule = fields.find((field) => field.name === "bankName");
  if (rule === undefined) return "absent";
  return rule.required ? "required" : "optional";
}
