/** The log of calls to operations. It accepts calls without waiting and may drop them. */

/** Which calls are thinned first: reads, then changes that succeeded, then refusals and failures. */
export type CallKind = "READ" | "CHANGE" | "REFUSAL";

export interface RequestLog {
  /**
   * For how many calls of its kind this one stands: 1 in the usual case, more where the log is thinned. 0 means that the call
   * is not logged; otherwise `add` must follow.
   */
  admit(kind: CallKind): number;
  add(call: LoggedCall): void;
}

export interface LoggedCall {
  readonly platformId: string;
  readonly createdAt: number;
  readonly method: string;
  /** Below the version segment; a segment that is no id is redacted. */
  readonly path: string;
  readonly operationId: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** The token, the agent or the person. */
  readonly actorId: string;
  readonly isAgent: boolean;
  readonly isPerson: boolean;
  readonly address: string;
  readonly requestId: string;
  /** The last id of the path. */
  readonly resourceId: string | null;
  readonly idempotencyKey: string | undefined;
  readonly replayed: boolean;
  readonly sampledOneIn: number;
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
