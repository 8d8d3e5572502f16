/**
 * Records in the workspace of a person that a workspace or a platform was ordered. The answer under the idempotency key holds its id,
 * so a repeated call makes the same one. The new partition is made by its own command after this one.
 */
import type { Command } from "../../../engine/command.ts";
import type { Environment } from "../../platform.ts";

export interface OrderedWorkspace {
  readonly id: string;
  readonly name: string;
  /** The code of the link that makes the first owner. */
  readonly code: string;
}

export const orderWorkspace: Command<OrderedWorkspace, OrderedWorkspace> = {
  name: "create-workspace",
  isNoted: true,
  needs: () => [],
  decide: (_world, ordered) => ordered,
};

export interface OrderedPlatform {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly environment: Environment;
  readonly umaDomain: string;
  readonly isRegulated: boolean;
  readonly clientId: string;
  readonly clientSecret: string;
}

export const orderPlatform: Command<OrderedPlatform, OrderedPlatform> = {
  name: "create-platform",
  isNoted: true,
  needs: () => [],
  decide: (_world, ordered) => ordered,
};

/**
 * Records in the workspace of an operator that the operator decides a verification of a platform. The decision is a command of the
 * platform and is submitted after this one, so no decision lacks this entry. The platform's log shows whether the decision was refused.
 */
export const orderDecision: Command<undefined, undefined> = {
  name: "order-verification-decision",
  isNoted: true,
  needs: () => [],
  decide: () => undefined,
};
