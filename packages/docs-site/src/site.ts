/** Builds the whole site from its sources: pages in HTML and Markdown, assets, the search index, redirects of old addresses. */
import { createHash } from "node:crypto";
import { type ApiDocument, type Operation, readOperations } from "./api/document.ts";
import { groupNouns, type NounGroup, nounHref, slugOf } from "./api/nouns.ts";
import { ACCOUNT_TYPES_PATH, findHomes } from "./api/objects.ts";
import type { Page } from "./blocks/blocks.ts";
import { errorPages, readErrorRows } from "./pages/error-pages.ts";
import { eventAnchor, eventHref, eventsPage } from "./pages/events-page.ts";
import { OPERATOR_FILES } from "./pages/file-links.ts";
import { homePage } from "./pages/home-page.ts";
import { accountTypesPage, valuesPage } from "./pages/list-pages.ts";
import { nounPage } from "./pages/noun-page.ts";
import { guidePages, nameOf, type WrittenFile, writtenPage } from "./pages/written-pages.ts";
import { pageMarkdown } from "./render/block-markdown.ts";
import { createHighlight } from "./render/highlight.ts";
import { type AssetPaths, type Layout, markdownPath, pageHtml } from "./render/layout.ts";
import { createProse } from "./render/prose.ts";
import { searchIndex } from "./search/search-index.ts";

export interface SiteSources {
  readonly document: ApiDocument;
  /** The text of docs/reference/errors.md. */
  readonly errors: string;
  readonly guides: readonly WrittenFile[];
  /** Written pages of the reference, such as authentication and conventions. */
  readonly basics: readonly WrittenFile[];
  /** Files of the repository for operators of a server. */
  readonly operators: readonly WrittenFile[];
  readonly style: string;
  readonly scripts: { readonly page: string; readonly search: string };
}

export interface SiteFile {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  /** The name contains a hash of the content, so browsers may cache it forever. */
  readonly isHashed: boolean;
}

export async function buildSite(sources: SiteSources): Promise<readonly SiteFile[]> {
  const { document } = sources;
  const operations = readOperations(document);
  const groups = groupNouns(document, operations);
  const guides = guidePages(sources.guides);
  const basics = sources.basics
    .map((file) => writtenPage(file, `/docs/${nameOf(file)}`))
    .toSorted((one, other) => one.order - other.order);
  const operators = sources.operators.map((file) =>
    writtenPage(file, OPERATOR_FILES[file.file] ?? `/docs/operators/${nameOf(file)}`),
  );
  const pages = allPages(sources, { operations, groups, guides, basics, operators });
  const assets = makeAssets(
    sources,
    searchIndex(pages, operations),
    oldAnchors(document, operations),
  );
  const highlight = await createHighlight();
  const layout: Layout = {
    prose: createProse(highlight),
    highlight,
    assets: assets.paths,
    map: { guides, basics, groups, operators },
    version: document.info.version,
  };
  return [
    ...assets.files,
    ...pages.flatMap((page) => [
      file(page.path, HTML, pageHtml(layout, page)),
      file(markdownPath(page.path), MARKDOWN, pageMarkdown(page)),
    ]),
    file("/docs/llms.txt", TEXT, llmsText(pages)),
  ];
}

const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";

function file(path: string, type: string, body: string): SiteFile {
  return { path, type, body, isHashed: false };
}

interface Parts {
  readonly operations: readonly Operation[];
  readonly groups: readonly NounGroup[];
  readonly guides: readonly Page[];
  readonly basics: readonly Page[];
  readonly operators: readonly Page[];
}

function allPages(
  { document, errors }: SiteSources,
  { operations, groups, guides, basics, operators }: Parts,
): readonly Page[] {
  const nouns = groups.flatMap((group) => group.nouns);
  const homes = findHomes(document, nouns);
  return [
    homePage([...guides], groups),
    ...guides,
    ...basics,
    ...nouns.map((noun) => nounPage(document, noun, homes)),
    accountTypesPage(document, homes),
    valuesPage(document),
    ...errorPages(document, readErrorRows(errors), operations),
    eventsPage(document, operations),
    ...operators,
  ];
}

