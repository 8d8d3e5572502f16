/** Text for a header or a line: without control characters, line ends and invisible marks. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}
