/** The pages as they are built: nothing is missing, no link leads nowhere, no page is heavy. */
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { type ApiDocument, type Operation, readOperations } from "../src/api/document.ts";
import { errorCauses } from "../src/api/error-causes.ts";
import { nounHref, slugOf } from "../src/api/nouns.ts";
import { readErrorRows } from "../src/pages/error-pages.ts";
import { eventAnchor } from "../src/pages/events-page.ts";
import type { SiteFile, SiteSources } from "../src/site.ts";
import { builtSite, htmlPages, pageOf, siteOf, siteSources } from "./built-site.ts";

let sources: SiteSources;
let document: ApiDocument;
let operations: readonly Operation[];
let site: ReadonlyMap<string, SiteFile>;
let pages: readonly SiteFile[];
beforeAll(async () => {
  sources = await siteSources();
  ({ document } = sources);
  operations = readOperations(document);
  site = await builtSite();
  pages = htmlPages(site);
});

function anchorsOf(html: string): readonly string[] {
  return [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
}

/** The section of an operation, up to the next one. */
function sectionOf({ id, tag }: Operation): string {
  const html = pageOf(site, nounHref({ slug: slugOf(tag) }));
  const [, section = ""] =
    new RegExp(`<section[^>]* aria-labelledby="${id}">([\\s\\S]*?)</section>`).exec(html) ?? [];
  return section;
}

const gzipped = (text: string) => gzipSync(text, { level: 9 }).length;

describe("the site", () => {
  it("has a page for every noun, with all of its operations", () => {
    expect(operations.length).toBeGreaterThan(120);
    const missing = operations.filter((operation) => sectionOf(operation) === "");
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it("shows of every operation samples in three languages and an example of each answer", () => {
    const poor = operations.filter((operation) => {
      const section = sectionOf(operation);
      const hasSamples = ["bash", "ts", "python"].every((language) =>
        section.includes(`<div class="sample" data-language="${language}">`),
      );
      return !(
        hasSamples && operation.answers.every(({ status }) => section.includes(`>Answer ${status}`))
      );
    });
    expect(poor.map(({ id }) => id)).toEqual([]);
  });

  it("says of every operation its permission, its refusals and the events that it leads to", () => {
    const poor = operations.filter((operation) => {
      const section = sectionOf(operation);
      return !(
        section.includes("<dt>Permission</dt>") &&
        operation.refusals.every(({ code }) => section.includes(`href="/docs/errors/${code}"`)) &&
        operation.events.every((type) => section.includes(`#${eventAnchor(type)}"`)) &&
        operation.parameters.every(({ name }) => section.includes(`<code>${name}</code>`))
      );
    });
    expect(poor.map(({ id }) => id)).toEqual([]);
  });

  it("has a page for every error code, with cause and cure", () => {
    const rows = readErrorRows(sources.errors);
    const codes = rows.map(({ code }) => code);
    expect(codes).toEqual(document.components.schemas.RefusalCode?.enum);
    expect(Object.keys(errorCauses).toSorted()).toEqual(codes.toSorted());
    for (const code of codes) {
      const page = pageOf(site, `/docs/errors/${code}`);
      for (const name of ["Status", "Cause", "Cure", "Retry"]) {
        expect(page, code).toContain(`<dt>${name}</dt>`);
      }
    }
  });

  it("has every event type with its body", () => {
    const html = pageOf(site, "/docs/events");
    for (const type of Object.keys(document.webhooks)) {
      expect(anchorsOf(html)).toContain(eventAnchor(type));
    }
  });

  it("shows the fields within fields, and of a union those of each form", () => {
    const quotes = pageOf(site, "/docs/reference/quotes");
    expect(quotes).toContain("Fields of <code>rateDetails</code>");
    expect(quotes).toContain("When <code>sourceType</code> is <code>REALTIME_FUNDING</code>");
    const types = pageOf(site, "/docs/reference/account-types");
    expect(anchorsOf(types)).toContain("EUR_ACCOUNT");
    expect(types).toContain("When <code>beneficiaryType</code> is <code>BUSINESS</code>");
  });

  it("has no link and no anchor that leads nowhere, and no anchor twice on a page", () => {
    const anchors = new Map(pages.map(({ path, body }) => [path, anchorsOf(body)]));
    for (const [path, own] of anchors) expect(new Set(own).size, path).toBe(own.length);
    const broken = pages.flatMap(({ path, body }) =>
      [...body.matchAll(/ (?:href|src|data-search|data-index|data-anchors)="([^"]+)"/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !leads(path, target, anchors))
        .map((target) => `${path} -> ${target}`),
    );
    expect([...new Set(broken)]).toEqual([]);
  });

  function leads(from: string, target: string, anchors: ReadonlyMap<string, readonly string[]>) {
    if (target === "/openapi.json" || /^https?:/.test(target)) return true;
    const [path = "", anchor] = target.split("#");
    const page = path === "" ? from : path;
    if (!site.has(page)) return false;
    return anchor === undefined || anchors.get(page)?.includes(anchor) === true;
  }

  it("knows every anchor of the reference of one page", () => {
    const [, list = ""] = / data-anchors="([^"]+)"/.exec(pageOf(site, "/docs")) ?? [];
    const places: Readonly<Record<string, string>> = JSON.parse(pageOf(site, list));
    const old = [
      ...operations.map(({ id }) => id),
      ...document.tags.map(({ name }) => `tag-${slugOf(name)}`),
      ...Object.keys(document.webhooks).map(eventAnchor),
      "form-AccountInfo",
      "form-QuoteSource",
    ];
    expect(old.filter((anchor) => places[anchor] === undefined)).toEqual([]);
    for (const place of Object.values(places)) {
      const [path = "", anchor] = place.split("#");
      const known = anchorsOf(pageOf(site, path));
      if (anchor !== undefined) expect(known, place).toContain(anchor);
    }
  });

  it("has every page as Markdown too, and all of them in llms.txt", () => {
    const list = pageOf(site, "/docs/llms.txt");
    for (const { path, body } of pages) {
      const [, copy = ""] = /type="text\/markdown" href="([^"]+)"/.exec(body) ?? [];
      expect(pageOf(site, copy), path).toMatch(/^# ./);
      if (path !== "/docs") expect(list).toContain(`](${copy})`);
    }
    const quotes = pageOf(site, "/docs/reference/quotes.md");
    expect(quotes).toContain("`POST /quotes`");
    expect(quotes).toContain("```python\n");
  });

  it("keeps a page within 60 kB, with style and script, and the search index within 200 kB", () => {
    const [, style = "", script = ""] =
      /href="(\/docs\/assets\/site[^"]+)"[\s\S]*?src="(\/docs\/assets\/page[^"]+)"/.exec(
        pageOf(site, "/docs"),
      ) ?? [];
    const shared = gzipped(pageOf(site, style)) + gzipped(pageOf(site, script));
    const heavy = pages
      .map(({ path, body }) => ({ path, bytes: gzipped(body) + shared }))
      .filter(({ bytes }) => bytes > 60_000);
    expect(heavy).toEqual([]);
    const [, index = ""] = / data-index="([^"]+)"/.exec(pageOf(site, "/docs")) ?? [];
    expect(gzipped(pageOf(site, index))).toBeLessThan(200_000);
  });

  it("has no style, no script and no handler within its pages, and nothing from another host", () => {
    for (const { path, body } of pages) {
      expect(body, path).not.toMatch(
        /<style|\sstyle="|<script>|\son[a-z]+="|<iframe|<img|javascript:/i,
      );
      expect(body.match(/ (?:src|href)="https?:[^"]*"/g) ?? [], path).toEqual([]);
    }
  });

  it("is well formed: what is opened is closed, in order", () => {
    for (const { path, body } of pages) {
      const open: string[] = [];
      for (const [whole, slash, name = ""] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
        if (/^(meta|link|wbr|br|hr)$/.test(name) || whole.endsWith("/>")) continue;
        if (slash === "") open.push(name);
        else expect(open.pop(), path).toBe(name);
      }
      expect(open, path).toEqual([]);
    }
  });
});

describe("what the sources say", () => {
  it("is text and never markup", async () => {
    const script = "</title><script>alert(1)</script>";
    const [[path = "", methods = {}] = []] = Object.entries(document.paths);
    const nasty = Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        { ...operation, summary: script, description: `<img src=x onerror=alert(1)> ${script}` },
      ]),
    );
    const given = {
      ...sources,
      document: { ...document, paths: { ...document.paths, [path]: nasty } },
      guides: [
        {
          file: "docs/guides/nasty.md",
          text: `---\ntitle: ${script}\n---\n${script}\n\n[x](javascript:alert(1))`,
        },
      ],
    };
    const made = await siteOf(given);
    for (const { path: at, body } of htmlPages(made)) {
      expect(body.match(/<script[^>]*>/g), at).toHaveLength(1);
      expect(body, at).not.toMatch(/<img|href="javascript/);
    }
  });
});
