/**
 * Runs the requests of a connection one at a time. A caller may send requests before it has read the answers to earlier ones
 * (pipelining), and Node hands over every request of a read at once: started together, they hold the thread for all other
 * connections, and their answers stay in memory until the caller reads.
 *
 * The next request of a connection starts once the answer before it was handed to the operating system, in a later turn
 * of the event loop, so that other connections come in between. A caller that does not read therefore has one answer in
 * memory. At most `MAX_WAITING` requests wait; a further one destroys the connection. What had started by then may be
 * committed: the caller learns it under its idempotency key.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Pipelining {
  /** Starts a request now, or when those before it on its connection are answered. */
  take(response: ServerResponse, start: () => void): void;
}

export const MAX_WAITING = 32;

interface Line {
  isBusy: boolean;
  waiting: (() => void)[];
}

export function createPipelining(options: {
  /** A connection sent more requests ahead than may wait, and was destroyed. */
  readonly onOverflow: (socket: Socket) => void;
}): Pipelining {
  const lines = new WeakMap<Socket, Line>();

  function run(line: Line, response: ServerResponse, start: () => void): void {
    line.isBusy = true;
    response.once("close", () => {
      const next = line.waiting.shift();
      if (next === undefined) line.isBusy = false;
      else setImmediate(next);
    });
    start();
  }

  return {
    take(response, start) {
      const { socket } = response.req;
      let line = lines.get(socket);
      if (line === undefined) {
        line = { isBusy: false, waiting: [] };
        lines.set(socket, line);
      }
      const own = line;
      if (!own.isBusy) run(own, response, start);
      else if (own.waiting.length < MAX_WAITING) {
        own.waiting.push(() => {
          if (!socket.destroyed) run(own, response, start);
        });
      } else {
        own.waiting = [];
        if (!socket.destroyed) socket.destroy();
        options.onOverflow(socket);
      }
    },
  };
}
