/**
 * Judges what another institution offers for a payment: its invoice and its price must be those that were asked for. In the order of the
 * reasons; the signature was judged before.
 *
 *   CURRENCY     another currency than that of the lookup, or other decimals
 *   AMOUNT       not the amount that was asked for, or an invoice without an amount
 *   ARITHMETIC   invoice and amount × multiplier + fee are apart by more than one unit and a part in a thousand million; where units of the
 *                asset were asked for, the amount follows and may be rounded by one
 *   PRICE        the multiplier is more than a tenth from that of the lookup, or the fee is more than a tenth of the invoice
 *   PAYEE_DATA   a mandatory field of the payee is missing
 *   LAYER        an invoice of another layer or asset, or none at all
 *   ENDS_SOON    an order might not be sent before the end of the invoice
 */
import { invert, type Ratio, scale } from "../../../money/ratio.ts";
import type { PayOffer } from "./pay-request.port.ts";
import type { PricedPayment } from "./price-payment.ts";

export type OfferFault =
  | "CURRENCY"
  | "AMOUNT"
  | "ARITHMETIC"
  | "PRICE"
  | "PAYEE_DATA"
  | "LAYER"
  | "ENDS_SOON";

export interface SoundOffer {
  /** Units of the asset. */
  readonly invoiceMinor: bigint;
  /** The institution's fee in smallest units of the currency that arrives, rounded up: for show. */
  readonly counterpartyFeeMinor: bigint;
  /** Host time. */
  readonly payBy: number;
  readonly leftMs: number;
}

/** What the invoice asks for, as a connector has read it. */
export interface ReadInvoice {
  readonly layer: string;
  readonly identifier: string;
  /** Null for an invoice that leaves the amount to the payer. */
  readonly amountMinor: bigint | null;
  /** Host time. */
  readonly expiresAt: number;
}

export interface AskedPayment extends Pick<PricedPayment, "currency" | "asset" | "asked"> {
  /** The fields of the payee that were asked for, with whether each is mandatory. */
  readonly payeeData: ReadonlyMap<string, boolean>;
  /** Host time. */
  readonly now: number;
}

/** `none`: the text is no invoice of the layer. */
export function judgeOffer(
  { converted, payeeFields }: PayOffer,
  { currency, asset, asked, payeeData, now }: AskedPayment,
  invoice: ReadInvoice | "none",
): { readonly fault: OfferFault } | SoundOffer {
  const { amount, currencyCode, decimals, multiplier, fee } = converted;
  if (currencyCode !== currency.code || decimals !== currency.decimals)
    return { fault: "CURRENCY" };
  if (invoice === "none") return { fault: "LAYER" };
  const { amountMinor } = invoice;
  const isAsked =
    asked.currency === undefined ? amountMinor === asked.units : amount === asked.units;
  if (amountMinor === null || amountMinor <= 0n || !isAsked) return { fault: "AMOUNT" };
  const roundedBy = asked.currency === undefined ? 1n : 0n;
  if (!addsUp({ amountMinor, amount, fee, multiplier: multiplier.value, roundedBy })) {
    return { fault: "ARITHMETIC" };
  }
  const isDear = fee * TENTH > amountMinor;
  if (isDear || isFarFrom(multiplier.value, asset.multiplier)) return { fault: "PRICE" };
  const isMissing = [...payeeData].some(
    ([name, mandatory]) => mandatory && !SIGNED.has(name) && !hasText(payeeFields.get(name)),
  );
  if (isMissing) return { fault: "PAYEE_DATA" };
  const isOfLayer = invoice.layer === asset.layer && invoice.identifier === asset.identifier;
  if (!isOfLayer) return { fault: "LAYER" };
  const { expiresAt: payBy } = invoice;
  const leftMs = payBy - now;
  if (leftMs < LEAST_LEFT_MS) return { fault: "ENDS_SOON" };
  const counterpartyFeeMinor = scale(fee, invert(multiplier.value), "up");
  return { invoiceMinor: amountMinor, counterpartyFeeMinor, payBy, leftMs };
}

/**
 * The signature was judged with these: it is a part of the answer, and it is over the address that was asked for. Libraries leave the address
 * out.
 */
const SIGNED: ReadonlySet<string> = new Set(["compliance", "identifier"]);
const LEAST_LEFT_MS = 45_000;
const TENTH = 10n;
const PART = 1_000_000_000n;

function hasText(text: string | undefined): boolean {
  return (text?.trim() ?? "") !== "";
}

function addsUp({
  amountMinor,
  amount,
  fee,
  multiplier: { numerator, denominator },
  roundedBy,
}: {
  readonly amountMinor: bigint;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly multiplier: Ratio;
  /** Smallest units of the currency that arrives. */
  readonly roundedBy: bigint;
}): boolean {
  const apart = (amountMinor - fee) * denominator - amount * numerator;
  const most = denominator * (PART + amountMinor) + roundedBy * numerator * PART;
  return (apart < 0n ? -apart : apart) * PART <= most;
}

function isFarFrom(one: Ratio, other: Ratio): boolean {
  const left = one.numerator * other.denominator;
  const right = other.numerator * one.denominator;
  const apart = left > right ? left - right : right - left;
  return apart * TENTH > right;
}
