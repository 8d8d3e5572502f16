import type { Socket } from "node:net";
import { shouldRetry } from "./errors.ts";
import { closedPolicy, jsonContentType, securityHeaders } from "./send.ts";

/** What is answered when there is no request to answer: bytes that are not HTTP, too much of a head, too slow a caller. */
export function answerBrokenRequest(
  error: { readonly code?: string },
  socket: Socket,
  requestId: string,
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (socket.writable) socket.end(toAnswer(reasonOf(error.code), requestId));
  else socket.destroy();
}

/** CONNECT reaches the server as a socket, not as a request. */
export function answerConnect(socket: Socket, requestId: string): void {
  // Node has let go of the socket: an error without a listener would end the process.
  socket.on("error", () => socket.destroy());
  socket.end(
    toAnswer(
      {
        status: 405,
        phrase: "Method Not Allowed",
        code: "METHOD_NOT_ALLOWED",
        message: "This server does not open tunnels.",
      },
      requestId,
    ),
  );
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

function toAnswer({ status, phrase, code, message }: Reason, requestId: string): string {
  const body = JSON.stringify({ status, code, message });
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
