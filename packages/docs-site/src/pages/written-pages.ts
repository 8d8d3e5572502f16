/** Pages written in Markdown, with `title`, `description` and `order` in their front matter. */
import type { Page } from "../blocks/blocks.ts";
import { headingsOf, textOf } from "../render/prose.ts";
import { linkPages } from "./file-links.ts";

export interface WrittenFile {
  /** The path in the repository, such as `docs/guides/webhooks.md`. */
  readonly file: string;
  readonly text: string;
}

/** The name without folder and suffix. */
export function nameOf({ file }: WrittenFile): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.md$/, "");
}

export interface WrittenPage extends Page {
  readonly order: number;
  readonly markdown: string;
}

export const GUIDES_PATH = "/docs/guides";

/** Sorts guides by their `order`; those without one come last. */
export function guidePages(files: readonly WrittenFile[]): readonly WrittenPage[] {
  const pages = files.map((file) => writtenPage(file, `${GUIDES_PATH}/${nameOf(file)}`));
  return pages.toSorted(
    (one, other) => one.order - other.order || one.title.localeCompare(other.title),
  );
}

export function writtenPage(source: WrittenFile, path: string): WrittenPage {
  const { facts, body } = splitFrontMatter(source.text);
  const name = nameOf(source);
  const [first] = headingsOf(body);
  const hasTitle = first?.level === 1;
  const text = withoutNotes(hasTitle ? body.replace(/^#\s.*$/m, "") : body);
  const markdown = linkPages(text, source.file).trim();
  const order = Number(facts.order ?? "");
  return {
    path,
    title: hasTitle ? first.title : (facts.title ?? name),
    fullTitle: facts.title ?? (hasTitle ? first.title : name),
    description: facts.description ?? firstSentence(markdown),
    order: facts.order === undefined || Number.isNaN(order) ? Number.MAX_SAFE_INTEGER : order,
    markdown,
    intro: [{ kind: "prose", markdown }],
    sections: [],
  };
}

/** Removes the comments that say why a block is not run by a test; they are for authors only. */
function withoutNotes(text: string): string {
  return text.replaceAll(/^<!-- no-run: .*-->\n/gm, "");
}

function firstSentence(markdown: string): string {
  const [paragraph = ""] = markdown.split(/\n\s*\n/);
  return textOf(paragraph.replaceAll("\n", " ")).split(/(?<=\.)\s/)[0] ?? "";
}

function splitFrontMatter(text: string) {
  const plain = text.replaceAll("\r\n", "\n");
  const [whole = "", lines = ""] = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(plain) ?? [];
  const facts: Record<string, string> = {};
  for (const line of lines.split("\n")) {
    const [, name, value] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    facts[name] = value.replace(/^(["'])(.*)\1$/, "$2");
  }
  return { facts, body: plain.slice(whole.length) };
}
