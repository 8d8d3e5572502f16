/** The layer that settles between sandboxes of the deployment. It is built in, and no money moves on it. */
import type { Loaded, World } from "../../engine/command.ts";
import { definePort } from "../../engine/port.ts";
import type { AnyRef } from "../../tables/tables.ts";

export const SANDBOX_LAYER = "florin-sandbox";

/** The assets of those exchanges: institutions outside know nothing of the built-in layer. */
export function assetsAmong<Asset extends { readonly layer: string }>(
  assets: readonly Asset[],
  isAmongSandboxes: boolean,
): readonly Asset[] {
  return isAmongSandboxes ? assets : assets.filter(({ layer }) => layer !== SANDBOX_LAYER);
}

/** What the policy of a sandbox needs of the rails, which implement it (`rails/connections/sandbox-connection.ts`). */
export interface SandboxLayer {
  needs(world: Loaded): readonly AnyRef[];
  /** Adds the connection of the layer, unless the platform has it. */
  open(world: World): void;
}

export const sandboxLayerPort = definePort<SandboxLayer>("sandbox-layer");
