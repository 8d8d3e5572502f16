import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { type Platform, platforms, toPlatformConfigId } from "../../platform.ts";
import { sandboxDomainOf, umaDomainName } from "./uma-domain.ts";
import { domainsOfPlatform, putReleased } from "./uma-domain-row.ts";

/**
 * Releases one of the platform's UMA domains, so that another platform can claim it. Whether its addresses are in use is checked before, by
 * the operator's command. From this commit on the addresses do not resolve: their domain is not in the platform's row. Their handles stay
 * the platform's in the directory, so that no customer of another platform can get one of the addresses, and with it money that was meant
 * for its former owner. They resolve again when the platform claims the domain again. A job cancels the pending invitations from them.
 *
 * When the domain of the sandbox's counterparties was named after the released one, it is released, too, and the
 * counterparties move to the one that is named after the present domain.
 *
 * Refuses, in this order: the present UMA domain, the domain of the counterparties, one that the platform does not have. The
 * database refuses a new domain of the counterparties that overlaps another platform's.
 */
export const releaseUmaDomain: Command<{ readonly domain: string }, Platform> = {
  name: "release-uma-domain",
  needs: (world) => [platforms.ref(world.platformId), domainsOfPlatform],
  decide(world, { domain }) {
    const platform = world.get(platforms.ref(world.platformId));
    refuseNeededDomain(platform, domain);

    world.releaseDomain(umaDomainName(platform, domain));
    putReleased(world, domain);
    const released = world.put(platforms, {
      ...platform,
      umaDomains: platform.umaDomains.filter((each) => each !== domain),
      sandboxUmaDomain: movedSandboxDomain(world, platform, domain),
      updatedAt: world.at,
    });
    scheduleJob(world, {
      kind: "cancel-invitations-at",
      payload: { domain, after: null },
      dueAt: world.at,
    });
    return released;
  },
};

function refuseNeededDomain(platform: Platform, domain: string): void {
  const id = toPlatformConfigId(platform.id);
  if (domain === platform.umaDomain) {
    const hint = `florin platform set --platform ${id} --uma-domain <another domain>`;
    const message = `${domain} is the platform's present UMA domain: set another one first (${hint}).`;
    throw new Refusal("CONFLICT", { domain }, message);
  }
  if (platform.umaDomains.includes(domain)) return;
  if (domain === platform.sandboxUmaDomain) {
    const message = `${domain} is the domain of the sandbox's counterparties: it is released with ${domain.replace("sandbox.", "")}.`;
    throw new Refusal("CONFLICT", { domain }, message);
  }
  throw new Refusal(
    "REFERENCE_NOT_FOUND",
    { domain },
    `${id} does not have the UMA domain ${domain}.`,
  );
}

/** A counterparties' domain that is also one of the platform's own, from before such domains were claimed, is left as it is. */
function movedSandboxDomain(world: World, platform: Platform, released: string): string | null {
  const { sandboxUmaDomain, umaDomain, umaDomains } = platform;
  if (sandboxUmaDomain !== sandboxDomainOf(released)) return sandboxUmaDomain;
  const moved = sandboxDomainOf(umaDomain);
  if (!umaDomains.includes(sandboxUmaDomain)) {
    world.releaseDomain(umaDomainName(platform, sandboxUmaDomain));
  }
  if (!umaDomains.includes(moved)) world.claimDomain(umaDomainName(platform, moved));
  return moved;
}
