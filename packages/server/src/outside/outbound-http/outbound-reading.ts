/**
 * Bounds the bytes that undici reads of one answer, in each chunk and in total. undici bounds the fields of a head and of a
 * trailer, but creates an error with a stack for each further field in the same chunk, and it does not bound chunk extensions
 * or the whole answer. Without this a receiver could use up the CPU of the process.
 *
 * Bounds: the bytes of a chunk; the bytes of an answer, beyond which the socket is destroyed.
 */
import type { Socket } from "node:net";
import { OutboundFailed } from "./outbound-errors.ts";

const PIECE_BYTES = 1_024;

/** The returned function is called before each further request on the socket. */
export function boundReading(socket: Socket, maxBytes: () => number): () => void {
  const read = socket.read.bind(socket);
  let left = maxBytes();

  socket.read = () => {
    if (socket.destroyed) return null;
    const buffered = socket.readableLength;
    const piece = buffered > PIECE_BYTES ? read(PIECE_BYTES) : read();
    if (piece === null) return null;
    left -= piece.length;
    if (left >= 0) return piece;
    socket.destroy(new OutboundFailed("too-large"));
    return null;
  };
  return () => {
    left = maxBytes();
  };
}
