import type { RefusalBody, RefusalCode } from "./api-types.ts";
import type { Method } from "./retry.ts";

/** What the API refused a call with, or that what came is no answer of the API. */
export type ErrorCode = RefusalCode | "UNEXPECTED_ANSWER";

/** The members that the API's reference names, and what a later version adds. */
export type ErrorDetails = NonNullable<RefusalBody["details"]> & Readonly<Record<string, unknown>>;

export interface ErrorParts {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails | undefined;
  readonly requestId?: string | undefined;
  /** What was asked for may have been done before, by an earlier try or call under the same key. */
  readonly isRepeat?: boolean | undefined;
  /** Of the request. */
  readonly method?: Method | undefined;
}

/**
 * An answer that is not the one asked for. Mostly the service said no, and nothing was done. A 500, 502, 503 or 504 and
 * `UNEXPECTED_ANSWER`, the client's own code for an answer that is not in the API's form, say nothing of the kind, and
 * `IDEMPOTENCY_KEY_REUSED` says that another call had this key, which may have done the work: `isOutcomeKnown` is false, and
 * a call under a new key could do it a second time.
 */
export class FlorinError extends Error {
  override readonly name = "FlorinError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  /** The server's name for this request, to look it up in its log. */
  readonly requestId: string | undefined;
  /**
   * True when nothing was done, in this call or an earlier one under its key. When false something may have been: make the
   * call again with the same key, which gives the one true answer. A DELETE has no key: read whether the object is there.
   * After `IDEMPOTENCY_KEY_REUSED` only the call that first had the key gets that answer: repeat its input, to the letter.
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

/** Said before the server looks what it did under the key, so they say nothing about an earlier try or call. */
const SAID_AT_THE_DOOR: readonly number[] = [401, 403, 408, 429];

/** The answers to a DELETE that an earlier try, whose answer was lost, has already done. */
const SAID_OF_WHAT_IS_GONE: readonly number[] = [404, 410];

function leavesOpen({ status, code, isRepeat, method }: ErrorParts): boolean {
  if (code === "UNEXPECTED_ANSWER" || code === "IDEMPOTENCY_KEY_REUSED") return true;
  if (status >= 500) return status !== 501 && status !== 505;
  if (isRepeat !== true) return false;
  if (method === "DELETE" && SAID_OF_WHAT_IS_GONE.includes(status)) return true;
  return SAID_AT_THE_DOOR.includes(status);
}

/**
 * No whole answer arrived: no connection, a reset, or `timeoutMs` ran out. `cause` holds what
 * happened. The request may or may not have taken effect; sending it again with the same
 * idempotency key gives the one true answer.
 */
export class FlorinConnectionError extends Error {
  override readonly name = "FlorinConnectionError";
}
