/** One edit of stored rows per kind, and the first problem that verification must report for it. */
import type { TamperedTable } from "./tamper.ts";

export type Row = Readonly<Record<string, string | null>>;

export interface Edit {
  readonly table: TamperedTable;
  readonly what: string;
  readonly where: string;
  readonly sql: string;
  /** The table and row of the first problem, given the row before the edit. */
  reported(row: Row): readonly [table: string, row: string];
}

const EFFECTS = "ledger_entries, events";
export const OTHER_ID = "018f0000-0000-7000-8000-0000000000ff";

/** The name of a row in reports of verification. */
export function nameOf(table: TamperedTable, row: Row): string {
  switch (table) {
    case "platform_heads":
      return "the head";
    case "command_log":
      return `command ${row.seq}`;
    case "events":
      return `event ${row.seq}`;
    case "ledger_entries":
      return `command ${row.command_seq}, line ${row.line}`;
    case "ledger_accounts":
      return `account ${row.id}`;
  }
}

type Reported = Edit["reported"];

const effects: Reported = (row) => [EFFECTS, `command ${row.command_seq}`];
const line =
  (number: number): Reported =>
  (row) => ["ledger_entries", `command ${row.command_seq}, line ${number}`];

/** Updates of one row: `set` clauses, each with the expected report; the default is the row itself. */
function sets(
  table: TamperedTable,
  where: string,
  edits: readonly (readonly [set: string, reported?: Reported])[],
): Edit[] {
  const itself: Reported = (row) => [table, nameOf(table, row)];
  return edits.map(([set, reported = itself]) => ({
    table,
    what: set,
    where,
    sql:
      set === "deleted"
        ? `delete from ${table} where ${where}`
        : `update ${table} set ${set} where ${where}`,
    reported,
  }));
}

function added(
  table: TamperedTable,
  where: string,
  columns: Readonly<Record<string, string>>,
  reported: Reported,
): Edit {
  const changes = Object.entries(columns).map(([column, value]) => `r.${column} := ${value};`);
  const sql =
    `do $$ declare r ${table}%rowtype; begin select * into strict r from ${table} where ${where}; ` +
    `${changes.join(" ")} insert into ${table} values (r.*); end $$`;
  return { table, what: `added: ${Object.keys(columns).join(", ")}`, where, sql, reported };
}

/** The resolution of the database, and that of the product. */
const microsecond = "interval '1 microsecond'";
const millisecond = "interval '1 millisecond'";

export function editsOf(platformId: string): readonly Edit[] {
  const here = `platform_id = '${platformId}'`;
  return [
    ...headEdits(here),
    ...commandEdits(here),
    ...eventEdits(here),
    ...entryEdits(here),
    ...accountEdits(here),
  ];
}

function headEdits(here: string): readonly Edit[] {
  return sets("platform_heads", here, [
    ["seq = seq + 1"],
    ["seq = seq - 1"],
    ["event_seq = event_seq + 1"],
    ["clock_offset_ms = clock_offset_ms + 1"],
    [`last_at = last_at + ${microsecond}`],
    [`last_at = last_at + ${millisecond}`],
    ["chain_hash = set_byte(chain_hash, 5, 255 - get_byte(chain_hash, 5))"],
    [`platform_id = '${OTHER_ID}'`],
    ["deleted"],
  ]);
}

function commandEdits(here: string): readonly Edit[] {
  const oneOf = (which: string) =>
    `${here} and seq = (select min(seq) from command_log where ${here} and seq > 20 and ${which})`;
  const keyed = oneOf("answer is not null and not answer_sealed");
  const unkeyed = oneOf("idempotency_scope is null");
  const sealed = oneOf("answer is not null and answer_sealed");
  const last = `${here} and seq = (select max(seq) from command_log where ${here})`;
  return [
    ...sets("command_log", keyed, [
      [`platform_id = '${OTHER_ID}'`],
      ["id = platform_id"],
      ["name = 'moved'"],
      ["actor = 'token:x'"],
      [`at = at + ${microsecond}`],
      [`at = at + ${millisecond}`],
      ["clock_offset_ms = clock_offset_ms + 1"],
      ["idempotency_digest = platform_id"],
      ["idempotency_digest = null"],
      ["idempotency_scope = idempotency_scope || 'y'"],
      ["idempotency_key = 'another'"],
      ["body_digest = sha256('other')"],
      ["body_digest = null"],
      ["status = status + 1"],
      ["answer = answer || ' '"],
      ["answer = '@1'"],
      ["answer = null"],
      ["answer_sealed = true"],
      ["answer_digest = sha256('x')"],
      ["effects_digest = sha256('x')"],
      ["hash = sha256('x')"],
      ["deleted"],
    ]),
    ...sets("command_log", unkeyed, [
      ["idempotency_scope = ''"],
      ["idempotency_key = ''"],
      ["body_digest = ''"],
      ["idempotency_digest = platform_id"],
      ["answer = '{}'"],
    ]),
    ...sets("command_log", sealed, [["answer_sealed = false"], ["answer = answer || 'A'"]]),
    ...sets("command_log", last, [["seq = seq + 1"], ["deleted"]]),
    added(
      "command_log",
      last,
      { seq: "r.seq + 1", idempotency_digest: "null", answer: "null" },
      (row) => ["command_log", `command ${Number(row.seq) + 1}`],
    ),
  ];
}

