/**
 * Changes stored rows as superuser with triggers and constraints disabled, for tests of verification. Each change can be
 * reverted.
 */
import type pg from "pg";

const TABLES = [
  "platform_heads",
  "command_log",
  "events",
  "ledger_accounts",
  "ledger_entries",
] as const;
export type TamperedTable = (typeof TABLES)[number];

export interface Tampering {
  /** Runs a statement on a table, calls `look`, and restores the table. */
  during<T>(table: TamperedTable, statement: string, look: () => Promise<T>): Promise<T>;
  /** The first row that satisfies the condition, as text. */
  rowWhere(table: TamperedTable, where: string): Promise<Readonly<Record<string, string | null>>>;
  /** Changes a random cell of a random row; passes the edit to `look`. */
  duringAny<T>(chance: (below: number) => number, look: (edit: CellEdit) => Promise<T>): Promise<T>;
}

export interface CellEdit {
  readonly table: TamperedTable;
  readonly column: string;
  /** The row before and after the edit, by column, as text. */
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

type Chance = (below: number) => number;

export async function openTampering(client: pg.Client): Promise<Tampering> {
  const columns = new Map<TamperedTable, readonly Column[]>();
  await client.query("set session_replication_role = replica");
  await client.query("set synchronous_commit = off");
  await client.query("set timezone = 'UTC'");
  const checks = await client.query<{ table: string; name: string }>(
    "select conrelid::regclass::text as table, conname as name from pg_constraint where contype = 'c' " +
      "and conrelid = any($1::regclass[])",
    [TABLES],
  );
  for (const { table, name } of checks.rows) {
    await client.query(`alter table ${table} drop constraint ${name}`);
  }
  for (const table of TABLES) {
    await client.query(`create table kept_${table} as table ${table}`);
    const found = await client.query<Column>(
      "select attname as name, format_type(atttypid, null) as type from pg_attribute " +
        "where attrelid = $1::regclass and attnum > 0 order by attnum",
      [table],
    );
    columns.set(table, found.rows);
  }
  return {
    async during(table, statement, look) {
      const { command, rowCount } = await client.query(statement);
      try {
        if (command !== "DO" && (rowCount ?? 0) === 0) throw new Error(`no row for: ${statement}`);
        return await look();
      } finally {
        await putBack(client, table);
      }
    },
    async rowWhere(table, where) {
      const asText = (columns.get(table) ?? []).map(({ name }) => `${name}::text`).join(", ");
      const found = await client.query(`select ${asText} from ${table} where ${where} limit 1`);
      return found.rows[0];
    },
    async duringAny(chance, look) {
      const table = TABLES[chance(TABLES.length)] as TamperedTable;
      const edit = await editAnyCell(client, { table, columns: columns.get(table) ?? [], chance });
      try {
        return await look(edit);
      } finally {
        await putBack(client, table);
      }
    },
  };
}

async function putBack(client: pg.Client, table: TamperedTable): Promise<void> {
  await client.query(`truncate ${table}; insert into ${table} select * from kept_${table}`);
}

async function editAnyCell(
  client: pg.Client,
  draw: {
    readonly table: TamperedTable;
    readonly columns: readonly Column[];
    readonly chance: Chance;
  },
): Promise<CellEdit> {
  const { table, columns, chance } = draw;
  const asText = columns.map(({ name }) => `${name}::text`).join(", ");
  for (;;) {
    const column = columns[chance(columns.length)] as Column;
    const found = await client.query<Record<string, string | null>>(
      `select ${asText} from ${table} order by ${columns
        .slice(0, 3)
        .map(({ name }) => name)
        .join(", ")}`,
    );
    const before = found.rows[chance(found.rows.length)] as Record<string, string | null>;
    const changed = otherCell(before[column.name] ?? null, column.type, chance);
    const key = columns.map(
      ({ name }, index) => `${name}::text is not distinct from $${index + 2}`,
    );
    try {
      const edited = await client.query<Record<string, string | null>>(
        `update ${table} set ${column.name} = $1::text::${column.type} where ${key.join(" and ")} returning ${asText}`,
        [changed, ...columns.map(({ name }) => before[name] ?? null)],
      );
      const after = edited.rows[0];
      if (after === undefined) throw new Error("the row to change is not there");
      if (after[column.name] !== before[column.name])
        return { table, column: column.name, before, after };
    } catch (error) {
      // The edit violated a unique or not-null constraint: try another cell.
      if (!(error instanceof Error) || !("code" in error)) throw error;
      if (error.code !== "23505" && error.code !== "23502") throw error;
    }
  }
}

/** A different value for a cell, close to the current one. */
function otherCell(cell: string | null, type: string, chance: Chance): string | null {
  if (cell !== null && chance(12) === 0) return null;
  switch (type) {
    case "uuid":
      return flipDigit(cell ?? "018f0000-0000-7000-8000-000000000000", chance);
    case "bytea":
      return cell === null ? "\\x" : `\\x${flipDigit(cell.slice(2), chance)}`;
    case "boolean":
      return cell === "true" ? "false" : "true";
    case "bigint":
    case "integer":
      return String(BigInt(cell ?? 0) + BigInt(chance(9) - 4 || 1));
    case "timestamp with time zone":
      return `${laterBy(cell ?? "", chance)}`;
    default:
      return cell === null ? "" : flipCharacter(cell, chance);
  }
}

function flipDigit(hex: string, chance: Chance): string {
  const digits = [...hex.matchAll(/[0-9a-f]/g)].map((match) => match.index);
  const at = digits[chance(digits.length)] ?? 0;
  const digit = (Number.parseInt(hex.charAt(at), 16) ^ (1 + chance(15))).toString(16);
  return hex.slice(0, at) + digit + hex.slice(at + 1);
}

function flipCharacter(text: string, chance: Chance): string {
  const at = chance(text.length + 1);
  const letters = "abcXYZ019 .:{}\n";
  const letter = letters.charAt(chance(letters.length));
  const drop = chance(3);
  return text.slice(0, at) + (drop < 2 ? letter : "") + text.slice(at + (drop === 0 ? 0 : 1));
}

/** A time in the format of PostgreSQL, moved by a microsecond, a millisecond or a second. */
function laterBy(written: string, chance: Chance): string {
  const [whole = "", fraction = ""] = written.slice(0, -3).split(".");
  const micros = Number(fraction.padEnd(6, "0")) + 10 ** (3 * chance(3));
  const carried = micros >= 1_000_000 ? 1 : 0;
  const [day = "", clock = ""] = whole.split(" ");
  const seconds = Date.parse(`${day}T${clock}Z`) + carried * 1_000;
  return `${new Date(seconds).toISOString().slice(0, 19)}.${String(micros % 1_000_000).padStart(6, "0")}+00`;
}
