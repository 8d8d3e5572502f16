/** Formats amounts, which stay integers of the smallest unit throughout: no floating-point number is involved. */
import decimalsOf from "./decimals.json";

/** An amount of the API, with its currency's decimals or with the currency code only. */
export type AmountLike =
  | {
      readonly amount: number;
      readonly currency: { readonly code: string; readonly decimals: number };
    }
  | { readonly amount: string; readonly currency: string };

const MINUS = "\u2212";

export interface AmountText {
  readonly number: string;
  readonly code: string;
}

export function amountText(amount: AmountLike): AmountText {
  if (typeof amount.currency === "string") {
    const code = amount.currency;
    return { number: minorText(BigInt(amount.amount), decimalsFor(code)), code };
  }
  const { code, decimals } = amount.currency;
  return { number: minorText(BigInt(amount.amount), decimals), code };
}

/** Formats an amount as `1,250.00 USD`. */
export function amountLine(amount: AmountLike): string {
  const { number, code } = amountText(amount);
  return `${number} ${code}`;
}

export function decimalsFor(code: string): number {
  return (decimalsOf as Readonly<Record<string, number>>)[code] ?? 2;
}

export function minorText(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  const rest = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${minor < 0n ? MINUS : ""}${whole}${rest}`;
}

/** Parses a typed amount such as `1,250.00` to the smallest unit; undefined when it is no amount of the currency. */
export function readAmount(text: string, decimals: number): bigint | undefined {
  const plain = text.trim().replaceAll(/[,\s]/g, "");
  const match = /^(\d{1,16})(?:\.(\d+))?$/.exec(plain);
  if (match === null) return undefined;
  const [, whole = "", rest = ""] = match;
  if (rest.length > decimals) return undefined;
  return BigInt(whole + rest.padEnd(decimals, "0"));
}
