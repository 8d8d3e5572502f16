/** Finds objects by their ids, through the primary keys of their tables. A bare uuid is looked for in each table. */

import type { ReadCells, Reads } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import type { IdKind } from "../../id-kinds.ts";
import type { FoundObject } from "./find.sql.ts";
import { searchedKinds } from "./searched-kinds.ts";
import type { SearchField } from "./terms.ts";

/** The table of a kind of object, and what a list shows of it, as expressions over the row `t`. */
interface Place {
  readonly kind: IdKind;
  readonly table: string;
  readonly title: string;
  readonly status: string;
}

const LIVE = "case when t.deleted_at is null then 'ACTIVE' else 'DELETED' end";
const NONE = "null::text";

const place = (kind: IdKind, table: string, title: string, status = NONE): Place => ({
  kind,
  table,
  title,
  status,
});

const places: readonly Place[] = [
  place("InternalAccount", "internal_accounts", "t.type || ' ' || t.currency", "t.status"),
  place("Quote", "quotes", "t.sending_currency || ' → ' || t.receiving_currency", "t.status"),
  place("Verification", "verifications", "'verification'", "t.status"),
  place("Document", "documents", "t.document_type", LIVE),
  place("AgentAction", "agent_actions", "t.type", "t.status"),
  place("Job", "bulk_jobs", "'bulk upload'", "t.status"),
  place("WebhookEndpoint", "webhook_endpoints", "t.url", LIVE),
  place("EventResend", "event_resends", "'resend'", "t.state"),
  place("Statement", "statements", "t.from_date || ' – ' || t.to_date", "t.state"),
  place("Export", "exports", "t.kind", "t.state"),
  place("Checkpoint", "chain_checkpoints", "'command ' || t.seq"),
  place("Token", "tokens", "t.name", LIVE),
  place("RailConnection", "rail_connections", "t.name", "t.status"),
  place("RailRoute", "rail_routes", "t.name", LIVE),
  place("RailPayment", "rail_payments", "t.payment_rail || ' ' || t.currency", "t.state"),
  place("RailEntry", "rail_entries", "t.bank_reference"),
  place("RailItem", "rail_items", "t.reason", "t.state"),
  place("RailReceivable", "rail_receivables", "t.currency", "t.state"),
  place("RailMark", "rail_marks", "t.kind", "t.state"),
  place("RailStatement", "rail_statements", "t.currency || ' ' || t.day"),
  place("RateSource", "rate_sources", "t.name", LIVE),
];

/** The kinds that are found by id. */
export const idKinds: readonly IdKind[] = [
  ...searchedKinds.map(({ kind }) => kind),
  ...places.map(({ kind }) => kind),
];

const statements = new Map<IdKind, Statement>(
  places.map(({ kind, table, title, status }) => [
    kind,
    {
      name: `search/ids-of-${table}`,
      text:
        `select t.id, ${title}, ${status}, floor(extract(epoch from t.created_at) * 1000)::int8 from ${table} t ` +
        "where t.platform_id = $1::uuid and t.id = any ($2::uuid[])",
    },
  ]),
);

export async function findById(
  reads: Reads,
  platformId: string,
  { id, kinds }: { readonly id: string; readonly kinds: readonly IdKind[] },
): Promise<readonly FoundObject[]> {
  const wanted = new Map(kinds.map((kind) => [kind, [id]]));
  return reads.withPermit(platformId, (cells) => readFound(cells, platformId, wanted, "id"));
}

/** The objects with these ids, by kind; an id without an object is left out. */
export async function readFound(
  cells: ReadCells,
  platformId: string,
  wanted: ReadonlyMap<IdKind, readonly string[]>,
  matched: SearchField,
): Promise<readonly FoundObject[]> {
  const found: FoundObject[] = [];
  const idsOf = (kind: IdKind) => wanted.get(kind) ?? [];
  for (const { kind, table, hitOf } of searchedKinds) {
    if (idsOf(kind).length === 0) continue;
    const rows = await cells(table.selectByIds, [platformId, idsOf(kind)]);
    for (const row of rows.map((each) => table.decode(each))) {
      const hit = hitOf(row);
      if (hit !== undefined) found.push({ kind, id: row.id, hit, matched, isExact: true });
    }
  }
  for (const [kind, statement] of statements) {
    if (idsOf(kind).length === 0) continue;
    for (const [id, title, status, at] of await cells(statement, [platformId, idsOf(kind)])) {
      const shown = {
        // What the bank, or a person, gave an entry as its reference.
        isTitlePersonal: kind === "RailEntry",
        subtitle: null,
        isSubtitlePersonal: false,
      };
      const hit = { ...shown, title: title ?? kind, status: status ?? null, at: Number(at) };
      found.push({ kind, id: id ?? "", hit, matched, isExact: true });
    }
  }
  return found;
}
