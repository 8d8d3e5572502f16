/** The grid: each feature is found by its layer and its neighbourhood, and the neighbourhoods of the domain have an order. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const domain = join(root, "packages/server/src/domain");

/** From the ground up: a neighbourhood of the domain imports itself and earlier ones, types included. */
const NEIGHBOURHOODS = [
  "accounts",
  "customers",
  "wallets",
  "prices",
  "payments",
  "uma",
  "rails",
  "agents",
  "people",
  "events",
  "reading",
  "platforms",
];

/** The folders that are divided into neighbourhoods, and what they have besides, for all of them. */
const GRID: Readonly<Record<string, readonly string[]>> = {
  "packages/server/src/domain": [],
  "packages/server/src/http/operations": [],
  "packages/server/src/http/console/operations": [],
  "packages/server/src/wire": [],
  "packages/server/src/jobs": ["failures", "files", "sweeps"],
  "packages/server/src/outside": ["mail", "outbound-http"],
  "packages/server/test/stories": [],
  "packages/console/src/pages": [],
};

it.each(Object.entries(GRID))("%s has neighbourhoods and nothing else", (folder, shared) => {
  const found = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !shared.includes(entry.name))
    .map(({ name }) => name);
  expect(found.filter((name) => !NEIGHBOURHOODS.includes(name))).toEqual([]);
  expect(found.length).toBeGreaterThan(4);
});

interface Import {
  readonly path: string;
  readonly from: string;
}

function importsOf(path: string): readonly Import[] {
  const text = readFileSync(path, "utf8");
  const found = text.matchAll(/^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"/gms);
  return [...found].map((match) => ({
    path: relative(domain, path),
    from: relative(domain, normalize(join(dirname(path), match[1] ?? ""))),
  }));
}

/** Files at the top of the domain are words that every neighbourhood uses. */
function neighbourhoodOf(path: string): string | undefined {
  const [folder = "", ...rest] = path.split("/");
  return rest.length === 0 || folder === ".." ? undefined : folder;
}

const levelOf = (path: string) => NEIGHBOURHOODS.indexOf(neighbourhoodOf(path) ?? "");

it("the domain goes down its neighbourhoods", () => {
  const files = readdirSync(domain, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  const imports = files.flatMap(importsOf);
  const up = imports
    .filter(({ path, from }) => levelOf(from) > levelOf(path))
    .map(({ path, from }) => `${path} -> ${from}`);
  expect(imports.length).toBeGreaterThan(1_000);
  expect(up).toEqual([]);
});
