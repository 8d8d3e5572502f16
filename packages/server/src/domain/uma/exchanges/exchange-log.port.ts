/** What is recorded of messages between this platform and another institution. */
export const exchangeDirections = ["IN", "OUT"] as const;
export type ExchangeDirection = (typeof exchangeDirections)[number];

export const exchangeKinds = ["LOOKUP", "PAY_REQUEST", "HOOK"] as const;
export type ExchangeKind = (typeof exchangeKinds)[number];

/** One request and its answer. No address, name, amount or body is in it. */
export interface Exchange {
  readonly platformId: string;
  readonly direction: ExchangeDirection;
  readonly kind: ExchangeKind;
  /** In lower case; it may have a port. */
  readonly vaspDomain: string;
  readonly umaVersion?: string | undefined;
  /** `OK`, or the code of the refusal. */
  readonly outcome: string;
  readonly ms: number;
  /** The bare uuids of what the exchange was about. */
  readonly transactionId?: string | undefined;
  readonly lookupId?: string | undefined;
}

export interface ExchangeLog {
  /** Records an exchange with an institution that is known: its signature held, or it was asked by us. Nothing waits for the row. */
  record(exchange: Exchange): void;
  /** Counts an exchange with a caller that has proven nothing. It leaves no row. */
  count(exchange: Pick<Exchange, "direction" | "kind" | "outcome" | "ms">): void;
}
