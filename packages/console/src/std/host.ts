/** The browser's language, time zone, clock and state. Code that depends on them calls these functions. */

/** A tag that `Intl` refuses, such as `en-US@posix`, is replaced by English. */
export function hostLanguage(): string {
  try {
    const [language] = Intl.getCanonicalLocales(navigator.language);
    return language ?? "en";
  } catch {
    return "en";
  }
}

export function hostZone(): string {
  try {
    return new Intl.DateTimeFormat("en").resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}

/** Whether a passkey for this host name works on this page. */
export function isThisHost(name: string): boolean {
  return location.hostname === name;
}

export function now(): number {
  return Date.now();
}

/** An idempotency key. Each act uses one, so a double click or a retry after a lost answer acts once. */
export function newKey(): string {
  return crypto.randomUUID();
}

/** Whether the media query matches; `listen` is called when that changes. */
export function watchMedia(query: string, listen: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener("change", listen);
  return () => media.removeEventListener("change", listen);
}

/** Whether single-key shortcuts are off: in form fields and dialogs. */
export function isInField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest("[role=dialog]") !== null)
  );
}

/** Whether the page's tab or window is hidden. */
export function isHidden(): boolean {
  return document.visibilityState === "hidden";
}

/** True only when the browser is certain to be offline. */
export function isNetworkLost(): boolean {
  return !navigator.onLine;
}

/** Calls `listen` when the browser goes offline or online. */
export function watchNetwork(listen: () => void): () => void {
  addEventListener("online", listen);
  addEventListener("offline", listen);
  return () => {
    removeEventListener("online", listen);
    removeEventListener("offline", listen);
  };
}