function makeAssets(
  { style, scripts }: SiteSources,
  index: string,
  anchors: Readonly<Record<string, string>>,
): { readonly paths: AssetPaths; readonly files: readonly SiteFile[] } {
  const made = {
    style: asset("site.css", "text/css; charset=utf-8", style),
    script: asset("page.js", "text/javascript; charset=utf-8", scripts.page),
    search: asset("search.js", "text/javascript; charset=utf-8", scripts.search),
    index: asset("search.json", "application/json; charset=utf-8", index),
    anchors: asset("anchors.json", "application/json; charset=utf-8", JSON.stringify(anchors)),
  };
  const { style: css, script, search, index: list, anchors: old } = made;
  return {
    paths: {
      style: css.path,
      script: script.path,
      search: search.path,
      index: list.path,
      anchors: old.path,
    },
    files: Object.values(made),
  };
}

function asset(name: string, type: string, body: string): SiteFile {
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 10);
  const [stem, suffix] = name.split(".");
  return { path: `/docs/assets/${stem}.${digest}.${suffix}`, type, body, isHashed: true };
}

/** The present pages of unions that had a section in the former single-page reference. */
const FORMS: Readonly<Record<string, string>> = {
  AccountInfo: ACCOUNT_TYPES_PATH,
  Beneficiary: ACCOUNT_TYPES_PATH,
  WalletBeneficiary: ACCOUNT_TYPES_PATH,
  TransactionSource: "/docs/reference/transactions#getTransaction",
  TransactionDestination: "/docs/reference/transactions#getTransaction",
  QuoteSource: "/docs/reference/quotes#createQuote",
  QuoteDestination: "/docs/reference/quotes#createQuote",
};

/** Maps the anchors of the former single-page reference to their present addresses. */
function oldAnchors(
  document: ApiDocument,
  operations: readonly Operation[],
): Readonly<Record<string, string>> {
  const hrefOf = (tag: string) => nounHref({ slug: slugOf(tag) });
  return Object.fromEntries([
    ...operations.map(({ id, tag }) => [id, `${hrefOf(tag)}#${id}`]),
    ...document.tags.map(({ name }) => [`tag-${slugOf(name)}`, hrefOf(name)]),
    ...Object.keys(document.webhooks).map((type) => [eventAnchor(type), eventHref(type)]),
    ["events", "/docs/events"],
    ...Object.entries(FORMS).map(([name, href]) => [`form-${name}`, href]),
  ]);
}

/** The list of pages for programs that read the documentation, in the format of llmstxt.org. */
function llmsText(pages: readonly Page[]): string {
  const lines = (chosen: readonly Page[]) =>
    chosen.map(
      ({ path, title, description }) => `- [${title}](${markdownPath(path)}): ${description}`,
    );
  const isAt = (start: string) => (page: Page) => page.path.startsWith(start);
  const [home] = pages;
  const parts = [
    ["Guides", pages.filter(isAt("/docs/guides/"))],
    ["Basics", pages.filter(({ path }) => /^\/docs\/[a-z]+$/.test(path))],
    ["Reference", pages.filter(isAt("/docs/reference/"))],
    ["Operators", pages.filter(isAt("/docs/operators/"))],
    ["Error codes", pages.filter(isAt("/docs/errors/"))],
  ] as const;
  return [
    "# Florin",
    `> ${home?.description ?? ""}`,
    "The OpenAPI 3.1 document is at /openapi.json.",
    ...parts
      .filter(([, chosen]) => chosen.length > 0)
      .map(([title, chosen]) => `## ${title}\n\n${lines(chosen).join("\n")}`),
  ].join("\n\n");
}
