/**
 * The document in which a platform publishes its keys (`/.well-known/lnurlpubkey`). Other institutions keep it until `expirationTimestamp`,
 * which is never later than the next takeover, so that none of them holds a key that was replaced.
 */
import { X509Certificate } from "node:crypto";
import { findPlatform } from "../../domain/platform.sql.ts";
import { currentKey, type UmaKey, type UmaKeyUse } from "../../domain/uma/keys/uma-key.ts";
import { writeKeyDocument } from "../../formats/uma/key-document.ts";
import { present } from "../../std/assert.ts";
import { type OwnKeyTools, ownUmaKeys } from "../operations/uma/own-keys.ts";

export interface KeyDocumentAnswer {
  readonly status: 200;
  readonly body: string;
  readonly cacheControl: string;
}

const KEPT_S = 300;

/** Answers the document of a platform at a host time, from keys that were read before. */
export function keyDocumentAnswer(keys: readonly UmaKey[], now: number): KeyDocumentAnswer {
  const published = (use: UmaKeyUse) => {
    const { publicKey, chain } = present(currentKey(keys, use), `the ${use} key`);
    return {
      point: Buffer.from(publicKey, "hex"),
      chain: chain.map((pem) => new X509Certificate(pem).raw),
    };
  };
  const takeovers = keys.flatMap(({ status, takesOverAt }) =>
    status === "NEXT" && takesOverAt !== null ? [takesOverAt] : [],
  );
  const seconds = (ms: number) => Math.floor(ms / 1_000);
  const nowS = seconds(now);
  // A takeover that is late has passed already.
  const expiresS = Math.max(nowS, Math.min(nowS + KEPT_S, ...takeovers.map(seconds)));
  const body = writeKeyDocument({
    signing: published("SIGNING"),
    encryption: published("ENCRYPTION"),
    expirationTimestamp: BigInt(expiresS),
  });
  return { status: 200, body, cacheControl: `public, max-age=${expiresS - nowS}` };
}

/** Reads the keys for each answer, so that a takeover on another server counts at once. */
export function createKeyDocuments(
  tools: OwnKeyTools,
): (platformId: string) => Promise<KeyDocumentAnswer> {
  return async (platformId) => {
    const platform = present(await findPlatform(tools.reads, platformId), "the served platform");
    return keyDocumentAnswer(await ownUmaKeys(tools, platform), tools.clock.now());
  };
}
