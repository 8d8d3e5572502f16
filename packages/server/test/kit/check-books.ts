/**
 * Verifies the books of a test database as `florin verify` does, and its events against the OpenAPI document. Throws on a discrepancy.
 *
 * The reconciliations of all platforms are one statement: a platform with few rows costs a round trip for each of 50 statements, which took
 * four fifths of a check. A Citus cluster does not plan that statement, so there they run one by one.
 */
import { createHash } from "node:crypto";
import type pg from "pg";
import type { App } from "../../src/app.ts";
import { OVERDUE_PAYMENTS, reconciliations } from "../../src/audit/reconciliation.sql.ts";
import { type Problem, verifyPlatforms } from "../../src/audit/verify-platform.ts";
import { approvalChecks } from "../../src/boot/people/approval-checks.ts";
import type { Clock } from "../../src/std/clock.ts";
import { documentCheckOf } from "./document-check.ts";
import { isDistributed } from "./test-database.ts";

export interface CheckedServer {
  readonly app: App;
  readonly baseUrl: string;
  readonly clock: Clock;
}

/** `platformIds`: the platforms and workspaces to check; all of them when absent. */
export async function checkBooks(
  client: pg.Client,
  { app, baseUrl, clock }: CheckedServer,
  platformIds?: readonly string[],
): Promise<void> {
  await client.query("set plan_cache_mode = force_generic_plan; set jit = off");
  const overdue = { text: OVERDUE_PAYMENTS, now: clock.now() };
  const ids: string[] = [];
  const { problems } = await verifyPlatforms({
    client: plansOnce(client),
    platformIds,
    approvals: approvalChecks(app.store.sealer),
    onVerified: async ({ platformId }) => void ids.push(platformId),
    ...(isDistributed() ? { reconciliations, overdue } : {}),
  });
  const found = isDistributed() ? [] : await reconcile(client, ids, overdue.now);
  const [problem] = [...problems, ...found];
  if (problem !== undefined) throw new Error(`the books are off: ${JSON.stringify(problem)}`);
  await checkEvents(client, ids, baseUrl);
}

/** Checks, each time that it is called, the platforms and workspaces with a row that changed since the call before. */
export function checkOfChanges(client: pg.Client, server: CheckedServer): () => Promise<void> {
  let before: ReadonlyMap<string, string> = new Map();
  return async () => {
    const marks = await marksOf(client);
    const ids = new Set([...before.keys(), ...marks.keys()]);
    const changed = [...ids].filter((id) => marks.get(id) !== before.get(id));
    before = marks;
    await checkBooks(client, server, isDistributed() ? undefined : changed);
  };
}

/** The statements name the platform as $1. Here it is the row of an alias that no statement has: an inner alias of the same name would hide it. */
const ALL_RECONCILIATIONS = `
  select checked_partition.id as "platformId", found.* from unnest($1::uuid[]) checked_partition(id), lateral (
    ${[...reconciliations, OVERDUE_PAYMENTS].map((text) => `(${text.replaceAll("$1::uuid", "checked_partition.id")}\n)`).join(" union all ")}
  ) found("table", "row", what)`;

async function reconcile(
  client: pg.Client,
  ids: readonly string[],
  now: number,
): Promise<readonly Problem[]> {
  const { rows } = await client.query({
    name: "reconciliations",
    text: ALL_RECONCILIATIONS,
    values: [ids, now],
  });
  return rows;
}

/** Plans each statement once for a connection and not once for each platform. */
function plansOnce(client: pg.Client): pg.Client {
  const query = (asked: pg.QueryConfig) =>
    client.query({ name: createHash("sha256").update(asked.text).digest("base64url"), ...asked });
  return { query } as pg.Client;
}

/** Validates all events of these platforms. */
async function checkEvents(
  client: pg.Client,
  ids: readonly string[],
  baseUrl: string,
): Promise<void> {
  const { rows } = await client.query<{ type: string; body: string }>(
    "select type, body from events where platform_id = any($1::uuid[])",
    [ids],
  );
  if (rows.length === 0) return;
  const document = await documentCheckOf(baseUrl);
  for (const { type, body } of rows) document.checkEvent({ type, json: JSON.parse(body) });
}

const TABLES = `
  select relname from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'platform_id'
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`;

/**
 * By platform and workspace: how many rows it has, and the last database transaction that wrote one. Any change of
 * a row changes this.
 */
async function marksOf(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  if (isDistributed()) return new Map();
  const { rows: tables } = await client.query<{ relname: string }>(TABLES);
  const counts = tables.map(
    ({ relname }) =>
      `select platform_id, count(*) as total, max(xmin::text::int8) as last from ${relname} group by platform_id`,
  );
  const { rows } = await client.query<{ id: string; mark: string }>({
    name: "marks",
    text: `select platform_id as id, sum(total) || ' ' || max(last) as mark from (${counts.join(" union all ")}) t group by 1`,
  });
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}
