/**
 * Which answer ends a connection. After `Connection: close` no further response can be sent on the socket, so pipelined
 * requests behind it are not started. During a stop, the answer to the last request that came in on a connection closes it.
 *
 * The order is kept as numbers on sockets and responses: a map from sockets to responses would keep each response in memory
 * until the next request comes.
 */
import type { OutgoingHttpHeader, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Connections {
  /** Called for each request as it comes in, in their order. */
  arrive(response: ServerResponse): void;
  /** Called when a request is started. Whether its connection is still good for an answer. */
  begin(response: ServerResponse): boolean;
  /** Sends the head of an answer, which says whether it is the last one. */
  writeHead(response: ServerResponse, head: AnswerHead): void;
  /** From now on each connection ends with the answer to the last request that came in on it. */
  beginClosing(): void;
}

export interface AnswerHead {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: OutgoingHttpHeader[];
  /** The connection cannot be used for another request. */
  readonly isLast: boolean;
}

/** On a connection: how many requests have come in on it, or `ENDED`. On an answer: which of them it is to. */
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

/** A request of our own has none. */
function socketOf({ req }: ServerResponse): (Socket & Placed) | undefined {
  return req.socket;
}
