import type * as Api from "./api-types.ts";
import { formOf } from "./document-calls.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import type { ReadOptions, RequestOptions } from "./transport.ts";

/** Sources of a platform's exchange rates. */
export function rateSourceCalls(send: Send) {
  return {
    create: (body: Api.CreateRateSourceBody, options?: RequestOptions) =>
      send<"createRateSource">({ method: "POST", path: ["rates", "sources"], body }, options),
    list: (query?: Api.ListRateSourcesQuery, options?: ReadOptions) =>
      list<"listRateSources">(send, { method: "GET", path: ["rates", "sources"], query }, options),
    get: (id: string, options?: ReadOptions) =>
      send<"getRateSource">({ method: "GET", path: ["rates", "sources", id] }, options),
    update: (id: string, body: Api.UpdateRateSourceBody, options?: ReadOptions) =>
      send<"updateRateSource">({ method: "PATCH", path: ["rates", "sources", id], body }, options),
    delete: (id: string, options?: ReadOptions) =>
      send<"deleteRateSource">({ method: "DELETE", path: ["rates", "sources", id] }, options),
    /** Replaces the rate table of a `FIXED` source. */
    setRates: (id: string, body: Api.SetRatesBody, options?: ReadOptions) =>
      send<"setRates">({ method: "PUT", path: ["rates", "sources", id, "rates"], body }, options),
    refresh: (id: string, options?: ReadOptions) =>
      send<"refreshRateSource">(
        { method: "POST", path: ["rates", "sources", id, "refresh"] },
        options,
      ),
    /** Uploads the daily XML document of the ECB, for an `ECB` source. */
    upload: (id: string, file: Blob, options?: RequestOptions) =>
      send<"uploadRates">(
        {
          method: "POST",
          path: ["rates", "sources", id, "upload"],
          body: formOf({ file, fileName: "daily.xml" }),
        },
        options,
      ),
    observations: (id: string, query?: Api.ListRateObservationsQuery, options?: ReadOptions) =>
      list<"listRateObservations">(
        send,
        { method: "GET", path: ["rates", "sources", id, "observations"], query },
        options,
      ),
  };
}

/** Spreads and fees on top of the rates, and the price components of a quote. */
export function pricingCalls(send: Send) {
  return {
    spreads: (options?: ReadOptions) =>
      send<"getSpreads">({ method: "GET", path: ["rates", "spreads"] }, options),
    setSpreads: (body: Api.SetSpreadsBody, options?: ReadOptions) =>
      send<"setSpreads">({ method: "PUT", path: ["rates", "spreads"], body }, options),
    fees: (options?: ReadOptions) => send<"getFees">({ method: "GET", path: ["fees"] }, options),
    setFees: (body: Api.SetFeesBody, options?: ReadOptions) =>
      send<"setFees">({ method: "PUT", path: ["fees"], body }, options),
    feeVersions: (query?: Api.ListFeeVersionsQuery, options?: ReadOptions) =>
      list<"listFeeVersions">(send, { method: "GET", path: ["fees", "versions"], query }, options),
    ofQuote: (quoteId: string, options?: ReadOptions) =>
      send<"getQuotePrice">({ method: "GET", path: ["rates", "quotes", quoteId] }, options),
  };
}

/** Currency positions that result from the platform's exchanges. */
export function fxCalls(send: Send) {
  return {
    positions: (query?: Api.ListFxPositionsQuery, options?: ReadOptions) =>
      send<"listFxPositions">({ method: "GET", path: ["fx", "positions"], query }, options),
    setLimits: (body: Api.SetFxLimitsBody, options?: ReadOptions) =>
      send<"setFxLimits">({ method: "PUT", path: ["fx", "limits"], body }, options),
    /** Takes effect when another token confirms it with `railMarks.confirm`. */
    adjust: (body: Api.AdjustFxPositionsBody, options?: RequestOptions) =>
      send<"adjustFxPositions">({ method: "POST", path: ["fx", "adjustments"], body }, options),
  };
}
