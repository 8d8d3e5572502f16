import type { Reads } from "../../../postgres/database.ts";
import { nestedRows } from "../../../tables/nested-rows.ts";
import { platformOfHandle } from "../../platform.sql.ts";
import type { Environment } from "../../platform.ts";
import { type BeneficialOwner, beneficialOwners } from "../beneficial-owners/beneficial-owner.ts";
import { type Customer, customers } from "../customer.ts";
import { type Document, documents } from "../documents/document.ts";
import { linkHandle, type VerificationLink, verificationLinks } from "./verification-link.ts";

const owners = nestedRows(beneficialOwners, {
  alias: "o",
  where: "o.platform_id = $1::uuid and o.customer_id = t.customer_id",
});

const papers = nestedRows(documents, {
  alias: "d",
  where:
    "d.platform_id = $1::uuid and d.deleted_at is null and d.holder_id = any (array(" +
    "select w.id from beneficial_owners w where w.platform_id = $1::uuid and w.customer_id = t.customer_id) || t.customer_id)",
});

const OWN_CELLS = 5;

const byCodeHash = {
  name: "verification_links/by-code-of-any-platform",
  text:
    "select p.environment, h.clock_offset_ms, exists (select 1 from verifications v where v.platform_id = $1::uuid " +
    "and v.customer_id = t.customer_id and v.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW'))::int4, " +
    `${owners.select}, ${papers.select}, ${verificationLinks.selectList("t")}, ${customers.selectList("c")} ` +
    "from verification_links t " +
    "join platforms p on p.platform_id = t.platform_id and p.id = t.platform_id " +
    "join platform_heads h on h.platform_id = t.platform_id " +
    "join customers c on c.platform_id = t.platform_id and c.id = t.customer_id " +
    "where t.platform_id = $1::uuid and t.code_hash = $2::text",
};

/** A link and the data of its pages. */
export interface FoundLink {
  readonly platformId: string;
  readonly environment: Environment;
  /** How far the clock of the platform is ahead of the host's. */
  readonly clockOffsetMs: number;
  readonly link: VerificationLink;
  readonly customer: Customer;
  /** In the order in which they were added. */
  readonly owners: readonly BeneficialOwner[];
  /** Documents of the customer and of its owners. */
  readonly documents: readonly Document[];
  /** Whether a check of the customer is in progress. */
  readonly isUnderWay: boolean;
}

/** The platform of the link of a code. */
export function platformOfLink(reads: Reads, codeHash: string): Promise<string | undefined> {
  return platformOfHandle(reads, linkHandle(codeHash));
}

/** The link of a code, on any platform: the holder of the code may read it. */
export async function findLink(reads: Reads, codeHash: string): Promise<FoundLink | undefined> {
  const platformId = await platformOfLink(reads, codeHash);
  if (platformId === undefined) return undefined;
  const [cells] = await reads.cells(byCodeHash, [platformId, codeHash]);
  if (cells === undefined) return undefined;
  return {
    platformId,
    environment: cells[0] as Environment,
    clockOffsetMs: Number(cells[1]),
    isUnderWay: cells[2] === "1",
    owners: owners.decode(cells[3]),
    documents: papers.decode(cells[4]),
    link: verificationLinks.decode(cells, OWN_CELLS),
    customer: customers.decode(cells, OWN_CELLS + verificationLinks.columns.length),
  };
}
