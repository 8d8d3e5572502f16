/**
 * How the index follows its platform: the position with its lease, the objects that changed since, and the commit that indexes them. A head
 * row is locked until its commit is visible, so events and changes become visible in the order of their numbers.
 */
import { rowChanges } from "../../../engine/records.ts";
import { arrayParameter, parameter } from "../../../postgres/columns.ts";
import type { Statement, Step, StepResult } from "../../../postgres/pipeline.ts";
import { BEFORE_ALL_IDS } from "../../../std/ids.ts";
import type { Table, TableRow } from "../../../tables/tables.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { firstEvents } from "./first-events.ts";
import { type IndexedTerms, searchTerms } from "./index-rows.ts";
import { searchedKinds } from "./searched-kinds.ts";

export const FIRST_KIND = searchedKinds[0]?.kind ?? "";

const look: Statement = {
  name: "search/look",
  text:
    "select h.platform_id from platform_heads h left join search_positions s on s.platform_id = h.platform_id " +
    "where h.platform_id > $1::uuid and (h.event_seq > coalesce(s.event_seq, 0) or s.build_kind is not null " +
    "or exists (select 1 from row_changes c where c.platform_id = h.platform_id)) order by h.platform_id limit $2::int8",
};

/** Platforms after this one whose index is behind. */
export function lookStep(page: { readonly after: string; readonly limit: number }): Step {
  return {
    statement: look,
    parameters: [parameter("uuid", page.after), parameter("int8", BigInt(page.limit))],
  };
}

const take: Statement = {
  name: "search/take",
  text:
    "insert into search_positions (platform_id, build_kind, leased_by, leased_until) " +
    "values ($1::uuid, $5::text, $2::uuid, $4::timestamptz) on conflict (platform_id) do update set " +
    "leased_by = excluded.leased_by, leased_until = excluded.leased_until where search_positions.leased_until <= $3::timestamptz",
};
const taken: Statement = {
  name: "search/taken",
  text:
    "select s.batches, s.event_seq, s.build_kind, s.build_after, h.event_seq from search_positions s " +
    "join platform_heads h on h.platform_id = $1::uuid " +
    "where s.platform_id = $1::uuid and s.leased_by = $2::uuid and s.leased_until > $3::timestamptz",
};

export interface SearchLease {
  readonly platformId: string;
  readonly workerId: string;
  readonly now: number;
  readonly until: number;
}

/** Leases the index. The first lease starts its build, which reads all objects. */
export function takeSteps({ platformId, workerId, now, until }: SearchLease): readonly Step[] {
  const who = [parameter("uuid", platformId), parameter("uuid", workerId), parameter("time", now)];
  return [
    {
      statement: take,
      parameters: [...who, parameter("time", until), parameter("text", FIRST_KIND)],
    },
    { statement: taken, parameters: who },
  ];
}

export interface SearchPosition {
  readonly batches: bigint;
  readonly eventSeq: bigint;
  readonly buildKind: string | null;
  readonly buildAfter: string;
  readonly headEventSeq: bigint;
}

/** Undefined while another server has the lease. */
export function decodePosition(result: StepResult | undefined): SearchPosition | undefined {
  const cells = result?.rows[0];
  if (cells === undefined) return undefined;
  return {
    batches: BigInt(cells[0] ?? 0),
    eventSeq: BigInt(cells[1] ?? 0),
    buildKind: cells[2] ?? null,
    buildAfter: cells[3] ?? BEFORE_ALL_IDS,
    headEventSeq: BigInt(cells[4] ?? 0),
  };
}

const pages = new Map<string, Statement>(
  searchedKinds.map(({ kind, table }) => [
    kind,
    {
      name: `search/all-${table.name}`,
      text:
        `select ${table.selectList("t")} from ${table.name} t where t.platform_id = $1::uuid ` +
        "and t.id > $2::uuid order by t.id limit $3::int8",
    },
  ]),
);

/** The next rows of a table by their ids. */
export function pageStep(
  platformId: string,
  { kind, after, limit }: { readonly kind: string; readonly after: string; readonly limit: number },
): Step {
  return {
    statement: pages.get(kind) ?? look,
    parameters: [
      parameter("uuid", platformId),
      parameter("uuid", after),
      parameter("int8", BigInt(limit)),
    ],
  };
}

const changes: Statement = {
  name: "search/changes",
  text:
    `select ${rowChanges.selectList("c")} from row_changes c where c.platform_id = $1::uuid ` +
    "order by c.seq, c.list, c.id limit $2::int8",
};

