/** Guides as other people write them. */
import { beforeAll, describe, expect, it } from "vitest";
import { guidePages, writtenPage } from "../src/pages/written-pages.ts";
import type { SiteFile } from "../src/site.ts";
import { pageOf, siteOf, siteSources } from "./built-site.ts";

const QUICKSTART = `---
title: "Quickstart"
description: From nothing to a payment.
order: 1
---

# Quickstart

First [webhooks](webhooks.md#verify), then [errors](../reference/errors.md) and the [runbook](../runbook.md); [\`a\`](../../LICENSE) is a file.

## Start the server

<!-- no-run: no test starts a second server -->
\`\`\`bash no-run
npm start # prints a token
\`\`\`

\`\`\`ts
const answer = await client.config.get();
\`\`\`

\`\`\`python
print("a")
\`\`\`

\`\`\`json
{ "a": 1 }
\`\`\`

\`\`\`mermaid
graph
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

## Send money

\`\`\`
# no heading, and no link: [a](webhooks.md)
\`\`\`

## Read the ledger
`;

const files = [
  { file: "docs/guides/webhooks.md", text: "# Webhooks\n\n## Verify\n\nText.\n" },
  { file: "docs/guides/quickstart.md", text: QUICKSTART },
  { file: "docs/guides/bare.md", text: "Only text." },
];

let site: ReadonlyMap<string, SiteFile>;
beforeAll(async () => {
  site = await siteOf({ ...(await siteSources()), guides: files });
});

describe("a guide", () => {
  it("has title, description and order from its front matter", () => {
    const [first, ...others] = guidePages(files);
    expect(first).toMatchObject({
      path: "/docs/guides/quickstart",
      title: "Quickstart",
      description: "From nothing to a payment.",
      order: 1,
    });
    expect(others.map(({ title }) => title)).toEqual(["bare", "Webhooks"]);
  });

  it("without front matter is called by its heading, or by its file", () => {
    expect(
      writtenPage({ file: "docs/guides/a.md", text: "# The `A`\n\nText" }, "/docs/a"),
    ).toMatchObject({
      title: "The A",
      markdown: "Text",
    });
    expect(writtenPage({ file: "docs/guides/a.md", text: "" }, "/docs/a")).toMatchObject({
      title: "a",
      markdown: "",
    });
  });

  it("takes line ends of Windows", () => {
    const text = "---\r\ntitle: A\r\n---\r\n\r\nText\r\n";
    expect(writtenPage({ file: "docs/guides/a.md", text }, "/docs/a")).toMatchObject({
      title: "A",
      markdown: "Text",
    });
  });

  it("is shown with its code in colours, and unknown languages plain", () => {
    const html = pageOf(site, "/docs/guides/quickstart");
    expect(html).toContain('<span class="c"># prints a token</span>');
    expect(html).toMatch(/<span class="k">const\s*<\/span>/);
    expect(html).toContain("<code>graph</code>");
    expect(html).toContain('<div class="scroll" tabindex="0"><table>');
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).not.toContain("no test starts");
  });

  it("lists its parts, and no line of code as one", () => {
    const html = pageOf(site, "/docs/guides/quickstart");
    const [, toc = ""] = /<ul class="toc"[^>]*>(.*?)<\/ul>/.exec(html) ?? [];
    expect([...toc.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)).toEqual([
      "start-the-server",
      "send-money",
      "read-the-ledger",
    ]);
  });

  it("leads to other guides and to the pages of the reference", () => {
    const html = pageOf(site, "/docs/guides/quickstart");
    expect(html).toContain('href="/docs/guides/webhooks#verify"');
    expect(html).toContain('then <a href="/docs/errors">errors</a>');
    expect(html).toContain(
      '<a href="/docs/operators/runbook">runbook</a>; <code>a</code> is a file',
    );
    expect(html).toContain("no link: [a](webhooks.md)");
  });

  it("is in the navigation of every page, on the first page and in llms.txt, first", () => {
    expect(pageOf(site, "/docs/errors")).toContain('href="/docs/guides/quickstart"');
    expect(pageOf(site, "/docs")).toContain(
      '<li><a href="/docs/guides/quickstart"><strong>Quickstart',
    );
    expect(pageOf(site, "/docs/llms.txt")).toMatch(/## Guides\n\n- \[Quickstart\]/);
    expect(pageOf(site, "/docs/guides/quickstart.md")).toContain("## Send money");
  });
});
