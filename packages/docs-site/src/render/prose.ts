/** Renders Markdown as HTML. HTML within Markdown is shown as text. */
import markdownIt from "markdown-it";
import { slugOf } from "../api/nouns.ts";
import type { Highlight } from "./highlight.ts";
import { escapeHtml, type Markup } from "./markup.ts";

export interface Prose {
  /** Renders block elements: paragraphs, lists, code. Headings get ids. */
  block(markdown: string): Markup;
  /** Renders one line, without a paragraph around it. */
  inline(markdown: string): Markup;
}

export interface Heading {
  readonly level: number;
  readonly title: string;
  readonly id: string;
}

export function createProse(highlight: Highlight): Prose {
  const markdown = markdownIt({ html: false, linkify: false, typographer: false });
  // Off, because an address in angle brackets is part of a sentence in these texts.
  markdown.disable("autolink");
  const { rules } = markdown.renderer;
  rules.fence = (tokens, index) => {
    const token = tokens[index];
    const [language = ""] = (token?.info ?? "").trim().split(/\s+/);
    return `${highlight(token?.content ?? "", language).html}\n`;
  };
  rules.code_block = (tokens, index) => highlight(tokens[index]?.content ?? "", "").html;
  rules.table_open = () => '<div class="scroll" tabindex="0"><table>';
  rules.table_close = () => "</table></div>";
  rules.heading_open = (tokens, index) => {
    const id = slugOf(textOf(tokens[index + 1]?.content ?? ""));
    return `<${tokens[index]?.tag} id="${id}">`;
  };
  rules.heading_close = (tokens, index) => {
    const id = slugOf(textOf(tokens[index - 1]?.content ?? ""));
    return `${anchorLink(id)}</${tokens[index]?.tag}>\n`;
  };
  rules.image = (tokens, index) => escapeHtml(tokens[index]?.content ?? "");
  return {
    block: (text) => ({ html: markdown.render(text) }),
    inline: (text) => ({ html: markdown.renderInline(text) }),
  };
}

export function anchorLink(id: string): string {
  return `<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
}

/** A heading's text without its Markdown markup. */
export function textOf(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*_]/g, "");
}

/** The headings of a text, without lines in code blocks that look like headings. */
export function headingsOf(markdown: string): readonly Heading[] {
  const outside = markdown.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "");
  return [...outside.matchAll(/^(#{1,6})\s+(.+?)\s*#*$/gm)].map(([, marks = "", text = ""]) => {
    const title = textOf(text);
    return { level: marks.length, title, id: slugOf(title) };
  });
}
