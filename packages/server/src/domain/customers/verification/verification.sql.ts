import type { Reads } from "../../../postgres/database.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { type Verification, verifications } from "./verification.ts";

export const findVerification = finderOf(verifications);

export const listVerifications = listerOf(verifications);

export interface OpenVerification {
  readonly verification: Verification;
  /** Of the customer, as far as it is known. */
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

/** Those that can be decided, the oldest first. */
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
