import { type AccountTypeRule, fiatType } from "./account-type-rule.ts";
import {
  ACCOUNT_NUMBER,
  ANY_IBAN,
  BANK_ACCOUNT_KIND,
  COUNTRY,
  digits,
  filled,
  ibanOf,
  matching,
  needed,
  oneOf,
  optional,
  SWIFT_CODE,
  spaced,
} from "./field-rules.ts";

const NUMBER_AND_SWIFT = [
  needed("bankName"),
  needed("accountNumber", ACCOUNT_NUMBER),
  needed("swiftCode", SWIFT_CODE),
];

const INDONESIAN_PHONE = spaced(
  matching("^\\+62[0-9]{9,12}$", "must be a phone number of Indonesia: +62 and 9 to 12 digits"),
);

const SEPA_COUNTRIES =
  "AT BE BG HR CY CZ EE FI FR DE GR HU IS IE IT LV LI LT LU MT NL NO PL PT RO SK SI ES SE CH";

/** Types that only a bank account can have. */
export const bankAccountTypes = {
  AED_ACCOUNT: fiatType({
    currencies: ["AED"],
    countries: ["AE"],
    fields: [needed("iban", ibanOf("AE", 21)), optional("swiftCode", SWIFT_CODE)],
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["iban"],
    individualNeeds: ["address"],
  }),
  BRL_ACCOUNT: fiatType({
    currencies: ["BRL"],
    countries: ["BR"],
    fields: [
      needed("pixKey", filled(77)),
      needed("pixKeyType", oneOf("CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM")),
      needed("taxId", digits(11, 14)),
    ],
    rails: ["PIX"],
    identifiedBy: ["pixKey"],
  }),
  CAD_ACCOUNT: fiatType({
    currencies: ["CAD"],
    countries: ["CA"],
    fields: [
      needed("bankCode", digits(3)),
      needed("branchCode", digits(5)),
      needed("accountNumber", digits(7, 12)),
    ],
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
    individualMayHave: [optional("registrationNumber")],
  }),
  DKK_ACCOUNT: fiatType({
    currencies: ["DKK"],
    countries: ["DK"],
    fields: [needed("iban", ibanOf("DK", 16)), optional("swiftCode", SWIFT_CODE)],
    rails: ["SEPA", "SEPA_INSTANT"],
    identifiedBy: ["iban"],
  }),
  EUR_ACCOUNT: fiatType({
    currencies: ["EUR"],
    countries: SEPA_COUNTRIES.split(" "),
    fields: [needed("iban", ANY_IBAN), optional("swiftCode", SWIFT_CODE)],
    rails: ["SEPA", "SEPA_INSTANT"],
    identifiedBy: ["iban"],
    individualNeeds: ["countryOfResidence"],
  }),
  GBP_ACCOUNT: fiatType({
    currencies: ["GBP"],
    countries: ["GB"],
    fields: [needed("sortCode", spaced(digits(6))), needed("accountNumber", digits(8))],
    rails: ["FASTER_PAYMENTS"],
    identifiedBy: ["accountNumber"],
  }),
  GTQ_ACCOUNT: fiatType({
    currencies: ["GTQ"],
    countries: ["GT"],
    fields: [
      needed("accountNumber", ACCOUNT_NUMBER),
      needed("bankAccountType", BANK_ACCOUNT_KIND),
      needed("bankName"),
    ],
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
    individualNeeds: ["phoneNumber", "countryOfResidence"],
  }),
  HKD_ACCOUNT: fiatType({
    currencies: ["HKD"],
    countries: ["HK"],
    fields: NUMBER_AND_SWIFT,
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
  }),
  IDR_ACCOUNT: fiatType({
    currencies: ["IDR"],
    countries: ["ID"],
    fields: [...NUMBER_AND_SWIFT, needed("phoneNumber", INDONESIAN_PHONE)],
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
  }),
  JMD_ACCOUNT: fiatType({
    currencies: ["JMD"],
    countries: ["JM"],
    fields: [
      needed("accountNumber", ACCOUNT_NUMBER),
      needed("branchCode", digits(5)),
      needed("bankAccountType", BANK_ACCOUNT_KIND),
      needed("bankName"),
    ],
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
    individualNeeds: ["phoneNumber", "address"],
  }),
  MXN_ACCOUNT: fiatType({
    currencies: ["MXN"],
    countries: ["MX"],
    fields: [needed("clabeNumber", spaced(digits(18)))],
    rails: ["SPEI"],
    identifiedBy: ["clabeNumber"],
  }),
  MYR_ACCOUNT: fiatType({
    currencies: ["MYR"],
    countries: ["MY"],
    fields: NUMBER_AND_SWIFT,
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
  }),
  NGN_ACCOUNT: fiatType({
    currencies: ["NGN"],
    countries: ["NG"],
    fields: [needed("accountNumber", digits(10)), needed("bankName")],
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
    bankNameFromDirectory: true,
  }),
  PHP_ACCOUNT: fiatType({
    currencies: ["PHP"],
    countries: ["PH"],
    fields: [needed("bankName"), needed("accountNumber", digits(8, 16))],
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
    bankNameFromDirectory: true,
  }),
  SGD_ACCOUNT: fiatType({
    currencies: ["SGD"],
    countries: ["SG"],
    fields: [
      optional("bankName", filled(255)),
      needed("accountNumber", ACCOUNT_NUMBER),
      needed("swiftCode", SWIFT_CODE),
    ],
    rails: ["PAYNOW", "FAST", "BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
  }),
  THB_ACCOUNT: fiatType({
    currencies: ["THB"],
    countries: ["TH"],
    fields: NUMBER_AND_SWIFT,
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
  }),
  USD_ACCOUNT: fiatType({
    currencies: ["USD"],
    countries: ["US"],
    fields: [
      needed("accountNumber", ACCOUNT_NUMBER),
      needed("routingNumber", spaced(digits(9))),
      optional("bankName", filled(140)),
      optional("bankAccountType", BANK_ACCOUNT_KIND),
      optional("intermediaryBankName", filled(140)),
      optional("intermediaryRoutingNumber", spaced(digits(9))),
      optional("fiToFiInformation", { maxLength: 210 }),
    ],
    rails: ["ACH", "WIRE", "RTP", "FEDNOW"],
    identifiedBy: ["accountNumber"],
    pullable: true,
  }),
  VND_ACCOUNT: fiatType({
    currencies: ["VND"],
    countries: ["VN"],
    fields: NUMBER_AND_SWIFT,
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
  }),
  ZAR_ACCOUNT: fiatType({
    currencies: ["ZAR"],
    countries: ["ZA"],
    fields: [needed("accountNumber", digits(9, 13)), needed("bankName")],
    rails: ["BANK_TRANSFER"],
    identifiedBy: ["accountNumber"],
    bankNameFromDirectory: true,
  }),
  SWIFT_ACCOUNT: fiatType({
    currencies: "any-fiat",
    countries: [],
    fields: [
      needed("country", COUNTRY),
      needed("swiftCode", SWIFT_CODE),
      needed("bankName"),
      optional("accountNumber", ACCOUNT_NUMBER),
      optional("iban", ANY_IBAN),
    ],
    rails: ["SWIFT"],
    identifiedBy: ["accountNumber", "iban"],
    ways: [{ fields: ["accountNumber"] }, { fields: ["iban"] }],
    oneWayOnly: true,
  }),
} as const satisfies Readonly<Record<string, AccountTypeRule>>;
