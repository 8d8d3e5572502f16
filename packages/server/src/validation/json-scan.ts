/** Scans a JSON text before it is parsed. The scan does not show that the text is valid JSON. */
export interface JsonScan {
  readonly tooDeep: boolean;
  /** Colons outside strings: in valid JSON, the number of members. */
  readonly members: number;
  /** The text holds an escape that can stand for a control character or half a surrogate pair. */
  readonly escapes: boolean;
  /** Start and end of each number that is written with a fraction or an exponent. */
  readonly unplainNumbers: readonly number[];
}

const NONE: readonly number[] = [];

export function scanJson(text: string, maxDepth: number): JsonScan {
  const length = text.length;
  const hasEscapes = text.includes("\\");
  let depth = 0;
  let members = 0;
  let escapes = false;
  let unplain: number[] | undefined;
  let index = 0;
  while (index < length && depth <= maxDepth) {
    const code = text.charCodeAt(index);
    index += 1;
    if (code === QUOTE) {
      const end = hasEscapes ? endOfString(text, index) : text.indexOf('"', index);
      if (end === -1) break;
      if (hasEscapes && !escapes) escapes = hasDoubtfulEscape(text, index, end);
      index = end + 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    } else if (code === COLON) {
      members += 1;
    } else if (isDigit(code)) {
      const start = index - 1;
      index = endOfNumber(text, index);
      if (isUnplain(text, start, index)) {
        unplain ??= [];
        unplain.push(start, index);
      }
    }
  }
  return { tooDeep: depth > maxDepth, members, escapes, unplainNumbers: unplain ?? NONE };
}

/** The index of the quote that closes the string whose content starts at `from`, or -1. */
export function endOfString(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return -1;
}

/** Whether there is a \u, \b or \f between the two. */
function hasDoubtfulEscape(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) {
    if (text.charCodeAt(index) !== BACKSLASH) continue;
    index += 1;
    const escaped = text.charCodeAt(index);
    if (escaped === LOWER_U || escaped === LOWER_B || escaped === LOWER_F) return true;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_U = 0x75;
const LOWER_B = 0x62;
const LOWER_F = 0x66;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNumberPart(code: number): boolean {
  return (
    isDigit(code) ||
    code === POINT ||
    code === LOWER_E ||
    code === UPPER_E ||
    code === PLUS ||
    code === MINUS
  );
}

function endOfNumber(text: string, from: number): number {
  let index = from;
  while (index < text.length && isNumberPart(text.charCodeAt(index))) index += 1;
  return index;
}

function isUnplain(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    if (!isDigit(text.charCodeAt(index))) return true;
  }
  return false;
}
