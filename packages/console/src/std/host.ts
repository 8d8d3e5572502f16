/** The browser's language, zone and clock. Everything that depends on them asks here. */

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

/** Whether a passkey of this host name can be shown to the page. */
export function isThisHost(name: string): boolean {
  return location.hostname === name;
}

export function now(): number {
  return Date.now();
}

/** One for each act: a double click and a lost answer are then one call. */
export function newKey(): string {
  return crypto.randomUUID();
}

/** Whether the media query holds now; `listen` is told when that changes. */
export function watchMedia(query: string, listen: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener("change", listen);
  return () => media.removeEventListener("change", listen);
}

/** Single keys mean nothing there. */
export function isInField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest("[role=dialog]") !== null)
  );
}

/** Whether the page is in a tab or a window that is not seen. */
export function isHidden(): boolean {
  return document.visibilityState === "hidden";
}

/** True only when the browser is sure of it. */
export function isNetworkLost(): boolean {
  return !navigator.onLine;
}

/** `listen` is told when the browser loses its network, and when it has one again. */
export function watchNetwork(listen: () => void): () => void {
  addEventListener("online", listen);
  addEventListener("offline", listen);
  return () => {
    removeEventListener("online", listen);
    removeEventListener("offline", listen);
  };
}
