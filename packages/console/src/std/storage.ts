/** Settings that the console keeps in the browser's storage. Without storage, they last until the page is closed. */
const PREFIX = "florin.";

export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows may refuse storage; the value then lasts as long as the page.
  }
}
