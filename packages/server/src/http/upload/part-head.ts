/** Parses the Content-Type of a form and the heads of its parts. */
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
