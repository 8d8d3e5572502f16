import type { Socket } from "node:net";
import { inFormOf } from "../uma/refusal-form.ts";
import type { CallLog } from "./call-log.ts";
import { shouldRetry } from "./errors.ts";
import { closedPolicy, jsonContentType, securityHeaders } from "./send.ts";
import { UNROUTED } from "./unrouted.ts";

/** The log that records such an answer, and the request id that the answer carries. */
export interface SocketTools {
  readonly requestId: string;
  readonly callLog: CallLog;
}

/**
 * Answers on the socket when there is no request: invalid HTTP, a head that is too large, a caller that is too slow.
 */
export function answerBrokenRequest(
  error: { readonly code?: string; readonly rawPacket?: unknown },
  socket: Socket,
  tools: SocketTools,
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const target = targetIn(error.rawPacket);
  if (socket.writable) socket.end(toAnswer(reasonOf(error.code), { ...tools, target }));
  else socket.destroy();
}

/** Refuses CONNECT, which Node emits with a socket and no response. */
export function answerConnect(socket: Socket, tools: SocketTools): void {
  // Node has removed its listeners, so an unhandled socket error would end the process.
  socket.on("error", () => socket.destroy());
  socket.end(
    toAnswer(
      {
        status: 405,
        phrase: "Method Not Allowed",
        code: "METHOD_NOT_ALLOWED",
        message: "This server does not open tunnels.",
      },
      tools,
    ),
  );
}

const LONGEST_METHOD = 16;
/** Longer than the start of any path by which a form is chosen. */
const SHOWN_CHARS = 256;

/** The beginning of the target in the last packet; empty when the request line came in an earlier one. */
function targetIn(packet: unknown): string {
  if (!Buffer.isBuffer(packet)) return "";
  const line = packet.toString("latin1", 0, LONGEST_METHOD + SHOWN_CHARS);
  return /^[A-Z]+ (\S*)/.exec(line)?.[1] ?? "";
}

interface Reason {
  readonly status: number;
  readonly phrase: string;
  readonly code: string;
  readonly message: string;
}

function reasonOf(code: string | undefined): Reason {
  const format = "INVALID_REQUEST_FORMAT";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    const message = "The request took too long to arrive.";
    return { status: 408, phrase: "Request Timeout", code: format, message };
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    const message = "The head of the request is larger than is accepted.";
    return { status: 431, phrase: "Request Header Fields Too Large", code: format, message };
  }
  return { status: 400, phrase: "Bad Request", code: format, message: "This is not HTTP/1.1." };
}

function toAnswer(
  { status, phrase, code, message }: Reason,
  { requestId, callLog, target = "" }: SocketTools & { readonly target?: string },
): string {
  const answer = { status, body: JSON.stringify({ status, code, message }) };
  callLog.record({ requestId, operationId: UNROUTED, durationMs: 0, ...answer });
  const { body } = inFormOf(target, answer);
  const lines = [`HTTP/1.1 ${status} ${phrase}`, `X-Request-Id: ${requestId}`];
  lines.push(`X-Should-Retry: ${shouldRetry(status)}`);
  const security = securityHeaders(closedPolicy);
  for (let index = 0; index < security.length; index += 2) {
    lines.push(`${security[index]}: ${security[index + 1]}`);
  }
  if (status === 405) lines.push("Allow: ");
  lines.push(`Content-Type: ${jsonContentType}`, `Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join("\r\n")}\r\nConnection: close\r\n\r\n${body}`;
}
