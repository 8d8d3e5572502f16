/** Pages that people write in Markdown, with `title`, `description` and `order` in their front matter. */
import type { Page } from "../blocks/blocks.ts";
import { headingsOf } from "../render/prose.ts";

export interface WrittenFile {
  /** Without its suffix. */
  readonly name: string;
  readonly text: string;
}

export interface WrittenPage extends Page {
  readonly order: number;
  readonly markdown: string;
}

export const GUIDES_PATH = "/docs/guides";

/** Guides in their order; those without one come last. */
export function guidePages(files: readonly WrittenFile[]): readonly WrittenPage[] {
  const pages = files.map((file) => writtenPage(file, `${GUIDES_PATH}/${file.name}`));
  return pages.toSorted(
    (one, other) => one.order - other.order || one.title.localeCompare(other.title),
  );
}

export function writtenPage({ name, text }: WrittenFile, path: string): WrittenPage {
  const { facts, body } = splitFrontMatter(text);
  const [first] = headingsOf(body);
  const hasTitle = first?.level === 1;
  const markdown = linked(hasTitle ? body.replace(/^#\s.*$/m, "") : body).trim();
  const order = Number(facts.order ?? "");
  return {
    path,
    title: facts.title ?? (hasTitle ? first.title : name),
    description: facts.description ?? "",
    order: facts.order === undefined || Number.isNaN(order) ? Number.MAX_SAFE_INTEGER : order,
    markdown,
    intro: [{ kind: "prose", markdown }],
    sections: [],
  };
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

/** Links between files as links between pages. */
function linked(markdown: string): string {
  return markdown
    .replaceAll(/\]\((?:\.\/)?([\w-]+)\.md(#[\w-]+)?\)/g, `](${GUIDES_PATH}/$1$2)`)
    .replaceAll(/\]\(\.\.\/reference\/(errors|events)\.md(?:#[\w-]+)?\)/g, "](/docs/$1)")
    .replaceAll(/\]\(\.\.\/reference\/openapi\.json\)/g, "](/openapi.json)");
}
