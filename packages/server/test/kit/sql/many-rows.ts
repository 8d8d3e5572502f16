/**
 * Many rows in every table of a platform, without calls: the rows that it has are copied, each with an id, a time and unique values of its own.
 * Commands, events and entries are numbered, so they are made one after another. Nothing links the copies to the log of commands, so the books
 * of such a database are not checked.
 */
import type pg from "pg";

export interface ManyRows {
  readonly platformId: string;
  /** A ledger account that gets a leg of every posting. */
  readonly accountId: string;
  /** Commands, with two events and two entries each. */
  readonly commands: number;
  /** Copies in a table that grows with payments, and in one that does not. */
  readonly payments: number;
  readonly others: number;
}

const GROW_WITH_PAYMENTS: ReadonlySet<string> = new Set([
  "customers",
  "external_accounts",
  "internal_accounts",
  "ledger_accounts",
  "quotes",
  "rail_entries",
  "rail_payments",
  "request_logs",
  "transactions",
]);

/** Tables whose rows have an id, with what a copy of a row needs to be another one. */
const COPIED =
  "select c.relname as name, u.columns from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary " +
  "cross join lateral (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'isUnique', exists (" +
  "select from pg_index x where x.indrelid = c.oid and x.indisunique and a.attnum = any (x.indkey) and a.attname <> 'platform_id')) " +
  "order by a.attnum) as columns from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) u " +
  "where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and array_length(i.indkey::int2[], 1) = 2 " +
  "and exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attname = 'platform_id') " +
  "and exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum = i.indkey[1] and a.attname = 'id') order by 1";

/**
 * Copies are older than the rows that were made by calls, by half a minute each: a list by time reads an hour of rows besides, by which the time in an
 * id may be ahead.
 */
const MS = "(floor(extract(epoch from now()) * 1000)::int8 - 3600000 - n * 30000)";
const ID = `(lpad(to_hex(${MS}), 12, '0') || '7000' || substr(md5(n || $3), 1, 16))::uuid`;
const TIMES: ReadonlySet<string> = new Set(["created_at", "updated_at"]);

const OTHER_VALUE: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `t.${column} || '-' || n`,
  uuid: (column) => `md5(t.${column}::text || n)::uuid`,
  bytea: (column) => `sha256((t.${column}::text || n)::bytea)`,
  integer: (column) => `t.${column} + n`,
  bigint: (column) => `t.${column} + n`,
};

/** The server works through these, or there is one of them, or they are numbered. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  "audit_entries",
  "event_resends",
  "jobs",
  "platforms",
  "rail_connections",
  "rate_sources",
  "webhook_endpoints",
]);
/** As many rows of a table are copied. */
const SOURCES = 20;

interface CopiedTable {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly isUnique: boolean;
  }[];
}

/** Fills all tables. The tables of which no row could be copied are returned. */
export async function fillManyRows(client: pg.Client, place: ManyRows): Promise<readonly string[]> {
  const { platformId, payments, others } = place;
  await client.query("set synchronous_commit = off; set session_replication_role = replica");
  const { rows: tables } = await client.query<CopiedTable>(COPIED);
  const left: string[] = [];
  for (const { name, columns } of tables) {
    const count = GROW_WITH_PAYMENTS.has(name) ? payments : others;
    if (count === 0 || NOT_COPIED.has(name)) continue;
    const names = columns.map((column) => column.name);
    const values = columns.map((column) => {
      if (column.name === "id") return ID;
      if (TIMES.has(column.name)) return `to_timestamp(${MS} / 1000.0)`;
      // An object has few of these.
      if (name === "beneficial_owners" && column.name === "customer_id") return ID;
      const other = column.isUnique ? OTHER_VALUE[column.type]?.(column.name) : undefined;
      return other ?? `t.${column.name}`;
    });
    const text =
      `insert into ${name} (${names.join(", ")}) select ${values.join(", ")} from generate_series(1, $2::int8) n ` +
      `join (select *, row_number() over (order by id) - 1 as place from ${name} where platform_id = $1 order by id limit ${SOURCES}) t ` +
      `on t.place = n % least((select count(*) from ${name} where platform_id = $1), ${SOURCES}) and length($3) > 0 on conflict do nothing`;
    const copied = await client
      .query({ text, values: [platformId, count, name] })
      .catch((error) => {
        left.push(`${name}: ${error.message}`);
      });
    if (copied !== undefined && copied.rowCount === 0) left.push(`${name}: no row`);
  }
  await client.query("analyze");
  for (const statement of numbered(place)) await client.query(statement);
  await client.query("analyze");
  return left;
}

