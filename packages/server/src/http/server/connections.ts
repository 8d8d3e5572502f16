/**
 * Decides which answer closes a connection. After `Connection: close` no further response can be sent on the socket, so
 * pipelined requests behind it are not started. During a shutdown, the answer to the last request received on a
 * connection closes it.
 *
 * The order is kept as numbers on sockets and responses. A map from sockets to responses would keep each response in
 * memory until the next request.
 */
import type { OutgoingHttpHeader, Server, ServerResponse } from "node:http";
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
const sequenceNumber = Symbol("place in the order of a connection");
const ENDED = -1;

interface Numbered {
  [sequenceNumber]?: number;
}

export function createConnections(): Connections {
  let closing = false;
  return {
    arrive(response: ServerResponse & Numbered) {
      const socket = socketOf(response);
      const before = socket?.[sequenceNumber] ?? 0;
      if (socket === undefined || before === ENDED) return;
      socket[sequenceNumber] = before + 1;
      response[sequenceNumber] = before + 1;
    },
    begin: (response) => socketOf(response)?.[sequenceNumber] !== ENDED,
    writeHead(response: ServerResponse & Numbered, { status, headers, isLast }) {
      const socket = socketOf(response);
      if (
        socket !== undefined &&
        (isLast || (closing && socket[sequenceNumber] === response[sequenceNumber]))
      ) {
        socket[sequenceNumber] = ENDED;
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
function socketOf({ req }: ServerResponse): (Socket & Numbered) | undefined {
  return req.socket;
}

export interface SilentConnections {
  /** Destroys the connections that are silent now. */
  end(): void;
}

/**
 * Connections on which no byte has arrived: browsers, pools and load balancers open some in advance. Node counts them
 * as active requests, so a shutdown would wait for them.
 */
export function watchSilentConnections(server: Server): SilentConnections {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return {
    end() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
