import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { messageOfCode, Refusal } from "../../engine/refusal.ts";
import { versionPath } from "../request/operation.ts";
import { inFormOf } from "../uma/refusal-form.ts";
import type { CallLog } from "./call-log.ts";
import { type ErrorAnswer, toAnswerOfThrown, toErrorBody } from "./errors.ts";
import type { FailureLog } from "./failure-log.ts";
import type { Metrics } from "./metrics.ts";
import type { Sender, SentPage } from "./send.ts";

/** A request and its reply, hijacked from Fastify. */
export interface HijackedRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers requests that match no operation. */
export interface Unrouted {
  show(hijacked: HijackedRequest, page: SentPage): void;
  refuse(hijacked: HijackedRequest, answer: ErrorAnswer): void;
  /** Refuses a request that never reached Fastify. */
  refuseRaw(response: ServerResponse, requestId: string, answer: ErrorAnswer): void;
  /** Answers a thrown error; `allow` lists the methods of the path for a 405. */
  fail(hijacked: HijackedRequest, thrown: unknown, allow?: string): void;
}

export function createUnrouted(tools: {
  readonly sender: Sender;
  readonly failureLog: FailureLog;
  readonly metrics: Metrics;
  readonly callLog: CallLog;
}): Unrouted {
  const { sender, failureLog, callLog } = tools;
  const figures = tools.metrics.requests(UNROUTED);

  function refuseRaw(response: ServerResponse, requestId: string, answer: ErrorAnswer): void {
    const { status, body } = answer;
    sender.refusal(response, requestId, inFormOf(response.req.url ?? "", answer));
    figures.record(status, 0);
    callLog.record({ requestId, operationId: UNROUTED, status, durationMs: 0, body });
  }

  function refuse({ request, reply }: HijackedRequest, answer: ErrorAnswer): void {
    if (!reply.sent) reply.hijack();
    refuseRaw(reply.raw, request.id, answer);
  }

  return {
    refuse,
    refuseRaw,
    show({ request, reply }, page) {
      if (!reply.sent) reply.hijack();
      sender.page(reply.raw, request.id, page);
      const { status = 200 } = page;
      figures.record(status, 0);
      callLog.record({ requestId: request.id, operationId: UNROUTED, status, durationMs: 0 });
    },
    fail(hijacked, thrown, allow) {
      const requestId = hijacked.request.id;
      const answer = toAnswerOfThrown(thrown, { requestId, operationId: UNROUTED, failureLog });
      refuse(hijacked, allow === undefined ? answer : { ...answer, allow });
    },
  };
}

export const UNROUTED = "unrouted";

/** The refusal for an error that Fastify found before routing. */
export function toThrown(error: { readonly code: string }): unknown {
  if (error.code === "FST_ERR_BAD_URL") {
    return new Refusal(
      "INVALID_REQUEST_FORMAT",
      undefined,
      "The path is not correctly percent-encoded.",
    );
  }
  if (error.code === "FST_ERR_MAX_PARAM_LENGTH") return new Refusal("NOT_FOUND");
  return error;
}

/** A 404 that names the two most frequent causes: a missing version segment and a trailing slash. */
export function notFoundAt(url: string): Refusal {
  const [path = ""] = url.split("?");
  const plain = messageOfCode("NOT_FOUND");
  if (!path.startsWith(`${versionPath}/`)) {
    return new Refusal(
      "NOT_FOUND",
      undefined,
      `${plain} Operations are below ${versionPath}, their reference is at /docs.`,
    );
  }
  if (!path.endsWith("/")) return new Refusal("NOT_FOUND");
  return new Refusal("NOT_FOUND", undefined, `${plain} No path ends with a slash.`);
}

export function methodNotAllowed(allow: string): Refusal {
  const message = `This path does not take this method: it takes ${allow}.`;
  return new Refusal("METHOD_NOT_ALLOWED", undefined, message);
}

/**
 * Why the head of a request must be refused; undefined when it is valid. HTTP/1.1 requires exactly one `Host`. Of a
 * repeated `Host`, `Authorization` or `Content-Type` Node keeps the first and drops the others, while a proxy in front
 * may have used another one. Node joins any other repeated header with a comma, and that header's own rule then refuses
 * it.
 */
export function headFault({
  httpVersion,
  headers,
  rawHeaders,
}: IncomingMessage): ErrorAnswer | undefined {
  if (headers.host === undefined && httpVersion === "1.1") return noHost;
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!SINGLE_LENGTHS.has(name.length)) continue;
    const refusal = SINGLE_HEADERS.get(name.toLowerCase());
    if (refusal === undefined) continue;
    if (seen.includes(name.toLowerCase())) return refusal;
    seen.push(name.toLowerCase());
  }
  return undefined;
}

function badHead(message: string): ErrorAnswer {
  return {
    status: 400,
    body: toErrorBody("INVALID_REQUEST_FORMAT", message),
    closeConnection: true,
  };
}

const noHost = badHead("The request must have exactly one Host header.");

const SINGLE_HEADERS: ReadonlyMap<string, ErrorAnswer> = new Map([
  ["host", noHost],
  ["authorization", badHead("The request must have at most one Authorization header.")],
  ["content-type", badHead("The request must have at most one Content-Type header.")],
]);
const SINGLE_LENGTHS = new Set([...SINGLE_HEADERS.keys()].map(({ length }) => length));

/** The connection is closed because the body of such a request may never arrive. */
export const unmetExpectation: ErrorAnswer = {
  status: 417,
  body: JSON.stringify({
    status: 417,
    code: "INVALID_REQUEST_FORMAT",
    message: "The only Expect value supported is 100-continue.",
  }),
  closeConnection: true,
};

/** Returned while unread answers exceed their memory limit. */
export const tooManyUnread: ErrorAnswer = {
  status: 503,
  body: toErrorBody("SERVICE_UNAVAILABLE"),
  retryAfterSeconds: 1,
  closeConnection: true,
};
