import type { Command } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import { type UmaPolicy, type UmaPolicyRow, umaPolicies } from "./uma-policy.ts";

/** `network` may be given for a sandbox only. */
export interface SetUmaPolicyInput extends Omit<UmaPolicy, "network"> {
  readonly network: UmaPolicy["network"] | undefined;
}

/**
 * Replaces the policy. Refuses, in this order: a `network` for a production platform; the protocol between sandboxes, which this version
 * does not carry (NOT_IMPLEMENTED); `AUTHORITY` without an authority, by which no institution would be taken.
 */
export const setUmaPolicy: Command<SetUmaPolicyInput, UmaPolicyRow> = {
  name: "set-uma-policy",
  needs: (world) => [platforms.ref(world.platformId), umaPolicies.ref(world.platformId)],
  decide(world, { network, ...policy }) {
    const { environment } = world.get(platforms.ref(world.platformId));
    if (network !== undefined && environment === "PRODUCTION")
      throw invalidField("network", "is a setting of sandboxes; leave it out");
    if (network === "PROTOCOL") throw noNetwork();
    if (policy.certificates === "AUTHORITY" && policy.authorities.length === 0)
      throw invalidField("authorities", "must name at least one for certificates: AUTHORITY");

    return world.put(umaPolicies, {
      id: world.platformId,
      ...policy,
      network: "SIMULATED",
      updatedAt: world.at,
    });
  },
};

function noNetwork(): Refusal {
  const message = "Sandboxes do not exchange the messages of UMA yet: network must be SIMULATED.";
  return new Refusal("NOT_IMPLEMENTED", { field: "network", missing: "NETWORK" }, message);
}
