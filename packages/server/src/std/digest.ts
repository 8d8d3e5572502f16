import { hash } from "node:crypto";

export function sha256Hex(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}

/** SHA-256 of the text in UTF-8. Node returns hexadecimal twice as fast as a buffer, decoding included. */
export function sha256(text: string): Buffer {
  return Buffer.from(hash("sha256", text, "hex"), "hex");
}