function eventEdits(here: string): readonly Edit[] {
  const first =
    `${here} and seq = (select min(v.seq) from events v where v.${here} and v.command_seq > 20 and ` +
    `(select count(*) from events o where o.${here} and o.command_seq = v.command_seq and o.seq >= v.seq) > 1)`;
  const last = `${here} and seq = (select max(seq) from events where ${here})`;
  return [
    ...sets("events", first, [
      [`platform_id = '${OTHER_ID}'`],
      ["id = platform_id"],
      ["command_seq = command_seq + 1000", effects],
      ["command_seq = 1"],
      ["type = 'TEST'"],
      ["subject = subject || '0'", effects],
      [`at = at + ${microsecond}`],
      [`at = at + ${millisecond}`],
      ["body = replace(body, 'Webhook:0', 'Webhook:1')"],
      ["body = replace(body, '☂', '☁')", effects],
      ["body = left(body, -1)"],
      ["body = body || ' '", effects],
      ["deleted"],
    ]),
    ...sets("events", last, [["seq = seq + 1"], ["deleted", effects]]),
    added("events", last, { seq: "r.seq + 1", id: "gen_random_uuid()" }, (row) => [
      "events",
      `event ${Number(row.seq) + 1}`,
    ]),
  ];
}

function entryEdits(here: string): readonly Edit[] {
  const hold =
    `${here} and command_seq = (select e.command_seq from ledger_entries e where e.${here} and e.command_seq > 20 ` +
    "group by e.command_seq having count(*) = 2 and min(e.reason) = 'payout.hold' order by 1 limit 1)";
  const ofAnother =
    `(select min(id::text)::uuid from ledger_accounts a where a.${here} and a.kind = 'internal' ` +
    "and a.currency = ledger_entries.currency and a.id <> held_for_account_id)";
  const debit = `${hold} and line = 0`;
  const credit = `${hold} and line = 1`;
  return [
    ...sets("ledger_entries", debit, [
      [`platform_id = '${OTHER_ID}'`, line(1)],
      ["command_seq = 100000", line(1)],
      [`account_id = '${OTHER_ID}'`],
      ["version = version + 1"],
      ["posting = 1"],
      ["reason = 'payout.settle'", effects],
      ["reason = 'to me'"],
      ["currency = 'XXX'"],
      ["amount_minor = amount_minor + 1"],
      ["balance_after_minor = balance_after_minor + 1"],
      ["balance_after_minor = -1"],
      ["held_for_account_id = account_id"],
      [`at = at + ${microsecond}`],
      [`at = at + ${millisecond}`],
      ["deleted", line(1)],
    ]),
    ...sets("ledger_entries", credit, [
      ["line = 17", line(17)],
      ["account_id = held_for_account_id"],
      ["held_for_account_id = null"],
      [`held_for_account_id = ${ofAnother}`, effects],
      ["deleted", effects],
    ]),
    ...sets("ledger_entries", hold, [["deleted", effects]]),
    added("ledger_entries", credit, { line: "2" }, line(2)),
  ];
}

function accountEdits(here: string): readonly Edit[] {
  const oneOf = (which: string) =>
    `${here} and id = (select min(id::text)::uuid from ledger_accounts where ${here} and version > 2 and ${which})`;
  const internal = oneOf("kind = 'internal' and balance_minor > 0");
  return [
    ...sets("ledger_accounts", internal, [
      ["kind = 'fees'"],
      ["guarded = false"],
      ["balance_minor = balance_minor + 1"],
      ["balance_minor = -1"],
      ["held_minor = held_minor + 1"],
      ["version = version + 1"],
      [`updated_at = updated_at + ${microsecond}`],
      [`updated_at = updated_at + ${millisecond}`],
    ]),
    ...sets("ledger_accounts", oneOf("kind = 'in-flight'"), [
      ["kind = 'fees'"],
      ["currency = 'XXX'"],
    ]),
    ...sets("ledger_accounts", oneOf("kind = 'sandbox-funding'"), [["guarded = true"]]),
    added("ledger_accounts", internal, { id: `'${OTHER_ID}'` }, () => [
      "ledger_accounts",
      `account ${OTHER_ID}`,
    ]),
  ];
}
