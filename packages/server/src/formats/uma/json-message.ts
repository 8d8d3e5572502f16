/**
 * Reads the JSON of a message. `JSON.parse` would turn a number into the nearest double, so 9007199254740993 would become …992; here a
 * number keeps its digits. A text that is not sound, that names a member twice, or that exceeds a bound is refused as a whole.
 */
import { isUtf8 } from "node:buffer";
import { endOfString, scanJson } from "../../validation/json-scan.ts";

/** A number as it was written. */
export class JsonNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

export type MessageJson =
  | null
  | boolean
  | string
  | JsonNumber
  | readonly MessageJson[]
  | ReadonlyMap<string, MessageJson>;

export type JsonMembers = ReadonlyMap<string, MessageJson>;

const MAX_DEPTH = 16;
const LONGEST_NUMBER = 32;

/** The value, or the reason why the bytes are refused. */
export function parseMessage(
  bytes: Uint8Array,
): { readonly value: MessageJson } | { readonly fault: string } {
  if (!isUtf8(bytes)) return { fault: "the body is not UTF-8" };
  const text = Buffer.from(bytes).toString("utf8");
  const { tooDeep, members } = scanJson(text, MAX_DEPTH);
  if (tooDeep) return { fault: `the body is nested more than ${MAX_DEPTH} levels deep` };
  const quoted = quoteNumbers(text);
  if (quoted === undefined) return { fault: `a number has more than ${LONGEST_NUMBER} characters` };
  let count = 0;
  const toValue = (value: unknown): MessageJson => {
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "string") {
      return value.startsWith(NUMBER_MARK) ? new JsonNumber(value.slice(1)) : value.slice(1);
    }
    if (Array.isArray(value)) return value.map(toValue);
    const entries = Object.entries(value as object);
    count += entries.length;
    // A map has no member that means something to JavaScript, such as `__proto__`.
    return new Map(entries.map(([name, member]) => [name.slice(1), toValue(member)]));
  };
  try {
    JSON.parse(text);
    const value = toValue(JSON.parse(quoted));
    return count === members ? { value } : { fault: "the body names a member twice" };
  } catch {
    return { fault: "the body is not JSON" };
  }
}

const TEXT_MARK = "t";
const NUMBER_MARK = "n";

/**
 * The text with every number as a string behind `n`, and every string behind `t`. Undefined when a number is too long. The result of an
 * unsound text is arbitrary.
 */
function quoteNumbers(text: string): string | undefined {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      if (end === -1) break;
      parts.push(text.slice(from, at + 1), TEXT_MARK);
      from = at + 1;
      at = end + 1;
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at);
      if (end - at > LONGEST_NUMBER) return undefined;
      parts.push(text.slice(from, at), `"${NUMBER_MARK}`, text.slice(at, end), '"');
      from = end;
      at = end;
    } else {
      at += 1;
    }
  }
  parts.push(text.slice(from));
  return parts.join("");
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const NUMBER_PARTS = new Set([..."+-.eE0123456789"].map((part) => part.charCodeAt(0)));

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function endOfNumber(text: string, from: number): number {
  let at = from;
  while (at < text.length && NUMBER_PARTS.has(text.charCodeAt(at))) at += 1;
  return at;
}

/** What a message of ours is written from. Members that are undefined are left out. */
export type MessageValue =
  | null
  | boolean
  | string
  | bigint
  | JsonNumber
  | undefined
  | readonly MessageValue[]
  | { readonly [name: string]: MessageValue };

/** The JSON text, with numbers by their digits. */
export function writeMessage(value: MessageValue): string {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof JsonNumber) return value.digits;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  if (Array.isArray(value)) {
    return `[${(value as readonly MessageValue[]).map((item) => writeMessage(item)).join(",")}]`;
  }
  const members = Object.entries(value as Readonly<Record<string, MessageValue>>)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${writeMessage(member)}`);
  return `{${members.join(",")}}`;
}
