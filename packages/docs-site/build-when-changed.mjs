// Builds one archive of files when its sources have changed. A failure ends with 1; with `--lenient` it is only reported, because
// the API works without its documentation and its console.
import { createHash } from "node:crypto";
import { existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = new URL("../../", import.meta.url);

/** `sources` are URLs of files, and of folders with a slash at the end; `build` gets their digest. */
export async function buildWhenChanged({ what, sources, target, build }) {
  try {
    const digest = digestOf(sources);
    if (builtDigest(target) !== digest) await build(digest);
  } catch (error) {
    const isLenient = process.argv.includes("--lenient");
    const text = error instanceof Error ? error.message : String(error);
    const reason = stripVTControlCharacters(text);
    process.stderr.write(`The ${what} was not built: ${reason}\n`);
    process.exitCode = isLenient ? 0 : 1;
  }
}

function digestOf(urls) {
  const hash = createHash("sha256");
  for (const path of urls.flatMap(filesAt)) {
    const bytes = readFileSync(path);
    hash.update(`${path.slice(fileURLToPath(root).length)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

function filesAt(url) {
  const path = fileURLToPath(url);
  if (!path.endsWith("/")) return [path];
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.replace(/\/$/, "")}/${entry.name}`)
    .toSorted();
}

/** The digest stands first in the table of contents. */
function builtDigest(target) {
  if (!existsSync(target)) return undefined;
  const head = Buffer.alloc(128);
  readSync(openSync(target, "r"), head);
  return /"digest":"([0-9a-f]{64})"/.exec(head.toString("latin1"))?.[1];
}
