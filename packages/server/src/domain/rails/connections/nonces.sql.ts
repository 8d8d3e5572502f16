/** The nonces of callbacks, for all servers of a deployment. */
import { parameter } from "../../../postgres/columns.ts";
import type { Database } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";
import { createSerialLane } from "../../../postgres/serial-lane.ts";
import type { Clock } from "../../../std/clock.ts";

/** Much longer than a signature stays valid, so that no replay finds its nonce forgotten. */
export const NONCE_KEPT_MS = 10 * 60_000;

export interface RailNonces {
  /** False when the nonce was used before. */
  use(platformId: string, connectionId: string, nonce: string): Promise<boolean>;
  close(): Promise<void>;
}

const withoutWaiting: Step = {
  statement: {
    name: "rail_nonces/settings",
    text: "select set_config('synchronous_commit', 'off', true)",
  },
  parameters: [],
};

const insert: Statement = {
  name: "rail_nonces/use",
  text:
    "insert into rail_nonces (platform_id, connection_id, nonce, used_at) " +
    "values ($1::uuid, $2::uuid, $3::text, $4::timestamptz) on conflict do nothing returning 1",
};

export function createRailNonces(database: Pick<Database, "openLane">, clock: Clock): RailNonces {
  const lane = createSerialLane(database, "rail-nonces", { clock, timeoutMs: 4_000 });
  return {
    async use(platformId, connectionId, nonce) {
      const parameters = [
        parameter("uuid", platformId),
        parameter("uuid", connectionId),
        parameter("text", nonce),
        parameter("time", clock.now()),
      ];
      const { rows } = await lane.run(withoutWaiting, { statement: insert, parameters });
      return rows.length > 0;
    },
    close: () => lane.close(),
  };
}
