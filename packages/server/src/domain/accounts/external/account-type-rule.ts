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
 * One way to name an account where a type knows several. The account takes the first way whose leading field is
 * there, and then owes all of that way's fields.
 */
export interface Way {
  /** The leading field comes first. */
  readonly fields: readonly [lead: string, ...rest: string[]];
  /** Values that this way narrows a field to. */
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
  /** Codes an account of this type may be in; `any-fiat` for a type that any bank anywhere can hold. */
  readonly currencies: readonly string[] | "any-fiat";
  /** Where accounts of this type are held; empty where a field says it, or where no country applies. */
  readonly countries: readonly string[];
  readonly fields: readonly FieldRule[];
  /** Empty where the fields alone say what is needed. */
  readonly ways: readonly Way[];
  /** Naming the account in two ways at once is refused. */
  readonly oneWayOnly: boolean;
  /** Set by us, never read from a request. */
  readonly paymentRails: readonly PaymentRailCode[];
  /** The field that identifies the account: the first of these that is there. */
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
  /** Fields of an individual beneficiary that this type cannot do without. */
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

/** An address on one chain; its owner may be named. */
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
