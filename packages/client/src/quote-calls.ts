import { list } from "./calls.ts";
import type {
  ExchangeRate,
  ExchangeRateQuery,
  NewQuote,
  Quote,
  QuoteQuery,
} from "./quote-types.ts";
import type { Call } from "./request.ts";
import type { ReadOptions, RequestOptions, Send } from "./transport.ts";

export interface ExecuteOptions extends RequestOptions {
  /** The owner's stamp over the quote's `payloadToSign`, when an embedded wallet pays. */
  readonly walletSignature?: string;
}

export function quoteCalls(send: Send) {
  return {
    create: (body: NewQuote, options?: RequestOptions): Promise<Quote> =>
      send({ method: "POST", path: ["quotes"], body }, options),
    list: (query?: QuoteQuery, options?: ReadOptions) =>
      list<Quote>(send, { path: ["quotes"], query, options }),
    get: (id: string, options?: ReadOptions): Promise<Quote> =>
      send({ method: "GET", path: ["quotes", id] }, options),
    execute: (id: string, options: ExecuteOptions = {}): Promise<Quote> => {
      const { walletSignature, ...rest } = options;
      return send(executionOf(["quotes", id], walletSignature), rest);
    },
  };
}

/** The call that executes the quote at this path. */
export function executionOf(quote: readonly string[], walletSignature: string | undefined): Call {
  const headers =
    walletSignature === undefined ? {} : { "service-wallet-signature": walletSignature };
  return { method: "POST", path: [...quote, "execute"], headers };
}

export function rateCalls(send: Send) {
  return {
    list: (
      query?: ExchangeRateQuery,
      options?: ReadOptions,
    ): Promise<{ readonly data: readonly ExchangeRate[] }> =>
      send({ method: "GET", path: ["exchange-rates"], query, isList: true }, options),
  };
}
