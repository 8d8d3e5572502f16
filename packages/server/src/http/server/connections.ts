/**
 * Decides which answer closes a connection. After `Connection: close` no further response can be sent on the socket, so
 * pipelined requests behind it are not started. During a shutdown, the answer to the last request received on a
 * connection closes it.
 *
 * The order is kept as numbers on sockets and responses. A map from sockets to responses would keep each response in
 * memory until the next request.
 */
import type { OutgoingHttpHeader, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Connections {
  /** Called for each request in the order of arrival. */
  arrive(response: ServerResponse): void;
  /** Called before a request is started. False when the connection can carry no further answer. */
  begin(response: ServerResponse): boolean;
  /** Writes the status and headers, and adds `Connection: close` to the last answer. */
  writeHead(response: ServerResponse, head: AnswerHead): void;
  /** From now on, the answer to the last request received on a connection closes it. */
  beginClosing(): void;
}

export interface AnswerHead {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: OutgoingHttpHeader[];
  /** The connection cannot be used for another request. */
  readonly isLast: boolean;
}

/** On a socket: the number of requests received, or `ENDED`. On a response: the number of its request. */
const place = Symbol("place in the order of a connection");
const ENDED = -1;

interface Placed {
  [place]?: number;
}

export function createConnections(): Connections {
  let closing = false;
  return {
    arrive(response: ServerResponse & Placed) {
      const socket = socketOf(response);
      const before = socket?.[place] ?? 0;
      if (socket === undefined || before === ENDED) return;
      socket[place] = before + 1;
      response[place] = before + 1;
    },
    begin: (response) => socketOf(response)?.[place] !== ENDED,
    writeHead(response: ServerResponse & Placed, { status, headers, isLast }) {
      const socket = socketOf(response);
      if (socket !== undefined && (isLast || (closing && socket[place] === response[place]))) {
        socket[place] = ENDED;
        headers.push("Connection", "close");
      }
      response.writeHead(status, headers);
    },
    beginClosing() {
      closing = true;
    },
  };
}

/** A request that was injected without a socket has none. */
function socketOf({ req }: ServerResponse): (Socket & Placed) | undefined {
  return req.socket;
}
