/**
 * The documentation that `packages/docs-site` has built: one file with all pages and assets, read as a whole at the start. A
 * server without the file works; its `/docs` answers 503.
 */
import { readFile } from "node:fs/promises";
import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import type { StoredFile } from "./stored-file.ts";

export interface DocsSite {
  find(path: string): StoredFile | undefined;
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
export async function readDocsSite(place: URL, log: Log): Promise<DocsSite | undefined> {
  try {
    return openDocsSite(await readFile(place));
  } catch (error) {
    log.warn({ reason: messageOf(error) }, "the documentation cannot be read");
    return undefined;
  }
}

export function openDocsSite(archive: Buffer): DocsSite {
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
        contentPolicy: POLICY,
        etag,
        isHashed,
        headers: HEADERS,
        identity: cut(identity),
        gzip: cut(gzip),
        br: cut(br),
      },
    ]),
  );
  return { find: (path) => files.get(path) };
}

/** Scripts, styles and the search index from this server, and nothing from anywhere else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS = [
  "X-Frame-Options",
  "DENY",
  "Cross-Origin-Opener-Policy",
  "same-origin",
  "Cross-Origin-Resource-Policy",
  "same-origin",
  "Permissions-Policy",
  "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
];
