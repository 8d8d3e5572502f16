/** What waits for a person at a platform. Of each source at most `MOST_COUNTED` rows of an index are read. */
import type { ReadCells, Reads } from "../../../postgres/database.ts";
import type { Statement } from "../../../postgres/pipeline.ts";
import { DEFAULT_ENDPOINT } from "../../events/stream.sql.ts";
import { approvalRows } from "../../people/approvals/approval.ts";
import { type Approver, decidableBy } from "../../people/approvals/decide-approval.ts";
import type { Capability } from "../../people/role.ts";

export const waitingKinds = [
  "APPROVALS",
  "AGENT_ORDERS",
  "INCOMING_PAYMENTS",
  "VERIFICATIONS",
  "FAILED_DELIVERIES",
  "LATE_PAYMENTS",
  "SUSPENSE_ITEMS",
  "EXPIRING_KEYS",
] as const;

export type WaitingKind = (typeof waitingKinds)[number];

export interface Waiting {
  readonly kind: WaitingKind;
  /** `MOST_COUNTED` means that many or more. */
  readonly count: number;
  readonly oldestAtMs: number | undefined;
  /** When the first of them expires. */
  readonly endsAtMs: number | undefined;
}

export const MOST_COUNTED = 100;

/** The most open rail payments whose expected settlement is looked up. */
const MOST_LOOKED_UP = 1_000;
const KEYS_WARN_DAYS = 14;

interface WaitingSource {
  readonly kind: Exclude<WaitingKind, "APPROVALS">;
  /** The capability that a person needs to deal with it. */
  readonly capability: Capability;
  /** SQL for the platform `$1` at its time `$2`: a row per item, with the time since when it waits and the time at which it ends. */
  readonly rows: string;
}

/** Deliveries that were given up, and those that wait after a failure. */
const notArrived = (state: "FAILED" | "WAITING", condition = "") =>
  "(select f.parked_at from webhook_deliveries f where f.platform_id = $1::uuid and f.endpoint_id = k.id " +
  `and f.state = '${state}'${condition} order by f.event_seq limit ${MOST_COUNTED})`;

const SOURCES: readonly WaitingSource[] = [
  {
    kind: "AGENT_ORDERS",
    capability: "payments.approve",
    rows:
      "select a.created_at as since, null::timestamptz as ends from agent_actions a where a.platform_id = $1::uuid " +
      "and a.status = 'PENDING_APPROVAL' order by a.id",
  },
  {
    kind: "INCOMING_PAYMENTS",
    capability: "payments.approve",
    rows:
      "select t.created_at as since, p.deadline_at as ends from payment_approvals p " +
      "join transactions t on t.platform_id = $1::uuid and t.id = p.id where p.platform_id = $1::uuid " +
      "and p.decision is null and p.deadline_at > $2::timestamptz order by p.deadline_at",
  },
  {
    kind: "VERIFICATIONS",
    capability: "verifications.decide",
    rows:
      "select v.updated_at as since, null::timestamptz as ends from verifications v where v.platform_id = $1::uuid " +
      "and v.status = 'PENDING_MANUAL_REVIEW' order by v.id",
  },
  {
    kind: "FAILED_DELIVERIES",
    capability: "deliveries.resend",
    rows:
      `select d.parked_at as since, null::timestamptz as ends from (select '${DEFAULT_ENDPOINT}'::uuid as id union all ` +
      "select w.id from webhook_endpoints w where w.platform_id = $1::uuid and w.deleted_at is null) k, lateral (" +
      `${notArrived("FAILED")} union all ${notArrived("WAITING", " and f.attempts > 0")}) d`,
  },
  {
    kind: "LATE_PAYMENTS",
    capability: "rails.read",
    rows:
      "select (t.details ->> 'expectedSettlementAt')::timestamptz as since, null::timestamptz as ends from (" +
      "select r.transaction_id from rail_payments r where r.platform_id = $1::uuid " +
      `and r.state in ('SENDING', 'UNKNOWN', 'SENT', 'ACCEPTED') limit ${MOST_LOOKED_UP}) r ` +
      "join transactions t on t.platform_id = $1::uuid and t.id = r.transaction_id " +
      "where (t.details ->> 'expectedSettlementAt')::timestamptz < $2::timestamptz",
  },
  {
    kind: "SUSPENSE_ITEMS",
    capability: "reconciliation.write",
    rows:
      "select i.created_at as since, null::timestamptz as ends from rail_items i where i.platform_id = $1::uuid " +
      "and i.state = 'OPEN' order by i.id",
  },
  {
    kind: "EXPIRING_KEYS",
    capability: "tokens.write",
    rows:
      "select null::timestamptz as since, k.expires_at as ends from tokens k where k.platform_id = $1::uuid " +
      `and k.expires_at > $2::timestamptz and k.expires_at < $2::timestamptz + interval '${KEYS_WARN_DAYS} days'`,
  },
];

/** Counts the items of one kind; a kind that is not in `$3` is not read. */
const countOf = ({ kind, rows }: WaitingSource) =>
  `select '${kind}' as kind, count(*) as count, floor(extract(epoch from min(w.since)) * 1000)::int8 as since, ` +
  "floor(extract(epoch from min(w.ends)) * 1000)::int8 as ends " +
  `from (select s.since, s.ends from (${rows}) s where '${kind}' = any ($3::text[]) limit ${MOST_COUNTED}) w`;

/** All kinds in one round trip. */
const waiting: Statement = {
  name: "overview/waiting",
  text:
    "select k.kind, k.count, k.since, k.ends from (" +
    `${SOURCES.map(countOf).join(" union all ")}) k where k.count > 0`,
};

/** What waits for a person with these capabilities; sources without anything are left out. */
export async function findWaiting(
  cells: ReadCells,
  platformId: string,
  { now, held }: { readonly now: number; readonly held: ReadonlySet<Capability> },
): Promise<readonly Waiting[]> {
  const kinds = SOURCES.filter(({ capability }) => held.has(capability)).map(({ kind }) => kind);
  if (kinds.length === 0) return [];
  const rows = await cells(waiting, [platformId, new Date(now).toISOString(), kinds]);
  const timeOf = (cell: string | null | undefined) => (cell == null ? undefined : Number(cell));
  const byKind = new Map(rows.map(([kind, ...cells]) => [kind, cells]));
  return kinds.flatMap((kind) => {
    const found = byKind.get(kind);
    if (found === undefined) return [];
    const [count, since, ends] = found;
    return [{ kind, count: Number(count), oldestAtMs: timeOf(since), endsAtMs: timeOf(ends) }];
  });
}

/** The approvals that this person may decide; undefined without one. */
export async function findWaitingApprovals(
  reads: Reads,
  platformId: string,
  approver: Approver,
): Promise<Waiting | undefined> {
  const { rows, hasMore } = await approvalRows(reads, {
    platformId,
    conditions: decidableBy(approver),
    after: undefined,
    limit: MOST_COUNTED,
    order: "asc",
  });
  const [oldest] = rows;
  if (oldest === undefined) return undefined;
  return {
    kind: "APPROVALS",
    count: hasMore ? MOST_COUNTED : rows.length,
    oldestAtMs: oldest.createdAt,
    endsAtMs: Math.min(...rows.map(({ expiresAt }) => expiresAt)),
  };
}
