import type { ExchangeRateQuery, NewQuote, QuoteQuery } from "./names.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import {
  type ExpandOptions,
  expanding,
  type ReadOptions,
  type RequestOptions,
} from "./transport.ts";

export interface ExecuteOptions extends RequestOptions {
  /** The owner's stamp over the quote's `payloadToSign`, when an embedded wallet pays. */
  readonly walletSignature?: string;
}

export function quoteCalls(send: Send) {
  return {
    create: (body: NewQuote, options?: RequestOptions) =>
      send<"createQuote">({ method: "POST", path: ["quotes"], body }, options),
    list: (query?: QuoteQuery, options?: ReadOptions) =>
      list<"listQuotes">(send, { method: "GET", path: ["quotes"], query }, options),
    get: (id: string, { expand, ...options }: ExpandOptions = {}) =>
      send<"getQuote">({ method: "GET", path: ["quotes", id], ...expanding(expand) }, options),
    execute: (id: string, { walletSignature, ...options }: ExecuteOptions = {}) => {
      const headers = stampHeaders(walletSignature);
      return send<"executeQuote">(
        { method: "POST", path: ["quotes", id, "execute"], headers },
        options,
      );
    },
  };
}

/** The headers of the call that executes a quote. */
export function stampHeaders(stamp: string | undefined) {
  return stamp === undefined ? {} : { "service-wallet-signature": stamp };
}

export function rateCalls(send: Send) {
  return {
    list: (query?: ExchangeRateQuery, options?: ReadOptions) =>
      send<"listExchangeRates">(
        { method: "GET", path: ["exchange-rates"], query, isList: true },
        options,
      ),
  };
}
