/**
 * A payment that leaves by an invoice of another institution. The payee's institution has converted already: it receives units of an asset,
 * and the payee an amount of a currency. So what is paid out is the invoice, and not the receiving amount.
 */
import { getCurrency } from "../../../money/currency.ts";
import { ratio, scale } from "../../../money/ratio.ts";
import type { Exchange } from "../../prices/fx-positions/fx-position.ts";
import type { Corridor } from "../../prices/rates/corridor.ts";
import type { Price } from "../../prices/rates/pricing.ts";
import type { QuotePrice } from "./market/quote-price.ts";
import type { Quote } from "./quote.ts";

/** What a quote pays outside, fixed with the quote. Amounts are text, because JSON has no whole numbers of this size. */
export type QuoteSettlement = {
  /** The network, the layer's name of the asset, and the currency in which a connection tells it. */
  readonly layer: string;
  readonly identifier: string;
  readonly currency: string;
  /** Units of the asset: what the invoice asks for. */
  readonly minor: string;
  readonly invoice: string;
  /** Host time, ISO 8601. */
  readonly payBy: string;
  /** The same moment in platform time, in milliseconds. */
  readonly lapsesAt: number;
  readonly connectionId: string;
  /** The payee's institution. */
  readonly vaspDomain: string;
  readonly umaVersion: string;
  /** Units of the asset for one smallest unit of the receiving currency, in the digits of the institution. */
  readonly multiplier: string;
  /** The same as a fraction; the digits may have an exponent. */
  readonly unitsPerMinor: string;
  /** The institution's fee, in units of the asset. */
  readonly fee: string;
  /** Smallest units of the sending currency for one unit of the asset: a fraction. */
  readonly perUnit: string;
  readonly receiverKyc: string;
  readonly isSubjectToTravelRule: boolean;
  /** The digest of what was told under the travel rule. */
  readonly travelRule?: { readonly format: string; readonly sha256: string };
  /** The fields about people that went each way, by their names in the protocol. */
  readonly fieldsSent: readonly string[];
  readonly fieldsReceived: readonly string[];
  /** Messages after the payment; absent where neither side is to be told of it. */
  readonly hook?: {
    /** The domain of the platform that the institution knows. */
    readonly ownDomain: string;
    /** What stands for the payment in the URL that the institution was given. */
    readonly id?: string;
    /** Where the institution wants to be told. */
    readonly callback?: string;
  };
};

/**
 * The price of a payment by an invoice, and the invoice. The caller makes it from the rates that it has read, before the institution is
 * asked, so that the amount that is asked for is the one that is paid. Before the institution has answered, the amounts are an estimate and
 * the invoice is empty: only a dry run may be decided with such terms, and the table refuses them.
 */
export interface OutsideTerms {
  /** From the sending currency into the asset, with the platform's fee. */
  readonly corridor: Corridor;
  /** Null where nothing is exchanged. */
  readonly price: Omit<QuotePrice, "id" | "createdAt"> | null;
  /** The longest time for which the rate may be kept. */
  readonly lockMs: number;
  readonly settlement: Omit<QuoteSettlement, "lapsesAt">;
  readonly receivingMinor: bigint;
  /** The institution's fee in smallest units of the receiving currency, rounded up: for show. */
  readonly counterpartyFeeMinor: bigint;
  /** How long the invoice can still be paid. */
  readonly leftMs: number;
}

/** A quote ends this much before its invoice, so that the order of one executed in its last second is still sent. */
const KEPT_FREE_MS = 15_000;

/** How long the quote of a payment by an invoice can live. */
export function lifeOfTerms({ leftMs, lockMs }: OutsideTerms): number {
  return Math.min(leftMs - KEPT_FREE_MS, lockMs);
}

type Paid = Pick<
  Quote,
  "settlement" | "receivingCurrency" | "receivingMinor" | "counterpartyFeeMinor"
>;

/** What leaves the books for the payee. */
export function payoutOf(quote: Paid): { readonly currency: string; readonly minor: bigint } {
  const { settlement, receivingCurrency, receivingMinor, counterpartyFeeMinor } = quote;
  return settlement === null
    ? { currency: receivingCurrency, minor: receivingMinor + counterpartyFeeMinor }
    : { currency: settlement.currency, minor: BigInt(settlement.minor) };
}

/** The exchange that the platform makes. The payee's institution makes another one, which is not in these books. */
export function exchangeOf(
  quote: Paid & Pick<Quote, "sendingCurrency" | "convertedMinor">,
): Exchange {
  const { settlement, sendingCurrency, convertedMinor } = quote;
  if (settlement === null) return quote;
  const { currency: receivingCurrency, minor: receivingMinor } = payoutOf(quote);
  return { sendingCurrency, receivingCurrency, convertedMinor, receivingMinor };
}

/** The currency of what leaves the books. */
export function payoutCurrency({
  settlement,
  receivingCurrency,
}: Pick<Quote, "settlement" | "receivingCurrency">): string {
  return settlement?.currency ?? receivingCurrency;
}

/** What a quote shows of the payee's side: the amount that arrives, all fees in the sending currency, and the rate without them. */
export function ofOutside(
  { sendingMinor, feesMinor: ownFeesMinor, convertedMinor }: Price,
  { corridor, settlement, receivingMinor, counterpartyFeeMinor }: OutsideTerms,
  receivingCurrency: string,
) {
  const feesMinor = ownFeesMinor + scale(BigInt(settlement.fee), corridor.smallestUnitRate, "up");
  const netMinor = sendingMinor > feesMinor ? sendingMinor - feesMinor : convertedMinor;
  const sent = 10n ** BigInt(getCurrency(corridor.sendingCurrency).decimals);
  const received = 10n ** BigInt(getCurrency(receivingCurrency).decimals);
  const rate = ratio(netMinor * received, receivingMinor * sent);
  return { receivingMinor, feesMinor, counterpartyFeeMinor, rate };
}
