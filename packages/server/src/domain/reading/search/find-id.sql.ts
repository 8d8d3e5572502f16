/** Finds an object by its id, through the primary key of its table. A bare uuid is looked for in each table. */

import type { Reads } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import type { IdKind } from "../../id-kinds.ts";
import type { FoundObject } from "./find.sql.ts";
import { searchedKinds } from "./searched-kinds.ts";

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
      name: `search/id-of-${table}`,
      text:
        `select ${title}, ${status}, floor(extract(epoch from t.created_at) * 1000)::int8 from ${table} t ` +
        "where t.platform_id = $1::uuid and t.id = $2::uuid",
    },
  ]),
);

export async function findById(
  reads: Reads,
  platformId: string,
  { id, kinds }: { readonly id: string; readonly kinds: readonly IdKind[] },
): Promise<readonly FoundObject[]> {
  return reads.withPermit(platformId, async (cells) => {
    const found: FoundObject[] = [];
    for (const { kind, table, hitOf } of searchedKinds) {
      if (!kinds.includes(kind)) continue;
      const [row] = await cells(table.selectByIds, [platformId, [id]]);
      const hit = row === undefined ? undefined : hitOf(table.decode(row));
      if (hit !== undefined) found.push({ kind, id, hit, matched: "id" });
    }
    for (const [kind, statement] of statements) {
      if (!kinds.includes(kind)) continue;
      const [row] = await cells(statement, [platformId, id]);
      if (row === undefined) continue;
      const shown = {
        // What the bank, or a person, gave an entry as its reference.
        isTitlePersonal: kind === "RailEntry",
        subtitle: null,
        isSubtitlePersonal: false,
      };
      const hit = { ...shown, title: row[0] ?? kind, status: row[1] ?? null, at: Number(row[2]) };
      found.push({ kind, id, hit, matched: "id" });
    }
    return found;
  });
}
