/** What the desk of a platform has to do: the queue and the suspense of each connection, and who makes which order. */
import type { Reads } from "../../../postgres/database.ts";
import { toIso } from "../../../std/clock.ts";
import { cutOffAfter, cutOffBefore } from "../connections/calendar.ts";
import { allConnections } from "../connections/rail-connection.sql.ts";
import type { RailConnection } from "../connections/rail-connection.ts";
import { MOST_LEASED, type OrderLease, orderLeases } from "./order-lease.ts";

/** Each count stops at this number, so that a desk costs the same however long its queue is. */
export const MOST_ON_DESK = 1_000;

export interface DeskConnection {
  readonly id: string;
  readonly name: string;
  readonly kind: RailConnection["kind"];
  readonly status: RailConnection["status"];
  readonly queued: number;
  readonly oldestQueuedAt: number | null;
  readonly items: number;
  readonly oldestItemAt: number | null;
  /** The first cut-off after now, and the last one before it, which an older queued order has missed. */
  readonly cutOffAt: number | null;
  readonly lastCutOffAt: number | null;
  /** Of the last statement of each book: those whose entries did not explain it. */
  readonly breaks: number;
}

export interface Desk {
  readonly connections: readonly DeskConnection[];
  readonly leases: readonly OrderLease[];
}

const millis = (time: string) => `floor(extract(epoch from min(${time})) * 1000)::int8`;

const counted = (rows: string) =>
  `(select count(*), ${millis("n.created_at")} from (${rows} order by t.id limit ${MOST_ON_DESK}) n)`;

const counts = {
  name: "rail_connections/desk",
  text:
    "select k.id, q.*, i.*, (select count(*) from rail_books b where b.platform_id = $1::uuid and b.connection_id = k.id " +
    "and b.unexplained_minor <> 0) from unnest($2::uuid[]) k(id), lateral " +
    `${counted(
      "select t.id, t.created_at from rail_payments t where t.platform_id = $1::uuid and t.connection_id = k.id and t.state = 'QUEUED'",
    )} q, lateral ` +
    `${counted(
      "select t.id, t.created_at from rail_items t where t.platform_id = $1::uuid and t.connection_id = k.id and t.state in ('OPEN', 'HELD')",
    )} i`,
};

const running = {
  name: "rail_order_leases/running",
  text:
    `select ${orderLeases.selectList("t")} from rail_order_leases t where t.platform_id = $1::uuid ` +
    `and t.until > $2::timestamptz order by t.until desc limit ${MOST_LEASED}`,
};

/** `now` is in platform time. */
export async function findDesk(reads: Reads, platformId: string, now: number): Promise<Desk> {
  const [connections, leases] = await Promise.all([
    allConnections(reads, platformId),
    reads.rows(orderLeases, running, [platformId, toIso(now)]),
  ]);
  if (connections.length === 0) return { connections: [], leases };
  const rows = await reads.cells(counts, [platformId, connections.map(({ id }) => id)]);
  const byId = new Map(rows.map(([id, ...cells]) => [id, cells]));
  return {
    connections: connections.map((connection) =>
      deskConnection(connection, byId.get(connection.id) ?? [], now),
    ),
    leases,
  };
}

function deskConnection(
  { id, name, kind, status, calendar }: RailConnection,
  cells: readonly (string | null)[],
  now: number,
): DeskConnection {
  const [queued, oldestQueued, items, oldestItem, breaks] = cells;
  const timeOf = (cell: string | null | undefined) => (cell == null ? null : Number(cell));
  return {
    ...{ id, name, kind, status },
    queued: Number(queued ?? 0),
    oldestQueuedAt: timeOf(oldestQueued),
    items: Number(items ?? 0),
    oldestItemAt: timeOf(oldestItem),
    cutOffAt: cutOffAfter(calendar, now) ?? null,
    lastCutOffAt: cutOffBefore(calendar, now) ?? null,
    breaks: Number(breaks ?? 0),
  };
}
