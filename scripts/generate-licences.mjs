// `npm run generate`: writes the licence of every package that the lock file names, as the packages declare it.
import { readFile, writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const lock = JSON.parse(await readFile(new URL("package-lock.json", root), "utf8"));

const rows = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
  .map(([path, entry]) => ({
    name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    version: entry.version,
    licence: entry.license ?? "(not declared)",
    use: entry.dev === true || entry.devOptional === true ? "development" : "at run time",
  }))
  .map(({ name, version, licence, use }) => `| \`${name}\` | ${version} | ${licence} | ${use} |`);

const text = [
  "# Licences",
  "",
  "Written by `npm run generate` from `package-lock.json`; not to be changed by hand. Florin itself is under Apache-2.0.",
  "",
  "| Package | Version | Licence | Used |",
  "|---|---|---|---|",
  ...[...new Set(rows)].toSorted((one, other) => (one < other ? -1 : 1)),
  "",
].join("\n");
await writeFile(new URL("docs/reference/licences.md", root), text);
