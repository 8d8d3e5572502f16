/** The script of every page: the language of samples, copy buttons, the search, old anchors. */

const KEPT = "florin-docs-language";
const SAMPLE_ORIGINS = /http:\/\/(?:localhost|127\.0\.0\.1):8080(?!\d)/g;
const root = document.documentElement;

// Runs before the first paint, so that nothing moves afterwards.
root.classList.add("js");
const kept = readKept();
if (kept !== null && /^(bash|ts|python)$/.test(kept)) root.dataset.language = kept;
document.addEventListener("DOMContentLoaded", start);

/** Returns null when the browser forbids storage. */
function readKept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(language: string): void {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // Without storage, the choice lasts for this page.
  }
}

function start(): void {
  showOwnOrigin();
  markLanguage();
  addCopyButtons();
  prepareNavigation();
  prepareSearch();
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest(".tabs button") : null;
    if (button instanceof HTMLElement) chooseLanguage(button);
  });
}

/** Replaces the server's address in samples by the origin of this page. */
function showOwnOrigin(): void {
  for (const code of document.querySelectorAll(".code code")) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      text.nodeValue = (text.nodeValue ?? "").replaceAll(SAMPLE_ORIGINS, location.origin);
    }
  }
}

function markLanguage(): void {
  for (const button of document.querySelectorAll<HTMLElement>(".tabs button")) {
    button.setAttribute("aria-pressed", String(button.dataset.language === root.dataset.language));
  }
}

/** Scrolls by the change in height of the samples above, so that the clicked button keeps its place. */
function chooseLanguage(button: HTMLElement): void {
  const { language } = button.dataset;
  if (language === undefined) return;
  const before = button.getBoundingClientRect().top;
  root.dataset.language = language;
  keep(language);
  markLanguage();
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: "instant" });
}

const COPIED_MS = 1_500;

/** Browsers provide a clipboard on https and localhost only; elsewhere there are no buttons. */
function addCopyButtons(): void {
  if (navigator.clipboard === undefined) return;
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      const text = block.querySelector("code")?.textContent ?? "";
      navigator.clipboard.writeText(text).then(
        () => flash(button, "Copied"),
        () => flash(button, "Not allowed"),
      );
    });
    block.append(button);
  }
}

function flash(button: HTMLElement, text: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = "Copy";
  }, COPIED_MS);
}

function prepareNavigation(): void {
  const nav = document.querySelector<HTMLElement>("#nav");
  if (nav === null) return;
  nav.addEventListener("click", (event) => {
    if (event.target instanceof HTMLAnchorElement && nav.matches(":popover-open"))
      nav.hidePopover();
  });
  const here = nav.querySelector<HTMLElement>("[aria-current=page]");
  if (here !== null) nav.scrollTop = here.offsetTop - nav.clientHeight / 4;
  followReading(nav);
}

/** Marks the visible operation in the navigation. */
function followReading(nav: HTMLElement): void {
  const links = new Map<string, Element>();
  for (const link of nav.querySelectorAll("a[href^='#']")) {
    links.set((link.getAttribute("href") ?? "").slice(1), link);
  }
  if (links.size === 0) return;
  const observer = new IntersectionObserver(
    (entries) => {
      const seen = entries.find(({ isIntersecting }) => isIntersecting);
      const link = links.get(seen?.target.getAttribute("aria-labelledby") ?? "");
      if (link === undefined) return;
      for (const other of links.values()) other.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  for (const part of document.querySelectorAll("section.part")) observer.observe(part);
}

interface SearchScript {
  open(index: string): void;
}

function prepareSearch(): void {
  const button = document.querySelector<HTMLButtonElement>(".find");
  const { search, index, anchors } = button?.dataset ?? {};
  if (button === null || search === undefined || index === undefined) return;
  const open = async () => {
    const script: SearchScript = await import(/* @vite-ignore */ search);
    script.open(index);
  };
  button.hidden = false;
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const isSlash = event.key === "/" && !isTyping(event.target);
    const isPalette = event.key === "k" && (event.ctrlKey || event.metaKey);
    if (!isSlash && !isPalette) return;
    event.preventDefault();
    open();
  });
  if (anchors !== undefined) followOldAnchor(anchors);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/** Redirects anchors such as `/docs#createQuote`, from the time when the reference was one page. */
async function followOldAnchor(list: string): Promise<void> {
  const anchor = decodeURIComponent(location.hash.slice(1));
  if (anchor === "" || document.getElementById(anchor) !== null) return;
  const places: Readonly<Record<string, string>> = await (await fetch(list)).json();
  const place = Object.hasOwn(places, anchor) ? places[anchor] : undefined;
  if (place !== undefined) location.replace(place);
}
