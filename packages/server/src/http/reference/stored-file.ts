/** Files that are served from memory: compressed ahead of the request, and not sent again to a browser that has them. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import type { SentPage } from "../server/send.ts";

export interface StoredFile {
  readonly contentType: string;
  readonly contentPolicy: string;
  /** The ETag without quotes. */
  readonly etag: string;
  /** The path names the content, so a browser never needs to revalidate it. */
  readonly isHashed: boolean;
  readonly headers: readonly string[];
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br?: Buffer;
}

/** Stores a document that is made at run time. */
export function storeFile(
  body: Buffer,
  { contentType, contentPolicy }: Pick<StoredFile, "contentType" | "contentPolicy">,
): StoredFile {
  return {
    contentType,
    contentPolicy,
    etag: createHash("sha256").update(body).digest("base64url").slice(0, 22),
    isHashed: false,
    headers: [],
    identity: body,
    gzip: gzipSync(body),
  };
}

/** The answer to a request: the file in an encoding that the caller takes, or 304. */
export function answerFile(file: StoredFile, { headers }: IncomingMessage): SentPage {
  const { contentType, contentPolicy, etag, isHashed } = file;
  const { encoding, body } = choose(file, headers["accept-encoding"]);
  // Each encoding is a representation with a tag of its own.
  const tag = encoding === undefined ? `"${etag}"` : `"${etag}-${encoding}"`;
  const own = ["ETag", tag, "Vary", "Accept-Encoding", ...file.headers];
  const cacheControl = isHashed ? "public, max-age=31536000, immutable" : "public, no-cache";
  const page = { contentType, contentPolicy, cacheControl };
  if (isKnown(headers["if-none-match"], tag)) {
    return { ...page, status: 304, body: "", headers: own };
  }
  if (encoding !== undefined) own.push("Content-Encoding", encoding);
  return { ...page, body, headers: own };
}

function choose(
  { identity, gzip, br }: StoredFile,
  accepted: string | undefined,
): { readonly encoding?: "br" | "gzip"; readonly body: Buffer } {
  if (br !== undefined && accepts(accepted, "br")) return { encoding: "br", body: br };
  return accepts(accepted, "gzip") ? { encoding: "gzip", body: gzip } : { body: identity };
}

/** Whether the header names the encoding, and not with a weight of 0. */
function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? "").split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((text) => /^q=0(\.0*)?$/.test(text));
  });
}

/** A proxy may have marked the tag as weak. */
function isKnown(header: string | undefined, tag: string): boolean {
  const tags = (header ?? "").split(",").map((text) => text.trim().replace(/^W\//, ""));
  return tags.includes(tag) || tags.includes("*");
}
