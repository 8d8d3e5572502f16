/**
 * A streaming parser for `multipart/form-data`. It buffers only the head of the current part and as many bytes as the
 * boundary is long.
 *
 * It is strict, because two lenient parsers may read two different forms: nothing before the first boundary, nothing
 * after the last, no unknown transfer encoding, no repeated parameter, lines end in CR LF.
 */
import { Refusal } from "../../engine/refusal.ts";
import { type PartHead, parsePartHead } from "./part-head.ts";

/** The events of a form, in the order of its bytes. */
export type FormEvent =
  | { readonly kind: "part"; readonly head: PartHead }
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "part-end" };

export interface MultipartReader {
  /** Parses the next bytes; the events may refer to the same memory. */
  take(bytes: Buffer): readonly FormEvent[];
  /** Refuses a body that ends before its last boundary. */
  finish(): void;
}

const MAX_PARTS = 32;
const MAX_HEAD_BYTES = 4 * 1024;

const CRLF = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");
const DASH = 0x2d;

type State = "start" | "after-boundary" | "head" | "content" | "closed";

export function createMultipartReader(boundary: string): MultipartReader {
  return new Reader(boundary);
}

class Reader implements MultipartReader {
  readonly #delimiter: Buffer;
  /** Bytes that cannot be classified yet. It starts as CR LF, because the first boundary has no line end before it. */
  #rest: Buffer = CRLF;
  #state: State = "start";
  #contentBegun = false;
  #parts = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  }

  take(bytes: Buffer): readonly FormEvent[] {
    const events: FormEvent[] = [];
    let data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (let before = -1; before !== data.length; ) {
      before = data.length;
      data = this.#step(data, events);
      if (this.#state !== "closed" && data.length === 0) break;
    }
    this.#rest = data;
    return events;
  }

  finish(): void {
    if (this.#state !== "closed") throw malformed("ends before its last boundary");
  }

  /** Consumes as much as the current state can, and returns the rest. */
  #step(data: Buffer, events: FormEvent[]): Buffer {
    switch (this.#state) {
      case "start":
        return this.#readStart(data);
      case "after-boundary":
        return this.#readAfterBoundary(data);
      case "head":
        return this.#readHead(data, events);
      case "content":
        return this.#readContent(data, events);
      case "closed":
        return this.#readEnd(data);
    }
  }

  #readStart(data: Buffer): Buffer {
    const length = Math.min(data.length, this.#delimiter.length);
    if (this.#delimiter.compare(data, 0, length, 0, length) !== 0) {
      throw malformed("does not begin with its boundary");
    }
    if (data.length < this.#delimiter.length) return data;
    this.#state = "after-boundary";
    return data.subarray(length);
  }

  #readAfterBoundary(data: Buffer): Buffer {
    if (data.length < 2) return data;
    if (data[0] === DASH && data[1] === DASH) this.#state = "closed";
    else if (data[0] !== CRLF[0] || data[1] !== CRLF[1]) throw malformed("has a broken boundary");
    else if (++this.#parts > MAX_PARTS) throw malformed(`has more than ${MAX_PARTS} parts`);
    else this.#state = "head";
    return data.subarray(2);
  }

  #readHead(data: Buffer, events: FormEvent[]): Buffer {
    const end = data.indexOf(HEAD_END);
    if (end > MAX_HEAD_BYTES || (end === -1 && data.length > MAX_HEAD_BYTES)) {
      throw malformed("has a part with too long a head");
    }
    if (end === -1) return data;
    const head = parsePartHead(data.subarray(0, end));
    if (head === undefined) throw malformed("has a part with a head that cannot be read");
    events.push({ kind: "part", head });
    this.#state = "content";
    // The second CR LF stays, because it may begin the next boundary.
    return data.subarray(end + CRLF.length);
  }

  #readContent(data: Buffer, events: FormEvent[]): Buffer {
    const from = this.#contentBegun ? 0 : CRLF.length;
    const end = data.indexOf(this.#delimiter);
    if (end !== -1) {
      if (end > from) events.push({ kind: "bytes", bytes: data.subarray(from, end) });
      events.push({ kind: "part-end" });
      this.#contentBegun = false;
      this.#state = "after-boundary";
      return data.subarray(end + this.#delimiter.length);
    }
    const sure = data.length - this.#delimiter.length + 1;
    if (sure <= from) return data;
    events.push({ kind: "bytes", bytes: data.subarray(from, sure) });
    this.#contentBegun = true;
    return data.subarray(sure);
  }

  #readEnd(data: Buffer): Buffer {
    const length = Math.min(data.length, CRLF.length);
    const isLineEnd = CRLF.compare(data, 0, length, 0, length) === 0;
    if (data.length > CRLF.length || !isLineEnd) throw malformed("goes on after its last boundary");
    return data;
  }
}

export function malformed(what: string): Refusal {
  return new Refusal("INVALID_REQUEST_FORMAT", undefined, `The form ${what}.`);
}
