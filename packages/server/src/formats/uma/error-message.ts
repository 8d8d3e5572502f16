/** The body of an error of another institution. What cannot be read is left out, because the status says enough. */
import { parseMessage } from "./json-message.ts";

export interface ErrorWords {
  readonly code: string | undefined;
  /** Text of the other side, not cleaned. */
  readonly reason: string | undefined;
}

export function readErrorWords(bytes: Uint8Array): ErrorWords {
  const parsed = parseMessage(bytes);
  const body = "value" in parsed && parsed.value instanceof Map ? parsed.value : new Map();
  const textOf = (name: string) => {
    const member: unknown = body.get(name);
    return typeof member === "string" ? member : undefined;
  };
  return { code: textOf("code"), reason: textOf("reason") };
}
