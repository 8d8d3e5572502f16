/** Makes foreign text safe for a terminal: control characters and direction marks would take effect there. */
export function clean(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (char) =>
    char === "\n" || char === "\t" ? " " : "\ufffd",
  );
}

/** Cuts the text to this width, with an ellipsis. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
