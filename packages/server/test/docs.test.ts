/** Keeps the pages for operators true as far as a program can: files, links, figures and settings exist, and SQL runs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { THREAD_READS } from "../src/boot/deliveries/thread-messages.ts";
import { describeSettings } from "../src/config.ts";
import { engineDefaults } from "../src/engine/engine.ts";
import { refusalCodes } from "../src/engine/refusal.ts";
import { operations } from "../src/http/operations/routes.ts";
import { takesKey } from "../src/http/request/operation.ts";
import { databaseLimits } from "../src/postgres/database.ts";
import { createTestDatabase } from "./kit/test-database.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const pages = [
  "README.md",
  "ARCHITECTURE.md",
  ...readdirSync(new URL("docs/", root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const quotedIn = (page: string) =>
  [...read(page).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");

describe("a page", () => {
  it.each(pages)("%s links only to what is there", (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1] ?? "");
    const from = new URL(page, root);
    expect(targets.filter((target) => !existsSync(new URL(target, from)))).toEqual([]);
  });

  it.each(["docs/threats.md", "docs/scaling.md", "docs/runbook.md"])(
    "%s names only files of the server that are there",
    (page) => {
      const paths = quotedIn(page).filter((text) => /^(src|test|migrations)\/\S+$/.test(text));
      const server = new URL("packages/server/", root);
      expect(paths.filter((path) => !existsSync(new URL(path, server)))).toEqual([]);
    },
  );
});

it("the guide names every POST that takes no idempotency key, and the other methods", () => {
  const [sentence = ""] =
    /Every `POST` but.*?attention to it/s.exec(read("docs/guides/idempotency.md")) ?? [];
  const keyless = operations.filter((operation) => !takesKey(operation));
  const posts = keyless.filter(({ method }) => method === "POST").map(({ path }) => `\`${path}\``);
  const others = new Set(keyless.map(({ method }) => `\`${method}\``));
  others.delete("`GET`");
  others.delete("`POST`");
  expect(sentence.match(/`[A-Z/][^`]*`/g)?.sort()).toEqual(
    ["`POST`", "`Idempotency-Key`", ...posts, ...others].sort(),
  );
});

describe("the page of threats", () => {
  it("names a test for nearly every attempt", () => {
    // The table of who can do what alone is made by acts-alone.test.ts.
    const rows = read("docs/threats.md")
      .replace(/<!-- made by test:.*?<!-- end:/s, "")
      .split("\n")
      .filter((line) => line.startsWith("| ") && !/^\| Attempt/.test(line));
    const untested = rows.filter((row) => !/\.test\.ts|test\/faults|the same/.test(row));
    expect(rows.length).toBeGreaterThan(50);
    expect(untested.length).toBeLessThanOrEqual(2);
  });
});

const source = fileURLToPath(new URL("packages/server/src/", root));
const code = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => readFileSync(source + name, "utf8"))
  .join("\n");

describe("the runbook", () => {
  const runbook = read("docs/runbook.md");

  it("names only figures that the server shows", () => {
    const figures = [...runbook.matchAll(/florin_\w+/g)].map(([name]) => name);
    expect(figures.length).toBeGreaterThan(4);
    expect(figures.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
  });

  it("names only settings that there are", () => {
    const known = new Set(describeSettings({}).map(({ name }) => name));
    const foreign = new Set<string>([
      ...refusalCodes,
      "REPLICATION_URL",
      "OTEL_NODE_DISABLED_INSTRUMENTATIONS",
    ]);
    const named = quotedIn("docs/runbook.md").flatMap((text) =>
      [...text.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b(?!\.[A-Z])/g)].map(([name]) => name),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name) && !foreign.has(name))).toEqual([]);
  });

  it("counts the connections that a server has", () => {
    const calls = code.matchAll(/\b(?:openLane|createSerialLane)\((?:database, )?"([^"]+)"/g);
    const followers = code.matchAll(/\w*Follower<[^=]+> = \{\s+name: "([^"]+)"/g);
    const lanes = new Set([...calls, ...followers].map(([, name]) => name));
    // The first is counted by its setting; the others are closed after each write, and those are rare.
    const rare = ["issuer key", "token uses", "session uses", "failed proofs", "server"];
    for (const name of ["engine", ...rare]) {
      expect(lanes.delete(name)).toBe(true);
    }
    const { readConnections, gateConnections } = databaseLimits;
    const reads = readConnections + gateConnections + THREAD_READS.readConnections;
    // Platforms whose commits fail have as many lanes beside.
    const count = 2 * engineDefaults.laneCount + reads + lanes.size;
    expect(runbook).toContain(`with the defaults, plan for ${count},`);
  });

  it("gives SQL that runs on the schema of this version", async () => {
    const statements = [...runbook.matchAll(/```sql\n([^`]+)```/g)].flatMap((match) =>
      (match[1] ?? "").split(";").filter((statement) => statement.trim() !== ""),
    );
    expect(statements.length).toBeGreaterThan(5);
    const database = await createTestDatabase();
    try {
      await database.asSuperuser(async (client) => {
        const platform = "00000000-0000-7000-8000-000000000001";
        for (const statement of statements) await client.query(statement.replace("…", platform));
      });
    } finally {
      await database.drop();
    }
  });
});
