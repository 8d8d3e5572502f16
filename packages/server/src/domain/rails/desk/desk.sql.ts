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
  /** Currencies whose last statement the entries do not explain. */
  readonly breaks: number;
}

export interface Desk {
  readonly connections: readonly DeskConnection[];
  readonly leases: readonly OrderLease[];
}

const millis = (time: string) => `floor(extract(epoch from min(${time})) * 1000)::int8`;

const counted = (rows: string) =>
  `(select count(*), ${millis("n.created_at")} from (${rows} order by t.id limit ${MOST_ON_DESK}) n)`;

const SIGNED = "case e.direction when 'CREDIT' then e.amount_minor else -e.amount_minor end";

/** The entries behind the last statement, without undone ones. Only those of the days since are read, from an index alone. */
const LATER =
  `(select coalesce(sum(${SIGNED}), 0) from rail_entries e where e.platform_id = $1::uuid and e.connection_id = b.connection_id ` +
  "and e.currency = b.currency and e.booked_on > b.closing_day) - " +
  `(select coalesce(sum(${SIGNED}), 0) from rail_items i join rail_entries e on e.platform_id = i.platform_id and e.id = i.entry_id ` +
  "where i.platform_id = $1::uuid and i.connection_id = b.connection_id and i.currency = b.currency and i.state = 'RESOLVED' " +
  "and i.resolution #>> '{parts,0,kind}' = 'DUPLICATE_OF' and e.booked_on > b.closing_day)";

/** A balance that was typed in is compared with what is known now; of one that a connector told, what was found then stands. */
const BREAKS =
  "select count(*) from rail_books b where b.platform_id = $1::uuid and b.connection_id = k.id and b.closing_day is not null and " +
  `case when k.is_typed then b.closing_minor - coalesce(b.opening_minor, 0) - b.told_minor + ${LATER} <> 0 else b.unexplained_minor <> 0 end`;

const counts = {
  name: "rail_connections/desk",
  text:
    `select k.id, q.*, i.*, (${BREAKS}) from unnest($2::uuid[], $3::bool[]) k(id, is_typed), lateral ` +
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
  const rows = await reads.cells(counts, [
    platformId,
    connections.map(({ id }) => id),
    connections.map(({ kind }) => String(kind === "MANUAL")),
  ]);
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
