/** Reads the amounts that a person may mean: `3012.50`, `3,012.50 USD`, `3.012,50`, `EUR 3 012,50`, `$3,012.50`. */
import { plainDecimal } from "./terms.ts";

const CURRENCY = "[a-z]{3,5}";
const SIGN = "[$€£¥]";
const NUMBER = "\\d[\\d.,'’\\s]{0,23}";
const AMOUNT = new RegExp(
  `^(?:(${CURRENCY})\\s+|${SIGN}\\s*)?(${NUMBER})(?:(${CURRENCY})|${SIGN})?$`,
  "u",
);
const WHOLE = /^\d{1,16}$/;
/** Groups of three digits, all with the same separator. */
const GROUPED = /^\d{1,3}(?:([.,'’\s])\d{3})(?:\1\d{3})*$/;
const MOST_DECIMALS = 10;

/** Prefixes of amount terms, the likeliest reading first; none when the text is no amount. */
export function amountsIn(folded: string): readonly string[] {
  const [, before, number, behind] = AMOUNT.exec(folded) ?? [];
  if (number === undefined || (before !== undefined && behind !== undefined)) return [];
  const currency = before ?? behind ?? "";
  return decimalsIn(number.trim()).map((decimal) => `#${plainDecimal(decimal)} ${currency}`);
}

/** `1,234` and `1.234` are read both ways, as a thousand and as three decimals. */
function decimalsIn(number: string): readonly string[] {
  const at = Math.max(number.lastIndexOf("."), number.lastIndexOf(","));
  const readings: string[] = [];
  if (at > 0) {
    const whole = plainWhole(number.slice(0, at), number.charAt(at));
    const fraction = number.slice(at + 1);
    if (whole !== undefined && /^\d+$/.test(fraction) && fraction.length <= MOST_DECIMALS)
      readings.push(`${whole}.${fraction}`);
  }
  const whole = plainWhole(number, "");
  if (whole === undefined) return readings;
  return number.charAt(at) === "," ? [whole, ...readings] : [...readings, whole];
}

/** The digits of a whole number, whose groups are not separated by `decimalPoint`. */
function plainWhole(text: string, decimalPoint: string): string | undefined {
  const groups = GROUPED.exec(text);
  const isGrouped = groups !== null && groups[1] !== decimalPoint;
  const digits = isGrouped ? text.replaceAll(/\D/g, "") : text;
  return WHOLE.test(digits) ? digits : undefined;
}
