import type { Command } from "../../../engine/command.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import { sandboxLayerPort } from "../sandbox-layer.ts";
import { type UmaPolicy, type UmaPolicyRow, umaPolicies } from "./uma-policy.ts";

/** `network` may be given for a sandbox only. */
export interface SetUmaPolicyInput extends Omit<UmaPolicy, "network"> {
  readonly network: UmaPolicy["network"] | undefined;
}

/**
 * Replaces the policy. Refuses, in this order: a `network` for a production platform; `AUTHORITY` without an authority, by which no
 * institution would be taken; what `SandboxLayer.open` lists. The connection of the built-in layer stays when the network is SIMULATED again:
 * payments under way go on, and no exchange offers it any more.
 */
export const setUmaPolicy: Command<SetUmaPolicyInput, UmaPolicyRow> = {
  name: "set-uma-policy",
  needs: (world, { network }) => [
    platforms.ref(world.platformId),
    umaPolicies.ref(world.platformId),
    ...(network === "PROTOCOL" ? world.port(sandboxLayerPort).needs(world) : []),
  ],
  decide(world, input) {
    const { network = "SIMULATED", ...policy } = input;
    const { environment } = world.get(platforms.ref(world.platformId));
    if (input.network !== undefined && environment === "PRODUCTION")
      throw invalidField("network", "is a setting of sandboxes; leave it out");
    if (policy.certificates === "AUTHORITY" && policy.authorities.length === 0)
      throw invalidField("authorities", "must name at least one for certificates: AUTHORITY");
    if (network === "PROTOCOL") world.port(sandboxLayerPort).open(world);
    return world.put(umaPolicies, {
      id: world.platformId,
      ...policy,
      network,
      updatedAt: world.at,
    });
  },
};
