/** The invitations of a platform, each with the name of its inviter. */
import { decodeCell, selectExpression } from "../../../postgres/columns.ts";
import type { Reads } from "../../../postgres/database.ts";
import { toIso } from "../../../std/clock.ts";
import {
  type Condition,
  type ListPage,
  type ListQuery,
  type ListSource,
  listPage,
} from "../../../tables/list-query.ts";
import { type Invitation, type InvitationStatus, invitations, withInviter } from "./invitation.ts";

export interface SentInvitation {
  readonly invitation: Invitation;
  readonly inviterName: string;
  /** How far the clock of the platform is ahead of the host's. */
  readonly aheadMs: number;
}

const source: ListSource<SentInvitation> = {
  selectList:
    `h.clock_offset_ms, ${selectExpression("c.deleted_at", "time")}, ` +
    `coalesce(c.full_name, c.business_info->>'legalName', ''), ${invitations.selectList("t")}`,
  from:
    "invitations t join customers c on c.platform_id = t.platform_id and c.id = t.inviter_customer_id " +
    "join platform_heads h on h.platform_id = t.platform_id",
  decode([aheadMs, deletedAt, inviterName, ...cells]) {
    const inviterDeletedAt = decodeCell(deletedAt ?? null, "time") as number | null;
    return {
      invitation: withInviter(invitations.decode(cells), inviterDeletedAt),
      inviterName: inviterName ?? "",
      aheadMs: Number(aheadMs),
    };
  },
};

/** The stored status of a pending invitation may be stale. These conditions match `statusAt` and `withInviter`. */
const HAS_PASSED =
  "t.status = 'PENDING' and t.expires_at <= ?::timestamptz + h.clock_offset_ms * interval '1 millisecond'";
const LOST_INVITER =
  "t.status = 'PENDING' and c.deleted_at is not null and (t.expires_at > c.deleted_at or t.expires_at is null)";

function whenStatus(status: InvitationStatus, now: string): readonly Condition[] {
  switch (status) {
    case "CLAIMED":
      return [{ sql: "t.status = 'CLAIMED'" }];
    case "PENDING":
      return [
        { sql: "t.status = 'PENDING' and c.deleted_at is null" },
        { sql: `(${HAS_PASSED}) is not true`, value: now },
      ];
    case "CANCELLED":
      return [{ sql: `(t.status = 'CANCELLED' or ${LOST_INVITER})` }];
    case "EXPIRED":
      return [
        { sql: `(t.status = 'EXPIRED' or ${HAS_PASSED})`, value: now },
        { sql: `(${LOST_INVITER}) is not true` },
      ];
  }
}

export function listSentInvitations(
  reads: Reads,
  page: Pick<ListQuery, "platformId" | "after" | "limit">,
  { status, now }: { readonly status: InvitationStatus | undefined; readonly now: number },
): Promise<ListPage<SentInvitation>> {
  const conditions = status === undefined ? [] : whenStatus(status, toIso(now));
  return listPage(reads, source, { ...page, conditions });
}

export async function findSentInvitation(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<SentInvitation | undefined> {
  const conditions = [{ sql: "t.id = ?::uuid", value: id }];
  const page = { platformId, after: undefined, limit: 1, conditions };
  return (await listPage(reads, source, page)).rows[0];
}
