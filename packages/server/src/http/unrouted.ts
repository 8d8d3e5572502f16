import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { messageOfCode, Refusal } from "../engine/refusal.ts";
import { type ErrorAnswer, toAnswerOfThrown, toErrorBody } from "./errors.ts";
import type { FailureLog } from "./failure-log.ts";
import type { Metrics } from "./metrics.ts";
import { versionPath } from "./operation.ts";
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
}): Unrouted {
  const { sender, failureLog } = tools;
  const figures = tools.metrics.requests(UNROUTED);

  function turnAway(response: ServerResponse, requestId: string, answer: ErrorAnswer): void {
    sender.refusal(response, requestId, answer);
    figures.record(answer.status, 0);
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
    },
    fail(turn, thrown, allow) {
      const requestId = turn.request.id;
      const answer = toAnswerOfThrown(thrown, { requestId, operationId: UNROUTED, failureLog });
      refuse(turn, allow === undefined ? answer : { ...answer, allow });
    },
  };
}

const UNROUTED = "unrouted";

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

/** HTTP/1.1 asks every request for its host, once; the version before did not know the header. */
export function lacksHost({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  return headers.host === undefined ? httpVersion === "1.1" : isHostTwice(rawHeaders);
}

/** Of two hosts Node keeps the first in silence, and whoever stands before us may have gone by the second. */
function isHostTwice(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

export const noHost: ErrorAnswer = {
  status: 400,
  body: toErrorBody("INVALID_REQUEST_FORMAT", "The request must have exactly one Host header."),
  closeConnection: true,
};

/** Whether the body of such a request will come, nobody knows. */
export const unmetExpectation: ErrorAnswer = {
  status: 417,
  body: JSON.stringify({
    status: 417,
    code: "INVALID_REQUEST_FORMAT",
    message: "The only Expect value supported is 100-continue.",
  }),
  closeConnection: true,
};
