/** Words of another institution, for the caller alone: short, and without characters that a terminal or a page obeys. */

const LONGEST_REASON = 200;
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Without control characters, characters that change the direction of text, and halves of characters. */
export function cleaned(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]+/gu, " ").trim();
  return plain.slice(0, LONGEST_REASON).replace(/\p{Surrogate}$/u, "");
}

/** A code as the protocol writes them; undefined for any other text. */
export function cleanedCode(text: string | undefined): string | undefined {
  return text !== undefined && CODE.test(text) ? text : undefined;
}
