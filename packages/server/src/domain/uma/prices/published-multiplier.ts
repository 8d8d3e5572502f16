/**
 * The multiplier that a payer is told: units of an asset for one smallest unit of the receiving currency. It is rounded up to 15 significant
 * digits, which a 64-bit float reads back unchanged. The rounded value is the price: amounts are computed from it, not from the rate that it
 * was rounded from.
 */
import { type Multiplier, type Ratio, ratio } from "../../../money/ratio.ts";
import { mulDiv } from "../../../money/rounding.ts";

const DIGITS = 15;
/** Readers of multipliers take at most 30 digits, those before the point among them. */
const MOST_DIGITS = 30;
const MOST_PLACES = MOST_DIGITS - 1;

/** Undefined for a value that would need more digits than readers take. */
export function publishedMultiplier({ numerator, denominator }: Ratio): Multiplier | undefined {
  if (numerator <= 0n) return undefined;
  const whole = (numerator / denominator).toString();
  const places =
    whole === "0" ? DIGITS + zerosAfterPoint(numerator, denominator) : DIGITS - whole.length;
  if (places > MOST_PLACES || whole.length > MOST_DIGITS) return undefined;
  if (places <= 0) {
    const step = 10n ** BigInt(-places);
    const value = mulDiv(numerator, 1n, denominator * step, "up") * step;
    return { value: ratio(value, 1n), digits: value.toString() };
  }
  const step = 10n ** BigInt(places);
  const scaled = mulDiv(numerator, step, denominator, "up");
  return { value: ratio(scaled, step), digits: decimalText(scaled, places) };
}

function zerosAfterPoint(numerator: bigint, denominator: bigint): number {
  let zeros = 0;
  for (let left = numerator * 10n; left < denominator && zeros <= MOST_PLACES; left *= 10n)
    zeros += 1;
  return zeros;
}

/** Without zeros at the end. */
function decimalText(scaled: bigint, places: number): string {
  if (places === 0) return scaled.toString();
  if (scaled % 10n === 0n) return decimalText(scaled / 10n, places - 1);
  const digits = scaled.toString().padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
