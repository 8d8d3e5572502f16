import { invert, type Ratio, ratio, ratioToNumber } from "../../../money/ratio.ts";
import { MILLION, type Multipliers, multipliersOf } from "../../prices/rates/corridor.ts";
import type { QuoteSettlement } from "./outside-terms.ts";
import { type Quote, rateOf } from "./quote.ts";

/** How an outgoing payment's price is made up, as the API shows it. */
export type OutgoingRateDetails = {
  readonly counterpartyMultiplier: number;
  readonly counterpartyFixedFee: number;
  readonly serviceApiMultiplier: number;
  readonly serviceApiFixedFee: number;
  readonly serviceApiVariableFeeRate: number;
  readonly serviceApiVariableFeeAmount: number;
};

/** More decimals than any amount has. */
const DECIMALS = 18;

export function rateDetailsOf(quote: Quote): OutgoingRateDetails {
  const { variableFeeMillionths, counterpartyFeeMinor, settlement } = quote;
  const { service, counterparty } =
    settlement === null
      ? multipliersOf({ ...quote, rate: rateOf(quote) })
      : multipliersOfInvoice(settlement);
  return {
    counterpartyMultiplier: ratioToNumber(counterparty, DECIMALS, "half-up"),
    counterpartyFixedFee: Number(counterpartyFeeMinor),
    serviceApiMultiplier: ratioToNumber(service, DECIMALS, "half-up"),
    serviceApiFixedFee: Number(quote.fixedFeeMinor),
    serviceApiVariableFeeRate: ratioToNumber(ratio(variableFeeMillionths, MILLION), 6, "half-up"),
    serviceApiVariableFeeAmount: Number(quote.variableFeeMinor),
  };
}

/** Through an asset, the two rates are those of the two institutions. */
function multipliersOfInvoice({ perUnit, unitsPerMinor }: QuoteSettlement): Multipliers {
  return {
    service: invert(ratioOfFraction(perUnit)),
    counterparty: invert(ratioOfFraction(unitsPerMinor)),
  };
}

function ratioOfFraction(text: string): Ratio {
  const [numerator = "1", denominator = "1"] = text.split("/");
  return ratio(BigInt(numerator), BigInt(denominator));
}
