/**
 * A server may say `100 Continue` before its answer without an `Expect` header (RFC 9110, 15.2), and some do. undici
 * takes that for a broken answer, so such heads are taken out of what it reads.
 *
 * Bounds: the number of such heads before one answer, and the bytes held until a head is complete. Beyond them undici reads the bytes and
 * refuses the answer.
 */
import type { Socket } from "node:net";

const HEADS_DROPPED = 16;
const MAX_HEAD_BYTES = 16_384;
const BEGIN = Buffer.from("HTTP/1.1 100");
const END = "\r\n\r\n";
const NOTHING = Buffer.alloc(0);

/** The returned function is called before each further request on the socket. */
export function dropContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  let isAwaited = true;
  let held = NOTHING;
  let dropped = 0;

  /** The part of the held bytes that belongs to the answer; null until more bytes arrive. */
  function answered(): Buffer | null {
    while (isAwaited) {
      const begun = held.subarray(0, BEGIN.length);
      if (!BEGIN.subarray(0, begun.length).equals(begun)) break;
      const end = held.indexOf(END);
      if (dropped === HEADS_DROPPED || held.length > MAX_HEAD_BYTES) break;
      if (end === -1) return null;
      held = held.subarray(end + END.length);
      dropped++;
    }
    isAwaited = false;
    const rest = held;
    held = NOTHING;
    return rest;
  }

  socket.read = (size?: number) => {
    for (let chunk = read(size); chunk !== null; chunk = read(size)) {
      if (!isAwaited) return chunk;
      held = Buffer.concat([held, chunk]);
      const answer = answered();
      if (answer !== null) return answer;
    }
    return null;
  };
  return () => {
    isAwaited = true;
    dropped = 0;
  };
}
