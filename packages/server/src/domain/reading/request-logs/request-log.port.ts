/** The log of calls to operations. It accepts calls without waiting and may drop them. */
import type { RequestLogRow } from "./request-log.sql.ts";

/** The order in which kinds of calls are thinned: reads, then changes that succeeded, then refusals and failures. */
export type CallKind = "READ" | "CHANGE" | "REFUSAL";

export interface RequestLog {
  /**
   * The number of calls of its kind that this one stands for: usually 1, more where the log is sampled. 0 means that the call is not
   * logged; otherwise `add` must follow.
   */
  admit(kind: CallKind): number;
  add(call: LoggedCall): void;
}

export interface LoggedCall
  extends Omit<RequestLogRow, "id" | "keyDigest" | "contentId" | "contentPlace"> {
  readonly platformId: string;
  readonly idempotencyKey: string | undefined;
  /** The JSON of a `CallContent`. */
  readonly content: string;
}

/** The sealed part of a call. */
export interface CallContent {
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly query?: unknown;
  readonly requestBody?: unknown;
  readonly responseBody?: unknown;
}

/** For a server that keeps no log of calls. */
export const noRequestLog: RequestLog = { admit: () => 0, add: () => undefined };
