/** Reads the sources, builds the site and writes its archive; `build.mjs` calls it when the sources have changed. */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { writeArchive } from "./archive.ts";
import type { WrittenFile } from "./pages/written-pages.ts";
import { buildSite, type SiteSources } from "./site.ts";

export async function buildDocs(options: {
  /** The top of the checkout. */
  readonly root: URL;
  readonly target: string;
  readonly digest: string;
}): Promise<void> {
  const files = await buildSite(await readSources(options.root));
  await writeArchive(options.target, options.digest, files);
}

/** In the order in which they apply. */
const STYLES = ["tokens", "frame", "text", "reference", "narrow"];

export async function readSources(root: URL): Promise<SiteSources> {
  const read = (path: string) => readFile(new URL(path, root), "utf8");
  const own = "packages/docs-site/";
  const [document, errors, guides, basics, style, page, search] = await Promise.all([
    read("docs/reference/openapi.json"),
    read("docs/reference/errors.md"),
    writtenFiles(new URL("docs/guides/", root)),
    writtenFiles(new URL(`${own}content/`, root)),
    Promise.all(STYLES.map((name) => read(`${own}look/${name}.css`))),
    bundle(new URL(`${own}src/browser/page.ts`, root), "iife"),
    bundle(new URL(`${own}src/browser/search.ts`, root), "es"),
  ]);
  return {
    document: JSON.parse(document),
    errors,
    guides,
    basics,
    style: style.join("\n"),
    scripts: { page, search },
  };
}

/** The Markdown files of a folder; none when there is no such folder. */
async function writtenFiles(folder: URL): Promise<readonly WrittenFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const pages = names.filter((name) => name.endsWith(".md") && name !== "README.md").toSorted();
  return Promise.all(
    pages.map(async (name) => ({
      name: name.slice(0, -".md".length),
      text: await readFile(new URL(name, folder), "utf8"),
    })),
  );
}

/** One script with what it imports. */
async function bundle(entry: URL, format: "iife" | "es"): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      lib: { entry: fileURLToPath(entry), formats: [format], name: "florin", fileName: "script" },
    },
  });
  const [output] = Array.isArray(made) ? made : [made];
  if (output === undefined || !("output" in output))
    throw new Error(`${entry.href} gave no script`);
  return output.output[0].code;
}
