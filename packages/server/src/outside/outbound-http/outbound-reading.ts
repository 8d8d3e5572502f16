/**
 * What undici is given to read of one answer: small pieces, and so many bytes in all. It bounds the fields of a head and of a
 * trailer, but makes an error with a stack for each field beyond the bound that stands in the same piece; and it bounds
 * neither what a chunk says beside its length nor the whole. A receiver could so take the process for itself.
 *
 * Bounds: the bytes of a piece; the bytes of an answer, after which the socket is gone.
 */
import type { Socket } from "node:net";
import { OutboundFailed } from "./outbound-errors.ts";

const PIECE_BYTES = 1_024;

/** What is returned is called before each further request on the socket. */
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
