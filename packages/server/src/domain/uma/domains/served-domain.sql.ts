/** Finds the platform that is served at a host. */
import type { Reads } from "../../../postgres/database.ts";
import { type Environment, type Platform, platforms, umaNamespace } from "../../platform.ts";
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

const claimant = {
  name: "domain_claims/claimant",
  text: "select c.platform_id from domain_claims c where c.namespace = $2::text and c.reversed = $1::text",
};

/** The platform of the deployment and of this environment that has the domain, whether its routing was proven or not. */
export async function findClaimant(
  reads: Reads,
  environment: Environment,
  domain: string,
): Promise<string | undefined> {
  const handle = domain.split(".").reverse().join(".");
  const [cells] = await reads.cells(claimant, [handle, umaNamespace(environment)]);
  return cells?.[0] ?? undefined;
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
  return { ...servedBy(platform, host), callbackBase: claim.callbackBase };
}

/** The sandbox that has the domain, for requests of other sandboxes of the deployment: they need no routing, so it is not proven. */
export async function findSandboxDomain(
  reads: Reads,
  host: string,
): Promise<ServedDomain | undefined> {
  const platformId = await findClaimant(reads, "SANDBOX", host);
  if (platformId === undefined) return undefined;
  const [platform] = await reads.rows(platforms, platformById, [platformId]);
  if (platform === undefined) return undefined;
  // The deployment's own URL may be one that no institution would call.
  return { ...servedBy(platform, host), callbackBase: "DOMAIN" };
}

function servedBy(platform: Platform, domain: string): Omit<ServedDomain, "callbackBase"> {
  const { id: platformId, environment, name, umaDomains: ownDomains } = platform;
  return { platformId, environment, domain, name, ownDomains };
}

function isServed(
  { status }: Pick<UmaDomain, "status">,
  { environment }: { readonly environment: Environment },
): boolean {
  return status === "ACTIVE" || (status === "UNREACHABLE" && environment === "PRODUCTION");
}
