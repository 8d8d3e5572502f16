import { escapeHtml } from "../../std/html.ts";

/** HTML that is safe to put into a page; made by `html` alone. */
export interface Markup {
  readonly html: string;
}

type Part = string | number | Markup | readonly Markup[] | undefined;

/** A template whose inserted texts are escaped; only markup goes in as it is. */
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

/** Text with `code` in backticks and blank lines between paragraphs, as descriptions are written. */
export function prose(text: string): Markup {
  const paragraphs = escapeHtml(text).split(/\n{2,}/);
  const marked = paragraphs.map(
    (part) => `<p>${part.replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>`,
  );
  return { html: marked.join("") };
}
