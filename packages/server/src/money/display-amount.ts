import { getCurrency } from "./currency.ts";
import type { Money } from "./money.ts";

/** An amount for display: `1,250.00 USD`, with all decimals of the currency. */
export function displayAmount({ minor, currency }: Money): string {
  const { decimals } = getCurrency(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, "0");
  const whole = inThousands(digits.slice(0, digits.length - decimals));
  const fraction = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${minor < 0n ? "-" : ""}${whole}${fraction} ${currency}`;
}

function inThousands(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3)
    groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(",");
}
