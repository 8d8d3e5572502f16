/**
 * A streaming parser for `multipart/form-data`. It buffers only the head of the current part and as many bytes as the
 * boundary is long.
 *
 * It is strict, because two lenient parsers may read two different forms: nothing before the first boundary, nothing
 * after the last, no unknown transfer encoding, no repeated parameter, lines end in CR LF.
 */

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { Refusal } from "../../engine/refusal.ts";
import { refuseCompressed } from "./body.ts";

export interface PartHead {
  readonly name: string;
  /** Defined for a file, even when empty. */
  readonly fileName: string | undefined;
}

const FORM_TYPE = "multipart/form-data";
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/;

/** The boundary in the Content-Type; refuses a body that is not a plain form. */
export function boundaryOf(headers: IncomingMessage["headers"]): string {
  refuseCompressed(headers);
  const type = headers["content-type"] ?? "";
  if (mediaTypeOf(type) !== FORM_TYPE) {
    throw new Refusal(
      "UNSUPPORTED_MEDIA_TYPE",
      undefined,
      "The Content-Type must be multipart/form-data.",
    );
  }
  const boundary = parametersOf(type)?.get("boundary");
  if (boundary === undefined || !BOUNDARY.test(boundary)) {
    throw new Refusal("INVALID_REQUEST_FORMAT", undefined, "The form names no sound boundary.");
  }
  return boundary;
}

/** The media type without parameters, in lower case. */
function mediaTypeOf(contentType: string): string {
  const [type = ""] = contentType.split(";", 1);
  return type.trim().toLowerCase();
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LINE_END = /[\n\r\u2028\u2029]/;
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(["7bit", "8bit", "binary"]);

/** Undefined for a malformed or ambiguous head. */
export function parsePartHead(bytes: Buffer): PartHead | undefined {
  if (!isUtf8(bytes)) return undefined;
  const found = new Map<string, string>();
  for (const line of bytes.toString("utf8").split("\r\n")) {
    const colon = line.indexOf(":");
    const key = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!HEADER_NAME.test(key) || found.has(key) || LINE_END.test(line)) return undefined;
    found.set(key, withoutBlanks(line.slice(colon + 1)));
  }
  const encoding = found.get("content-transfer-encoding");
  if (encoding !== undefined && !PLAIN_ENCODINGS.has(encoding.toLowerCase())) return undefined;
  return dispositionOf(found.get("content-disposition") ?? "");
}

function dispositionOf(text: string): PartHead | undefined {
  if (!/^form-data[ \t]*;/i.test(text)) return undefined;
  const parameters = parametersOf(text);
  const name = parameters?.get("name");
  if (parameters === undefined || name === undefined) return undefined;
  const extended = parameters.get("filename*");
  if (extended === undefined) return { name, fileName: parameters.get("filename") };
  const fileName = extendedValue(extended);
  return fileName === undefined ? undefined : { name, fileName };
}

/** `name=value` or `name="value"`, in which a backslash escapes a quote or a backslash. */
const PARAMETER =
  /[ \t]*;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\\r\n]|\\.)*)"|([^\s;"]+))/y;

/** The parameters after the first token; undefined when malformed or repeated. */
function parametersOf(text: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  const first = text.indexOf(";");
  if (first === -1) return parameters;
  PARAMETER.lastIndex = first;
  for (;;) {
    const at = PARAMETER.lastIndex;
    const match = PARAMETER.exec(text);
    if (match === null) return isEnd(withoutBlanks(text.slice(at))) ? parameters : undefined;
    const [, name = "", quoted, bare] = match;
    const key = name.toLowerCase();
    if (parameters.has(key)) return undefined;
    parameters.set(key, quoted === undefined ? (bare ?? "") : unquoted(quoted));
  }
}

/** True when nothing follows but a semicolon. */
function isEnd(rest: string): boolean {
  return rest === "" || rest === ";";
}

/** Trims spaces and tabs in one pass; an expression anchored at the end would backtrack from each of them. */
function withoutBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Browsers percent-encode quotes and line ends in a name; other clients escape quotes with a backslash. */
function unquoted(text: string): string {
  return text
    .replaceAll(/\\(["\\])/g, "$1")
    .replaceAll(/%22/g, '"')
    .replaceAll(/%0D/gi, "\r")
    .replaceAll(/%0A/gi, "\n");
}

function extendedValue(text: string): string | undefined {
  const [, encoded] = /^utf-8'[A-Za-z0-9-]*'(.*)$/i.exec(text) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

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
