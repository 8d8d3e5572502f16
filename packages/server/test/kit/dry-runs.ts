/** Compares the dry run of a call with the call itself, made right after it in the same state. */
import { expect } from "vitest";
import type { RawAnswer, Story } from "./story.ts";

/** Makes the call at a path, with credentials that the caller of the test has chosen. */
export type Made = (path: string) => Promise<RawAnswer>;

/** Written behind the commits: the logs of calls, and what followers keep up to date. */
const BEHIND: readonly string[] = [
  "attempt_tallies",
  "follower_positions",
  "overview_positions",
  "payment_days",
  "payment_hours",
  "request_log_contents",
  "request_logs",
  "row_changes",
  "search_positions",
  "search_terms",
  "token_uses",
];

/** The number of rows of each table of the platform. */
async function rowsOf({ server, platformId }: Story) {
  return server.database.asSuperuser(async (client) => {
    const { rows: tables } = await client.query(
      "select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name) " +
        "where table_schema = 'public' and column_name = 'platform_id' and table_type = 'BASE TABLE' and table_name <> all ($1) order by 1",
      [BEHIND],
    );
    const counts = tables
      .map(
        ({ name }) => `select '${name}' as name, count(*)::int from ${name} where platform_id = $1`,
      )
      .join(" union all ");
    const { rows } = await client.query(counts, [platformId]);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  });
}

/** Where the log of the platform is, and its balances. */
async function placeOf({ server, platformId }: Story) {
  return server.database.asSuperuser(async (client) => {
    const { rows: heads } = await client.query(
      "select seq::text, event_seq::text from platform_heads where platform_id = $1",
      [platformId],
    );
    const { rows: balances } = await client.query(
      "select id::text, balance_minor::text as balance, held_minor::text as held, version::text from ledger_accounts where platform_id = $1 order by 1",
      [platformId],
    );
    return { head: heads[0] as { readonly seq: string }, balances };
  });
}

/** Whether a job was done in between: its due time came while the calls were made. */
async function hasWorked({ server, platformId }: Story, seq: string): Promise<boolean> {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query(
      "select 1 from command_log where platform_id = $1 and seq > $2 and actor like 'worker:%' limit 1",
      [platformId, seq],
    ),
  );
  return rows.length > 0;
}

interface Effects {
  readonly balances: readonly { accountId: string; before: number; after: number }[];
  readonly events: readonly string[];
}

/** The events and the balances of the command that was logged after `seq`. */
async function effectsAfter({ server, platformId }: Story, seq: string): Promise<Effects> {
  return server.database.asSuperuser(async (client) => {
    const at = [platformId, (BigInt(seq) + 1n).toString()];
    const { rows: events } = await client.query(
      "select type from events where platform_id = $1 and command_seq = $2 order by seq",
      at,
    );
    const { rows: entries } = await client.query(
      "select e.account_id::text as id, e.amount_minor::text as minor, e.balance_after_minor::text as after from ledger_entries e " +
        "join ledger_accounts a on a.platform_id = e.platform_id and a.id = e.account_id and a.kind = 'internal' " +
        "where e.platform_id = $1 and e.command_seq = $2 order by e.line",
      at,
    );
    const accounts = new Map<string, { before: number; after: number }>();
    for (const { id, minor, after } of entries) {
      const { before } = accounts.get(id) ?? { before: Number(after) - Number(minor) };
      accounts.set(id, { before, after: Number(after) });
    }
    return {
      events: events.map(({ type }) => type),
      balances: [...accounts]
        .filter(([, { before, after }]) => before !== after)
        .map(([id, change]) => ({ accountId: `InternalAccount:${id}`, ...change })),
    };
  });
}

const MADE = /^(id|transactionId|counterpartTransactionId|approvalId|reference|payloadToSign)$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** An object without what differs between two calls: ids that are made, what follows from them, and times. */
function comparable(object: unknown): unknown {
  return JSON.parse(
    JSON.stringify(object, (name, value) => {
      if (MADE.test(name) || name === "reconciliationInstructions") return undefined;
      return typeof value === "string" && TIME.test(value) ? "a time" : value;
    }),
  );
}

interface Compared {
  readonly make: Made;
  readonly path: string;
  /** Counts the rows of all tables before and after the dry run as well, which takes longer. */
  readonly countsRows: boolean;
}

/** Makes the dry run, sees that nothing is stored, makes the call, and compares them. Answers the code of the refusal, or the status. */
export async function comparedWithCall(
  story: Story,
  { make, path, countsRows }: Compared,
): Promise<string> {
  await story.settle();
  const rows = countsRows ? await rowsOf(story) : undefined;
  const before = await placeOf(story);
  const dry = await make(`${path}?dryRun=true`);
  const after = await placeOf(story);
  if (await hasWorked(story, before.head.seq)) return "disturbed";
  expect(after, "a dry run has changed something").toEqual(before);
  if (rows !== undefined)
    expect(await rowsOf(story), "a dry run has stored something").toEqual(rows);
  const real = await make(path);
  if (dry.status !== 200) {
    const { code, message } = dry.json;
    expect([real.status, real.json.code, real.json.message]).toEqual([dry.status, code, message]);
    return String(code);
  }
  const { dryRun, result, effects } = dry.json;
  expect(dryRun).toBe(true);
  expect(real.status, real.text).toBeLessThan(300);
  if (real.json.approvalsNeeded !== undefined) {
    const { kind, approvalsNeeded: needed } = real.json;
    expect(effects.approval).toEqual({ needed, kind });
    return "202";
  }
  expect(comparable(result)).toEqual(comparable(real.json));
  const told = await effectsAfter(story, before.head.seq);
  const isWaiting = effects.approval !== null;
  const events = isWaiting ? effects.events.slice(0, told.events.length) : effects.events;
  expect(events).toEqual(told.events);
  if (!isWaiting) expect(effects.balances.map(plain)).toEqual(told.balances);
  return isWaiting ? "waits" : String(real.status);
}

interface Shown {
  readonly accountId: string;
  readonly before: { readonly amount: number };
  readonly after: { readonly amount: number };
}

function plain({ accountId, before, after }: Shown) {
  return { accountId, before: before.amount, after: after.amount };
}
