import { escapeHtml } from "../../std/html.ts";

/** Escaped HTML; only `html` makes it. */
export interface Markup {
  readonly html: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template that escapes inserted texts and inserts markup unchanged. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let page = texts[0] ?? "";
  parts.forEach((part, index) => {
    page += toHtml(part) + (texts[index + 1] ?? "");
  });
  return { html: page };
}

export const nothing: Markup = { html: "" };

function toHtml(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map((item) => item.html).join("");
}
