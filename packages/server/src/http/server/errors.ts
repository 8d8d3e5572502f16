import type { Answer } from "../../engine/command.ts";
import { messageOfCode, Refusal, type RefusalCode, statusOf } from "../../engine/refusal.ts";
import { Fault } from "../../std/errors.ts";
import type { JsonObject } from "../../std/json.ts";
import type { FailedRequest, FailureLog } from "./failure-log.ts";

/** An error answer and the values of its headers. */
export interface ErrorAnswer extends Answer {
  /** The value of `Retry-After`, for errors that may be retried. */
  readonly retryAfterSeconds?: number;
  /** The methods that the path supports, as the `Allow` header. */
  readonly allow?: string;
  /** The connection cannot be used for another request. */
  readonly closeConnection?: boolean;
  /** The scheme of `WWW-Authenticate` on a 401; Basic when absent. A browser opens no dialog for one that it does not know. */
  readonly challenge?: "Basic" | "Bearer" | "Session";
  /** Further headers; names and values in turn. */
  readonly notes?: readonly string[];
}

/** The caller sends too slowly or not at all. The connection is closed after the answer. */
export class Stalled extends Error {
  override readonly name = "Stalled";
}

/** The answer to a `Stalled` request. */
export const stalled = {
  status: 408,
  code: "INVALID_REQUEST_FORMAT",
  message: "The request took too long to arrive.",
} as const;

/**
 * Whether the same request may succeed when it is sent again: the value of `X-Should-Retry`. Absent when the status does not show it, as
 * after a bug of ours.
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

/** The error body of a refusal. It is stored, so a replay under the same key answers the same bytes. */
export function toErrorAnswer(refusal: Refusal): Answer {
  return {
    status: refusal.status,
    body: toErrorBody(refusal.code, refusal.message, refusal.details),
  };
}

/** The answer to any thrown value. The details of a fault or a bug go to the log, not to the caller. */
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

/** Adds `Retry-After` to a 429 of the engine. */
export function withRetryAfter(answer: Answer): ErrorAnswer {
  const { details } = JSON.parse(answer.body) as { readonly details?: JsonObject };
  const seconds = details?.retryAfterSeconds;
  return { ...answer, retryAfterSeconds: typeof seconds === "number" ? seconds : 1 };
}

/** Adds the request id that every 5xx carries. A 5xx is never stored under an idempotency key. */
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
