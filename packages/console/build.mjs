// Builds the console into packages/server/dist-console/site.bin, when its sources have changed.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildWhenChanged } from "../docs-site/build-when-changed.mjs";

const own = new URL("./", import.meta.url);
const root = new URL("../../", own);
const target = fileURLToPath(new URL("packages/server/dist-console/site.bin", root));
const sources = [
  ...["src/", "build/", "look/", "messages/", "build.mjs"].map((path) => new URL(path, own)),
  new URL("packages/client/src/", root),
  new URL("packages/cli/src/proof/", root),
  new URL("packages/docs-site/src/archive.ts", root),
  new URL("packages/docs-site/look/tokens.css", root),
  // The versions of what is bundled.
  new URL("package.json", root),
];

await buildWhenChanged({ what: "console", sources, target, build });

async function build(digest) {
  // React for development is larger and writes to the console of the browser.
  process.env.NODE_ENV = "production";
  const [{ buildConsole }, writeArchive] = await Promise.all([
    import("./build/build-console.mjs"),
    archiveWriter(),
  ]);
  await writeArchive(target, digest, await buildConsole({ root }));
}

/** The archive is the one of the documentation, so that the server reads one format. */
async function archiveWriter() {
  const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root));
  const source = fileURLToPath(new URL("packages/docs-site/tsconfig.build.json", root));
  const compiled = spawnSync(process.execPath, [tsc, "-p", source, "--noCheck"], {
    encoding: "utf8",
  });
  if (compiled.status !== 0) throw new Error(compiled.stdout || compiled.stderr);
  return (await import(new URL("packages/docs-site/dist/archive.js", root).href)).writeArchive;
}
