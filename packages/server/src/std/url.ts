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

/** Whether two URLs lead to the same server: scheme, host and port. A text that is no URL leads to none. */
export function isSameOrigin(one: string, other: string): boolean {
  const origin = parseUrl(one)?.origin;
  return origin !== undefined && origin === parseUrl(other)?.origin;
}
