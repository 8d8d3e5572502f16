/** Texts of facts: amounts, days and constants in words. */
import { findConnectionCurrency } from "../../../../money/currency.ts";
import { decimalText } from "../../../../money/money.ts";
import { toIso } from "../../../../std/clock.ts";

/** `3,012.50 USD`. An unknown currency keeps its smallest unit. */
export function amountOf(minor: bigint, currency: string): string {
  const known = findConnectionCurrency(currency);
  if (known === undefined) return `${minor} ${currency}`;
  const [whole = "", part] = decimalText(minor, known.decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return `${part === undefined ? grouped : `${grouped}.${part}`} ${currency}`;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `28 Nov 2026`, in UTC. */
export function dayOf(at: number): string {
  const [year, month, day] = toIso(at).slice(0, 10).split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** `28 Nov 2026, 22:13 UTC` */
export function momentOf(at: number): string {
  return `${dayOf(at)}, ${toIso(at).slice(11, 16)} UTC`;
}

/** Words that are written in capitals. */
const CAPITALS = new Set(
  "ACH API BSB CBU CLABE CVU EUR FX IBAN ID KYB KYC NEFT PIX QR RTGS RTP SEPA SPEI SSO SWIFT UMA UPI URL USD".split(
    " ",
  ),
);

/** `REQUESTED_BY_PAYER` becomes `Requested by payer`. */
export function constantWords(constant: string): string {
  const words = constant
    .split(/[_\s]+/)
    .map((word) => (CAPITALS.has(word) ? word : word.toLowerCase()))
    .join(" ");
  return capital(words);
}

/** `perTransactionLimit` becomes `Per transaction limit`. */
export function memberWords(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(" ")
    .map((word) => (CAPITALS.has(word.toUpperCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(" ");
  return capital(words);
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** `USD_ACCOUNT` becomes `USD account`. */
export function accountTypeWords(accountType: string): string {
  const [first = "", ...rest] = accountType.split("_");
  const head = first.length === 3 ? first : constantWords(first);
  return [head, ...rest.map((word) => word.toLowerCase())].join(" ");
}

const regions = new Intl.DisplayNames("en", { type: "region" });

/** The name of a country by its code of two letters. Other text is returned as it is. */
export function countryWords(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code;
}
