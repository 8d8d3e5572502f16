/** The frame of every page: head, navigation and text. */
import type { NounGroup } from "../api/nouns.ts";
import { nounHref } from "../api/nouns.ts";
import { ACCOUNT_TYPES_PATH } from "../api/objects.ts";
import type { Page, Section } from "../blocks/blocks.ts";
import { type BlockTools, blockHtml, methodBadge } from "./block-html.ts";
import { html, type Markup, nothing } from "./markup.ts";
import { anchorLink, headingsOf } from "./prose.ts";

/** The addresses of the assets that every page loads. */
export interface AssetPaths {
  readonly style: string;
  readonly script: string;
  readonly search: string;
  readonly index: string;
  readonly anchors: string;
}

export interface SiteMap {
  readonly guides: readonly Page[];
  readonly basics: readonly Page[];
  readonly groups: readonly NounGroup[];
  readonly operators: readonly Page[];
}

export interface Layout extends Omit<BlockTools, "titleLevel"> {
  readonly assets: AssetPaths;
  readonly map: SiteMap;
  readonly version: string;
}

export function pageHtml(layout: Layout, page: Page): string {
  const { assets, version } = layout;
  const isHome = page.path === "/docs";
  const { fullTitle = page.title } = page;
  const title = isHome ? fullTitle : `${fullTitle} · Florin`;
  return html`<!doctype html>
<html lang="en" data-language="bash"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><meta name="description" content="${page.description}"><meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${assets.style}"><link rel="alternate" type="text/markdown" href="${markdownPath(page.path)}">
<script src="${assets.script}"></script></head>
<body><a class="skip" href="#content">Skip to content</a>
<header class="top"><button type="button" class="menu" popovertarget="nav" aria-label="Navigation">${MENU}</button>
<a class="brand" href="/docs">Florin <span>Docs</span></a>
<button type="button" class="find" hidden data-search="${assets.search}" data-index="${assets.index}"${isHome ? anchorsOf(assets) : nothing}>${LENS}<span>Search</span><kbd>/</kbd></button>
<a class="spec" href="/openapi.json">OpenAPI</a></header>
<div class="frame"><nav id="nav" class="side" popover aria-label="Documentation">${sideNav(layout, page)}</nav>
<main id="content"${isHome ? { html: ' class="home"' } : nothing}><div class="head"><h1>${breakable(page.title)}</h1>${isHome ? nothing : tocHtml(page)}</div>
<div class="intro">${page.intro.map((block) => blockHtml({ ...layout, titleLevel: 2 }, block))}</div>
${page.sections.map((section) => sectionHtml(layout, section))}
<footer><span>Florin ${version}</span><a href="${markdownPath(page.path)}">This page as Markdown</a><a href="/docs/llms.txt">llms.txt</a></footer></main></div></body></html>
`.html;
}

function anchorsOf({ anchors }: AssetPaths): Markup {
  return html` data-anchors="${anchors}"`;
}

export function markdownPath(path: string): string {
  return path === "/docs" ? "/docs/index.md" : `${path}.md`;
}

const MENU: Markup = {
  html: '<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><path d="M2 4.5h14M2 9h14M2 13.5h14"/></svg>',
};
const LENS: Markup = {
  html: '<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg>',
};

/** The table of contents of a written page. Reference pages have their headings in the navigation. */
function tocHtml({ intro, sections }: Page): Markup {
  if (sections.length > 0) return nothing;
  const headings = intro
    .flatMap((block) => (block.kind === "prose" ? headingsOf(block.markdown) : []))
    .filter(({ level }) => level === 2);
  if (headings.length < 3) return nothing;
  return html`<ul class="toc" aria-label="On this page">${headings.map(({ title, id }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`;
}

/** Allows a line break in a long name in capitals after an underscore or a dot. */
function breakable(title: string): Markup {
  return { html: html`${title}`.html.replaceAll(/([_.])(?=[A-Z])/g, "$1<wbr>") };
}

function sectionHtml(layout: Layout, { id, title, main, aside }: Section): Markup {
  const tools: BlockTools = { ...layout, titleLevel: 3 };
  const heading = html`<h2 id="${id}">${breakable(title)}${{ html: anchorLink(id) }}</h2>`;
  const text = html`<div class="text">${heading}${main.map((block) => blockHtml(tools, block))}</div>`;
  const beside =
    aside.length === 0
      ? nothing
      : html`<div class="aside">${aside.map((block) => blockHtml(tools, block))}</div>`;
  const kind = aside.length === 0 ? "part" : "part pair";
  return html`<section class="${kind}" aria-labelledby="${id}">${text}${beside}</section>\n`;
}

function sideNav(layout: Layout, page: Page): Markup {
  const { guides, basics, groups, operators } = layout.map;
  const list = (pages: readonly Page[]) =>
    html`<ul>${pages.map(({ path, title }) => item(page, path, title))}</ul>`;
  const written = guides.length === 0 ? nothing : html`<h2>Guides</h2>${list(guides)}`;
  return html`${written}<h2>Basics</h2>${list(basics)}${groups.map(
    ({ title, nouns }) =>
      html`<h2>${title}</h2><ul>${nouns.map((noun) => {
        const path = nounHref(noun);
        const isOpen = page.path === path;
        const own = isOpen
          ? html`<ul>${noun.operations.map(({ id, title: name, method }) => html`<li><a href="#${id}">${name}${methodBadge(method)}</a></li>`)}</ul>`
          : nothing;
        return html`${item(page, path, noun.name, own)}${noun.name === "External accounts" ? item(page, ACCOUNT_TYPES_PATH, "Account types") : nothing}`;
      })}</ul>`,
  )}<h2>Lists</h2><ul>${item(page, "/docs/errors", "Errors")}${item(page, "/docs/events", "Event types")}${item(page, "/docs/reference/values", "Lists of values")}</ul><h2>Operators</h2>${list(operators)}`;
}

function item(page: Page, path: string, title: string, below: Markup = nothing): Markup {
  const isHere =
    page.path === path || (path === "/docs/errors" && page.path.startsWith(`${path}/`));
  const current = isHere ? html` aria-current="page"` : nothing;
  return html`<li><a href="${path}"${current}>${title}</a>${below}</li>`;
}
