/**
 * Whether an exchange with a connector can begin at once in this process. The answer decides only how an order is accepted: as SENDING in
 * the commit that accepts it, or as QUEUED for a job whose own commit marks it before it is sent.
 */
export type ExchangeRoom = (connection: {
  readonly id: string;
  readonly concurrency: number;
}) => boolean;

/** For processes that run no jobs: every order waits for a job of a server. */
export const noExchangeRoom: ExchangeRoom = () => false;

/** The exchanges with one connector that are under way at once, unless its settings name another number. */
export const CONCURRENCY_DEFAULT = 8;
