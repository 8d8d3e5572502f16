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
import type { Operation } from "../request/operation.ts";

export interface RequestLogReader {
  /** Undefined when it was deleted after the row was read. */
  contentOf(platformId: string, row: RequestLogRow): Promise<CallContent | undefined>;
  keyDigest(platformId: string, key: string): string;
  /** The ids of the operations with this method and at this path, because the log is indexed by operation id only. */
  operationsWith(wanted: {
    readonly method?: string | undefined;
    readonly path?: string | undefined;
  }): readonly string[];
}

/** Masks what was kept before bodies were masked. What is masked already stays as it is. */
function withoutPersonalData({ query, requestBody, responseBody, ...rest }: CallContent) {
  const bodies = { query, requestBody, responseBody };
  const kept = Object.entries(bodies).filter(([, value]) => value !== undefined);
  return { ...rest, ...Object.fromEntries(kept.map(([name, value]) => [name, masked(value)])) };
}

/** An operation as far as the log is filtered by it. */
type LoggedOperation = Pick<Operation<never>, "id" | "method" | "path">;

export function createRequestLogReader(tools: {
  readonly reads: Reads;
  readonly sealer: Sealer;
  readonly digestKey: string;
  readonly operations: readonly LoggedOperation[];
}): RequestLogReader {
  const { reads, sealer, digestKey, operations } = tools;
  return {
    async contentOf(platformId, { contentId, contentPlace }) {
      const sealed = await findSealedContent(reads, platformId, contentId);
      if (sealed === undefined) return undefined;
      const plain = sealer.openBytes(sealed, contentIdentity(platformId, contentId));
      const content = (JSON.parse(plain.toString("utf8")) as readonly CallContent[])[contentPlace];
      return content && withoutPersonalData(content);
    },
    keyDigest: (platformId, key) => keyDigest(digestKey, platformId, key),
    operationsWith: ({ method, path }) =>
      operations
        .filter(
          (operation) =>
            method === undefined || operation.method === (method === "HEAD" ? "GET" : method),
        )
        .filter((operation) => path === undefined || isAt(operation.path, path))
        .map(({ id }) => id),
  };
}

/** Whether a path is one of a template: `/customers/{customerId}`. */
function isAt(template: string, path: string): boolean {
  const segments = path.split("/");
  const parts = template.split("/");
  if (parts.length !== segments.length) return false;
  return parts.every((part, index) => part.startsWith("{") || part === segments[index]);
}