/** Two entries and two events a command. */
function numbered({ platformId, accountId, commands: rows }: ManyRows): readonly string[] {
  const heads = `(select seq, event_seq, last_at from platform_heads where platform_id = '${platformId}') h`;
  const each = `from generate_series(1, ${rows}::int8) n cross join ${heads}`;
  const at = "h.last_at + n * interval '1 millisecond'";
  const account = `(select version from ledger_accounts where platform_id = '${platformId}' and id = '${accountId}')`;
  return [
    `insert into command_log (platform_id, seq, id, name, actor, at, clock_offset_ms, status, answer_sealed, answer_digest, effects_digest, hash)
     select '${platformId}', h.seq + n, gen_random_uuid(), 'pay', 'worker', ${at}, 0, 200, false, '', '', sha256(n::text::bytea) ${each}`,
    `insert into events (platform_id, seq, id, command_seq, type, subject, at, body)
     select '${platformId}', h.event_seq + 2 * n - 2 + e, gen_random_uuid(), h.seq + n,
       (array['INTERNAL_ACCOUNT.BALANCE_UPDATED', 'OUTGOING_PAYMENT.COMPLETED'])[e],
       (array['InternalAccount:', 'Transaction:'])[e] || md5(n::text)::uuid, ${at},
       '{"id":"Webhook:' || md5(n::text)::uuid || '","type":"OUTGOING_PAYMENT.COMPLETED","timestamp":"2026-01-01T00:00:00.000Z","data":{}}'
     ${each} cross join generate_series(1, 2) e`,
    `insert into ledger_entries (platform_id, command_seq, line, account_id, version, posting, reason, currency, amount_minor, balance_after_minor, at)
     select '${platformId}', h.seq + n, l, case l when 0 then '${accountId}'::uuid else md5((n % 1000)::text)::uuid end,
       case l when 0 then v.version + n else n / 1000 end, 0, 'book.transfer', 'USD', 2 * l - 1, 0, ${at}
     ${each} cross join ${account} v cross join generate_series(0, 1) l`,
    `update ledger_accounts set version = version + ${rows} where platform_id = '${platformId}' and id = '${accountId}'`,
    `insert into audit_entries (platform_id, command_seq, id, at, actor_kind, actor_id, act, target_kind, target_id, changes)
     select platform_id, h.seq + n, md5(n::text)::uuid, ${at}, actor_kind, actor_id, act, target_kind, target_id, changes
     ${each} cross join (select * from audit_entries where platform_id = '${platformId}' limit 1) t`,
    `insert into webhook_deliveries (platform_id, endpoint_id, event_seq, subject, state, attempts, parked_at, last_status, last_outcome)
     select e.platform_id, w.id, e.seq, e.subject, 'FAILED', 8, e.at, 500, 'HTTP 500' from events e join webhook_endpoints w on w.platform_id = e.platform_id
     where e.platform_id = '${platformId}' and e.seq % 50 = 0 on conflict do nothing`,
    `update platform_heads set seq = seq + ${rows}, event_seq = event_seq + 2 * ${rows}, last_at = last_at + ${rows} * interval '1 millisecond'
     where platform_id = '${platformId}'`,
  ];
}
