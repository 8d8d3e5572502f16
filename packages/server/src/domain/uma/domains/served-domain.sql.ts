/** Finds the platform that is served at a host. */
import type { Reads } from "../../../postgres/database.ts";
import { type Environment, platforms, umaNamespace } from "../../platform.ts";
import { type CallbackBase, type UmaDomain, umaDomains } from "./uma-domain-row.ts";

export interface ServedDomain {
  readonly platformId: string;
  readonly environment: Environment;
  readonly domain: string;
  /** The name of the platform. */
  readonly name: string;
  readonly callbackBase: CallbackBase;
  /** Every domain that the platform has. */
  readonly ownDomains: readonly string[];
}

/** A row for each environment in which the domain is claimed. */
const claims = {
  name: "domain_claims/of-host",
  text:
    "select c.namespace, c.platform_id from domain_claims c " +
    "where c.namespace = any($2::text[]) and c.reversed = $1::text",
};

const claimed = {
  name: "uma_domains/of-host",
  text:
    `select ${umaDomains.selectList("t")} from uma_domains t ` +
    "where t.platform_id = $1::uuid and t.domain = $2::text and t.deleted_at is null",
};

const platformById = {
  name: "platforms/of-host",
  text: `select ${platforms.selectList("t")} from platforms t where t.platform_id = $1::uuid and t.id = $1::uuid`,
};

/** The domain as each platform has it that has claimed it: production first. At most one of each environment. */
export async function findClaims(reads: Reads, domain: string): Promise<readonly Claim[]> {
  const namespaces = [umaNamespace("PRODUCTION"), umaNamespace("SANDBOX")];
  const handle = domain.split(".").reverse().join(".");
  const found = await reads.cells(claims, [handle, namespaces]);
  const inOrder = namespaces.flatMap((one) => found.filter(([namespace]) => namespace === one));
  const rows = inOrder.map(async ([, platformId = null]) => {
    if (platformId === null) return [];
    const [row] = await reads.rows(umaDomains, claimed, [platformId, domain]);
    return row === undefined ? [] : [{ platformId, ...row }];
  });
  return (await Promise.all(rows)).flat();
}

const isClaimed = {
  name: "domain_claims/is-claimed",
  text: "select 1 from domain_claims c where c.namespace = $2::text and c.reversed = $1::text",
};

/** Whether a platform of the deployment and of this environment has the domain. */
export async function isClaimedIn(
  reads: Reads,
  environment: Environment,
  domain: string,
): Promise<boolean> {
  const handle = domain.split(".").reverse().join(".");
  return (await reads.cells(isClaimed, [handle, umaNamespace(environment)])).length > 0;
}

interface Claim extends UmaDomain {
  readonly platformId: string;
}

/**
 * The platform whose domain a host is, if it is served outside. Where a production platform has the domain, a sandbox of the same name is not
 * served, whatever the state of the production domain: the routing was set up for that one.
 */
export async function findServedDomain(
  reads: Reads,
  host: string,
): Promise<ServedDomain | undefined> {
  const [claim] = await findClaims(reads, host);
  if (claim === undefined || claim.status === "CLAIMED") return undefined;
  const { platformId } = claim;
  const [platform] = await reads.rows(platforms, platformById, [platformId]);
  if (platform === undefined || !isServed(claim, platform)) return undefined;
  const { environment, name, umaDomains: ownDomains } = platform;
  const { callbackBase } = claim;
  return { platformId, environment, domain: host, name, callbackBase, ownDomains };
}

function isServed(
  { status }: Pick<UmaDomain, "status">,
  { environment }: { readonly environment: Environment },
): boolean {
  return status === "ACTIVE" || (status === "UNREACHABLE" && environment === "PRODUCTION");
}
