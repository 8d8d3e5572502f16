/**
 * Every statement names the platform of each table that it reads or writes, so that it runs on one node when the tables are distributed, or
 * it is listed here with its reason. A few expressions that Citus refuses are found as well.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { composedTexts, UNKNOWN } from "./kit/sql/composed-texts.ts";
import { unnamedTables } from "./kit/sql/platform-of-tables.ts";

const source = fileURLToPath(new URL("../src/", import.meta.url));
const migrations = new URL("../migrations/", import.meta.url);

/** The tables whose rows are on the node of their platform. A table that is not known before run time counts as one of them. */
const distributed = new Set([UNKNOWN]);
for (const name of readdirSync(migrations)) {
  const sql = readFileSync(new URL(name, migrations), "utf8");
  for (const [, table = ""] of sql.matchAll(/create table (\w+) \(\s*platform_id/g))
    distributed.add(table);
}

const OF_ALL =
  "finds work of all platforms, on each node for its own; what is found is claimed by platform";
const FIGURES = "a figure of all platforms, joined by platform on each node";

interface Exempt {
  readonly file: string;
  /** What its text contains. */
  readonly part: string;
  readonly why: string;
}

const exempt: readonly Exempt[] = [
  {
    file: "boot/system/unchecked-rails.ts",
    part: "select p.name, count(*) over () from platforms p",
    why: "a line of the start about all platforms, joined by platform on each node",
  },
  {
    file: "audit/verify-rows.ts",
    part: "select platform_id from ((select platform_id from platform_heads where platform_id > $1",
    why: "the next platform that has any row, for `florin verify`",
  },
  {
    file: "boot/reseal.ts",
    part: "select platform_id from platform_heads where platform_id > $1",
    why: "the next platform or workspace, for `florin reseal`",
  },
  ...[
    "select p.environment, count(v.id) from platforms p left join verifications",
    "with waiting as (select platform_id, payload ->> 'transactionId' as id from jobs",
    "with waiting as (select platform_id, count(*) as count from webhook_deliveries",
    "select p.environment, count(c.id) from platforms p left join rail_connections",
    "with oldest as (select r.platform_id, min(r.sent_at) as at from rail_payments",
    "select p.connection_id, p.state, count(*) from (select r.connection_id, r.state from rail_payments r",
    "with open as (select platform_id, count(*) as count from rail_items",
    "with unexplained as (select platform_id, count(*) as count from rail_books",
    "with oldest as (select s.platform_id, min((r ->> 'asOf')::timestamptz) as at from rate_sources",
    "select p.environment, count(s.id) from platforms p left join rate_sources",
    "select s.status, count(d.id) from (values ('CLAIMED')",
    "select extract(epoch from k.not_after - now()) / 86400.0 from uma_keys k",
    "with open as (select platform_id, count(*) as count from uma_invoices",
    "with oldest as (select platform_id, min(updated_at) as at from uma_invoices",
    "c.unknown_payments",
    "c.refused_entries",
  ].map((part) => ({ file: "boot/standing-figures.ts", part, why: FIGURES })),
  ...[
    "select w.platform_id, w.name, h.seq",
    "select t.workspace_id, count(*) from platforms t where t.workspace_id = any($1",
    "select p.platform_id, p.workspace_id, p.name, p.environment",
  ].map((part) => ({
    file: "domain/platforms/system/tenants.sql.ts",
    part,
    why: "a page of the operators' lists, joined by platform on each node",
  })),
  {
    file: "domain/platforms/system/operators-queue.sql.ts",
    part: "k.id = t.customer_id offset 0) c",
    why: "a page of the operators' queue, joined by platform on each node",
  },
  {
    file: "domain/platforms/system/deployment.sql.ts",
    part: "with first as (select kind, run_at from jobs order by run_at limit",
    why: "the operators' count of jobs, of all platforms",
  },
  {
    file: "domain/platforms/system/verify-runs.sql.ts",
    part: "select coalesce(sum(seq), 0)::int8 from platform_heads",
    why: "the length of all logs, when operators begin a check of the books",
  },
  {
    file: "domain/people/notices/passkey-hosts.sql.ts",
    part: "select k.rp_id, count(*) from person_passkeys k",
    why: "once a start: how many passkeys of the deployment are of another host name",
  },
  {
    file: "jobs/job-store.ts",
    part: "select platform_id, id, floor(extract(epoch from run_at) * 1000)::int8 from jobs",
    why: OF_ALL,
  },
  { file: "jobs/sweep.ts", part: "select platform_id, ctid from …", why: OF_ALL },
  {
    file: "domain/platform.sql.ts",
    part: "select platform_id from platforms where platform_id > $1",
    why: "the next platforms, for commands of the operator about all of them",
  },
  {
    file: "domain/uma/exchanges/uma-exchange.sql.ts",
    part: "select k.platform_id, k.domain from uma_counterparty_counts k",
    why: OF_ALL,
  },
  {
    file: "jobs/sweeps/sweep-answers.ts",
    part: "select k.platform_id, coalesce((select c.at",
    why: OF_ALL,
  },
  {
    file: "jobs/sweeps/sweep-files.ts",
    part: "select k.platform_id, k.file_id,",
    why: OF_ALL,
  },
  {
    file: "jobs/reading/sweep-calls.ts",
    part: "select distinct platform_id from request_log_contents",
    why: OF_ALL,
  },
  {
    file: "domain/reading/ledger/balances.sql.ts",
    part: "select h.platform_id, l.seq from platform_heads h, lateral",
    why: OF_ALL,
  },
  ...[
    "select h.platform_id from platform_heads h join platforms p",
    "(select c.seq from chain_checkpoints c",
    "(select c.created_at from chain_checkpoints c",
  ].map((part) => ({ file: "domain/reading/proofs/due-checkpoints.sql.ts", part, why: OF_ALL })),
  {
    file: "domain/reading/search/follow.sql.ts",
    part: "select h.platform_id from platform_heads h left join search_positions s",
    why: OF_ALL,
  },
  {
    file: "domain/reading/proofs/due-checkpoints.sql.ts",
    part: "from chain_checkpoints c where c.platform_id = h.platform_id",
    why: OF_ALL,
  },
  {
    file: "domain/events/stream.sql.ts",
    part: "select platform_id from platform_heads where platform_id > $1",
    why: OF_ALL,
  },
  {
    file: "domain/events/stream.sql.ts",
    part: "select platform_id, endpoint_id, has_news, has_due from (",
    why: OF_ALL,
  },
  {
    file: "domain/reading/overview/payment-rollups.sql.ts",
    part: "select h.platform_id from platform_heads h left join overview_positions",
    why: OF_ALL,
  },
  {
    file: "domain/reading/live/live-notices.sql.ts",
    part: "select platform_id, seq, event_seq from platform_heads where platform_id = any ($1",
    why: "the heads of the platforms and workspaces that streams of this server wait for",
  },
  {
    file: "domain/events/delivery-log/endpoint-health.sql.ts",
    part: "insert into webhook_endpoint_hours as h",
    why: "counts of several platforms, which the coordinator sends to their nodes",
  },
  {
    file: "domain/events/delivery-log/endpoint-health.sql.ts",
    part: "insert into webhook_endpoint_health as h",
    why: "counts of several platforms, which the coordinator sends to their nodes",
  },
  {
    file: "domain/platform.sql.ts",
    part: "select platform_id from platforms limit 1",
    why: "whether there is a platform, at the start",
  },
  {
    file: "domain/platform.sql.ts",
    part: "from platforms t order by t.id limit",
    why: "the operator's list of platforms",
  },
  ...[
    "select 1 from people where state = 'ACTIVE'",
    "select 1 from people where state <> 'REMOVED'",
  ].map((part) => ({
    file: "domain/people/person.sql.ts",
    part,
    why: "whether any workspace has an owner or an operator, at the start",
  })),
  {
    file: "domain/people/person.sql.ts",
    part: "from people t where t.email = $1::text",
    why: "the operator names a person by an address, in any workspace",
  },
  {
    file: "domain/people/workspaces/workspace.sql.ts",
    part: "from platforms t where t.workspace_id = $1::uuid",
    why: "the platforms of a workspace are each on a node of their own; a session asks once a second at most",
  },
  {
    file: "domain/platforms/sandbox/clock.sql.ts",
    part: "from platforms t join platform_heads h on h.platform_id = t.platform_id where t.workspace_id = $1::uuid",
    why: "so are their clocks; the console reads its session once a minute",
  },
  ...[
    "from platforms t where t.workspace_id not in (select w.platform_id from workspaces w)",
    "from workspaces t order by t.id limit",
  ].map((part) => ({
    file: "domain/people/workspaces/workspace.sql.ts",
    part,
    why: "the operator's list, and platforms of an older version at the start",
  })),
  {
    file: "jobs/prices/sweep-observations.ts",
    part: "select o.platform_id, o.id, exists (select from quote_prices q",
    why: "old rows are found on all nodes and deleted by platform",
  },
  {
    file: "domain/rails/connections/rail-connection.sql.ts",
    part: "p.environment, t.platform_id from rail_connections t join platforms p on p.platform_id = t.platform_id and p.id = t.platform_id where t.id = $1::uuid",
    why: "a callback names its connection alone; the index of each node is asked for it",
  },
  ...["select … from … where t.platform_id = $1", "select count(*) from (select t.id from …"].map(
    (part) => ({
      file: "tables/list-query.ts",
      part,
      why: "the tables of each list are judged where its `from` is written",
    }),
  ),
  ...["order by t.id", "order by u.id", "t.id = k.id limit 1"].map((part) => ({
    file: "tables/list-search.ts",
    part,
    why: "the tables of each list are judged where its `from` is written",
  })),
];

interface Judged {
  readonly file: string;
  readonly place: string;
  readonly text: string;
  readonly faults: readonly string[];
}

/** A statement, or a part of one that no other text contains. */
const IS_SQL = /^\s*(with|select|insert into|update|delete from|copy)\b|\bselect\b.*\bfrom\b/s;
/** The tables of a list. */
const IS_FROM = /^[a-z_]+ t\b/;

function judgedTexts(): readonly Judged[] {
  const paths = readdirSync(source, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"));
  return composedTexts(paths)
    .filter(({ text, member }) => IS_SQL.test(text) || (member === "from" && IS_FROM.test(text)))
    .map((found) =>
      IS_SQL.test(found.text)
        ? found
        : { ...found, text: `select … from ${found.text} where t.platform_id = $1::uuid` },
    )
    .map(({ path, line, text }) => {
      const file = relative(source, path);
      return { file, place: `${file}:${line}`, text: text.trim(), faults: faultsOf(text) };
    });
}

function faultsOf(text: string): readonly string[] {
  const unnamed = unnamedTables(text, distributed).map(
    ({ table, alias }) =>
      `it does not name the platform of ${alias === table ? table : `${table} ${alias}`}`,
  );
  return [...unnamed, ...refusedExpressions(text)];
}

/** What Citus refuses in any statement, or in one that changes rows. */
function refusedExpressions(text: string): readonly string[] {
  const faults: string[] = [];
  if (/\bwith recursive\b/.test(text)) faults.push("it is recursive");
  if (/(\bwith|,) \w+ \([\w, ]+\) as (materialized )?\(/.test(text))
    faults.push("a common table expression has a list of column names");
  if (/\bctid = [a-z]/.test(text.replace(/\bctid = any\b/g, "")))
    faults.push("rows are met by their place in the file");
  const [, returned = ""] = /\breturning\b(.*)/s.exec(text) ?? [];
  if (/extract\(epoch from (?!.*?at time zone)/.test(returned))
    faults.push("it returns an expression that depends on the time zone");
  const [, set = ""] = /\bset\b(.*?)(\bwhere\b|$)/s.exec(text) ?? [];
  if (
    /[+-] [^,()<>=]* \* interval/.test(set.replace(/\([^()]*at time zone 'UTC' [+-][^()]*\)/g, ""))
  )
    faults.push("it sets a time that it computes without `at time zone 'UTC'`");
  return faults;
}

const all = judgedTexts();
const isListed = ({ file, text }: Judged, { file: its, part }: Exempt) =>
  file === its && text.includes(part);

describe("every statement", () => {
  it("is read", () => {
    expect(all.length).toBeGreaterThan(220);
    const files = new Set(all.map(({ file }) => file));
    const unread = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".sql.ts"))
      .filter((file) => !files.has(file));
    // Parts of statements alone.
    expect(unread).toEqual(["domain/events/delivery-log/delivery-state.sql.ts"]);
  });

  it("names the platform of each table, and has nothing that Citus refuses", () => {
    const wrong = all
      .filter(({ faults }) => faults.length > 0)
      .filter((judged) => !exempt.some((each) => isListed(judged, each)))
      .map(({ place, text, faults }) => `${place} ${faults.join("; ")}: ${text}`);
    expect(wrong).toEqual([]);
  });

  it("on the list is there, and needs to be on it", () => {
    const idle = exempt.filter(
      (each) => !all.some((judged) => judged.faults.length > 0 && isListed(judged, each)),
    );
    expect(idle).toEqual([]);
  });
});

describe("a statement", () => {
  const NAMES_IT = [
    "select 1 from jobs where platform_id = $1::uuid and id = $2",
    "select 1 from jobs j, events e where j.platform_id = $1::uuid and e.platform_id = j.platform_id",
    "select 1 from jobs j left join events e on e.platform_id = j.platform_id where j.platform_id = $1::uuid",
    "select 1 from jobs j join events e on $1::uuid = e.platform_id where j.platform_id = e.platform_id",
    "select (select count(*) from events e where e.platform_id = $1::uuid) from jobs j where j.platform_id = $1::uuid",
    "select 1 from (jobs j join events e on e.platform_id = j.platform_id) where j.platform_id = $1::uuid",
    "with d as (select id from jobs where platform_id = $1::uuid for update skip locked) " +
      "update jobs j set run_at = $2 where j.platform_id = $1::uuid and j.id = any (array(select id from d))",
    "insert into jobs (platform_id, id) values ($1::uuid, $2)",
    "insert into jobs (platform_id, id) select $1::uuid, x.* from unnest($2::uuid[]) x(id)",
    "select 1 from directory where handle = $1::text",
    "select 1 from events -- and jobs\n where platform_id = $1::uuid",
  ];
  const DOES_NOT: readonly (readonly [string, readonly string[]])[] = [
    ["select 1 from jobs where id = $1", ["jobs"]],
    [
      "select 1 from jobs where id = $1 union select 1 from events where platform_id = $1::uuid",
      ["jobs"],
    ],
    ["select 1 from jobs j join events e on e.seq = j.seq where j.platform_id = $1::uuid", ["e"]],
    ["select 1 from jobs j, events where j.platform_id = $1::uuid", ["events"]],
    [
      "select (select 1 from events e where e.platform_id = j.platform_id) from jobs j where j.platform_id = $1::uuid",
      ["e"],
    ],
    [
      "select 1 from directory d join jobs j on j.platform_id = d.platform_id where d.handle = $1",
      ["j"],
    ],
    [
      "with d as (select ctid as place from jobs where run_at < $1) delete from jobs j using d where j.ctid = d.place",
      ["jobs", "j"],
    ],
    [
      "update jobs j set run_at = x.at from unnest($1::uuid[], $2::uuid[]) x(platform_id, id) where j.platform_id = x.platform_id",
      ["j"],
    ],
    ["insert into jobs (id, platform_id) values ($1, $2)", ["jobs"]],
    ["select 1 from jobs where platform_id > $1::uuid", ["jobs"]],
    [`select 1 from ${UNKNOWN} t where t.id = $1`, ["t"]],
  ];

  it.each(NAMES_IT)("names its platforms: %s", (text) => {
    expect(unnamedTables(text, distributed)).toEqual([]);
  });

  it.each(DOES_NOT)("does not: %s", (text, aliases) => {
    expect(
      unnamedTables(text, distributed)
        .map(({ alias }) => alias)
        .toSorted(),
    ).toEqual(aliases.toSorted());
  });

  it.each([
    ["with recursive a as (select 1) select 1 from a", "recursive"],
    ["with a (b, c) as (select 1, 2) select b from a", "list of column names"],
    [
      "delete from jobs j using d where j.platform_id = $1::uuid and j.ctid = d.place",
      "place in the file",
    ],
    [
      "update jobs set id = $2 where platform_id = $1::uuid returning floor(extract(epoch from run_at))",
      "time zone",
    ],
    [
      "update jobs set run_at = run_at - $2::int8 * interval '1 millisecond' where platform_id = $1::uuid",
      "at time zone",
    ],
  ])("is refused: %s", (text, fault) => {
    expect(faultsOf(text).join()).toContain(fault);
  });

  it("may compute a time in UTC, and delete rows by their place within a platform", () => {
    const later =
      "update jobs set run_at = (run_at at time zone 'UTC' - $2::int8 * interval '1 millisecond') at time zone 'UTC' " +
      "where platform_id = $1::uuid returning floor(extract(epoch from run_at at time zone 'UTC') * 1000)::int8";
    expect(faultsOf(later)).toEqual([]);
    expect(
      faultsOf("delete from jobs where platform_id = $1::uuid and ctid = any ($2::text[]::tid[])"),
    ).toEqual([]);
  });
});
