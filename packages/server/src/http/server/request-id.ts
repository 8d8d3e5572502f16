import { randomBytes } from "node:crypto";

const MAX_LENGTH = 128;

/** The id of a request in the answer, the log and support cases. */
export interface RequestIds {
  /** The caller's id when it has only safe characters, else a new id. */
  of(header: string | string[] | undefined): string;
  next(): string;
}

export function createRequestIds(): RequestIds {
  const prefix = randomBytes(6).toString("hex");
  let counter = 0;
  function next(): string {
    counter += 1;
    return `${prefix}-${counter.toString(36)}`;
  }
  return {
    next,
    of: (header) => (typeof header === "string" && isPlain(header) ? header : next()),
  };
}

function isPlain(text: string): boolean {
  if (text.length === 0 || text.length > MAX_LENGTH) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (!isPlainCode(text.charCodeAt(index))) return false;
  }
  return true;
}

/** Letters, digits, dot, underscore and dash. */
function isPlainCode(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  if (code >= 0x41 && code <= 0x5a) return true;
  if (code >= 0x61 && code <= 0x7a) return true;
  return code === 0x2e || code === 0x5f || code === 0x2d;
}
