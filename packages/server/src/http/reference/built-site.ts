/**
 * A site that was built ahead of the start: one file with all its pages and assets, read as a whole. A server without the file works;
 * the paths of the site then answer 503.
 */
import { readFile } from "node:fs/promises";
import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import type { StoredFile } from "./stored-file.ts";

export interface BuiltSite {
  find(path: string): StoredFile | undefined;
}

/** How the files of a site are sent. */
export interface SiteRules {
  /** The name in the log: `the documentation`. */
  readonly what: string;
  readonly contentPolicy: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** Written by `archive.ts` of `packages/docs-site`. */
interface ArchiveEntry {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly isHashed: boolean;
  readonly identity: Range;
  readonly gzip: Range;
  readonly br: Range;
}

type Range = readonly [start: number, length: number];

const LENGTH_BYTES = 4;

/** The site in a file; undefined when the file is missing or damaged. */
export async function readBuiltSite(
  place: URL,
  rules: SiteRules,
  log: Log,
): Promise<BuiltSite | undefined> {
  try {
    return openBuiltSite(await readFile(place), rules);
  } catch (error) {
    log.warn({ reason: messageOf(error) }, `${rules.what} cannot be read`);
    return undefined;
  }
}

function openBuiltSite(archive: Buffer, { contentPolicy, headers }: SiteRules): BuiltSite {
  const start = LENGTH_BYTES + archive.readUInt32BE(0);
  const { entries } = JSON.parse(archive.toString("utf8", LENGTH_BYTES, start)) as {
    readonly entries: readonly ArchiveEntry[];
  };
  const cut = ([offset, length]: Range) =>
    archive.subarray(start + offset, start + offset + length);
  const files = new Map(
    entries.map(({ path, type, etag, isHashed, identity, gzip, br }) => [
      path,
      {
        contentType: type,
        contentPolicy,
        etag,
        isHashed,
        headers,
        identity: cut(identity),
        gzip: cut(gzip),
        br: cut(br),
      },
    ]),
  );
  return { find: (path) => files.get(path) };
}

/** Scripts, styles and the search index from this server, and nothing from anywhere else. */
export const docsRules: SiteRules = {
  what: "the documentation",
  contentPolicy:
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; " +
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  headers: [
    "X-Frame-Options",
    "DENY",
    "Cross-Origin-Opener-Policy",
    "same-origin",
    "Cross-Origin-Resource-Policy",
    "same-origin",
    "Permissions-Policy",
    "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  ],
};
