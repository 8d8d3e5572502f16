import { type AccountTypeRule, fiatType } from "./account-type-rule.ts";
import {
  ACCOUNT_NUMBER,
  BANK_ACCOUNT_KIND,
  digits,
  filled,
  ibanOf,
  matching,
  NAME,
  needed,
  oneOf,
  optional,
  PHONE,
  SWIFT_CODE,
  spaced,
  type TextField,
} from "./field-rules.ts";

const PHONE_ONLY = { rails: ["MOBILE_MONEY"], identifiedBy: ["phoneNumber"] } as const;

const IFSC = matching(
  "^[A-Z]{4}0[A-Z0-9]{6}$",
  "must be an IFSC: four capital letters, a zero, then six capital letters and digits",
);

const PAKISTANI_IBAN = spaced(
  matching(
    "^PK[0-9]{2}[A-Z]{4}[0-9]{16}$",
    "must be an IBAN of PK: PK, two check digits, four capital letters, then 16 digits",
  ),
);

/** A phone number of one country with nine digits after its prefix. */
function phoneOf(prefix: string): TextField {
  const complaint = `must be a phone number of the account's country: +${prefix} and 9 digits`;
  return needed("phoneNumber", spaced(matching(`^\\+${prefix}[0-9]{9}$`, complaint)));
}

const BANK_OR_PHONE = {
  rails: ["BANK_TRANSFER", "MOBILE_MONEY"],
  identifiedBy: ["accountNumber", "phoneNumber"],
} as const;

const NUMBER_OR_PHONE = [
  optional("accountNumber", ACCOUNT_NUMBER),
  needed("bankName"),
  optional("phoneNumber", PHONE),
];

const BY_NUMBER = { fields: ["accountNumber"] } as const;
const BY_PHONE = { fields: ["phoneNumber"] } as const;

/** Types that a mobile-money wallet can have, alone or besides a bank account. India's UPI counts as one. */
export const mobileMoneyAccountTypes = {
  BDT_ACCOUNT: fiatType({
    ...BANK_OR_PHONE,
    currencies: ["BDT"],
    countries: ["BD"],
    fields: [
      ...NUMBER_OR_PHONE,
      optional("branchCode", digits(5)),
      optional("swiftCode", SWIFT_CODE),
    ],
    ways: [BY_NUMBER, BY_PHONE],
  }),
  BWP_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["BWP"],
    countries: ["BW"],
    fields: [needed("phoneNumber", PHONE), needed("provider")],
  }),
  CNY_ACCOUNT: fiatType({
    ...BANK_OR_PHONE,
    currencies: ["CNY"],
    countries: ["CN"],
    fields: NUMBER_OR_PHONE,
    ways: [
      { ...BY_NUMBER, beneficiary: "BUSINESS" },
      {
        ...BY_PHONE,
        narrows: needed("bankName", oneOf("AliPay", "WechatPay")),
        beneficiary: "INDIVIDUAL",
      },
    ],
  }),
  COP_ACCOUNT: fiatType({
    ...BANK_OR_PHONE,
    currencies: ["COP"],
    countries: ["CO"],
    fields: [...NUMBER_OR_PHONE, optional("bankAccountType", BANK_ACCOUNT_KIND)],
    ways: [{ fields: ["accountNumber", "bankAccountType"] }, BY_PHONE],
    individualMayHave: [
      optional("documentType", oneOf("CC", "CE", "TI", "NIT", "PP")),
      optional("documentNumber", filled(50)),
    ],
  }),
  EGP_ACCOUNT: fiatType({
    ...BANK_OR_PHONE,
    currencies: ["EGP"],
    countries: ["EG"],
    fields: [
      optional("iban", ibanOf("EG", 27)),
      needed("bankName"),
      optional("phoneNumber", PHONE),
    ],
    ways: [{ fields: ["iban"] }, BY_PHONE],
    identifiedBy: ["iban", "phoneNumber"],
  }),
  GHS_ACCOUNT: fiatType({
    ...BANK_OR_PHONE,
    currencies: ["GHS"],
    countries: ["GH"],
    fields: NUMBER_OR_PHONE,
    ways: [BY_NUMBER, BY_PHONE],
  }),
  HTG_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["HTG"],
    countries: ["HT"],
    fields: [needed("phoneNumber", PHONE)],
  }),
  INR_ACCOUNT: fiatType({
    currencies: ["INR"],
    countries: ["IN"],
    fields: [
      optional("vpa", {
        pattern: "^[a-zA-Z0-9.\\-_]+@[a-zA-Z0-9]+$",
        complaint: "must be a UPI address, such as name@bank",
        minLength: 3,
        maxLength: 255,
      }),
      optional("accountNumber", digits(9, 18)),
      optional("ifsc", IFSC),
      optional("rail", filled(32)),
      optional("bankName", NAME),
    ],
    rails: ["UPI", "NEFT", "RTGS"],
    identifiedBy: ["vpa", "accountNumber"],
    ways: [{ fields: ["vpa"] }, { fields: ["accountNumber", "ifsc", "rail"] }],
  }),
  KES_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["KES"],
    countries: ["KE"],
    fields: [phoneOf("254"), needed("provider", oneOf("M-PESA"))],
  }),
  MWK_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["MWK"],
    countries: ["MW"],
    fields: [needed("phoneNumber", PHONE), needed("provider")],
  }),
  PKR_ACCOUNT: fiatType({
    ...BANK_OR_PHONE,
    currencies: ["PKR"],
    countries: ["PK"],
    fields: [...NUMBER_OR_PHONE, optional("iban", PAKISTANI_IBAN)],
    ways: [BY_NUMBER, { fields: ["iban"] }, BY_PHONE],
    identifiedBy: ["accountNumber", "iban", "phoneNumber"],
  }),
  RWF_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["RWF"],
    countries: ["RW"],
    fields: [phoneOf("250"), needed("provider")],
  }),
  SLV_ACCOUNT: fiatType({
    ...BANK_OR_PHONE,
    currencies: ["USD"],
    countries: ["SV"],
    fields: [
      optional("bankName", NAME),
      optional("accountNumber", ACCOUNT_NUMBER),
      optional("bankAccountType", BANK_ACCOUNT_KIND),
      optional("phoneNumber", PHONE),
    ],
    ways: [{ fields: ["accountNumber", "bankName", "bankAccountType"] }, BY_PHONE],
  }),
  TZS_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["TZS"],
    countries: ["TZ"],
    fields: [phoneOf("255"), needed("provider")],
  }),
  UGX_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["UGX"],
    countries: ["UG"],
    fields: [needed("phoneNumber", PHONE), needed("provider")],
  }),
  XAF_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["XAF"],
    countries: ["CM", "CG"],
    fields: [needed("phoneNumber", PHONE), needed("provider"), needed("region", oneOf("CM", "CG"))],
  }),
  XOF_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["XOF"],
    countries: ["BJ", "CI", "SN", "TG"],
    fields: [
      needed("phoneNumber", PHONE),
      needed("provider"),
      needed("region", oneOf("BJ", "CI", "SN", "TG")),
    ],
  }),
  ZMW_ACCOUNT: fiatType({
    ...PHONE_ONLY,
    currencies: ["ZMW"],
    countries: ["ZM"],
    fields: [phoneOf("260"), needed("provider")],
  }),
} as const satisfies Readonly<Record<string, AccountTypeRule>>;
