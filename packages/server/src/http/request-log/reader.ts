/** Reads the sealed part of logged calls. */
import type { CallContent } from "../../domain/reading/request-logs/request-log.port.ts";
import {
  contentIdentity,
  findSealedContent,
  keyDigest,
  type RequestLogRow,
} from "../../domain/reading/request-logs/request-log.sql.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { masked } from "../console/masking.ts";

export interface RequestLogReader {
  /** Undefined when it was deleted after the row was read. */
  contentOf(platformId: string, row: RequestLogRow): Promise<CallContent | undefined>;
  keyDigest(platformId: string, key: string): string;
}

/** Masks what was kept before bodies were masked. What is masked already stays as it is. */
function withoutPersonalData({ query, requestBody, responseBody, ...rest }: CallContent) {
  const bodies = { query, requestBody, responseBody };
  const kept = Object.entries(bodies).filter(([, value]) => value !== undefined);
  return { ...rest, ...Object.fromEntries(kept.map(([name, value]) => [name, masked(value)])) };
}

export function createRequestLogReader(tools: {
  readonly reads: Reads;
  readonly sealer: Sealer;
  readonly digestKey: string;
}): RequestLogReader {
  const { reads, sealer, digestKey } = tools;
  return {
    async contentOf(platformId, { contentId, contentPlace }) {
      const sealed = await findSealedContent(reads, platformId, contentId);
      if (sealed === undefined) return undefined;
      const plain = sealer.openBytes(sealed, contentIdentity(platformId, contentId));
      const content = (JSON.parse(plain.toString("utf8")) as readonly CallContent[])[contentPlace];
      return content && withoutPersonalData(content);
    },
    keyDigest: (platformId, key) => keyDigest(digestKey, platformId, key),
  };
}
