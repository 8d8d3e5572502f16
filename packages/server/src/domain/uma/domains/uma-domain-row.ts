/**
 * A UMA domain of a platform, and what the checks of its routing found.
 *
 * CLAIMED       the platform has the domain, and nothing is served or sent for it outside the deployment; left by a check without faults
 * ACTIVE        served and used; left when three checks in a row find faults
 * UNREACHABLE   served and used as before; left by a check without faults
 *
 * A released domain is marked as deleted. When it is claimed again, it gets another row, so it is checked again.
 */
import type { World } from "../../../engine/command.ts";
import { liveFinderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import {
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";
import type { RoutingFault } from "./routing-faults.ts";

export const umaDomainStatuses = ["CLAIMED", "ACTIVE", "UNREACHABLE"] as const;
export type UmaDomainStatus = (typeof umaDomainStatuses)[number];

/** The URL that counterparties are given for calls about payments: below the deployment's, or below the domain. */
export const callbackBases = ["PUBLIC_URL", "DOMAIN"] as const;
export type CallbackBase = (typeof callbackBases)[number];

export type LastCheck = {
  /** Platform time. */
  readonly at: number;
  readonly ok: boolean;
  readonly faults: readonly RoutingFault[];
};

const columns = {
  id: fixed("uuid"),
  domain: fixed("text"),
  /** Whether new customers get their addresses there. One domain of a platform is. */
  isPrimary: mutable("bool"),
  status: mutable<UmaDomainStatus>("text"),
  callbackBase: mutable<CallbackBase>("text"),
  /** The first check without faults; null while CLAIMED. */
  verifiedAt: mutable<number | null>("time"),
  lastCheck: mutable<LastCheck | null>("json"),
  /** Checks with faults since the last one without. */
  failedChecks: mutable("int4"),
  /** When a job checks it again; null while CLAIMED. */
  nextCheckAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  /** When it was released. */
  deletedAt: mutable<number | null>("time"),
};

export interface UmaDomain extends RowOf<typeof columns> {}

export const umaDomains = defineTable<UmaDomain>("uma_domains", columns);

/** At most `MOST_UMA_DOMAINS` rows (`update-config.ts`). */
export const domainsOfPlatform = defineSelection(umaDomains, {
  name: "of-platform",
  sql: "t.deleted_at is null",
  holds: ({ deletedAt }) => deletedAt === null,
});

export const findUmaDomain = liveFinderOf(umaDomains);
export const listUmaDomains = listerOf(umaDomains, { sql: "t.deleted_at is null" });

export interface UmaDomainSubject {
  readonly kind: "UmaDomain";
  readonly id: string;
  readonly umaDomain: UmaDomain;
}

export function toUmaDomainId(id: string): string {
  return `UmaDomain:${id}`;
}

export function umaDomainSubject(umaDomain: UmaDomain): UmaDomainSubject {
  return { kind: "UmaDomain", id: toUmaDomainId(umaDomain.id), umaDomain };
}

/** Adds the row of a domain that the platform claims in this commit. */
export function putClaimed(
  world: World,
  { domain, isPrimary }: Pick<UmaDomain, "domain" | "isPrimary">,
): UmaDomain {
  return world.put(umaDomains, {
    id: world.newId(),
    domain,
    isPrimary,
    status: "CLAIMED",
    callbackBase: "PUBLIC_URL",
    verifiedAt: null,
    lastCheck: null,
    failedChecks: 0,
    nextCheckAt: null,
    createdAt: world.at,
    updatedAt: world.at,
    deletedAt: null,
  });
}

/**
 * Makes a domain the primary one, and adds its row when there is none: a server of the version before that still runs during an upgrade
 * claims domains without rows.
 */
export function putPrimary(world: World, domain: string): void {
  const all = world.all(domainsOfPlatform);
  for (const each of all) {
    const isPrimary = each.domain === domain;
    if (each.isPrimary !== isPrimary)
      world.put(umaDomains, { ...each, isPrimary, updatedAt: world.at });
  }
  if (!all.some((each) => each.domain === domain)) putClaimed(world, { domain, isPrimary: true });
}

export function putReleased(world: World, domain: string): void {
  const row = world.all(domainsOfPlatform).find((each) => each.domain === domain);
  if (row !== undefined)
    world.put(umaDomains, { ...row, deletedAt: world.at, updatedAt: world.at });
}
