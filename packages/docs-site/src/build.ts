/** Reads the sources, builds the site and writes its archive. `build.mjs` calls it when the sources have changed. */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { writeArchive } from "./archive.ts";
import { OPERATOR_FILES } from "./pages/file-links.ts";
import type { WrittenFile } from "./pages/written-pages.ts";
import { buildSite, type SiteSources } from "./site.ts";

export async function buildDocs(options: {
  /** The root folder of the repository. */
  readonly root: URL;
  readonly target: string;
  readonly digest: string;
}): Promise<void> {
  const files = await buildSite(await readSources(options.root));
  await writeArchive(options.target, options.digest, files);
}

/** The style sheets in the order in which they apply. */
const STYLES = ["tokens", "frame", "text", "reference", "narrow"];

export async function readSources(root: URL): Promise<SiteSources> {
  const read = (path: string) => readFile(new URL(path, root), "utf8");
  const own = "packages/docs-site/";
  const [document, errors, guides, basics, operators, style, page, search] = await Promise.all([
    read("docs/reference/openapi.json"),
    read("docs/reference/errors.md"),
    writtenFiles(root, "docs/guides/"),
    writtenFiles(root, `${own}content/`),
    Promise.all(
      Object.keys(OPERATOR_FILES).map(async (file) => ({ file, text: await read(file) })),
    ),
    Promise.all(STYLES.map((name) => read(`${own}look/${name}.css`))),
    bundle(new URL(`${own}src/browser/page.ts`, root), "iife"),
    bundle(new URL(`${own}src/browser/search.ts`, root), "es"),
  ]);
  return {
    document: JSON.parse(document),
    errors,
    guides,
    basics,
    operators,
    style: style.join("\n"),
    scripts: { page, search },
  };
}

/** The Markdown files of a folder; empty when the folder does not exist. */
async function writtenFiles(root: URL, folder: string): Promise<readonly WrittenFile[]> {
  const names = await readdir(new URL(folder, root)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith(".md") && name !== "README.md").toSorted();
  return Promise.all(
    files.map(async (name) => ({
      file: folder + name,
      text: await readFile(new URL(folder + name, root), "utf8"),
    })),
  );
}

/** Bundles one script with its imports. */
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
