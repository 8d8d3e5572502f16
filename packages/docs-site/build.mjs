// Builds the documentation into packages/server/dist-docs/site.bin, when its sources have changed.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildWhenChanged } from "./build-when-changed.mjs";

const own = new URL("./", import.meta.url);
const root = new URL("../../", own);
const target = fileURLToPath(new URL("packages/server/dist-docs/site.bin", root));
const sources = [
  ...["src/", "content/", "look/", "build.mjs"].map((path) => new URL(path, own)),
  ...[
    "docs/guides/",
    "docs/reference/",
    "docs/approvals.md",
    "docs/rails.md",
    "docs/runbook.md",
    "docs/scaling.md",
    "docs/wallets.md",
  ].map((path) => new URL(path, root)),
  new URL("CHANGELOG.md", root),
  // The versions of what renders.
  new URL("package.json", root),
];

await buildWhenChanged({ what: "documentation", sources, target, build });

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