export function changesStep(platformId: string, limit: number): Step {
  return {
    statement: changes,
    parameters: [parameter("uuid", platformId), parameter("int8", BigInt(limit))],
  };
}

/**
 * The transactions whose first event is one of these. Only the payment of an address has its first event after its creation, when it is
 * announced.
 */
const told: Statement = {
  name: "search/told",
  text:
    `select ${transactions.selectList("t")} from (select distinct substr(e.subject, 13)::uuid as id, ` +
    "case when e.type like '%.PENDING' then null else e.at end as at from events e where e.platform_id = $1::uuid " +
    "and e.seq > $2::int8 and e.seq <= $3::int8 and e.subject like 'Transaction:%' " +
    `and e.type in (${[...firstEvents].map((type) => `'${type}'`).join(", ")})) e ` +
    "join transactions t on t.platform_id = $1::uuid and t.id = e.id and t.created_at = coalesce(e.at, t.created_at)",
};

export function toldStep(
  platformId: string,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Step {
  return {
    statement: told,
    parameters: [parameter("uuid", platformId), parameter("int8", after), parameter("int8", upTo)],
  };
}

const move: Statement = {
  name: "search/move",
  text: "select step_search_position($1::uuid, $2::uuid, $3::int8, $4::int8, $5::text, $6::uuid)",
};
const forgetChanges: Statement = {
  name: "search/forget-changes",
  text:
    "delete from row_changes c using unnest($2::int8[], $3::text[], $4::uuid[]) k(seq, list, id) " +
    "where c.platform_id = $1::uuid and c.seq = k.seq and c.list = k.list and c.id = k.id",
};

/** What a batch adds to the index: the terms of objects, and the rows of `row_changes` that it has handled. */
export interface SearchNews {
  readonly terms: IndexedTerms;
  readonly changes: readonly { readonly seq: bigint; readonly list: string; readonly id: string }[];
}

/** Fails when another server has moved the position, so that all later statements are skipped. */
export function moveStep(
  { platformId, workerId }: SearchLease,
  { batches }: SearchPosition,
  to: SearchPosition,
): Step {
  return {
    statement: move,
    parameters: [
      parameter("uuid", platformId),
      parameter("uuid", workerId),
      parameter("int8", batches),
      parameter("int8", to.eventSeq),
      parameter("text", to.buildKind),
      parameter("uuid", to.buildAfter),
    ],
  };
}

export function takeUpSteps(
  { platformId }: SearchLease,
  { batches }: SearchPosition,
  { terms, changes: done }: SearchNews,
): readonly Step[] {
  const rows = terms.rows(-(batches + 1n));
  const steps: Step[] = [];
  if (rows.length > 0) steps.push(searchTerms.insertStep(platformId, rows));
  if (done.length > 0) {
    const column = <Key extends "seq" | "list" | "id">(key: Key) => done.map((one) => one[key]);
    steps.push({
      statement: forgetChanges,
      parameters: [
        parameter("uuid", platformId),
        arrayParameter("int8", column("seq")),
        arrayParameter("text", column("list")),
        arrayParameter("uuid", column("id")),
      ],
    });
  }
  return steps;
}

const clear: Statement = {
  name: "search/clear",
  text:
    "delete from search_terms t where t.platform_id = $1::uuid and t.ctid = any (array(" +
    "select s.ctid from search_terms s where s.platform_id = $1::uuid limit $2::int8))",
};
const restart: Statement = {
  name: "search/restart",
  text:
    "insert into search_positions (platform_id, build_kind) values ($1::uuid, $2::text) on conflict (platform_id) do update set " +
    `build_kind = excluded.build_kind, build_after = '${BEFORE_ALL_IDS}', event_seq = 0, batches = search_positions.batches + 1`,
};

/** Restarts the build, which reads all objects again. */
export function restartStep(platformId: string): Step {
  return {
    statement: restart,
    parameters: [parameter("uuid", platformId), parameter("text", FIRST_KIND)],
  };
}

/** Deletes rows of the index; its count says how many. */
export function clearStep(platformId: string, limit: number): Step {
  return {
    statement: clear,
    parameters: [parameter("uuid", platformId), parameter("int8", BigInt(limit))],
  };
}

export function decodeRows<Row extends TableRow>(
  table: Table<Row>,
  result: StepResult | undefined,
): readonly Row[] {
  return (result?.rows ?? []).map((cells) => table.decode(cells));
}
