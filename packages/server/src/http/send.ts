import type { OutgoingHttpHeader, ServerResponse } from "node:http";
import type { Answer, Answered } from "../engine/command.ts";
import type { ErrorAnswer } from "./errors.ts";

/** Something to look at rather than to call: the reference, health, metrics. */
export interface Page {
  readonly contentType: string;
  readonly contentPolicy: string;
  readonly body: Buffer | string;
}

/** A page that is not simply there: with a status and headers of its own. */
export interface SentPage extends Page {
  readonly status?: number;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
}

/** Writes answers. Every one carries the request's id and the same few security headers. */
export interface Sender {
  answer(
    response: ServerResponse,
    requestId: string,
    answer: (Answer | Answered) & Pick<ErrorAnswer, "challenge">,
  ): void;
  refusal(response: ServerResponse, requestId: string, answer: ErrorAnswer): void;
  page(response: ServerResponse, requestId: string, page: SentPage): void;
  /** From now on each answer is the last one on its connection. */
  beginClosing(): void;
}

export const jsonContentType = "application/json; charset=utf-8";
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The headers of every answer, besides what it is and how long it is. */
export function securityHeaders(contentPolicy: string): string[] {
  return [
    "Cache-Control",
    "no-store",
    "X-Content-Type-Options",
    "nosniff",
    "Content-Security-Policy",
    contentPolicy,
    "Referrer-Policy",
    "no-referrer",
  ];
}

export function createSender(options: { readonly secureOrigin: boolean }): Sender {
  const transport = options.secureOrigin ? ["Strict-Transport-Security", "max-age=31536000"] : [];
  const always = [...securityHeaders(closedPolicy), ...transport];
  let closing = false;

  function write(
    response: ServerResponse,
    answer: Answer & Pick<ErrorAnswer, "challenge">,
    headers: OutgoingHttpHeader[],
  ): void {
    const { challenge = "Basic" } = answer;
    if (response.headersSent || response.destroyed) return;
    if (closing) headers.push("Connection", "close");
    if (answer.status === 401) headers.push("WWW-Authenticate", `${challenge} realm="florin"`);
    if (answer.body === "") {
      if (answer.status !== 204) headers.push("Content-Length", "0");
      response.writeHead(answer.status, headers);
      response.end();
      return;
    }
    const length = Buffer.byteLength(answer.body);
    headers.push("Content-Type", jsonContentType, "Content-Length", String(length));
    response.writeHead(answer.status, headers);
    response.end(answer.body);
  }

  return {
    answer(response, requestId, answer) {
      const headers = ["X-Request-Id", requestId, ...always];
      if ("replayed" in answer && answer.replayed) headers.push("Idempotent-Replayed", "true");
      write(response, answer, headers);
    },
    refusal(response, requestId, answer) {
      const headers = ["X-Request-Id", requestId, ...always];
      if (answer.allow !== undefined) headers.push("Allow", answer.allow);
      if (answer.retryAfterSeconds !== undefined) {
        headers.push("Retry-After", String(answer.retryAfterSeconds));
      }
      if (answer.closeConnection === true && !closing) headers.push("Connection", "close");
      write(response, answer, headers);
    },
    page(
      response,
      requestId,
      { contentType, contentPolicy, body, status = 200, headers: own = [] },
    ) {
      if (response.headersSent || response.destroyed) return;
      const length = String(Buffer.byteLength(body));
      const headers = ["X-Request-Id", requestId, ...securityHeaders(contentPolicy), ...transport];
      headers.push("Content-Type", contentType, "Content-Length", length, ...own);
      if (closing) headers.push("Connection", "close");
      response.writeHead(status, headers);
      response.end(body);
    },
    beginClosing() {
      closing = true;
    },
  };
}
