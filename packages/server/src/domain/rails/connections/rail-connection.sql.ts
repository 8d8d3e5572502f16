/** Reads of rail connections and of their health. */
import type { Reads } from "../../../postgres/database.ts";
import { listerOf } from "../../../tables/list-query.ts";
import type { Environment } from "../../platform.ts";
import { type RailConnection, railConnections } from "./rail-connection.ts";

export interface FoundConnection {
  readonly platformId: string;
  readonly connection: RailConnection;
  readonly environment: Environment;
}

const FOUND =
  `select ${railConnections.selectList("t")}, p.environment, t.platform_id from rail_connections t ` +
  "join platforms p on p.platform_id = t.platform_id and p.id = t.platform_id ";

const byId = {
  name: "rail_connections/get",
  text: `${FOUND}where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

export function findConnection(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<FoundConnection | undefined> {
  return foundBy(reads, byId, [platformId, id]);
}

const byIdAlone = { name: "rail_connections/get-any", text: `${FOUND}where t.id = $1::uuid` };

/** Searches all platforms, because a callback names only its connection. */
export function findAnyConnection(reads: Reads, id: string): Promise<FoundConnection | undefined> {
  return foundBy(reads, byIdAlone, [id]);
}

async function foundBy(
  reads: Reads,
  statement: { readonly name: string; readonly text: string },
  values: readonly string[],
): Promise<FoundConnection | undefined> {
  const [cells] = await reads.cells(statement, values);
  if (cells === undefined) return undefined;
  const [environment, platformId] = cells.slice(railConnections.columns.length);
  return {
    platformId: platformId ?? "",
    connection: railConnections.decode(cells),
    environment: environment as Environment,
  };
}

export const listConnections = listerOf(railConnections);

const live = {
  name: "rail_connections/all-live",
  text:
    `select ${railConnections.selectList("t")} from rail_connections t ` +
    "where t.platform_id = $1::uuid and t.status <> 'ARCHIVED' order by t.id",
};

/** All connections that are not archived, oldest first. Their number is bounded. */
export function allConnections(
  reads: Reads,
  platformId: string,
): Promise<readonly RailConnection[]> {
  return reads.rows(railConnections, live, [platformId]);
}

/** Counts of a connection's open payments, items and marks. */
export interface ConnectionHealth {
  /** When the oldest UNKNOWN payment was sent, in platform time; null without one. */
  readonly oldestUnknownAt: number | null;
  readonly held: number;
  readonly queued: number;
  readonly sending: number;
  readonly unknown: number;
  /** Sent or accepted: a final report is awaited. */
  readonly awaited: number;
  readonly conflicts: number;
  /** Items that a person must resolve. */
  readonly openItems: number;
  /** Acts that another token must confirm. */
  readonly waitingMarks: number;
  /** The balances of its accounts `suspense`, by currency. */
  readonly suspense: readonly { readonly currency: string; readonly minor: bigint }[];
}

/** Each count stops at this number. */
export const COUNTED = 10_000;

const countOf = (where: string) =>
  `(select count(*) from (select 1 from rail_payments t where t.platform_id = $1::uuid and t.connection_id = c.id and ${where} limit ${COUNTED}) n)`;

const health = {
  name: "rail_connections/health",
  text:
    `select c.id, ${countOf("t.state = 'HELD'")}, ${countOf("t.state = 'QUEUED'")}, ${countOf("t.state = 'SENDING'")}, ${countOf("t.state = 'UNKNOWN'")}, ` +
    `${countOf("t.state in ('SENT', 'ACCEPTED')")}, ${countOf("t.is_conflict")}, ` +
    `(select count(*) from (select 1 from rail_items i where i.platform_id = $1::uuid and i.connection_id = c.id and i.state in ('OPEN', 'HELD') limit ${COUNTED}) n), ` +
    `(select count(*) from (select 1 from rail_marks m where m.platform_id = $1::uuid and m.connection_id = c.id and m.state = 'WAITING' limit ${COUNTED}) n), ` +
    // A connection has at most 20 currencies, and an account in each.
    "(select string_agg(a.currency || ' ' || a.balance_minor, ',' order by a.currency) from ledger_accounts a " +
    "where a.platform_id = $1::uuid and a.connection_id = c.id and a.kind = 'suspense'), " +
    "(select floor(extract(epoch from min(t.sent_at)) * 1000)::int8 from (select t.sent_at from rail_payments t " +
    "where t.platform_id = $1::uuid and t.connection_id = c.id and t.state = 'UNKNOWN' order by t.id limit 1) t) " +
    "from rail_connections c where c.platform_id = $1::uuid and c.id = any ($2::uuid[])",
};

/** The health of each connection, by its id. */
export async function connectionHealth(
  reads: Reads,
  platformId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConnectionHealth>> {
  if (ids.length === 0) return new Map();
  const rows = await reads.cells(health, [platformId, ids]);
  return new Map(
    rows.map(([id, ...cells]) => {
      const oldest = cells.at(-1) ?? null;
      const suspense = balancesIn(cells.at(-2) ?? "");
      const counts = cells.slice(0, -2).map(Number);
      const [held = 0, queued = 0, sending = 0, unknown = 0, awaited = 0, ...others] = counts;
      const [conflicts = 0, openItems = 0, waitingMarks = 0] = others;
      const oldestUnknownAt = oldest === null ? null : Number(oldest);
      const orders = { held, queued, sending, unknown, awaited, conflicts };
      return [id ?? "", { ...orders, openItems, waitingMarks, suspense, oldestUnknownAt }];
    }),
  );
}

function balancesIn(text: string): ConnectionHealth["suspense"] {
  if (text === "") return [];
  return text.split(",").map((part) => {
    const [currency = "", minor = "0"] = part.split(" ");
    return { currency, minor: BigInt(minor) };
  });
}

/** The number of payments that are open or in conflict. */
export function blockersIn(health: ConnectionHealth | undefined): number {
  if (health === undefined) return 0;
  const { held, queued, sending, unknown, awaited, conflicts } = health;
  return held + queued + sending + unknown + awaited + conflicts;
}
