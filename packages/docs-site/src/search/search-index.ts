import MiniSearch from "minisearch";
import type { Operation } from "../api/document.ts";
import type { Block, Field, Page } from "../blocks/blocks.ts";
import { headingsOf, textOf } from "../render/prose.ts";
import { keywords } from "./keywords.ts";
import { type SearchEntry, searchOptions } from "./options.ts";

type Entry = Omit<SearchEntry, "id">;

/** Longer texts are cut, because they make the index large and the ranking worse. */
const LONGEST_TEXT = 600;

/** The index as JSON, which the browser loads at the first search. */
export function searchIndex(pages: readonly Page[], operations: readonly Operation[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const entries = pages.flatMap((page) => entriesOf(page, byId));
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return JSON.stringify(index);
}

/** Makes an entry for the page, and one for each of its sections. */
function entriesOf(page: Page, operations: ReadonlyMap<string, Operation>): readonly Entry[] {
  const { path, title, fullTitle = title, description, intro, sections } = page;
  const written = sections.length === 0 ? intro.flatMap((block) => writtenParts(block)) : [];
  const own = {
    title: fullTitle,
    place: placeOf(path),
    href: path,
    names: path.startsWith("/docs/errors/") ? title.replaceAll("_", " ") : "",
    text: clip(`${description} ${written.length > 0 ? "" : proseOf(intro)}`),
    known: "",
    weight: 1.5,
  };
  const parts = written.map((part) => ({
    title: part.title,
    place: title,
    href: `${path}#${part.id}`,
    names: "",
    text: clip(part.text),
    known: "",
    weight: 1,
  }));
  const below = sections
    .filter(({ main }) => main.every(({ kind }) => kind !== "cards"))
    .map((section) => {
      const operation = operations.get(section.id);
      return {
        title: section.title,
        place: operation === undefined ? title : `${title} · ${operation.method} ${operation.path}`,
        href: `${path}#${section.id}`,
        names: [operation?.id, operation?.path, ...section.main.flatMap(namesOf)].join(" "),
        text: clip(proseOf(section.main)),
        known: keywords[section.id] ?? "",
        weight: weightOf(operation),
      };
    });
  return [own, ...parts, ...below];
}

/** Ranks an agent's operations lower: they share their words with a platform's operations, and have fewer readers. */
function weightOf(operation: Operation | undefined): number {
  if (operation === undefined) return 1;
  return operation.caller === "AGENT" ? 0.8 : 1.6;
}

function placeOf(path: string): string {
  const [, , group = ""] = path.split("/");
  return PLACES[group] ?? "Documentation";
}

const PLACES: Readonly<Record<string, string>> = {
  guides: "Guide",
  reference: "Reference",
  errors: "Error",
  operators: "Operators",
  events: "Events",
};

function proseOf(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.kind === "prose") return block.markdown;
      return block.kind === "facts" ? block.rows.map(([, says]) => says).join(" ") : "";
    })
    .join(" ");
}

function namesOf(block: Block): readonly string[] {
  if (block.kind !== "fields") return [];
  return block.groups.flatMap(({ fields }) => fields.flatMap(nestedNames));
}

function nestedNames({ name, groups }: Field): readonly string[] {
  return [name, ...groups.flatMap(({ fields }) => fields.flatMap(nestedNames))];
}

function clip(text: string): string {
  return textOf(text.replaceAll(/\]\([^)]*\)/g, "]")).slice(0, LONGEST_TEXT);
}

/** Splits a written page at its headings of the second level. */
function writtenParts(block: Block): readonly { id: string; title: string; text: string }[] {
  if (block.kind !== "prose") return [];
  const parts = block.markdown.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
  return parts.flatMap((part) => {
    const [heading] = headingsOf(part);
    if (heading === undefined) return [];
    return [{ id: heading.id, title: heading.title, text: part.replace(/^## .*$/m, "") }];
  });
}
