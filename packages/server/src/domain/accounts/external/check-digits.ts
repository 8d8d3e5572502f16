/**
 * Check digits of bank details. They are verified on production platforms only, because the sandbox's magic suffixes would fail them.
 * Details that pass are well formed; only the bank knows whether the account exists.
 */
import type { FieldError } from "../../../engine/refusal.ts";
import { remainder97 } from "../../../money/mod97.ts";
import type { JsonObject } from "../../../std/json.ts";

type Check = (text: string) => string | undefined;

/** Keyed by the name of the field in `accountInfo`. */
const CHECKS: Readonly<Record<string, Check>> = {
  iban: ibanFault,
  routingNumber: routingNumberFault,
  intermediaryRoutingNumber: routingNumberFault,
  clabeNumber: clabeFault,
  accountNumber: cardFault,
};

/** The fields whose check digits or lengths are wrong, or that hold the number of a card. */
export function checkDigitFaults(accountInfo: JsonObject): readonly FieldError[] {
  return Object.entries(CHECKS).flatMap(([name, check]) => {
    const value = accountInfo[name];
    const message = typeof value === "string" ? check(value) : undefined;
    return message === undefined ? [] : [{ field: `accountInfo.${name}`, message }];
  });
}

/** The fault of an IBAN or of a routing number, with blanks ignored; undefined when there is none. */
export function accountNumberFault(
  name: "iban" | "routingNumber",
  text: string,
): string | undefined {
  return CHECKS[name]?.(text.replaceAll(" ", "").toUpperCase());
}

const IBAN_FORM = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** The fault of a free-form account number: it is checked as an IBAN when it has the form of one, otherwise not at all. */
export function freeAccountFault(text: string): string | undefined {
  const plain = text.replaceAll(" ", "").toUpperCase();
  const isIban = IBAN_FORM.test(plain) && IBAN_LENGTHS.has(plain.slice(0, 2));
  return isIban ? ibanFault(plain) : undefined;
}

function ibanFault(iban: string): string | undefined {
  const country = iban.slice(0, 2);
  const length = IBAN_LENGTHS.get(country);
  if (length === undefined) return `is no IBAN: ${country} is not a country that has them`;
  if (iban.length !== length) return `must have ${length} characters, as every IBAN of ${country}`;
  return isMod97(iban.toUpperCase())
    ? undefined
    : "has check digits that do not fit: look for a typing error";
}

/** ISO 13616: with the first four characters at the end and A as 10, the number is 1 modulo 97. */
function isMod97(iban: string): boolean {
  return remainder97(iban.slice(4) + iban.slice(0, 4)) === 1;
}

/** ABA: the digits weighted 3, 7, 1 sum to a multiple of ten. */
function routingNumberFault(text: string): string | undefined {
  const fits = text !== "000000000" && weighted(text, [3, 7, 1]) % 10 === 0;
  return fits ? undefined : "is no routing number: its check digit does not fit";
}

/** CLABE: the last digit completes the sum of the others, each weighted 3, 7, 1 modulo ten, to a multiple of ten. */
function clabeFault(text: string): string | undefined {
  const sum = [...text.slice(0, -1)].reduce(
    (total, digit, index) => total + ((Number(digit) * ([3, 7, 1][index % 3] ?? 0)) % 10),
    0,
  );
  const fits = (10 - (sum % 10)) % 10 === Number(text.at(-1));
  return fits ? undefined : "is no CLABE: its check digit does not fit";
}

function weighted(text: string, weights: readonly number[]): number {
  return [...text].reduce(
    (total, digit, index) => total + Number(digit) * (weights[index % weights.length] ?? 0),
    0,
  );
}

/** Prefix and length of the large card schemes. With the Luhn check digit, about one ordinary account number in 5,000 matches too. */
const CARD =
  /^(?:4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12})$/;

function cardFault(text: string): string | undefined {
  const digits = text.replace(/[ -]/g, "");
  if (!CARD.test(digits) || !isLuhn(digits)) return undefined;
  return "looks like the number of a payment card; give the number of the bank account";
}

function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The IBAN registry: countries and the length of their IBANs. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 " +
    "FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 " +
    "LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 " +
    "RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
