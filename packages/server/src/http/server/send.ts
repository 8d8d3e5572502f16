import type { OutgoingHttpHeader, ServerResponse } from "node:http";
import type { Answer, Answered } from "../../engine/command.ts";
import type { ReadyAnswer } from "../request/operation.ts";
import { dropRest } from "../upload/body.ts";
import { type Connections, createConnections } from "./connections.ts";
import { type ErrorAnswer, shouldRetry } from "./errors.ts";
import { createStreams, type StreamedBy } from "./stream-answer.ts";

/** A document rather than an API answer: the reference, health, metrics. */
export interface Page {
  readonly contentType: string;
  readonly contentPolicy: string;
  /** `no-store` when absent. */
  readonly cacheControl?: string;
  readonly body: Buffer | string;
}

/** A page with a status and headers of its own. */
export interface SentPage extends Page {
  readonly status?: number;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
  /** The connection cannot be used for another request. */
  readonly closeConnection?: boolean;
  /** `no-store` when absent. */
  readonly cacheControl?: string;
  /** The body is a buffer of this answer alone, and not one that all callers share. */
  readonly isOwnBuffer?: boolean;
}

/** An answer that is in memory as a whole. */
type WholeAnswer = Answer | Answered | ReadyAnswer;

/** Writes answers. Every answer carries the request id and the security headers. */
export interface Sender extends Pick<Connections, "arrive" | "begin" | "beginClosing"> {
  /** True when unread answers exceed their memory limit. */
  isFull(): boolean;

  answer(
    response: ServerResponse,
    requestId: string,
    answer: WholeAnswer & Pick<ErrorAnswer, "challenge" | "notes">,
  ): void;
  /** Resolves when the stream ends; rejects when the stream fails before its first piece. */
  stream(response: ServerResponse, requestId: string, streamed: StreamedBy): Promise<void>;
  refusal(response: ServerResponse, requestId: string, answer: ErrorAnswer): void;
  page(response: ServerResponse, requestId: string, page: SentPage): void;
}

export const jsonContentType = "application/json; charset=utf-8";
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The security headers of every answer. */
export function securityHeaders(contentPolicy: string, cacheControl = "no-store"): string[] {
  return [
    "Cache-Control",
    cacheControl,
    "X-Content-Type-Options",
    "nosniff",
    "Content-Security-Policy",
    contentPolicy,
    "Referrer-Policy",
    "no-referrer",
  ];
}

/** Smaller answers are not counted: at most one per connection is in memory. */
const COUNTED_BYTES = 4 * 1024;

/** Counts the bytes of answers that were not yet handed to the operating system. */
function createUnsentCount() {
  let bytes = 0;
  return {
    now: () => bytes,
    add(response: ServerResponse, length: number): void {
      if (length < COUNTED_BYTES) return;
      bytes += length;
      response.once("close", () => {
        bytes -= length;
      });
    },
  };
}

/** A streamed answer is the last one on its connection, so a shutdown does not wait for the connection afterwards. */
function streamsOn(connections: Connections, always: readonly string[]) {
  return createStreams((response, requestId, { contentType, headers: own = [] }) => {
    const headers = ["X-Request-Id", requestId, ...always, "Content-Type", contentType, ...own];
    dropRest(response.req);
    connections.writeHead(response, { status: 200, headers, isLast: true });
  });
}

export function createSender(options: {
  readonly secureOrigin: boolean;
  readonly answerBytesInAll: number;
}): Sender {
  const transport = options.secureOrigin ? ["Strict-Transport-Security", "max-age=31536000"] : [];
  const always = [...securityHeaders(closedPolicy), ...transport];
  const connections = createConnections();
  const unsent = createUnsentCount();
  const streams = streamsOn(connections, always);

  function write(
    response: ServerResponse,
    answer: WholeAnswer & Pick<ErrorAnswer, "challenge" | "closeConnection" | "notes">,
    headers: OutgoingHttpHeader[],
  ): void {
    const { status, challenge = "Basic", closeConnection: isLast = false, notes } = answer;
    if (response.headersSent || response.destroyed) return;
    dropRest(response.req);
    if (notes !== undefined) headers.push(...notes);
    const retry = shouldRetry(status);
    if (retry !== undefined) headers.push("X-Should-Retry", retry);
    if (status === 401) headers.push("WWW-Authenticate", `${challenge} realm="florin"`);
    if (answer.body === "") {
      if (status !== 204) headers.push("Content-Length", "0");
      connections.writeHead(response, { status, headers, isLast });
      response.end();
      return;
    }
    const isOwn = typeof answer.body === "string";
    // A long text is encoded here: the socket would take three times its length for it, and count its bytes once more.
    const isLong = answer.body.length >= COUNTED_BYTES;
    const body = isOwn && isLong ? Buffer.from(answer.body) : answer.body;
    const length = Buffer.byteLength(body);
    const { contentType = jsonContentType } = answer as Pick<ReadyAnswer, "contentType">;
    headers.push("Content-Type", contentType, "Content-Length", String(length));
    connections.writeHead(response, { status, headers, isLast });
    // A cached buffer is shared by all callers, so it is not counted.
    if (isOwn) unsent.add(response, length);
    response.end(body);
  }

  return {
    arrive: connections.arrive,
    begin: connections.begin,
    isFull: () => unsent.now() > options.answerBytesInAll,
    beginClosing() {
      connections.beginClosing();
      streams.beginClosing();
    },
    stream: streams.send,
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
      write(response, answer, headers);
    },
    page: pagesOn({ connections, unsent, transport }),
  };
}

function pagesOn({
  connections,
  unsent,
  transport,
}: {
  readonly connections: Connections;
  readonly unsent: ReturnType<typeof createUnsentCount>;
  readonly transport: readonly string[];
}): Sender["page"] {
  return (response, requestId, page) => {
    const { contentType, contentPolicy, body, status = 200, headers: own = [] } = page;
    const { closeConnection: isLast = false, cacheControl, isOwnBuffer = false } = page;
    if (response.headersSent || response.destroyed) return;
    dropRest(response.req);
    const length = Buffer.byteLength(body);
    const security = securityHeaders(contentPolicy, cacheControl);
    const headers = ["X-Request-Id", requestId, ...security, ...transport, ...own];
    // A 304 has no body, and its length would be taken for that of the page.
    if (status !== 304) headers.push("Content-Type", contentType, "Content-Length", String(length));
    connections.writeHead(response, { status, headers, isLast });
    if (typeof body === "string" || isOwnBuffer) unsent.add(response, length);
    response.end(body);
  };
}
