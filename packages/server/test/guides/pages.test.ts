/** What a program can check of the guides without running them. The other files of this folder run them. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { guideRuns, guides, guidesFolder } from "../kit/guides/all-guides.ts";
import { rolesTable } from "../kit/guides/roles-table.ts";
import { hasPython, root } from "../kit/guides/workplace.ts";

/** The blocks that no test runs, and why. A new one has to be added here. */
const NOT_RUN: readonly string[] = [
  "agents: a file for another program",
  "console: Ana has not accepted her invitation in this guide",
  "console: the server of this guide has printed it already",
  "embedded-wallets: serves a page for a browser until it is stopped; test/browser/wallet-example.test.ts runs it",
  "operating: needs a PostgreSQL of the operator and its client programs",
  "production: prints a secret and makes a second platform, which the other blocks do not need",
  "uma-production: needs a domain on the internet",
  "uma-production: needs a domain on the internet",
  "uma-operating: needs a connector that makes invoices",
  "uma-operating: needs an institution whose key has changed",
  "uma-sandbox: the transaction is one of a second sandbox",
  "quickstart: the test has a server of its own; test/stories/platforms/first-start.long.test.ts covers the first start",
  "webhooks: needs the package cryptography, which is not part of Python",
  "testing: the sandbox of this guide is not empty, and 20,000 payments take a minute",
];

const CHECK_SYNTAX = "import sys; compile(sys.stdin.read(), sys.argv[1], 'exec')";

describe("the guides", () => {
  it("are run by one test file each", () => {
    expect(Object.values(guideRuns).flat().toSorted()).toEqual([...guides.keys()].toSorted());
  });

  it("have the blocks that are not run in one list", () => {
    const notRun = [...guides].flatMap(([name, { blocks }]) =>
      blocks.flatMap(({ reason }) => (reason === undefined ? [] : [`${name}: ${reason}`])),
    );
    expect(notRun.toSorted()).toEqual([...NOT_RUN].toSorted());
  });

  it("show the roles as the code has them", () => {
    expect(guides.get("console")?.text).toContain(`\n${rolesTable()}\n`);
  });

  it("have a place of their own in the order", () => {
    const orders = [...guides.values()].map(({ order }) => order);
    expect(new Set(orders).size).toBe(orders.length);
  });

  it("share no idempotency key: a reader goes through them on one platform", () => {
    const uses = [...guides].flatMap(([name, { text }]) =>
      [...new Set(text.match(/(?<=idempotency-key: |idempotency-key )[\w-]+(?=['" ])/g))].map(
        (key) => [key, name] as const,
      ),
    );
    expect(uses.length).toBeGreaterThan(2);
    expect(new Map(uses).size).toBe(uses.length);
  });

  it("have Python that Python can read", () => {
    const blocks = [...guides].flatMap(([name, guide]) =>
      guide.blocks
        .filter(({ language }) => language === "python")
        .map((block) => ({ name, block })),
    );
    expect(blocks.length).toBeGreaterThan(3);
    if (!hasPython) {
      process.stderr.write(`python3 is not on this machine: ${blocks.length} blocks are not run\n`);
      return;
    }
    for (const { name, block } of blocks)
      execFileSync("python3", ["-c", CHECK_SYNTAX, `${name}.md:${block.line}`], {
        input: block.text,
      });
  });
});

describe.each([...guides])("the guide %s", (_name, { title, description, text, blocks }) => {
  it("has a title and a sentence about it", () => {
    expect(title.replaceAll('"', "")).toMatch(/^[A-Z].+[^.]$/);
    expect(description).toMatch(/^[A-Z].+\.$/);
  });

  it("has at most 1,500 words, and code besides", () => {
    const prose = text.replaceAll(/^```[^\n]*\n.*?^```$/gms, "");
    expect(prose.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1500);
    expect(blocks.length).toBeGreaterThan(1);
  });

  it("links only to what is there", () => {
    const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to]) => to ?? "");
    expect(targets.filter((target) => !existsSync(join(guidesFolder, target)))).toEqual([]);
  });

  it("names only tests, examples and files of a deployment that are there", () => {
    const paths = [...text.matchAll(/\b((?:examples|deploy)\/[\w./-]+|test\/[\w/-]+\.test\.ts)/g)]
      .map(([path]) => path.replace(/\.$/, ""))
      .filter((path) => !path.includes("/dist/"));
    const isThere = (path: string) =>
      [root, join(root, "packages/server")].some((folder) => existsSync(join(folder, path)));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });
});
