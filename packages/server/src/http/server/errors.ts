import type { Answer } from "../../engine/command.ts";
import { messageOfCode, Refusal, type RefusalCode, statusOf } from "../../engine/refusal.ts";
import { Fault } from "../../std/errors.ts";
import type { JsonObject } from "../../std/json.ts";
import type { FailedRequest, FailureLog } from "./failure-log.ts";

/** An answer that says no, with what its headers say besides. */
export interface ErrorAnswer extends Answer {
  /** Where coming back is worth it. */
  readonly retryAfterSeconds?: number;
  /** The methods that the path does take. */
  readonly allow?: string;
  /** The connection cannot be used for another request. */
  readonly closeConnection?: boolean;
  /** The kind of credentials that a 401 asks for; Basic when absent. */
  readonly challenge?: "Basic" | "Bearer";
  /** Further headers; names and values in turn. */
  readonly notes?: readonly string[];
}

/** A caller who sends too slowly, or not at all: a matter of the connection, so nothing else is answered on it. */
export class Stalled extends Error {
  override readonly name = "Stalled";
}

/** The answer to such a caller. */
export const stalled = {
  status: 408,
  code: "INVALID_REQUEST_FORMAT",
  message: "The request took too long to arrive.",
} as const;

/**
 * Whether the same request may succeed when it is sent again: the value of `X-Should-Retry`. Absent where the answer does not
 * tell, as after a bug of ours.
 */
export function shouldRetry(status: number): "true" | "false" | undefined {
  if (status === 408 || status === 429 || status === 503) return "true";
  return (status >= 400 && status < 500) || status === 501 ? "false" : undefined;
}

export function toErrorBody(
  code: RefusalCode,
  message: string = messageOfCode(code),
  details?: JsonObject,
): string {
  const status = statusOf(code);
  return JSON.stringify(
    details === undefined ? { status, code, message } : { status, code, message, details },
  );
}

/** The stored form of a refusal: what a replay under the same key gives again, byte for byte. */
export function toErrorAnswer(refusal: Refusal): Answer {
  return {
    status: refusal.status,
    body: toErrorBody(refusal.code, refusal.message, refusal.details),
  };
}

/** The answer to anything thrown on the way; the details of a fault or a bug go to the log, not to the caller. */
export function toAnswerOfThrown(
  thrown: unknown,
  request: FailedRequest & { readonly failureLog: FailureLog },
): ErrorAnswer {
  const { requestId, failureLog } = request;
  if (thrown instanceof Refusal) return refused(thrown, requestId);
  if (thrown instanceof Stalled) {
    return { status: stalled.status, body: JSON.stringify(stalled), closeConnection: true };
  }
  if (thrown instanceof Fault) {
    failureLog.fault(request, thrown);
    return {
      status: 503,
      body: toErrorBody("SERVICE_UNAVAILABLE", undefined, { requestId }),
      retryAfterSeconds: thrown.retryAfterSeconds,
    };
  }
  failureLog.bug(request, thrown);
  return { status: 500, body: toErrorBody("INTERNAL_ERROR", undefined, { requestId }) };
}

/** What the engine answered, with the header that goes with a 429. */
export function withRetryAfter(answer: Answer): ErrorAnswer {
  const { details } = JSON.parse(answer.body) as { readonly details?: JsonObject };
  const seconds = details?.retryAfterSeconds;
  return { ...answer, retryAfterSeconds: typeof seconds === "number" ? seconds : 1 };
}

/** What a command could not do for want of something here, with the id that every 5xx carries; no such answer is kept. */
export function withRequestId(answer: Answer, requestId: string): Answer {
  const { details, ...body } = JSON.parse(answer.body) as { readonly details?: JsonObject };
  return { ...answer, body: JSON.stringify({ ...body, details: { ...details, requestId } }) };
}

function refused(refusal: Refusal, requestId: string): ErrorAnswer {
  const { status, code, message, details } = refusal;
  const body = toErrorBody(code, message, status >= 500 ? { ...details, requestId } : details);
  if (status !== 429 && status !== 503) return { status, body };
  const seconds = details?.retryAfterSeconds;
  return { status, body, retryAfterSeconds: typeof seconds === "number" ? seconds : 1 };
}

export function rateLimited(retryAfterSeconds: number): Refusal {
  return new Refusal("RATE_LIMITED", { retryAfterSeconds });
}
