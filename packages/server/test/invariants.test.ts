/** Keeps docs/invariants.md true as far as a program can: what it names is there, and what asserts by number is in it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const server = new URL("../", import.meta.url);
const page = readFileSync(new URL("../../docs/invariants.md", server), "utf8");
const migrations = new URL("migrations/", server);
const schema = readdirSync(migrations)
  .map((name) => readFileSync(new URL(name, migrations), "utf8"))
  .join("\n");
const source = fileURLToPath(new URL("src/", server));
const code = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => readFileSync(`${source}/${name}`, "utf8"))
  .join("\n");

const quoted = [...page.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
const numbers = [...page.matchAll(/^\*\*(I-\d+) /gm)].map((match) => match[1] ?? "");

describe("the page of invariants", () => {
  it("numbers them from 1 without a gap, each with its database, code and test", () => {
    expect(numbers).toEqual(numbers.map((_, index) => `I-${index + 1}`));
    for (const part of page.split(/^\*\*I-/m).slice(1)) {
      for (const line of ["- database: ", "- code: ", "- test: "]) {
        expect(part.split(`\n${line}`), `${line}of I-${part.slice(0, 40)}`).toHaveLength(2);
      }
    }
  });

  it("names only files and folders that are there", () => {
    const paths = quoted.filter((text) => /^(src|test)\/\S+$/.test(text));
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((path) => !existsSync(new URL(path, server)))).toEqual([]);
  });

  it("names only constraints, indexes, triggers and functions that a migration makes", () => {
    const names = quoted.filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text));
    const settings = ["data_sync_retry", "full_page_writes", "synchronous_commit"];
    const missing = names.filter((name) => !settings.includes(name) && !schema.includes(name));
    expect(missing).toEqual([]);
  });

  it("has every number that an assertion names", () => {
    const asserted = [...code.matchAll(/"(I-\d+): /g)].map((match) => match[1] ?? "");
    expect(asserted.length).toBeGreaterThan(4);
    expect(asserted.filter((number) => !numbers.includes(number))).toEqual([]);
  });

  it("names only functions that the code has", () => {
    const names = quoted.filter((text) => /^[a-z]+[A-Z]\w+$/.test(text));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !code.includes(`function ${name}(`))).toEqual([]);
  });
});
