/**
 * Which answer ends a connection. A caller may send requests before it has read the answers to those before; the answers go out
 * in the same order. Behind one that is told to be the last none goes out, so nothing is begun there either: the caller could
 * not know how it ended.
 */
import type { OutgoingHttpHeader, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Connections {
  /** Called for each request as it comes in. Whether its connection is still good for an answer. */
  begin(response: ServerResponse): boolean;
  /** Sends the head of an answer, which says whether it is the last one. */
  writeHead(response: ServerResponse, head: Head): void;
  /** From now on each connection ends with the answer to the last request that came in on it. */
  beginClosing(): void;
}

export interface Head {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: OutgoingHttpHeader[];
  /** The connection cannot be used for another request. */
  readonly isLast: boolean;
}

export function createConnections(): Connections {
  const latest = new WeakMap<Socket, ServerResponse>();
  const ended = new WeakSet<Socket>();
  let closing = false;
  return {
    begin(response) {
      // A request of our own has no socket.
      const { socket }: { readonly socket?: Socket } = response.req;
      if (socket === undefined) return true;
      if (ended.has(socket)) return false;
      latest.set(socket, response);
      return true;
    },
    writeHead(response, { status, headers, isLast }) {
      const { socket }: { readonly socket?: Socket } = response.req;
      if (socket !== undefined && (isLast || (closing && latest.get(socket) === response))) {
        ended.add(socket);
        headers.push("Connection", "close");
      }
      response.writeHead(status, headers);
    },
    beginClosing() {
      closing = true;
    },
  };
}
