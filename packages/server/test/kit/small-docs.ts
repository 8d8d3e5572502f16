/** A documentation and a console of two files each, in the archive that their builders write. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeArchive } from "../../../docs-site/src/archive.ts";
import { consoleRules } from "../../src/http/console/console-pages.ts";
import {
  type BuiltSite,
  docsRules,
  readBuiltSite,
  type SiteRules,
} from "../../src/http/reference/built-site.ts";
import { present } from "../../src/std/assert.ts";
import { recordingLog } from "./http-shell.ts";

export const SMALL_PAGE = `<!doctype html><title>Docs</title>${"<p>Text.</p>".repeat(50)}`;
/** Of 128 kB, also when it is compressed. */
export const LARGE_ASSET = "/docs/assets/large.js";

export const SMALL_SCRIPT = "/console/assets/small.js";

export function smallDocs(): Promise<BuiltSite> {
  const large = `// ${randomBytes(96 * 1024).toString("base64")}`;
  return smallSite(docsRules, [
    { path: "/docs", type: HTML, body: SMALL_PAGE, isHashed: false },
    { path: LARGE_ASSET, type: "text/javascript", body: large, isHashed: true },
  ]);
}

export function smallConsole(): Promise<BuiltSite> {
  return smallSite(consoleRules, [
    { path: "/console", type: HTML, body: SMALL_PAGE, isHashed: false },
    { path: SMALL_SCRIPT, type: "text/javascript", body: "// small", isHashed: true },
  ]);
}

const HTML = "text/html; charset=utf-8";

async function smallSite(
  rules: SiteRules,
  files: Parameters<typeof writeArchive>[2],
): Promise<BuiltSite> {
  const folder = await mkdtemp(join(tmpdir(), "florin-site-"));
  const place = join(folder, "site.bin");
  await writeArchive(place, "0".repeat(64), files);
  const site = await readBuiltSite(pathToFileURL(place), rules, recordingLog([]));
  await rm(folder, { recursive: true });
  return present(site, "the site that was written");
}
