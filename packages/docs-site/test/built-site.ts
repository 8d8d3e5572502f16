/** The site of this checkout, built once per process. */
import { readSources } from "../src/build.ts";
import { buildSite, type SiteFile, type SiteSources } from "../src/site.ts";

const ROOT = new URL("../../../", import.meta.url);

let sources: Promise<SiteSources> | undefined;
let files: Promise<ReadonlyMap<string, SiteFile>> | undefined;

export function siteSources(): Promise<SiteSources> {
  sources ??= readSources(ROOT);
  return sources;
}

/** The files by their paths. */
export function builtSite(): Promise<ReadonlyMap<string, SiteFile>> {
  files ??= siteSources().then(siteOf);
  return files;
}

export async function siteOf(given: SiteSources): Promise<ReadonlyMap<string, SiteFile>> {
  const made = await buildSite(given);
  return new Map(made.map((file) => [file.path, file]));
}

/** The HTML of a page, which must be there. */
export function pageOf(site: ReadonlyMap<string, SiteFile>, path: string): string {
  const found = site.get(path);
  if (found === undefined) throw new Error(`the site has no ${path}`);
  return found.body;
}

export function htmlPages(site: ReadonlyMap<string, SiteFile>): readonly SiteFile[] {
  return [...site.values()].filter(({ type }) => type.startsWith("text/html"));
}
