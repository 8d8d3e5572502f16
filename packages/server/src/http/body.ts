import type { IncomingMessage } from "node:http";
import { Refusal } from "../engine/refusal.ts";
import type { Clock } from "../std/clock.ts";
import { Stalled } from "./errors.ts";

export interface BodyLimits {
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** The body as `readBody` collects it; never settles when the caller goes away first. */
export function bodyOf(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readBody(request, limits, (thrown, bytes) => {
      if (thrown === undefined) resolve(bytes);
      else reject(thrown);
    });
  });
}

/**
 * Collects a request's body within its limits. `done` is called once: with the bytes, with what is thrown, or not at all
 * when the caller goes away first. What is left of a refused body is read and dropped by Node.
 */
export function readBody(
  request: IncomingMessage,
  { bytes: limitBytes, timeoutMs, clock }: BodyLimits,
  done: (thrown: Refusal | Stalled | undefined, bytes: Buffer) => void,
): void {
  const declared = request.headers["content-length"];
  if (declared !== undefined && Number(declared) > limitBytes) {
    done(tooLarge(limitBytes), EMPTY);
    return;
  }
  let held: Buffer = EMPTY;
  let size = 0;
  let pieces = 0;
  const cancelLate = clock.after(timeoutMs, () => giveUp(new Stalled()));

  function giveUp(thrown: Refusal | Stalled): void {
    stopReading();
    done(thrown, EMPTY);
  }

  function stopReading(): void {
    cancelLate();
    request.removeListener("data", collect);
    request.removeListener("end", finish);
    request.removeListener("close", stopReading);
  }

  function collect(chunk: Buffer): void {
    pieces += 1;
    const end = size + chunk.length;
    if (end > limitBytes) {
      giveUp(tooLarge(limitBytes));
    } else if (pieces > FREE_PIECES + end / PIECE_BYTES) {
      giveUp(tooManyPieces());
      // What follows would cost as much: it is not even read, though the answer may be lost with it.
      request.socket.destroy();
    } else {
      held = pieces === 1 ? chunk : appended(held, size, chunk);
      size = end;
    }
  }

  function finish(): void {
    stopReading();
    done(undefined, held.subarray(0, size));
  }

  request.on("data", collect);
  request.on("end", finish);
  request.on("close", stopReading);
}

/** Copies a piece behind the first `size` bytes. Kept as they came, pieces of a byte each would take up a hundred times that. */
function appended(held: Buffer, size: number, piece: Buffer): Buffer {
  const end = size + piece.length;
  const room = end <= held.length ? held : Buffer.allocUnsafeSlow(2 * end);
  if (room !== held) held.copy(room, 0, 0, size);
  piece.copy(room, size);
  return room;
}

/** Refuses a body that is not announced as plain JSON in UTF-8. */
export function refuseOtherContent(headers: IncomingMessage["headers"]): void {
  refuseCompressed(headers);
  const type = headers["content-type"];
  if (type === "application/json" || type === "application/json; charset=utf-8") return;
  if (type === undefined || !JSON_TYPE.test(type)) {
    throw new Refusal(
      "UNSUPPORTED_MEDIA_TYPE",
      undefined,
      "The Content-Type must be application/json, in UTF-8.",
    );
  }
}

export function refuseCompressed(headers: IncomingMessage["headers"]): void {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding === "" || encoding.toLowerCase() === "identity") return;
  throw new Refusal("UNSUPPORTED_MEDIA_TYPE", undefined, "The body must not be compressed.");
}

const EMPTY = Buffer.alloc(0);
/** Each one costs the thread something, however short it is: beyond so many they have to have some length, on average. */
const FREE_PIECES = 1_024;
const PIECE_BYTES = 64;
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?;?$/i;

const MAX_DRAINED_BYTES = 4 * 1024 * 1024;

/**
 * Whether a connection with a refused body on it is better closed: yes, unless the rest is known to be short. A caller
 * that is still writing then gets to read the answer.
 */
export function isWorthClosing(headers: IncomingMessage["headers"]): boolean {
  const declared = headers["content-length"];
  return declared === undefined || Number(declared) > MAX_DRAINED_BYTES;
}

function tooManyPieces(): Refusal {
  return new Refusal("PAYLOAD_TOO_LARGE", undefined, "The body comes in too many pieces.");
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal("PAYLOAD_TOO_LARGE", { maxBytes: limitBytes });
}
