import type { RefusalBody, RefusalCode } from "./api-types.ts";
import type { Method } from "./retry.ts";

/** The code of a refusal, or of an answer that is not in the API's form. */
export type ErrorCode = RefusalCode | "UNEXPECTED_ANSWER";

/** The documented members, and any that a later version adds. */
export type ErrorDetails = NonNullable<RefusalBody["details"]> & Readonly<Record<string, unknown>>;

export interface ErrorParts {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails | undefined;
  readonly requestId?: string | undefined;
  /** An earlier try or call under the same key may have taken effect. */
  readonly isRepeat?: boolean | undefined;
  readonly method?: Method | undefined;
}

/**
 * An answer other than success. Most are refusals, and nothing was done. After a 5xx other than 501 and 505, after
 * `UNEXPECTED_ANSWER` (the client's code for an answer that is not in the API's form) and after `IDEMPOTENCY_KEY_REUSED`
 * (another call had this key and may have done the work) the outcome is unknown: `isOutcomeKnown` is false, and a call
 * under a new key could do the work a second time. The same holds for a repeated call that ends with 401, 403, 408 or 429,
 * and for a repeated DELETE that ends with 404 or 410.
 */
export class FlorinError extends Error {
  override readonly name = "FlorinError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  /** The server's id of this request, for a search in its log. */
  readonly requestId: string | undefined;
  /**
   * True when nothing was done, by this call or an earlier one under its key. When false, call again with the same key; its answer
   * is the true outcome. A DELETE has no key: read whether the object exists. After `IDEMPOTENCY_KEY_REUSED` only the call that
   * first had the key gets that outcome: repeat it with exactly the same input.
   */
  readonly isOutcomeKnown: boolean;

  constructor(parts: ErrorParts) {
    super(parts.message);
    this.status = parts.status;
    this.code = parts.code;
    this.details = parts.details;
    this.requestId = parts.requestId;
    this.isOutcomeKnown = !leavesOpen(parts);
  }
}

/** Statuses that the server returns before it looks up the key, so they do not show whether an earlier try took effect. */
const STATUSES_BEFORE_KEY_LOOKUP: readonly number[] = [401, 403, 408, 429];

/** The answers to a DELETE when an earlier try without an answer has deleted the object. */
const STATUSES_OF_DELETED_OBJECT: readonly number[] = [404, 410];

function leavesOpen({ status, code, isRepeat, method }: ErrorParts): boolean {
  if (code === "UNEXPECTED_ANSWER" || code === "IDEMPOTENCY_KEY_REUSED") return true;
  if (status >= 500) return status !== 501 && status !== 505;
  if (isRepeat !== true) return false;
  if (method === "DELETE" && STATUSES_OF_DELETED_OBJECT.includes(status)) return true;
  return STATUSES_BEFORE_KEY_LOOKUP.includes(status);
}

/**
 * No complete answer arrived: no connection, a reset, or `timeoutMs` expired. `cause` holds the reason.
 * The request may have taken effect; sending it again with the same idempotency key returns the true
 * outcome.
 */
export class FlorinConnectionError extends Error {
  override readonly name = "FlorinConnectionError";
}
