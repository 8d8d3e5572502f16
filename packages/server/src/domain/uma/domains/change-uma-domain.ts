import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { type CallbackBase, type UmaDomain, umaDomains } from "./uma-domain-row.ts";

export interface ChangeUmaDomainInput {
  readonly domainId: string;
  readonly callbackBase: CallbackBase;
}

/** Sets the URL that counterparties are given from now on. Refuses a domain that the platform does not have: REFERENCE_NOT_FOUND. */
export const changeUmaDomain: Command<ChangeUmaDomainInput, UmaDomain> = {
  name: "change-uma-domain",
  needs: (_world, { domainId }) => [umaDomains.ref(domainId)],
  decide(world, { domainId, callbackBase }) {
    const found = world.find(umaDomains.ref(domainId));
    if (found === undefined || found.deletedAt !== null) throw new Refusal("REFERENCE_NOT_FOUND");
    return world.put(umaDomains, { ...found, callbackBase, updatedAt: world.at });
  },
};
