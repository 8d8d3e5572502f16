import { decodeCell, selectExpression } from "../../../postgres/columns.ts";
import type { Reads } from "../../../postgres/database.ts";
import { platformOfHandle } from "../../platform.sql.ts";
import type { Environment } from "../../platform.ts";
import { type Invitation, invitationHandle, invitations, withInviter } from "./invitation.ts";

const OWN_CELLS = 4;

const byCodeHash = {
  name: "invitations/by-code-of-any-platform",
  text:
    `select p.environment, h.clock_offset_ms, ${selectExpression("c.deleted_at", "time")}, ` +
    "case when t.shows_inviter_name then coalesce(c.full_name, c.business_info->>'legalName') end, " +
    `${invitations.selectList("t")} from invitations t ` +
    "join customers c on c.platform_id = t.platform_id and c.id = t.inviter_customer_id " +
    "join platforms p on p.platform_id = t.platform_id and p.id = t.platform_id " +
    "join platform_heads h on h.platform_id = t.platform_id " +
    "where t.platform_id = $1::uuid and t.code_hash = $2::text",
};

export interface FoundInvitation {
  /** The id of the inviter's platform. */
  readonly platformId: string;
  readonly environment: Environment;
  /** How far the clock of the inviter's platform is ahead of the host's. */
  readonly clockOffsetMs: number;
  /** The inviter's full name, when the invitation shows it. */
  readonly inviterName: string | null;
  /** The invitation, CANCELLED if it was pending when its inviter was deleted. */
  readonly invitation: Invitation;
}

/** The platform of the inviter. */
export function platformOfInvitation(reads: Reads, codeHash: string): Promise<string | undefined> {
  return platformOfHandle(reads, invitationHandle(codeHash));
}

/** The invitation of a code, on any platform: the holder of the code may read it. */
export async function findInvitation(
  reads: Reads,
  codeHash: string,
): Promise<FoundInvitation | undefined> {
  const platformId = await platformOfInvitation(reads, codeHash);
  if (platformId === undefined) return undefined;
  const [cells] = await reads.cells(byCodeHash, [platformId, codeHash]);
  if (cells === undefined) return undefined;
  const inviterDeletedAt = decodeCell(cells[2] ?? null, "time") as number | null;
  return {
    platformId,
    environment: cells[0] as Environment,
    clockOffsetMs: Number(cells[1]),
    inviterName: cells[3] ?? null,
    invitation: withInviter(invitations.decode(cells, OWN_CELLS), inviterDeletedAt),
  };
}

const pendingFrom = {
  name: "invitations/pending-from",
  text:
    "select t.id from invitations t where t.platform_id = $1::uuid and t.status = 'PENDING' " +
    "and split_part(t.inviter_uma, '@', 2) = $2::text and ($3::uuid is null or t.id > $3::uuid) " +
    "order by t.id limit $4::int8",
};

/** The next pending invitations, by id, from addresses of a domain. */
export async function listPendingFrom(
  reads: Reads,
  platformId: string,
  page: { readonly domain: string; readonly after: string | null; readonly limit: number },
): Promise<readonly string[]> {
  const { domain, after, limit } = page;
  const rows = await reads.cells(pendingFrom, [platformId, domain, after, limit]);
  return rows.map(([id]) => id ?? "");
}
