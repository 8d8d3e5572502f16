/**
 * One API call with its retries. A call that may have taken effect is retried only where that is safe: GET and PUT, and a POST
 * under its idempotency key. The bytes of the answer are kept unchanged.
 */
import { NotReached, NotSignedIn, Refused } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, parseJson } from "../json.ts";
import type { Method } from "../operations/operation-row.ts";

export interface Request {
  readonly method: Method;
  /** The path below the version segment, with the query. */
  readonly target: string;
  readonly body?: string | FormData | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly idempotencyKey?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly text: string;
}

export interface Endpoint {
  readonly url: string;
  readonly authorization: string | undefined;
}

const TRIES = 4;
const TIMEOUT_MS = 60_000;
const FIRST_DELAY_MS = 250;
const LONGEST_ASKED_DELAY_MS = 60_000;

interface Outcome {
  readonly answer?: Answer;
  /** Why the call is worth another try. */
  readonly lost?: string;
  readonly retryAfter?: string | null;
}

/** Returns the answer of the last try, whatever its status; `accepted` checks it. Throws when no answer came. */
export async function send(host: Host, endpoint: Endpoint, request: Request): Promise<Answer> {
  for (let failures = 1; ; failures += 1) {
    const { answer, lost, retryAfter } = await sendOnce(host, endpoint, request);
    if (answer !== undefined && lost === undefined) return answer;
    const delayMs = delayBefore(failures, retryAfter ?? null);
    const isAgain =
      isRepeatable(request, answer?.status) && failures < TRIES && !host.stopped.aborted;
    if (!isAgain || delayMs === undefined) {
      if (answer !== undefined) return answer;
      throw new NotReached(lost ?? "no answer");
    }
    host.writeError(`florin: ${lost}; trying again in ${delayMs} ms\n`);
    await host.pause(delayMs, host.stopped);
  }
}

/** A call that was answered with 429 had no effect. */
function isRepeatable(request: Request, status: number | undefined): boolean {
  const { method, idempotencyKey } = request;
  if (status === 429 || method === "GET" || method === "PUT") return true;
  return method === "POST" && idempotencyKey !== undefined;
}

function delayBefore(failures: number, retryAfter: string | null): number | undefined {
  const ownMs = FIRST_DELAY_MS * 2 ** (failures - 1);
  if (retryAfter === null || !/^\d{1,6}$/.test(retryAfter)) return ownMs;
  const askedMs = Number(retryAfter) * 1000;
  return askedMs > LONGEST_ASKED_DELAY_MS ? undefined : Math.max(ownMs, askedMs);
}

async function sendOnce(host: Host, endpoint: Endpoint, request: Request): Promise<Outcome> {
  const { method, target } = request;
  const shown = `${method} ${endpoint.url}${target.replace(/\?.*$/s, "")}`;
  try {
    const response = await host.fetch(endpoint.url + target, {
      method,
      headers: headersOf(endpoint, request),
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), host.stopped]),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { status } = response;
    const answer = { status, bytes, text: new TextDecoder().decode(bytes) };
    if (!isLost(status)) return { answer };
    const lost = `${shown}: ${status}${codeIn(answer.text)}`;
    return { answer, lost, retryAfter: response.headers.get("retry-after") };
  } catch (error) {
    if (error instanceof TypeError && error.cause === undefined) throw error;
    return { lost: `${shown}: ${reasonOf(error)}` };
  }
}

/** After 501 and 505 a retry would get the same answer. */
function isLost(status: number): boolean {
  if (status === 501 || status === 505) return false;
  return status >= 500 || status === 408 || status === 429;
}

function codeIn(text: string): string {
  const code = asText(asObject(parseJson(text))?.code);
  return code === undefined ? "" : ` ${code}`;
}

function headersOf(endpoint: Endpoint, request: Request): Headers {
  const headers = new Headers({ accept: "application/json", "user-agent": "florin-cli" });
  const all: Record<string, string | undefined> = {
    ...request.headers,
    authorization: endpoint.authorization,
    "idempotency-key": request.idempotencyKey,
    "content-type": typeof request.body === "string" ? "application/json" : undefined,
  };
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) continue;
    try {
      headers.set(name, value);
    } catch {
      // The error of `Headers` would show the value.
      throw new TypeError(`the value of the header ${name} cannot be sent`);
    }
  }
  return headers;
}

/** Node's message is "fetch failed"; its cause has the reason. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  const cause = asObject(error.cause);
  const reason = asText(cause?.code) ?? asText(cause?.message);
  return reason === undefined ? error.message : `${error.message} (${reason})`;
}

/** Throws for a refusal, and for an answer that does not have the form of the API. */
export function accepted(answer: Answer): Answer {
  const { status, text } = answer;
  if (status >= 200 && status < 300) return answer;
  const body = asObject(parseJson(text));
  const code = asText(body?.code) ?? "UNEXPECTED_ANSWER";
  const message = asText(body?.message) ?? `status ${status}, which is not in the form of this API`;
  const told = [message, ...faultsIn(asObject(body?.details)?.errors)].join("\n  ");
  if (status === 401) throw new NotSignedIn(`${code}: ${told}`);
  if (status >= 500 || status < 400) throw new NotReached(`${code}: ${told}`);
  throw new Refused({ code, status, message: told });
}

function faultsIn(errors: unknown): readonly string[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((one) => {
    const { field, reason, message } = asObject(one) ?? {};
    const words = asText(reason) ?? asText(message);
    return words === undefined ? [] : [`${asText(field) ?? "request"}: ${words}`];
  });
}
