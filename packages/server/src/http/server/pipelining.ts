/**
 * Runs the requests of a connection one at a time. With pipelining, Node emits every request of one socket read at
 * once. Started together, they would block the thread for all other connections, and their answers would stay in memory
 * until the caller reads them.
 *
 * The next request of a connection starts once the previous answer was handed to the operating system, in a later turn
 * of the event loop, so that other connections are served in between. A caller that does not read therefore has one
 * answer in memory. At most `MAX_WAITING` requests wait; a further one destroys the connection. A request that was
 * started by then may be committed; the caller learns the result by a retry under its idempotency key.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Pipelining {
  /** Starts a request now, or after the answers to earlier requests of its connection. */
  take(response: ServerResponse, start: () => void): void;
}

export const MAX_WAITING = 32;

interface RequestQueue {
  isBusy: boolean;
  waiting: (() => void)[];
}

export function createPipelining(options: {
  /** Called when a connection was destroyed because more than `MAX_WAITING` requests waited. */
  readonly onOverflow: (socket: Socket) => void;
}): Pipelining {
  const queues = new WeakMap<Socket, RequestQueue>();

  function run(queue: RequestQueue, response: ServerResponse, start: () => void): void {
    queue.isBusy = true;
    response.once("close", () => {
      const next = queue.waiting.shift();
      if (next === undefined) queue.isBusy = false;
      else setImmediate(next);
    });
    start();
  }

  return {
    take(response, start) {
      const { socket } = response.req;
      let queue = queues.get(socket);
      if (queue === undefined) {
        queue = { isBusy: false, waiting: [] };
        queues.set(socket, queue);
      }
      const own = queue;
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
