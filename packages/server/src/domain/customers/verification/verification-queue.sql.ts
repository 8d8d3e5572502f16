/** The cases that wait for a reviewer, and how far the lease of each one goes. */
import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  type ListSource,
  listPage,
} from "../../../tables/list-query.ts";
import type { CustomerType } from "../customer.ts";
import type { VerificationCaseRow } from "./take-verification.ts";
import { verifications } from "./verification.ts";

export interface QueuedVerification extends VerificationCaseRow {
  /** By which the platform's time is ahead of the host's. */
  readonly aheadMs: number;
}

const from =
  "verifications t join customers c on c.platform_id = $1::uuid and c.id = t.customer_id " +
  "join platform_heads h on h.platform_id = $1::uuid";

/** A case with what its list shows; the platform is `$1`. */
export const caseSource: ListSource<QueuedVerification> = {
  selectList:
    "coalesce(c.full_name, c.business_info ->> 'legalName', ''), c.customer_type, h.clock_offset_ms, " +
    verifications.selectList("t"),
  from,
  decode: ([name, type, aheadMs, ...cells]) => ({
    customerName: name ?? "",
    customerType: type as CustomerType,
    aheadMs: Number(aheadMs),
    verification: verifications.decode(cells),
  }),
};

/** `now` is the place of the host's time. */
export const leaseRuns = (now: string) =>
  `t.taken_until > ${now}::timestamptz + h.clock_offset_ms * interval '1 millisecond'`;

/** The host's time is the value of the condition. */
export const LEASE_RUNS = leaseRuns("?");

/** The oldest first. */
export function listVerificationQueue(
  reads: Reads,
  query: ListQuery,
): Promise<ListPage<QueuedVerification>> {
  return listPage(reads, caseSource, {
    ...query,
    order: "asc",
    conditions: [
      { sql: "t.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') and c.deleted_at is null" },
      ...query.conditions,
    ],
  });
}

const byId = {
  name: "verifications/case",
  text: `select ${caseSource.selectList} from ${from} where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

/** Whatever its status is. */
export async function findVerificationCase(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<QueuedVerification | undefined> {
  const [cells] = await reads.cells(byId, [platformId, id]);
  return cells && caseSource.decode(cells);
}
