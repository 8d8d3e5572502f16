/** Escaped HTML, which only `html` and the renderers of Markdown and code create. */
export interface Markup {
  readonly html: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template that escapes inserted texts and inserts markup unchanged. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const pieces = parts.map((part, index) => toHtml(part) + (texts[index + 1] ?? ""));
  return { html: (texts[0] ?? "") + pieces.join("") };
}

export const nothing: Markup = { html: "" };

function toHtml(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return escapeHtml(part);
  return "html" in part ? part.html : part.map((item) => item.html).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
