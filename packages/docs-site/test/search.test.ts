/** The search finds the right page among the first three, for questions as people type them. */
import MiniSearch from "minisearch";
import { beforeAll, describe, expect, it } from "vitest";
import { type SearchEntry, searchOptions, stem, words } from "../src/search/options.ts";
import { builtSite, pageOf } from "./built-site.ts";
import questions from "./questions.json" with { type: "json" };

let index: MiniSearch<SearchEntry>;
beforeAll(async () => {
  const site = await builtSite();
  const [, path = ""] = / data-index="([^"]+)"/.exec(pageOf(site, "/docs")) ?? [];
  index = MiniSearch.loadJSON(pageOf(site, path), searchOptions);
});

describe("the search", () => {
  it.each(questions)("for $asked finds $page", ({ asked, page }) => {
    const found = index.search(asked).slice(0, 3);
    // A page without an anchor is found by any of its parts.
    const hrefs = found.map(({ href }) => (page.includes("#") ? href : href.split("#")[0]));
    expect(hrefs).toContain(page);
  });

  it("is tried with 40 questions or more", () => {
    expect(questions.length).toBeGreaterThanOrEqual(40);
  });

  it("finds a name by its parts, and a plural by its singular", () => {
    expect(words("customerId of /transfer-out")).toEqual([
      "customerId",
      "customer",
      "Id",
      "of",
      "transfer",
      "out",
    ]);
    expect(["Quotes", "currencies", "status", "the"].map(stem)).toEqual([
      "quote",
      "currency",
      "status",
      null,
    ]);
  });
});
