/** External accounts as `POST /customers/external-accounts` takes them, by the country of their holder. */
import type { Chance } from "./chance.ts";
import type { Someone } from "./people.ts";

export interface PayeeBody {
  readonly currency: string;
  readonly accountInfo: Readonly<Record<string, unknown>>;
}

interface Wanted {
  readonly chance: Chance;
  /** The last three digits of the number, which decide the outcome in a sandbox. */
  readonly ending: string;
}

type Fields = Readonly<Record<string, string>>;

interface Form {
  readonly currency: string;
  readonly accountType: string;
  /** People cannot hold such an account. */
  readonly isForCompanies?: true;
  fields(wanted: Wanted): Fields;
}

/** The usual outcome of a payment. Other digits make it fail, time out, or come back. */
const ENDINGS = ["002", "003", "004", "004", "004", "005", "005", "006", "007", "102", "103"];
const ONE_ODD_IN = 7;

export function endingBy(chance: Chance): string {
  return chance.isOneIn(ONE_ODD_IN)
    ? chance.pick(ENDINGS)
    : `${chance.between(2, 9)}${chance.digits(2)}`;
}

/** With check digits (ISO 13616). `bban` has capital letters and digits. */
export function ibanOf(country: string, bban: string): string {
  const digits = [...`${bban}${country}00`].map((sign) => Number.parseInt(sign, 36)).join("");
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${bban}`;
}

const iban =
  (country: string, lead: string, digits: number) =>
  ({ chance, ending }: Wanted): Fields => ({
    iban: ibanOf(country, `${lead}${chance.digits(digits - 3)}${ending}`),
  });

const number =
  (digits: number, more: Fields) =>
  ({ chance, ending }: Wanted): Fields => ({
    accountNumber: `${chance.between(1, 9)}${chance.digits(digits - 4)}${ending}`,
    ...more,
  });

const phone =
  (prefix: string, digits: number, more: Fields) =>
  ({ chance, ending }: Wanted): Fields => ({
    phoneNumber: `${prefix}${chance.digits(digits - 3)}${ending}`,
    ...more,
  });

const US_BANKS: readonly (readonly [routingNumber: string, bankName: string])[] = [
  ["021000021", "First Harbor Bank"],
  ["026009593", "Union & Prairie Bank"],
  ["121000248", "Pacific Ridge Bank"],
  ["091000019", "Lakeside Savings"],
];

export const DOLLARS: Form = {
  currency: "USD",
  accountType: "USD_ACCOUNT",
  fields(wanted) {
    const [routingNumber, bankName] = wanted.chance.pick(US_BANKS);
    const bankAccountType = wanted.chance.isOneIn(4) ? "SAVINGS" : "CHECKING";
    return number(11, { routingNumber, bankName, bankAccountType })(wanted);
  },
};

const euros = (fields: Form["fields"]): Form => ({
  currency: "EUR",
  accountType: "EUR_ACCOUNT",
  fields,
});

const FORMS: Readonly<Record<string, Form>> = {
  US: DOLLARS,
  MX: {
    currency: "MXN",
    accountType: "MXN_ACCOUNT",
    fields: ({ chance, ending }) => ({ clabeNumber: `032180${chance.digits(9)}${ending}` }),
  },
  BR: {
    currency: "BRL",
    accountType: "BRL_ACCOUNT",
    fields({ chance, ending }) {
      const taxId = `${chance.digits(8)}${ending}`;
      return { pixKey: taxId, pixKeyType: "CPF", taxId };
    },
  },
  DE: euros(iban("DE", "37040044", 10)),
  FR: euros(iban("FR", "3000400031", 13)),
  ES: euros(iban("ES", "21000418", 12)),
  PL: euros(iban("PL", "10201026", 16)),
  CZ: euros(iban("CZ", "0800", 16)),
  GR: euros(iban("GR", "0140", 19)),
  DK: { currency: "DKK", accountType: "DKK_ACCOUNT", fields: iban("DK", "0040", 10) },
  GB: {
    currency: "GBP",
    accountType: "GBP_ACCOUNT",
    fields: number(8, { sortCode: "200415" }),
  },
  EG: {
    currency: "EGP",
    accountType: "EGP_ACCOUNT",
    fields: (wanted) => ({ ...iban("EG", "00190005", 17)(wanted), bankName: "Banque Misr" }),
  },
  IN: {
    currency: "INR",
    accountType: "INR_ACCOUNT",
    fields: ({ chance, ending }) => ({ vpa: `pay.${chance.digits(4)}${ending}@okbank` }),
  },
  CN: {
    currency: "CNY",
    accountType: "CNY_ACCOUNT",
    isForCompanies: true,
    fields: number(19, { bankName: "Bank of China" }),
  },
  TH: {
    currency: "THB",
    accountType: "THB_ACCOUNT",
    fields: number(10, { bankName: "Kasikornbank", swiftCode: "KASITHBK" }),
  },
  VN: {
    currency: "VND",
    accountType: "VND_ACCOUNT",
    fields: number(13, { bankName: "Vietcombank", swiftCode: "BFTVVNVX" }),
  },
  NG: {
    currency: "NGN",
    accountType: "NGN_ACCOUNT",
    fields: number(10, { bankName: "Zenith Bank" }),
  },
  KE: {
    currency: "KES",
    accountType: "KES_ACCOUNT",
    fields: phone("+2547", 8, { provider: "M-PESA" }),
  },
  PH: {
    currency: "PHP",
    accountType: "PHP_ACCOUNT",
    fields: number(12, { bankName: "BDO Unibank" }),
  },
};

/** Countries without a form of their own are paid by SWIFT, in dollars. */
const abroad = (country: string): Form => ({
  currency: "USD",
  accountType: "SWIFT_ACCOUNT",
  fields: number(12, {
    country,
    swiftCode: `DEMO${country}22`,
    bankName: `Demo Bank ${country}`,
  }),
});

export function formOf(country: string): Form {
  return FORMS[country] ?? abroad(country);
}

export function payeeBody(
  form: Form,
  { isCompany, name, origin }: Someone,
  wanted: Wanted,
): PayeeBody {
  const beneficiary = isCompany
    ? { beneficiaryType: "BUSINESS", legalName: name }
    : { beneficiaryType: "INDIVIDUAL", fullName: name, countryOfResidence: origin.country };
  const { currency, accountType } = form;
  return { currency, accountInfo: { accountType, ...form.fields(wanted), beneficiary } };
}
