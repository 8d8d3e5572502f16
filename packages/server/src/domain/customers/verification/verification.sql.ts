import type { Reads } from "../../../postgres/database.ts";
import { finderOf } from "../../../tables/find-row.ts";
import {
  type ListPage,
  type ListQuery,
  type ListSource,
  listerOf,
  listPage,
} from "../../../tables/list-query.ts";
import type { CustomerType } from "../customer.ts";
import { type VerificationSubmission, verificationSubmissions } from "./submission.ts";
import type { VerificationCaseRow } from "./take-verification.ts";
import { type Verification, verifications } from "./verification.ts";

export const findVerification = finderOf(verifications);

export const listVerifications = listerOf(verifications);

export interface OpenVerification {
  readonly verification: Verification;
  /** The customer's name; empty when it is unknown. */
  readonly name: string;
}

const openOnes = {
  name: "verifications/open",
  text:
    `select coalesce(c.full_name, c.business_info ->> 'legalName', ''), ${verifications.selectList("t")} ` +
    "from verifications t join customers c on c.platform_id = t.platform_id and c.id = t.customer_id " +
    "where t.platform_id = $1::uuid and t.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') " +
    "and c.deleted_at is null order by t.id limit $2::int8",
};

/** The verifications that can be decided, oldest first. */
export async function openVerifications(
  reads: Reads,
  platformId: string,
  limit: number,
): Promise<readonly OpenVerification[]> {
  const found = await reads.cells(openOnes, [platformId, limit]);
  return found.map((cells) => ({
    name: cells[0] ?? "",
    verification: verifications.decode(cells, 1),
  }));
}

const lastTwo = {
  name: "verification-submissions/last-two",
  text:
    `select ${verificationSubmissions.selectList("t")} from verification_submissions t ` +
    "where t.platform_id = $1::uuid and t.customer_id = $2::uuid and t.id <= (select l.id from verification_submissions l " +
    "where l.platform_id = $1::uuid and l.verification_id = $3::uuid order by l.id desc limit 1) order by t.id desc limit 2",
};

/** The last submission of this verification, and the customer's submission before it. Early verifications have none stored. */
export async function findSubmissions(
  reads: Reads,
  platformId: string,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<readonly VerificationSubmission[]> {
  return reads.rows(verificationSubmissions, lastTwo, [platformId, customerId, id]);
}

export interface QueuedVerification extends VerificationCaseRow {
  /** How far the platform's clock is ahead of the host's. */
  readonly aheadMs: number;
}

const CASES =
  "verifications t join customers c on c.platform_id = $1::uuid and c.id = t.customer_id " +
  "join platform_heads h on h.platform_id = $1::uuid";

/** A case with what its list shows; the platform is `$1`. */
export const caseSource: ListSource<QueuedVerification> = {
  selectList:
    "coalesce(c.full_name, c.business_info ->> 'legalName', ''), c.customer_type, h.clock_offset_ms, " +
    verifications.selectList("t"),
  from: CASES,
  decode: ([name, type, aheadMs, ...cells]) => ({
    customerName: name ?? "",
    customerType: type as CustomerType,
    aheadMs: Number(aheadMs),
    verification: verifications.decode(cells),
  }),
};

/** `now` is the SQL placeholder of the host's time. */
export const leaseRuns = (now: string) =>
  `t.taken_until > ${now}::timestamptz + h.clock_offset_ms * interval '1 millisecond'`;

/** For a list condition whose value is the host's time. */
export const LEASE_RUNS = leaseRuns("?");

/** Open verifications of customers that are not deleted, oldest first. */
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
  text: `select ${caseSource.selectList} from ${CASES} where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

/** Finds the case in any status. */
export async function findVerificationCase(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<QueuedVerification | undefined> {
  const [cells] = await reads.cells(byId, [platformId, id]);
  return cells && caseSource.decode(cells);
}
