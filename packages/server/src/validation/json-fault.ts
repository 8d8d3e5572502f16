/**
 * The place where a text stops being JSON. Only some messages of `JSON.parse` name it, so it is searched again here, after `JSON.parse`
 * has failed and json-scan.ts has bounded the depth.
 */
export interface JsonFault {
  /** Counted from 1. */
  readonly line: number;
  /** In characters, counted from 1. */
  readonly column: number;
  readonly isAtEnd: boolean;
}

export function findJsonFault(text: string): JsonFault {
  const at = faultIndex(text);
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  return {
    line: before.split("\n").length,
    column: at - lineStart + 1,
    isAtEnd: at >= text.length,
  };
}

class Unexpected extends Error {
  readonly at: number;
  constructor(at: number) {
    super("unexpected character");
    this.at = at;
  }
}

/** The index of the first character that no JSON text has there; the length of the text when it ends too early. */
function faultIndex(text: string): number {
  try {
    return skipSpace(text, valueEnd(text, skipSpace(text, 0)));
  } catch (thrown) {
    if (thrown instanceof Unexpected) return thrown.at;
    throw thrown;
  }
}

function valueEnd(text: string, from: number): number {
  const first = text.charAt(from);
  if (first === "{") return membersEnd(text, from, "}");
  if (first === "[") return membersEnd(text, from, "]");
  if (first === '"') return stringEnd(text, from);
  if (/[-\d]/.test(first)) return matchEnd(text, from, NUMBER);
  for (const word of WORDS) {
    if (first === word.charAt(0)) return wordEnd(text, from, word);
  }
  throw new Unexpected(from);
}

const WORDS = ["true", "false", "null"];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The end of an object or an array, whose members are separated by commas. */
function membersEnd(text: string, from: number, close: "}" | "]"): number {
  let at = skipSpace(text, from + 1);
  if (text.charAt(at) === close) return at + 1;
  for (;;) {
    if (close === "}")
      at = skipSpace(text, expect(text, skipSpace(text, stringEnd(text, at)), ":"));
    at = skipSpace(text, valueEnd(text, at));
    if (text.charAt(at) === close) return at + 1;
    at = skipSpace(text, expect(text, at, ","));
  }
}

function stringEnd(text: string, from: number): number {
  let at = expect(text, from, '"');
  for (;;) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char === "" || char < " ") throw new Unexpected(at);
    at = char === "\\" ? matchEnd(text, at, ESCAPE) : at + 1;
  }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function matchEnd(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  if (!pattern.test(text)) throw new Unexpected(from);
  return pattern.lastIndex;
}

function wordEnd(text: string, from: number, word: string): number {
  let at = from;
  for (const char of word) at = expect(text, at, char);
  return at;
}

function expect(text: string, at: number, char: string): number {
  if (text.charAt(at) !== char) throw new Unexpected(at);
  return at + 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text.charAt(at))) at += 1;
  return at;
}
