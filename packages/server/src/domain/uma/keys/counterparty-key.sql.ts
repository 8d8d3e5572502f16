/**
 * The keys of other institutions, kept for all servers. They are a cache: when the database loses the last of them, they are fetched again,
 * so no commit waits for the disk.
 */
import { parameter } from "../../../postgres/columns.ts";
import type { Database, Lane } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";
import { createSerialLane } from "../../../postgres/serial-lane.ts";
import type { Clock } from "../../../std/clock.ts";
import type { CounterpartyKeyStore } from "./counterparty-keys.port.ts";

const ms = (column: string) => `floor(extract(epoch from ${column}) * 1000)::int8`;

const get: Statement = {
  name: "uma_counterparty_keys/get",
  text:
    `select document, ${ms("fetched_at")}, ${ms("expires_at")}, ${ms("fetching_until")} from uma_counterparty_keys ` +
    "where domain = $1::text",
};

const withoutWaiting: Step = {
  statement: {
    name: "uma_counterparty_keys/settings",
    text: "select set_config('synchronous_commit', 'off', true)",
  },
  parameters: [],
};

const claim: Statement = {
  name: "uma_counterparty_keys/claim",
  text:
    "insert into uma_counterparty_keys as k (domain, fetching_until) values ($1::text, $2::timestamptz) " +
    "on conflict (domain) do update set fetching_until = excluded.fetching_until " +
    "where k.fetching_until is null or k.fetching_until <= $3::timestamptz returning 1",
};

const keep: Statement = {
  name: "uma_counterparty_keys/keep",
  text:
    "insert into uma_counterparty_keys (domain, document, fetched_at, expires_at) " +
    "values ($1::text, $2::text, $3::timestamptz, $4::timestamptz) on conflict (domain) do update set " +
    "document = excluded.document, fetched_at = excluded.fetched_at, expires_at = excluded.expires_at, fetching_until = null",
};

const drop: Statement = {
  name: "uma_counterparty_keys/drop",
  text: "delete from uma_counterparty_keys where domain = $1::text and document is null",
};

const release: Statement = {
  name: "uma_counterparty_keys/release",
  text: "update uma_counterparty_keys set fetching_until = null where domain = $1::text",
};

export interface CounterpartyKeyTable extends CounterpartyKeyStore {
  close(): Promise<void>;
}

export function createCounterpartyKeyTable(
  database: Pick<Database, "openLane">,
  clock: Clock,
): CounterpartyKeyTable {
  const lane = createSerialLane(database, "uma-counterparty-keys", { clock, timeoutMs: 4_000 });
  const at = (cell: string | null | undefined) => (cell == null ? undefined : Number(cell));
  return {
    async find(domain) {
      const step = { statement: get, parameters: [parameter("text", domain)] };
      const [cells] = (await lane.run(step)).rows;
      if (cells === undefined) return undefined;
      const [document, fetched, expires, fetching] = cells;
      const [fetchedAt, expiresAt, fetchingUntil] = [fetched, expires, fetching].map(at);
      const isKept = document != null && fetchedAt !== undefined && expiresAt !== undefined;
      return { kept: isKept ? { document, fetchedAt, expiresAt } : undefined, fetchingUntil };
    },
    async claim(domain, { now, until }) {
      const parameters = [
        parameter("text", domain),
        parameter("time", until),
        parameter("time", now),
      ];
      const { rows } = await lane.run(withoutWaiting, { statement: claim, parameters });
      return rows.length > 0;
    },
    async keep(domain, { document, fetchedAt, expiresAt }) {
      const parameters = [
        parameter("text", domain),
        parameter("text", document),
        parameter("time", fetchedAt),
        parameter("time", expiresAt),
      ];
      await lane.run(withoutWaiting, { statement: keep, parameters });
    },
    async release(domain) {
      const parameters = [parameter("text", domain)];
      await lane.runAll([
        withoutWaiting,
        { statement: drop, parameters },
        { statement: release, parameters },
      ]);
    },
    close: () => lane.close(),
  };
}

const sweep: Statement = {
  name: "uma_counterparty_keys/sweep",
  text:
    "delete from uma_counterparty_keys where coalesce(expires_at, fetching_until) < $1::timestamptz " +
    "and (fetching_until is null or fetching_until < $1::timestamptz)",
};

/** Deletes documents that have expired, and rows of fetches whose server has died. Answers how many. */
export async function sweepCounterpartyKeys(lane: Lane, now: number): Promise<number> {
  const [dropped] = await lane.run([{ statement: sweep, parameters: [parameter("time", now)] }]);
  return dropped?.count ?? 0;
}
