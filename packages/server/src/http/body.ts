import type { IncomingMessage } from "node:http";
import { Refusal } from "../engine/refusal.ts";
import type { Clock } from "../std/clock.ts";
import { Fault } from "../std/errors.ts";
import { Stalled } from "./errors.ts";

export interface BodyLimits {
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly room: BodyRoom;
}

/** Memory for bodies that come in more than one piece: of all callers together. */
export interface BodyRoom {
  /** Whether there was so much left. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

export function createBodyRoom(bytes: number): BodyRoom {
  let left = bytes;
  return {
    take(wanted) {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
    giveBack(taken) {
      left += taken;
    },
  };
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
  { bytes: limitBytes, timeoutMs, clock, room }: BodyLimits,
  done: (thrown: Error | undefined, bytes: Buffer) => void,
): void {
  const declared = request.headers["content-length"];
  if (declared !== undefined && Number(declared) > limitBytes) {
    done(tooLarge(limitBytes), EMPTY);
    return;
  }
  let held: Buffer = EMPTY;
  let size = 0;
  let pieces = 0;
  /** What is held is a copy, for which this much room was taken. */
  let taken = 0;
  const cancelLate = clock.after(timeoutMs, () => giveUp(new Stalled()));

  function giveUp(thrown: Error): void {
    stopReading();
    done(thrown, EMPTY);
  }

  function stopReading(): void {
    cancelLate();
    room.giveBack(taken);
    taken = 0;
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
    } else if (pieces === 1) {
      held = chunk;
      size = end;
    } else if (end > taken && !grow(2 * end)) {
      giveUp(new Fault("too many bodies are on their way"));
    } else {
      chunk.copy(held, size);
      size = end;
    }
  }

  /** Kept as they came, pieces of a byte each would take up a hundred times as much as in a copy. */
  function grow(bytes: number): boolean {
    if (!room.take(bytes - taken)) return false;
    const copy = Buffer.allocUnsafeSlow(bytes);
    held.copy(copy, 0, 0, size);
    held = copy;
    taken = bytes;
    return true;
  }

  function finish(): void {
    stopReading();
    done(undefined, held.subarray(0, size));
  }

  request.on("data", collect);
  request.on("end", finish);
  request.on("close", stopReading);
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
