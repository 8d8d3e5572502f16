/** Checks at the start: the settings of the database, and the triggers and privileges that protect booked rows. */
import { StartRefused } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import type { Database } from "./database.ts";

/** The values of settings under which no acknowledged commit is lost. With any other value the server does not start. */
export const DURABILITY = {
  fsync: ["on"],
  synchronous_commit: ["on", "remote_apply"],
  full_page_writes: ["on"],
  data_sync_retry: ["off"],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

const OLDEST_SERVER_VERSION = 150_000;

/**
 * Refuses a database that could lose an acknowledged commit, is older than 15, prints bytea as escape, is read-only, is not
 * UTF-8, or does not fire triggers; the message names the setting. Warns when the role is a superuser: revoking the rights to
 * change booked rows has no effect on a superuser.
 */
export async function checkDatabase(
  database: Database,
  { log, mayOnlyRead = false }: { readonly log: Log; readonly mayOnlyRead?: boolean },
): Promise<void> {
  await warnOfSuperuser(database, log);
  const settings = await settingsOf(database, [
    ...Object.keys(DURABILITY),
    "server_version_num",
    "server_encoding",
    "bytea_output",
    "session_replication_role",
    "transaction_read_only",
    "in_hot_standby",
  ]);
  const version = settings.get("server_version_num");
  if (Number(version) < OLDEST_SERVER_VERSION) {
    throw new StartRefused(`PostgreSQL 15 or newer is needed; this server has version ${version}`);
  }
  for (const [name, safe] of Object.entries<readonly string[]>(DURABILITY)) {
    const setting = settings.get(name);
    if (setting !== undefined && !safe.includes(setting)) {
      throw new StartRefused(
        `the database runs with ${name}=${setting}: an acknowledged payment could be lost; set ${name}=${safe[0]}`,
      );
    }
  }
  if (settings.get("bytea_output") !== "hex") {
    throw new StartRefused(
      "the database runs with bytea_output=escape, which is not supported; set bytea_output=hex",
    );
  }
  if (mayOnlyRead) return;
  refuseReadOnly(settings);
  refuseOtherEncodings(settings);
  if (settings.get("session_replication_role") === "replica") {
    throw new StartRefused(
      "the database runs with session_replication_role=replica, so the triggers that protect booked rows do not fire; set session_replication_role=origin",
    );
  }
}

/** The start refuses other encodings, because a text with a character outside of the encoding would fail its request. */
function refuseOtherEncodings(settings: ReadonlyMap<string, string>): void {
  const encoding = settings.get("server_encoding");
  if (encoding === "UTF8") return;
  throw new StartRefused(
    `the database keeps texts as ${encoding}, which cannot store every character; create one with ` +
      "create database … encoding 'UTF8' template template0",
  );
}

async function settingsOf(
  database: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.withClient((client) =>
    client.query<{ name: string; setting: string }>(
      "select name, setting from pg_settings where name = any($1)",
      [names],
    ),
  );
  return new Map(rows.map(({ name, setting }) => [name, setting]));
}

function refuseReadOnly(settings: ReadonlyMap<string, string>): void {
  if (settings.get("transaction_read_only") !== "on") return;
  throw new StartRefused(
    settings.get("in_hot_standby") === "on"
      ? "the database is a standby, which only reads; set DATABASE_URL to the primary"
      : "the database runs with default_transaction_read_only=on; set default_transaction_read_only=off",
  );
}

async function warnOfSuperuser(database: Database, log: Log): Promise<void> {
  const found = await database.withClient((client) =>
    client.query<{ role: string; database: string }>(
      "select current_user as role, current_database() as database where current_setting('is_superuser') = 'on'",
    ),
  );
  const [superuser] = found.rows;
  if (superuser === undefined) return;
  const { role, database: name } = superuser;
  log.warn(
    { role },
    "the role of DATABASE_URL is a superuser, which can change booked rows; give the server a role of its own: " +
      `create role florin login password '…'; alter database "${name}" owner to florin`,
  );
}

/** The triggers that protect booked rows, by table. */
export const GUARDS = [
  ["ledger_entries", "ledger_entries_append_only"],
  ["ledger_entries", "ledger_entries_no_truncate"],
  ["events", "events_append_only"],
  ["events", "events_no_truncate"],
  ["command_log", "command_log_append_only"],
  ["command_log", "command_log_no_truncate"],
  ["command_log", "command_log_keeps"],
  ["audit_entries", "audit_entries_append_only"],
  ["audit_entries", "audit_entries_no_truncate"],
  ["chain_checkpoints", "chain_checkpoints_append_only"],
  ["chain_checkpoints", "chain_checkpoints_no_truncate"],
] as const;

/** The privileges that the migrations revoke from the server's own role. */
export const REVOKED = [
  ["ledger_entries", "update, delete, truncate"],
  ["events", "update, delete, truncate"],
  ["command_log", "delete, truncate"],
  ["audit_entries", "update, delete, truncate"],
  ["chain_checkpoints", "update, delete, truncate"],
] as const;

/**
 * Refuses a database in which a protecting trigger is missing or disabled; only the owner of the table can do that. Warns when
 * the role has a revoked privilege again, as after a restore with `--no-privileges`. With `mayOnlyRead` both are warnings, so
 * that a verification can read such a database.
 */
export async function checkGuards(
  database: Database,
  { log, mayOnlyRead = false }: { readonly log: Log; readonly mayOnlyRead?: boolean },
): Promise<void> {
  const missing = await missingGuards(database);
  if (missing.length > 0) {
    const message = `booked rows are not guarded: the triggers ${missing.join(", ")} are missing or disabled; \`alter table … enable trigger …\`, or restore them from a dump`;
    if (!mayOnlyRead) throw new StartRefused(message);
    log.warn({}, message);
  }
  const { role, open } = await findRegrantedRights(database);
  if (open.length === 0) return;
  const remedy = open.map(([table, rights]) => `revoke ${rights} on ${table} from "${role}"`);
  log.warn(
    { role },
    `the role may change booked rows, as after a restore without privileges; run: ${remedy.join("; ")}`,
  );
}

async function missingGuards(database: Database): Promise<readonly string[]> {
  const { rows } = await database.withClient((client) =>
    client.query<{ name: string }>(
      "select g.name from unnest($1::text[], $2::text[]) g(of_table, name) where not exists (" +
        "select 1 from pg_trigger t where t.tgrelid = to_regclass(g.of_table) and t.tgname = g.name " +
        "and t.tgenabled in ('O', 'A'))",
      [GUARDS.map(([table]) => table), GUARDS.map(([, name]) => name)],
    ),
  );
  return rows.map(({ name }) => name);
}

/** Empty for a superuser, which `warnOfSuperuser` reports. */
async function findRegrantedRights(database: Database) {
  const { rows } = await database.withClient((client) =>
    client.query<{ role: string; of_table: string }>(
      "select current_user as role, r.of_table from unnest($1::text[], $2::text[]) r(of_table, rights) " +
        "where current_setting('is_superuser') = 'off' and has_table_privilege(r.of_table, r.rights)",
      [REVOKED.map(([table]) => table), REVOKED.map(([, rights]) => rights)],
    ),
  );
  const names = new Set(rows.map(({ of_table }) => of_table));
  return { role: rows[0]?.role ?? "", open: REVOKED.filter(([table]) => names.has(table)) };
}
