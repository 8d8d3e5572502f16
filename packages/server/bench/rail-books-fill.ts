/**
 * Writes the rows of a connection that was in use for a long time, with SQL. Of every three lines one settled an order, one credited
 * an account, and one is in suspense. There are as many open orders as lines, and a third as many orders that settled without a line.
 * The ledger and the log do not contain these rows.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

export interface Filled {
  readonly dataDir: string;
  /** The uuid, without the prefix of the id. */
  readonly connectionId: string;
}

/** The numbers of the rows. Each range may be written only once. */
export interface Numbers {
  readonly from: number;
  readonly to: number;
}

/** The bookings of the lines are spread over this number of days. */
export const DAYS = 90;
const SPAN_MS = DAYS * 86_400_000;
const PORTION = 50_000;

/** A UUIDv7 with the time of row `n` of 1,000,000, like those that the server makes. */
const idAt = (kind: string) =>
  `(lpad(to_hex(at_ms), 12, '0') || '7${kind}' || lpad(to_hex(n), 16, '8000000000000000'))::uuid`;

const NUMBERED =
  "select n, platform_id, to_timestamp(at_ms / 1000.0) as at, at_ms from (" +
  `select n, c.platform_id, (extract(epoch from now()) * 1000)::int8 - ${SPAN_MS} + n::int8 * ${SPAN_MS} / 1000000 as at_ms ` +
  "from rail_connections c, generate_series($1::int4, $2::int4) n where c.id = $3::uuid) made";

const ORDER_COLUMNS =
  "platform_id, id, transaction_id, connection_id, direction, payment_rail, currency, amount_minor, counterparty, ours, reference, " +
  "requested_on, state, is_conflict, history, moves_nothing, hold_days, untold_minor, settled_entry_id, settled_on, created_at, updated_at";

/** Inserts orders of one kind: settled by a line, settled without one, or open. */
const orders = (
  kind: string,
  state: string,
  of: { readonly told: string; readonly some: string },
) =>
  `insert into rail_payments (${ORDER_COLUMNS}) select platform_id, ${idAt(kind)}, gen_random_uuid(), $3::uuid, 'OUT', 'ACH', 'USD', 100, ` +
  `'{"name": "Ana Ruiz", "accountType": "USD_ACCOUNT", "primaryIdentifier": "12345678901", "accountInfo": {}}', '{}', 'reference', ` +
  `to_char(at, 'YYYY-MM-DD'), '${state}', false, '[]', false, 0, ${of.told}, to_char(at, 'YYYY-MM-DD'), at, at from (${NUMBERED}) rows ${of.some}`;

const STATEMENTS = [
  orders("001", "SETTLED", { told: `0, ${idAt("000")}`, some: "where n % 3 = 0" }),
  orders("002", "SETTLED", { told: "-100, null", some: "where n % 3 = 1" }),
  orders("003", "ACCEPTED", { told: "0, null", some: "" }),
  "insert into rail_entries (platform_id, id, connection_id, bank_reference, direction, currency, amount_minor, booked_on, reference, " +
    "booked_as, payment_id, transaction_id, source, booked_by, created_at) " +
    `select platform_id, ${idAt("000")}, $3::uuid, 'BANK-' || n, case n % 3 when 0 then 'DEBIT' else 'CREDIT' end, 'USD', 100, ` +
    "to_char(at, 'YYYY-MM-DD'), 'rent of ' || n, case n % 3 when 0 then 'PAYMENT' when 1 then 'DEPOSIT' else 'SUSPENSE' end, " +
    `case n % 3 when 0 then ${idAt("001")} end, case n % 3 when 1 then gen_random_uuid() end, 'FEED', 'worker read-rail-feed', at ` +
    `from (${NUMBERED}) rows`,
  "insert into rail_items (platform_id, id, connection_id, entry_id, reason, direction, currency, amount_minor, state, aged_days, " +
    `created_at) select platform_id, ${idAt("004")}, $3::uuid, ${idAt("000")}, 'UNREFERENCED', 'CREDIT', 'USD', 100, 'OPEN', 20, at ` +
    `from (${NUMBERED}) rows where n % 3 = 2`,
];

const TABLES = ["rail_entries", "rail_items", "rail_payments"] as const;

/** Updates the counts in `list_totals` to match the rows. */
const totals = (list: string, kind: string) =>
  "insert into list_totals (platform_id, list, day, kind, total) " +
  `select platform_id, '${list}', floor(extract(epoch from created_at) / 86400)::int4, ${kind}, count(*) from ${list} ` +
  "where connection_id = $1::uuid group by 1, 3, 4 " +
  "on conflict (platform_id, list, day, kind) do update set total = excluded.total";

/** Writes the rows and updates the statistics, as autovacuum does in the course of months. */
export async function fillRailBooks(filled: Filled, { from, to }: Numbers): Promise<void> {
  await asSuperuser(filled, async (client) => {
    for (let first = from; first < to; first += PORTION) {
      const values = [first, Math.min(first + PORTION, to) - 1, filled.connectionId];
      for (const statement of STATEMENTS) await client.query(statement, values);
    }
    await client.query(totals("rail_entries", "direction"), [filled.connectionId]);
    await client.query(totals("rail_items", "state"), [filled.connectionId]);
    for (const table of TABLES) await client.query(`vacuum (analyze) ${table}`);
  });
}

/** Adds a connector's statement from this many days ago, which covers everything that was read before that moment. */
export async function addConnectorStatement(filled: Filled, daysAgo: number): Promise<void> {
  const statement =
    "insert into rail_statements (platform_id, id, connection_id, currency, source, day, read_at, closing_minor, opening_minor, " +
    "unexplained_minor, recorded_by, created_at) select platform_id, gen_random_uuid(), id, 'USD', 'CONNECTOR', " +
    "to_char(now() - $2 * interval '1 day', 'YYYY-MM-DD'), now() - $2 * interval '1 day', 0, 0, 0, 'worker read-rail-feed', now() " +
    "from rail_connections where id = $1::uuid";
  await asSuperuser(filled, (client) => client.query(statement, [filled.connectionId, daysAgo]));
}

/** Connects as the superuser of the server's own PostgreSQL. */
async function asSuperuser<T>(
  { dataDir }: Pick<Filled, "dataDir">,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const lines = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
  const [, , , port, host] = lines;
  const client = new pg.Client({
    host: host ?? "",
    port: Number(port),
    user: "postgres",
    database: "florin",
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
