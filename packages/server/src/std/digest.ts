import { hash } from "node:crypto";

export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}

/** SHA-256 of a text's UTF-8. By way of hexadecimal: Node takes twice as long to hand over the bytes. */
export function sha256(text: string): Buffer {
  return Buffer.from(hash("sha256", text, "hex"), "hex");
}
