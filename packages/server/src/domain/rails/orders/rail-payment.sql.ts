/** Reads of rail payments. */
import type { Reads } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import { BEFORE_ALL_IDS } from "../../../std/ids.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import type { Environment } from "../../platform.ts";
import { type RailConnection, railConnections } from "../connections/rail-connection.ts";
import { openStates, type RailPayment, railPayments } from "./rail-payment.ts";

export const findRailPayment = finderOf(railPayments);

export const listRailPayments = listerOf(railPayments);

export const OPEN_IN_SQL = `(${openStates.map((state) => `'${state}'`).join(", ")})`;

const carried = {
  name: "rail_payments/carried",
  text:
    `select ${railPayments.selectList("t")}, ${railConnections.selectList("c")}, p.environment, e.bank_reference from rail_payments t ` +
    "join rail_connections c on c.platform_id = t.platform_id and c.id = t.connection_id " +
    "join platforms p on p.platform_id = t.platform_id and p.id = t.platform_id " +
    "left join rail_entries e on e.platform_id = t.platform_id and e.id = t.original_entry_id " +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export interface CarriedPayment {
  readonly payment: RailPayment;
  readonly connection: RailConnection;
  readonly environment: Environment;
  readonly original: string | undefined;
}

/** A payment with its connection, and the reference of the entry whose money it gives back. */
export async function findCarried(
  reads: Reads,
  platformId: string,
  paymentId: string,
): Promise<CarriedPayment | undefined> {
  const [cells] = await reads.cells(carried, [platformId, paymentId]);
  if (cells === undefined) return undefined;
  return {
    payment: railPayments.decode(cells),
    connection: railConnections.decode(cells, railPayments.columns.length),
    environment: cells.at(-2) as Environment,
    original: cells.at(-1) ?? undefined,
  };
}

const QUEUED_AT_ONCE = 200;

const waiting = {
  name: "rail_payments/waiting",
  text:
    "select t.id from rail_payments t where t.platform_id = $1::uuid and t.connection_id = $2::uuid " +
    `and t.state = 'QUEUED' and t.job_id is null order by t.id limit ${QUEUED_AT_ONCE}`,
};

/** The oldest queued payments of a connection that no job sends. */
export async function waitingPayments(
  reads: Reads,
  platformId: string,
  connectionId: string,
): Promise<readonly string[]> {
  const rows = await reads.cells(waiting, [platformId, connectionId]);
  return rows.map(([id]) => id ?? "");
}

const queuedPage = {
  name: "rail_payments/queued-page",
  text:
    `select ${railPayments.selectList("t")} from rail_payments t where t.platform_id = $1::uuid and t.connection_id = $2::uuid ` +
    `and t.state = 'QUEUED' and t.id > $3::uuid order by t.id limit ${QUEUED_AT_ONCE}`,
};

/** Recalls that people must request from the bank. An index covers this condition. */
export const RECALL_REQUESTED = "t.recall ->> 'state' = 'REQUESTED'";

const recalledPage = {
  name: "rail_payments/recalled-page",
  text:
    `select ${railPayments.selectList("t")} from rail_payments t where t.platform_id = $1::uuid and t.connection_id = $2::uuid ` +
    `and ${RECALL_REQUESTED} and t.state in ${OPEN_IN_SQL} and t.id > $3::uuid order by t.id limit ${QUEUED_AT_ONCE}`,
};

/** The queue of a connection, oldest first, and then the recalls. An order that is queued after the read began may be included. */
export async function* queuedPages(
  reads: Reads,
  platformId: string,
  connectionId: string,
): AsyncIterable<readonly RailPayment[]> {
  for (const statement of [queuedPage, recalledPage]) {
    yield* pagesOf(reads, statement, [platformId, connectionId]);
  }
}

async function* pagesOf(
  reads: Reads,
  statement: Statement,
  [platformId, connectionId]: readonly [string, string],
): AsyncIterable<readonly RailPayment[]> {
  for (let after = BEFORE_ALL_IDS; ; ) {
    const page = await reads.rows(railPayments, statement, [platformId, connectionId, after]);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < QUEUED_AT_ONCE) return;
    after = last.id;
  }
}
