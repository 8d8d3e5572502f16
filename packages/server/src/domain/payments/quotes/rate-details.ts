import { ratio, ratioToNumber } from "../../../money/ratio.ts";
import { MILLION, multipliersOf } from "../../prices/rates/corridor.ts";
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
  const { variableFeeMillionths, counterpartyFeeMinor } = quote;
  const { service, counterparty } = multipliersOf({ ...quote, rate: rateOf(quote) });
  return {
    counterpartyMultiplier: ratioToNumber(counterparty, DECIMALS, "half-up"),
    counterpartyFixedFee: Number(counterpartyFeeMinor),
    serviceApiMultiplier: ratioToNumber(service, DECIMALS, "half-up"),
    serviceApiFixedFee: Number(quote.fixedFeeMinor),
    serviceApiVariableFeeRate: ratioToNumber(ratio(variableFeeMillionths, MILLION), 6, "half-up"),
    serviceApiVariableFeeAmount: Number(quote.variableFeeMinor),
  };
}
