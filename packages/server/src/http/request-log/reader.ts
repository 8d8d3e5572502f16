/** Reads the sealed part of logged calls. */
import type { CallContent } from "../../domain/request-logs/request-log.port.ts";
import {
  contentIdentity,
  findSealedContent,
  keyDigest,
  type RequestLogRow,
} from "../../domain/request-logs/request-log.sql.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Sealer } from "../../secrets/sealing.ts";

export interface RequestLogReader {
  /** Undefined when it was deleted after the row was read. */
  contentOf(platformId: string, row: RequestLogRow): Promise<CallContent | undefined>;
  keyDigest(platformId: string, key: string): string;
}

export function createRequestLogReader(tools: {
  readonly reads: Reads;
  readonly sealer: Sealer;
  readonly digestKey: Buffer;
}): RequestLogReader {
  const { reads, sealer, digestKey } = tools;
  return {
    async contentOf(platformId, { contentId, contentPlace }) {
      const sealed = await findSealedContent(reads, platformId, contentId);
      if (sealed === undefined) return undefined;
      const plain = sealer.openBytes(sealed, contentIdentity(platformId, contentId));
      return (JSON.parse(plain.toString("utf8")) as readonly CallContent[])[contentPlace];
    },
    keyDigest: (platformId, key) => keyDigest(digestKey, platformId, key),
  };
}
