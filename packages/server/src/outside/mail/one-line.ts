/** Text for a header or a line: without controls, line ends and marks that are not seen. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}
