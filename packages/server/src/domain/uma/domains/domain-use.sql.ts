import type { Reads } from "../../../postgres/database.ts";
import type { Platform } from "../../platform.ts";
import { sandboxDomainOf } from "./uma-domain.ts";

/** The number of rows that depend on the addresses of a domain. */
export interface DomainUse {
  /** Live customers who have their address there. */
  readonly customers: number;
  /** Payments under way from or to an address there. */
  readonly payments: number;
  /** Pending invitations from an address there. */
  readonly invitations: number;
}

/** An address has one `@`. No index helps: this reads all rows of the platform, once, when the operator asks. */
const use = {
  name: "platforms/domain-use",
  text: `
    select
      (select count(*) from customers t
        where t.platform_id = $1::uuid and t.deleted_at is null and split_part(t.uma_address, '@', 2) = $2::text),
      (select count(*) from transactions t
        where t.platform_id = $1::uuid
          and (t.status in ('CREATED', 'PENDING', 'PROCESSING') or t.refund ->> 'status' = 'PENDING')
          and (split_part(t.source ->> 'umaAddress', '@', 2) in ($2::text, $3::text)
            or split_part(t.destination ->> 'umaAddress', '@', 2) in ($2::text, $3::text))),
      (select count(*) from invitations t
        where t.platform_id = $1::uuid and t.status = 'PENDING' and split_part(t.inviter_uma, '@', 2) = $2::text)`,
};

/** Payments from and to a sandbox's counterparties count if the release would move their domain. */
export async function findDomainUse(
  reads: Reads,
  { id: platformId, sandboxUmaDomain }: Platform,
  domain: string,
): Promise<DomainUse> {
  const movedDomain = sandboxUmaDomain === sandboxDomainOf(domain) ? sandboxUmaDomain : domain;
  const [cells = []] = await reads.cells(use, [platformId, domain, movedDomain]);
  const [customers = 0, payments = 0, invitations = 0] = cells.map(Number);
  return { customers, payments, invitations };
}
