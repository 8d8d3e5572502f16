/**
 * Answers of other institutions to lookups, kept for the quotes that follow, for all servers. A lookup that stays in the deployment has no
 * row: its id alone says what was looked up.
 *
 * Rows are written beside the engine without waiting for the disk: what a crash of PostgreSQL loses is looked up again. Two lookups of one
 * receiver in one millisecond have one id, and the later answer stays.
 */
import { decodeCell, parameter } from "../../../postgres/columns.ts";
import type { Database, Reads } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";
import { createSerialLane } from "../../../postgres/serial-lane.ts";
import type { Sealer } from "../../../secrets/sealing.ts";
import type { Clock } from "../../../std/clock.ts";

/** How long a row is kept after its lookup. */
export const UMA_LOOKUP_KEPT_MS = 24 * 60 * 60_000;

export interface StoredLookup {
  /** The normalized address that was looked up. */
  readonly receiver: string;
  /** The domain under which the platform asked; the request to pay names the same one. */
  readonly ownDomain: string;
  /** The answer as it came. */
  readonly body: string;
}

export interface StoredLookups {
  put(platformId: string, id: string, lookup: StoredLookup): Promise<void>;
  /** Undefined when there is none for this receiver. */
  find(platformId: string, id: string, receiver: string): Promise<StoredLookup | undefined>;
  close(): Promise<void>;
}

const withoutWaiting: Step = {
  statement: {
    name: "uma_lookups/settings",
    text: "select set_config('synchronous_commit', 'off', true)",
  },
  parameters: [],
};

const put: Statement = {
  name: "uma_lookups/put",
  text:
    "insert into uma_lookups (platform_id, id, sealed, asked_at) values ($1::uuid, $2::uuid, $3::bytea, $4::timestamptz) " +
    "on conflict (platform_id, id) do update set sealed = excluded.sealed, asked_at = excluded.asked_at",
};

const get: Statement = {
  name: "uma_lookups/get",
  text: "select sealed from uma_lookups where platform_id = $1::uuid and id = $2::uuid",
};

export function createStoredLookups(
  database: Pick<Database, "openLane"> & { readonly reads: Reads },
  { sealer, clock }: { readonly sealer: Sealer; readonly clock: Clock },
): StoredLookups {
  const lane = createSerialLane(database, "uma-lookups", { clock, timeoutMs: 4_000 });
  return {
    async put(platformId, id, lookup) {
      const plain = Buffer.from(JSON.stringify(lookup), "utf8");
      const parameters = [
        parameter("uuid", platformId),
        parameter("uuid", id),
        parameter("bytes", sealer.sealBytes(plain, identityOf(platformId, id))),
        parameter("time", clock.now()),
      ];
      await lane.run(withoutWaiting, { statement: put, parameters });
    },
    async find(platformId, id, receiver) {
      const [cells] = await database.reads.cells(get, [platformId, id]);
      if (cells === undefined) return undefined;
      const sealed = decodeCell(cells[0] ?? null, "bytes") as Buffer;
      const plain = sealer.openBytes(sealed, identityOf(platformId, id));
      const lookup = JSON.parse(plain.toString("utf8")) as StoredLookup;
      return lookup.receiver === receiver ? lookup : undefined;
    },
    close: () => lane.close(),
  };
}

function identityOf(platformId: string, id: string): string {
  return `uma_lookups.sealed ${platformId} ${id}`;
}
