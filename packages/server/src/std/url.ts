/**
 * The parsed URL, or undefined. `URL.canParse` is not used: once V8 has optimised its caller, Node 20 and 22 read Latin-1
 * text as UTF-8 there, so it returns `false` for `https://bücher.example` and `true` for some texts that are not URLs.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
