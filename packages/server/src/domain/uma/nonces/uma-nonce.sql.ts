/**
 * Messages that were accepted and had no effect that a command commits: lookups, and answers. Their rows are written beside the engine, on a
 * connection of their own, without waiting for the disk: what a crash of PostgreSQL loses can be asked for once more and tells nothing new.
 */
import { parameter } from "../../../postgres/columns.ts";
import type { Database } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";
import { createSerialLane } from "../../../postgres/serial-lane.ts";
import type { Clock } from "../../../std/clock.ts";
import { type SignedMessage, umaNonceOf } from "./uma-nonce.ts";

export interface UmaNonces {
  /** False when the platform has accepted the message before, on any server. */
  use(platformId: string, message: SignedMessage): Promise<boolean>;
  close(): Promise<void>;
}

const withoutWaiting: Step = {
  statement: {
    name: "uma_nonces/settings",
    text: "select set_config('synchronous_commit', 'off', true)",
  },
  parameters: [],
};

const insert: Statement = {
  name: "uma_nonces/use",
  text:
    "insert into uma_nonces (platform_id, id, signed_at) values ($1::uuid, $2::uuid, $3::timestamptz) " +
    "on conflict do nothing returning 1",
};

export function createUmaNonces(database: Pick<Database, "openLane">, clock: Clock): UmaNonces {
  const lane = createSerialLane(database, "uma-nonces", { clock, timeoutMs: 4_000 });
  return {
    async use(platformId, message) {
      const { id, signedAt } = umaNonceOf(message);
      const parameters = [
        parameter("uuid", platformId),
        parameter("uuid", id),
        parameter("time", signedAt),
      ];
      const { rows } = await lane.run(withoutWaiting, { statement: insert, parameters });
      return rows.length > 0;
    },
    close: () => lane.close(),
  };
}
