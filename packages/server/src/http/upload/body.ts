import type { IncomingMessage } from "node:http";
import { Refusal } from "../../engine/refusal.ts";
import { createFairShare, type FairShare } from "../../std/admission/fair-share.ts";
import type { Clock } from "../../std/clock.ts";
import { Fault } from "../../std/errors.ts";
import { Stalled } from "../server/errors.ts";

export interface BodyLimits {
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly memory: FairShare;
}

/** Memory for bodies that arrive in more than one chunk. A platform may hold at most as much as remains free for the others. */
export function createBodyMemory(bytes: number): FairShare {
  return createFairShare({ total: bytes, mostOf: (left) => left });
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
class BodyBuffer {
  readonly #memory: FairShare;
  readonly #platform: string;
  #bytes: Buffer = EMPTY;
  #size = 0;
  #chunks = 0;
  #taken = 0;

  constructor(memory: FairShare, platform: string) {
    this.#memory = memory;
    this.#platform = platform;
  }

  /** The reason when the chunk is not added. */
  add(chunk: Buffer, limitBytes: number): Error | undefined {
    const end = this.#size + chunk.length;
    this.#chunks += 1;
    if (end > limitBytes) return tooLarge(limitBytes);
    if (areChunksTooSmall(this.#chunks, end)) return tooManyChunks();
    if (this.#chunks === 1) this.#bytes = chunk;
    else if (end > this.#taken && !this.#grow(Math.min(2 * end, limitBytes))) {
      return new Fault("too many bodies are on their way");
    } else chunk.copy(this.#bytes, this.#size);
    this.#size = end;
    return undefined;
  }

  whole(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  releaseMemory(): void {
    if (this.#taken > 0) this.#memory.giveBack(this.#platform, this.#taken);
    this.#taken = 0;
  }

  /** Chunks are copied, because one-byte chunks kept as buffers take a hundred times their size. */
  #grow(bytes: number): boolean {
    if (this.#memory.take(this.#platform, bytes - this.#taken) !== "taken") return false;
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
  const { bytes: limitBytes, timeoutMs, clock, memory } = limits;
  const declared = request.headers["content-length"];
  if (declared !== undefined && Number(declared) > limitBytes) {
    done(tooLarge(limitBytes), EMPTY);
    return;
  }
  const held = new BodyBuffer(memory, platform);
  const cancelTimeout = clock.after(timeoutMs, () => giveUp(new Stalled()));

  function giveUp(thrown: Error): void {
    drop();
    done(thrown, EMPTY);
  }

  function drop(): void {
    stopReading();
    held.releaseMemory();
  }

  function stopReading(): void {
    cancelTimeout();
    request.removeListener("data", collect);
    request.removeListener("end", finish);
    request.removeListener("close", drop);
  }

  function collect(chunk: Buffer): void {
    const error = held.add(chunk, limitBytes);
    if (error !== undefined) giveUp(error);
  }

  function finish(): void {
    stopReading();
    const used = done(undefined, held.whole());
    if (used === undefined) held.releaseMemory();
    else void used.finally(() => held.releaseMemory());
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
const FREE_CHUNKS = 1_024;
const MIN_CHUNK_BYTES = 64;
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?;?$/i;

function areChunksTooSmall(chunks: number, bytes: number): boolean {
  return chunks > FREE_CHUNKS + bytes / MIN_CHUNK_BYTES;
}

const MAX_DRAINED_BYTES = 4 * 1024 * 1024;

/**
 * Reads and discards the rest of a request that is being answered, so that the caller can read the answer. Beyond a
 * bound the connection is destroyed.
 */
export function dropRest(request: IncomingMessage): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (request.complete !== false || (length ?? encoding) === undefined) return;
  let chunks = 0;
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    chunks += 1;
    bytes += chunk.length;
    if (bytes > MAX_DRAINED_BYTES || areChunksTooSmall(chunks, bytes)) request.socket.destroy();
  });
  request.resume();
}

/**
 * Whether to close a connection after a refused body: yes, unless the rest is known to be short. A caller that is still
 * writing can then read the answer.
 */
export function shouldCloseConnection(headers: IncomingMessage["headers"]): boolean {
  const declared = headers["content-length"];
  return declared === undefined || Number(declared) > MAX_DRAINED_BYTES;
}

export function tooManyChunks(): Refusal {
  return new Refusal("PAYLOAD_TOO_LARGE", undefined, "The body comes in too many pieces.");
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal("PAYLOAD_TOO_LARGE", { maxBytes: limitBytes });
}
