import type { IncomingMessage } from "node:http";
import { Refusal } from "../../engine/refusal.ts";
import type { Clock } from "../../std/clock.ts";
import { Fault } from "../../std/errors.ts";
import { Stalled } from "../server/errors.ts";

export interface BodyLimits {
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly room: BodyRoom;
}

/** Memory for bodies that arrive in more than one chunk. */
export interface BodyRoom {
  /** Reserves memory; false when there is not enough. A platform may hold at most as much as is left for the others. */
  take(platform: string, bytes: number): boolean;
  giveBack(platform: string, bytes: number): void;
}

export function createBodyRoom(bytes: number): BodyRoom {
  const ofPlatforms = new Map<string, number>();
  let left = bytes;
  return {
    take(platform, wanted) {
      const own = (ofPlatforms.get(platform) ?? 0) + wanted;
      if (own > left - wanted) return false;
      ofPlatforms.set(platform, own);
      left -= wanted;
      return true;
    },
    giveBack(platform, taken) {
      left += taken;
      const own = (ofPlatforms.get(platform) ?? 0) - taken;
      if (own > 0) ofPlatforms.set(platform, own);
      else ofPlatforms.delete(platform);
    },
  };
}

/** The body as a promise of `readBody`; it never settles when the caller disconnects first. */
export function bodyOf(
  request: IncomingMessage,
  limits: BodyLimits,
  platform: string,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readBody(request, { limits, platform }, (thrown, bytes) => {
      if (thrown === undefined) resolve(bytes);
      else reject(thrown);
    });
  });
}

/**
 * A body in progress. The first chunk is kept as it is; from the second on, the body is copied into reserved memory.
 */
class HeldBody {
  readonly #room: BodyRoom;
  readonly #platform: string;
  #bytes: Buffer = EMPTY;
  #size = 0;
  #pieces = 0;
  #taken = 0;

  constructor(room: BodyRoom, platform: string) {
    this.#room = room;
    this.#platform = platform;
  }

  /** The reason when the chunk is not added. */
  add(piece: Buffer, limitBytes: number): Error | undefined {
    const end = this.#size + piece.length;
    this.#pieces += 1;
    if (end > limitBytes) return tooLarge(limitBytes);
    if (areCrumbs(this.#pieces, end)) return tooManyPieces();
    if (this.#pieces === 1) this.#bytes = piece;
    else if (end > this.#taken && !this.#grow(Math.min(2 * end, limitBytes))) {
      return new Fault("too many bodies are on their way");
    } else piece.copy(this.#bytes, this.#size);
    this.#size = end;
    return undefined;
  }

  whole(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  giveRoomBack(): void {
    if (this.#taken > 0) this.#room.giveBack(this.#platform, this.#taken);
    this.#taken = 0;
  }

  /** Chunks are copied, because one-byte chunks kept as buffers take a hundred times their size. */
  #grow(bytes: number): boolean {
    if (!this.#room.take(this.#platform, bytes - this.#taken)) return false;
    const copy = Buffer.allocUnsafeSlow(bytes);
    this.#bytes.copy(copy, 0, 0, this.#size);
    this.#bytes = copy;
    this.#taken = bytes;
    return true;
  }
}

/**
 * Collects a request's body within its limits. `done` is called once: with the bytes, with an error, or not at all when
 * the caller disconnects first. `dropRest` reads the rest of a refused body. The reserved memory is released when
 * `done` returns, or when its promise settles, because the bytes are in use until then.
 */
export function readBody(
  request: IncomingMessage,
  { limits, platform }: { readonly limits: BodyLimits; readonly platform: string },
  done: (thrown: Error | undefined, bytes: Buffer) => void | Promise<void>,
): void {
  const { bytes: limitBytes, timeoutMs, clock, room } = limits;
  const declared = request.headers["content-length"];
  if (declared !== undefined && Number(declared) > limitBytes) {
    done(tooLarge(limitBytes), EMPTY);
    return;
  }
  const held = new HeldBody(room, platform);
  const cancelLate = clock.after(timeoutMs, () => giveUp(new Stalled()));

  function giveUp(thrown: Error): void {
    drop();
    done(thrown, EMPTY);
  }

  function drop(): void {
    stopReading();
    held.giveRoomBack();
  }

  function stopReading(): void {
    cancelLate();
    request.removeListener("data", collect);
    request.removeListener("end", finish);
    request.removeListener("close", drop);
  }

  function collect(piece: Buffer): void {
    const complaint = held.add(piece, limitBytes);
    if (complaint !== undefined) giveUp(complaint);
  }

  function finish(): void {
    stopReading();
    const used = done(undefined, held.whole());
    if (used === undefined) held.giveRoomBack();
    else void used.finally(() => held.giveRoomBack());
  }

  request.on("data", collect);
  request.on("end", finish);
  request.on("close", drop);
}

/** Refuses a body that is not declared as plain JSON in UTF-8. */
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
/** Each chunk costs CPU time, however short it is. Beyond this number, chunks must have a minimum average size. */
const FREE_PIECES = 1_024;
const PIECE_BYTES = 64;
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?;?$/i;

function areCrumbs(pieces: number, bytes: number): boolean {
  return pieces > FREE_PIECES + bytes / PIECE_BYTES;
}

const MAX_DRAINED_BYTES = 4 * 1024 * 1024;

/**
 * Reads and discards the rest of a request that is being answered, so that the caller can read the answer. Beyond a
 * bound the connection is destroyed.
 */
export function dropRest(request: IncomingMessage): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (request.complete !== false || (length ?? encoding) === undefined) return;
  let pieces = 0;
  let bytes = 0;
  request.on("data", (piece: Buffer) => {
    pieces += 1;
    bytes += piece.length;
    if (bytes > MAX_DRAINED_BYTES || areCrumbs(pieces, bytes)) request.socket.destroy();
  });
  request.resume();
}

/**
 * Whether to close a connection after a refused body: yes, unless the rest is known to be short. A caller that is still
 * writing can then read the answer.
 */
export function isWorthClosing(headers: IncomingMessage["headers"]): boolean {
  const declared = headers["content-length"];
  return declared === undefined || Number(declared) > MAX_DRAINED_BYTES;
}

export function tooManyPieces(): Refusal {
  return new Refusal("PAYLOAD_TOO_LARGE", undefined, "The body comes in too many pieces.");
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal("PAYLOAD_TOO_LARGE", { maxBytes: limitBytes });
}
