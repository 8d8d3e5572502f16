/**
 * The price of a payment that another institution sends in an asset and a customer receives in a currency. The asset is exchanged at the
 * published multiplier, and the fee is taken in the asset:
 *
 *   the payer named what arrives, n   invoice = least a with (a − fee(a)) ≥ n × m
 *   the payer named what is sent, a   n = (a − fee(a)) ÷ m, down
 *
 * The fee that the payer is told is the rest, a − ⌈n × m⌉, so that a = ⌈n × m⌉ + fee holds to the unit.
 */
import { type Multiplier, scale } from "../../../money/ratio.ts";
import type { FeeRule } from "../../prices/price-rules/price-rules.ts";
import { corridorWithin, withFee } from "../../prices/rates/corridor.ts";
import { priceOf } from "../../prices/rates/pricing.ts";

export interface ReceivedPrice {
  /** Units of the asset that the payer pays. */
  readonly invoiceMinor: bigint;
  /** What the customer gets. */
  readonly receivingMinor: bigint;
  /** Units of the asset. */
  readonly feeMinor: bigint;
}

export interface Receiving {
  readonly asset: string;
  readonly currency: string;
  readonly multiplier: Multiplier;
  readonly fee: FeeRule | undefined;
}

/** Undefined when fees leave the customer nothing. */
export function receivedPrice(
  { asset, currency, multiplier: { value }, fee }: Receiving,
  locked: { readonly side: "RECEIVING" | "SENDING"; readonly minor: bigint },
): ReceivedPrice | undefined {
  const prices = { receivingCurrency: currency, rate: value, smallestUnitRate: value };
  const price = priceOf(withFee({ ...corridorWithin(asset), ...prices }, fee), locked);
  if (price === undefined) return undefined;
  const { sendingMinor: invoiceMinor, receivingMinor } = price;
  return {
    invoiceMinor,
    receivingMinor,
    feeMinor: invoiceMinor - scale(receivingMinor, value, "up"),
  };
}
