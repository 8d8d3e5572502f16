import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { messageOfCode, Refusal } from "../../engine/refusal.ts";
import { versionPath } from "../request/operation.ts";
import type { CallLog } from "./call-log.ts";
import { type ErrorAnswer, toAnswerOfThrown, toErrorBody } from "./errors.ts";
import type { FailureLog } from "./failure-log.ts";
import type { Metrics } from "./metrics.ts";
import type { Page, Sender } from "./send.ts";

/** A request and its reply, taken out of Fastify's hands. */
export interface Turn {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers what belongs to no operation. */
export interface Unrouted {
  show(turn: Turn, page: Page): void;
  refuse(turn: Turn, answer: ErrorAnswer): void;
  /** Says no to a request that is kept from Fastify. */
  turnAway(response: ServerResponse, requestId: string, answer: ErrorAnswer): void;
  /** Says no to whatever was thrown; `allow` goes with a method that the path does not take. */
  fail(turn: Turn, thrown: unknown, allow?: string): void;
}

export function createUnrouted(tools: {
  readonly sender: Sender;
  readonly failureLog: FailureLog;
  readonly metrics: Metrics;
  readonly callLog: CallLog;
}): Unrouted {
  const { sender, failureLog, callLog } = tools;
  const figures = tools.metrics.requests(UNROUTED);

  function turnAway(response: ServerResponse, requestId: string, answer: ErrorAnswer): void {
    const { status, body } = answer;
    sender.refusal(response, requestId, answer);
    figures.record(status, 0);
    callLog.record({ requestId, operationId: UNROUTED, status, durationMs: 0, body });
  }

  function refuse({ request, reply }: Turn, answer: ErrorAnswer): void {
    if (!reply.sent) reply.hijack();
    turnAway(reply.raw, request.id, answer);
  }

  return {
    refuse,
    turnAway,
    show({ request, reply }, page) {
      if (!reply.sent) reply.hijack();
      sender.page(reply.raw, request.id, page);
      figures.record(200, 0);
      const call = { requestId: request.id, operationId: UNROUTED };
      callLog.record({ ...call, status: 200, durationMs: 0 });
    },
    fail(turn, thrown, allow) {
      const requestId = turn.request.id;
      const answer = toAnswerOfThrown(thrown, { requestId, operationId: UNROUTED, failureLog });
      refuse(turn, allow === undefined ? answer : { ...answer, allow });
    },
  };
}

export const UNROUTED = "unrouted";

/** What Fastify found wrong before any route was reached. */
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

/** Says what most often keeps a path from being found: the version that is left out, a slash at the end. */
export function nothingAt(url: string): Refusal {
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
 * Why the head of a request cannot be trusted; undefined when it can. HTTP/1.1 asks for exactly one `Host`. Of a repeated
 * `Host`, `Authorization` or `Content-Type` Node keeps the first and drops the others, where a proxy in front may have gone by
 * another one. Node joins any other repeated header with a comma, and its own rule then refuses it.
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

/** It is unknown whether the body of such a request will arrive. */
export const unmetExpectation: ErrorAnswer = {
  status: 417,
  body: JSON.stringify({
    status: 417,
    code: "INVALID_REQUEST_FORMAT",
    message: "The only Expect value supported is 100-continue.",
  }),
  closeConnection: true,
};

/** Callers that do not read hold as much memory as answers may take. */
export const tooManyUnread: ErrorAnswer = {
  status: 503,
  body: toErrorBody("SERVICE_UNAVAILABLE"),
  retryAfterSeconds: 1,
  closeConnection: true,
};
