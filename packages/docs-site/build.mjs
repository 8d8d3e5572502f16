// Builds the documentation into packages/server/dist-docs/site.bin, when its sources have changed. A failure ends with 1; with
// `--lenient` it is only reported, because the API works without its documentation.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";

const own = new URL("./", import.meta.url);
const root = new URL("../../", own);
const target = fileURLToPath(new URL("packages/server/dist-docs/site.bin", root));
const sources = [
  ...["src/", "content/", "look/", "build.mjs"].map((path) => new URL(path, own)),
  ...[
    "docs/guides/",
    "docs/reference/",
    "docs/rails.md",
    "docs/runbook.md",
    "docs/scaling.md",
    "docs/wallets.md",
  ].map((path) => new URL(path, root)),
  new URL("CHANGELOG.md", root),
  // The versions of what renders.
  new URL("package.json", root),
];

try {
  const digest = digestOf(sources);
  if (builtDigest() !== digest) await build(digest);
} catch (error) {
  const isLenient = process.argv.includes("--lenient");
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The documentation was not built: ${reason}\n`);
  process.exitCode = isLenient ? 0 : 1;
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
function builtDigest() {
  if (!existsSync(target)) return undefined;
  const head = Buffer.alloc(128);
  readSync(openSync(target, "r"), head);
  return /"digest":"([0-9a-f]{64})"/.exec(head.toString("latin1"))?.[1];
}

async function build(digest) {
  const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root));
  const project = fileURLToPath(new URL("tsconfig.build.json", own));
  const compiled = spawnSync(process.execPath, [tsc, "-p", project, "--noCheck"], {
    encoding: "utf8",
  });
  if (compiled.status !== 0) throw new Error(compiled.stdout || compiled.stderr);
  const { buildDocs } = await import(new URL("dist/build.js", own).href);
  await buildDocs({ root, target, digest });
}
