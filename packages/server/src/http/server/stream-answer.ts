/**
 * Answers that are sent piece by piece, with backpressure: a piece is made when the connection has taken the one before.
 *
 * Bounds: one piece of each answer in memory. A caller that does not read is cut off by the time limit of silent connections. A shutdown
 * asks every stream to end; a stream that has not ended in time is cut with its connection.
 */
import type { ServerResponse } from "node:http";
import type { StreamedAnswer, StreamLife } from "../request/operation.ts";

export interface StreamedBy {
  readonly answer: StreamedAnswer;
  readonly confirm: StreamLife["confirm"];
}

/** Writes the head of a streamed answer. */
type WriteHead = (response: ServerResponse, requestId: string, answer: StreamedAnswer) => void;

export function createStreams(writeHead: WriteHead) {
  const open = new Set<Life>();
  let closing = false;
  return {
    beginClosing(): void {
      closing = true;
      for (const life of open) life.end();
    },
    /** Rejects with the error that the stream threw before its first piece. */
    async send(
      response: ServerResponse,
      requestId: string,
      { answer, confirm }: StreamedBy,
    ): Promise<void> {
      const life = new Life(confirm);
      open.add(life);
      response.once("close", () => life.end());
      // The server keeps connections whose caller has ended its side.
      if (answer.endsWithCaller === true)
        response.req.socket?.once("end", () => response.destroy());
      if (closing || response.destroyed) life.end();
      try {
        await sendPieces(response, answer.body(life), () => writeHead(response, requestId, answer));
      } finally {
        open.delete(life);
      }
    },
  };
}

class Life implements StreamLife {
  readonly confirm: StreamLife["confirm"];
  readonly #tasks: (() => void)[] = [];
  #isEnding = false;

  constructor(confirm: StreamLife["confirm"]) {
    this.confirm = confirm;
  }

  isEnding(): boolean {
    return this.#isEnding;
  }

  onEnding(task: () => void): void {
    if (this.#isEnding) task();
    else this.#tasks.push(task);
  }

  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    for (const task of this.#tasks) task();
  }
}

async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<string | Buffer>,
  begin: () => void,
): Promise<void> {
  let hasBegun = false;
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return;
      if (!hasBegun) begin();
      hasBegun = true;
      // Without a body there is nothing to wait for.
      if (response.req.method === "HEAD") break;
      if (!response.write(piece)) await writable(response);
    }
    if (response.destroyed) return;
    if (!hasBegun) begin();
    response.end();
  } catch (error) {
    if (!hasBegun) throw error;
    // The head was sent already, so only a truncated body can show the failure to the caller.
    response.destroy();
  }
}

/** Resolves when the connection takes more bytes or is closed. */
function writable(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
