/**
 * One file that contains all files of the site: a length, a table of contents, the bytes. It is written to a temporary name and
 * renamed, so a server never reads a partial file.
 */
import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { SiteFile } from "./site.ts";

/** Byte ranges of one body within the archive, uncompressed and compressed. */
export interface ArchiveEntry {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly isHashed: boolean;
  readonly identity: Range;
  readonly gzip: Range;
  readonly br: Range;
}

type Range = readonly [start: number, length: number];

interface Contents {
  /** The digest of the sources that the site was built from. */
  readonly digest: string;
  readonly entries: readonly ArchiveEntry[];
}

const LENGTH_BYTES = 4;
/** Quality 11 takes ten times as long and makes files only 4 % smaller. */
const BROTLI_QUALITY = 9;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export async function writeArchive(
  target: string,
  digest: string,
  files: readonly SiteFile[],
): Promise<void> {
  const pieces: Buffer[] = [];
  let length = 0;
  const place = (bytes: Buffer): Range => {
    const start = length;
    pieces.push(bytes);
    length += bytes.length;
    return [start, bytes.length];
  };
  const packed = await Promise.all(files.map(compress));
  const entries = packed.map(({ file: { path, type, isHashed }, identity, zipped, br }) => ({
    path,
    type,
    isHashed,
    etag: createHash("sha256").update(identity).digest("base64url").slice(0, 22),
    identity: place(identity),
    gzip: place(zipped),
    br: place(br),
  }));
  const contents: Contents = { digest, entries };
  const table = Buffer.from(JSON.stringify(contents));
  const head = Buffer.alloc(LENGTH_BYTES);
  head.writeUInt32BE(table.length);
  await mkdir(dirname(target), { recursive: true });
  const fresh = `${target}.${process.pid}`;
  await writeFile(fresh, Buffer.concat([head, table, ...pieces]));
  await rename(fresh, target);
}

async function compress(file: SiteFile) {
  const identity = Buffer.from(file.body);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [zipped, br] = await Promise.all([
    compressGzip(identity, { level: 9 }),
    compressBrotli(identity, { params }),
  ]);
  return { file, identity, zipped, br };
}
