/**
 * The URL that a text is, or undefined. Not `URL.canParse`: once V8 has compiled a caller of it, Node 20 and 22 read the
 * text's Latin-1 as UTF-8 there, and answer `false` for `https://bücher.example` and `true` for what is no URL.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
