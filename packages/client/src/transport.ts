import { type ErrorCode, FlorinConnectionError, FlorinError } from "./errors.ts";
import { chance, newIdempotencyKey, startDeadline, unlessAborted } from "./host.ts";
import { type Call, isSigned, requestInit, type Sender, targetOf } from "./request.ts";
import { isRepeatable, isRetryableStatus, type Method, retryDelayMs } from "./retry.ts";
import { asObject, parseJson } from "./wallet/outside-json.ts";

/** Options of every call. */
export interface ReadOptions {
  /** Aborts the call and its pauses between tries. */
  readonly signal?: AbortSignal;
  /** The time limit of one try, from sending to the last byte of the answer. 60 000 when absent. */
  readonly timeoutMs?: number;
}

/** Options of a read of one object that can name its parties. */
export interface ExpandOptions extends ReadOptions {
  readonly expand?: "parties";
}

/** The query of a read with these options; none without them. */
export function expanding(expand: ExpandOptions["expand"]) {
  return expand === undefined ? {} : { query: { expand } };
}

export interface RequestOptions extends ReadOptions {
  /** The idempotency key of a POST. When absent, a random one is used for all tries of the call. */
  readonly idempotencyKey?: string;
}

/** Called before each pause. */
export interface RetryNotice {
  readonly method: Method;
  /** A secret code in the path is replaced by `{code}`. */
  readonly path: string;
  /** The number of failed tries, at least 1. */
  readonly failures: number;
  readonly delayMs: number;
  readonly error: FlorinError | FlorinConnectionError;
}

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export interface TransportSettings extends Sender {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly retries: number;
  readonly onRetry: ((notice: RetryNotice) => void) | undefined;
  readonly sleep: (delayMs: number, signal?: AbortSignal) => Promise<void>;
}

/** Sends one call and returns the parsed answer; undefined for an answer without a body. */
export type SendCall = <Answer>(call: Call, options?: RequestOptions) => Promise<Answer>;

const DEFAULT_TIMEOUT_MS = 60_000;

interface Try {
  readonly method: Method;
  readonly isList: boolean;
  readonly path: string;
  readonly url: string;
  readonly init: RequestInit;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** An earlier try may have taken effect, or an earlier call under the caller's own key. */
  readonly isRepeat: boolean;
}

type Outcome =
  | { readonly kind: "answer"; readonly value: unknown }
  | { readonly kind: "final"; readonly error: FlorinError }
  | {
      readonly kind: "again";
      readonly error: FlorinError | FlorinConnectionError;
      readonly retryAfter: string | null;
    };

export function createTransport(settings: TransportSettings): SendCall {
  return async <Answer>(call: Call, options: RequestOptions = {}) => {
    const isKeyed = call.method === "POST" && call.isDryRun !== true;
    const key = isKeyed ? (options.idempotencyKey ?? newIdempotencyKey()) : undefined;
    const { path, target } = targetOf(call);
    const attempt: Try = {
      method: call.method,
      isList: call.isList === true,
      path,
      url: settings.baseUrl + target,
      init: requestInit(settings, call, key),
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      isRepeat: options.idempotencyKey !== undefined,
    };
    const isHarmless =
      call.isDryRun === true ||
      isRepeatable(call.method, { idempotencyKey: key, isSigned: isSigned(call) });
    const retries = isHarmless ? settings.retries : 0;
    return (await sendUntilAnswered(settings, attempt, retries)) as Answer;
  };
}

async function sendUntilAnswered(
  settings: TransportSettings,
  call: Try,
  retries: number,
): Promise<unknown> {
  let attempt = call;
  for (let failures = 1; ; failures += 1) {
    const outcome = await sendOnce(settings.fetch, attempt);
    if (outcome.kind === "answer") return outcome.value;
    if (outcome.kind === "final" || failures > retries) throw outcome.error;
    const { error, retryAfter } = outcome;
    const delayMs = retryDelayMs({ failures, retryAfter, chance: chance() });
    if (delayMs === undefined) throw error;
    const { method, path } = attempt;
    settings.onRetry?.({ method, path, failures, delayMs, error });
    await pauseUnlessAborted(settings.sleep, delayMs, attempt.signal);
    if (!(error instanceof FlorinError && error.isOutcomeKnown)) {
      attempt = { ...attempt, isRepeat: true };
    }
  }
}

/** A custom `sleep` may ignore the signal, so the signal is raced against it. */
async function pauseUnlessAborted(
  sleep: TransportSettings["sleep"],
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal === undefined) return sleep(delayMs);
  signal.throwIfAborted();
  await unlessAborted(sleep(delayMs, signal), signal);
  signal.throwIfAborted();
}

async function sendOnce(doFetch: Fetch, attempt: Try): Promise<Outcome> {
  attempt.signal?.throwIfAborted();
  const deadline = startDeadline(attempt.timeoutMs, attempt.signal);
  const exchange = async () => {
    const response = await doFetch(attempt.url, { ...attempt.init, signal: deadline.signal });
    return { response, text: await response.text() };
  };
  try {
    const { response, text } = await unlessAborted(exchange(), deadline.signal);
    return judge(attempt, response, text);
  } catch (cause) {
    attempt.signal?.throwIfAborted();
    const what = `${attempt.method} ${attempt.path}: ${reasonOf(cause)}`;
    const error = new FlorinConnectionError(what, { cause });
    return { kind: "again", error, retryAfter: null };
  } finally {
    deadline.clear();
  }
}

/** Node's message is "fetch failed"; the error code is in `cause`. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code } = asObject(cause.cause) ?? {};
  return typeof code === "string" ? `${cause.message} (${code})` : cause.message;
}

/** A success with an unreadable body may be truncated, so it counts as no answer. */
function judge(attempt: Try, response: Response, text: string): Outcome {
  if (response.status === 204 && attempt.method === "DELETE") {
    return { kind: "answer", value: undefined };
  }
  const parsed = parseJson(text);
  if (response.ok && isAnswer(parsed, attempt)) return { kind: "answer", value: parsed };
  const error = toError(attempt, response, parsed);
  return response.ok || isRetryableStatus(response.status)
    ? { kind: "again", error, retryAfter: response.headers.get("retry-after") }
    : { kind: "final", error };
}

function isAnswer(parsed: unknown, { isList }: Try): boolean {
  const members = asObject(parsed);
  return members !== undefined && (!isList || Array.isArray(members.data));
}

function toError({ method, isRepeat }: Try, response: Response, parsed: unknown): FlorinError {
  const { status } = response;
  const { code, message, details: given } = asObject(parsed) ?? {};
  const details = asObject(given);
  const { requestId: named } = details ?? {};
  const requestId =
    response.headers.get("x-request-id") ?? (typeof named === "string" ? named : undefined);
  if (status >= 400 && typeof code === "string" && typeof message === "string") {
    return new FlorinError({
      status,
      code: code as ErrorCode,
      message,
      details,
      requestId,
      isRepeat,
      method,
    });
  }
  const text = `The answer with status ${status} is not in the form of this API`;
  return new FlorinError({ status, code: "UNEXPECTED_ANSWER", message: text, requestId });
}
