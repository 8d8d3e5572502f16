/** A documentation of two files, in the archive that the builder writes. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeArchive } from "../../../docs-site/src/archive.ts";
import { type BuiltSite, readBuiltSite } from "../../src/http/reference/built-site.ts";
import { docsRules } from "../../src/http/reference/docs-site.ts";
import { present } from "../../src/std/assert.ts";
import { recordingLog } from "./http-shell.ts";

export const SMALL_PAGE = `<!doctype html><title>Docs</title>${"<p>Text.</p>".repeat(50)}`;
/** Of 128 kB, also when it is compressed. */
export const LARGE_ASSET = "/docs/assets/large.js";

export async function smallDocs(): Promise<BuiltSite> {
  const folder = await mkdtemp(join(tmpdir(), "florin-docs-"));
  const place = join(folder, "site.bin");
  const type = "text/html; charset=utf-8";
  const large = `// ${randomBytes(96 * 1024).toString("base64")}`;
  await writeArchive(place, "0".repeat(64), [
    { path: "/docs", type, body: SMALL_PAGE, isHashed: false },
    { path: LARGE_ASSET, type: "text/javascript", body: large, isHashed: true },
  ]);
  const docs = await readBuiltSite(pathToFileURL(place), docsRules, recordingLog([]));
  await rm(folder, { recursive: true });
  return present(docs, "the documentation that was written");
}
