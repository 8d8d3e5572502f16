/**
 * The texts at some places of a JSON document, with numbers as their digits: `JSON.parse` would turn them into floating-point numbers.
 * One pass over the text, which must be sound JSON, follows only the members that a pointer names and skips every other value.
 */
import { endOfString } from "../validation/json-scan.ts";

interface Branch {
  readonly branches: Map<string, Branch>;
  /** Set when a pointer ends here. */
  pointer: string | undefined;
}

interface Walk {
  readonly text: string;
  at: number;
  readonly found: Map<string, string>;
}

/** Strings, and numbers as they are written, by pointer. Other values and missing ones are left out. */
export function textsAt(text: string, pointers: readonly string[]): ReadonlyMap<string, string> {
  const root = newBranch();
  for (const pointer of pointers) branchOf(root, pointer).pointer = pointer;
  const walk: Walk = { text, at: 0, found: new Map() };
  readValue(walk, root);
  return walk.found;
}

function newBranch(): Branch {
  return { branches: new Map(), pointer: undefined };
}

function branchOf(root: Branch, pointer: string): Branch {
  let branch = root;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = branch.branches.get(name) ?? newBranch();
    branch.branches.set(name, next);
    branch = next;
  }
  return branch;
}

/** Recursion is as deep as a pointer is long. */
function readValue(walk: Walk, branch: Branch | undefined): void {
  skipSpace(walk);
  const code = walk.text.charCodeAt(walk.at);
  const isLeading = branch !== undefined && branch.branches.size > 0;
  if (isLeading && code === OPEN_BRACE) readMembers(walk, branch);
  else if (isLeading && code === OPEN_BRACKET) readItems(walk, branch);
  else if (branch?.pointer !== undefined && (code === QUOTE || isNumberStart(code))) {
    walk.found.set(branch.pointer, readScalar(walk, code));
  } else skipValue(walk);
}

function readMembers(walk: Walk, { branches }: Branch): void {
  walk.at += 1;
  for (skipSpace(walk); walk.text.charCodeAt(walk.at) !== CLOSE_BRACE; skipSpace(walk)) {
    const name = readScalar(walk, QUOTE);
    skipSpace(walk);
    walk.at += 1;
    readValue(walk, branches.get(name));
    skipComma(walk);
  }
  walk.at += 1;
}

function readItems(walk: Walk, { branches }: Branch): void {
  walk.at += 1;
  skipSpace(walk);
  for (let index = 0; walk.text.charCodeAt(walk.at) !== CLOSE_BRACKET; index += 1) {
    readValue(walk, branches.get(String(index)));
    skipComma(walk);
    skipSpace(walk);
  }
  walk.at += 1;
}

function readScalar(walk: Walk, code: number): string {
  const start = walk.at;
  skipScalar(walk, code);
  const token = walk.text.slice(start, walk.at);
  return code === QUOTE ? (JSON.parse(token) as string) : token;
}

function skipValue(walk: Walk): void {
  let depth = 0;
  do {
    skipSpace(walk);
    const code = walk.text.charCodeAt(walk.at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    if (isPunctuation(code)) walk.at += 1;
    else skipScalar(walk, code);
  } while (depth > 0);
}

function skipScalar(walk: Walk, code: number): void {
  if (code === QUOTE) {
    walk.at = endOfString(walk.text, walk.at + 1) + 1;
    return;
  }
  while (walk.at < walk.text.length) {
    const next = walk.text.charCodeAt(walk.at);
    if (isPunctuation(next) || next <= SPACE) return;
    walk.at += 1;
  }
}

function skipComma(walk: Walk): void {
  skipSpace(walk);
  if (walk.text.charCodeAt(walk.at) === COMMA) walk.at += 1;
}

function skipSpace(walk: Walk): void {
  while (walk.text.charCodeAt(walk.at) <= SPACE) walk.at += 1;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function isNumberStart(code: number): boolean {
  return code === MINUS || (code >= 0x30 && code <= 0x39);
}

function isPunctuation(code: number): boolean {
  return (
    code === COMMA ||
    code === COLON ||
    code === OPEN_BRACKET ||
    code === CLOSE_BRACKET ||
    code === OPEN_BRACE ||
    code === CLOSE_BRACE
  );
}
