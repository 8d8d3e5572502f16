/** Answers on the public paths of UMA. Their errors have the form of LNURL, with the code of UMA. */

export interface UmaAnswer {
  readonly status: number;
  readonly body: string;
  /** `no-store` when absent. */
  readonly cacheControl?: string;
  readonly retryAfterSeconds?: number;
  /** Of a redirect. */
  readonly location?: string;
  /** Nothing is sent: the caller waits until it gives up. */
  readonly isHeld?: boolean;
  /** Of an error. */
  readonly code?: string;
}

export function umaError(status: number, code: string, reason: string): UmaAnswer {
  return { status, code, body: JSON.stringify({ status: "ERROR", code, reason }) };
}

/** Also for a host that is not served, with the same bytes. */
export const unknownUser = umaError(404, "USER_NOT_FOUND", "The user was not found.");

export function tooMany(retryAfterSeconds: number): UmaAnswer {
  const reason = "Too many requests; ask again later.";
  return { ...umaError(429, "RATE_LIMITED", reason), retryAfterSeconds };
}
