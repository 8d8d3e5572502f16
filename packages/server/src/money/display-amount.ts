import { getCurrency } from "./currency.ts";
import type { Money } from "./money.ts";

/** An amount for people to read: `1,250.00 USD`, with all the decimals of its currency. */
export function displayAmount({ minor, currency }: Money): string {
  const { decimals } = getCurrency(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  const fraction = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${minor < 0n ? "-" : ""}${whole}${fraction} ${currency}`;
}
