/**
 * A workspace: one business with its people and its platforms. Like a platform it is a partition of the engine, so its id is its
 * `platform_id`. It has no ledger and no events.
 */

import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

const columns = {
  id: fixed("uuid"),
  name: mutable("text"),
  adminsReadDocuments: mutable("bool"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface Workspace extends RowOf<typeof columns> {}

export const workspaces = defineTable<Workspace>("workspaces", columns);

export const MOST_PLATFORMS_OF_WORKSPACE = 20;

export function toWorkspaceId(id: string): string {
  return `Workspace:${id}`;
}

interface CreateWorkspaceInput {
  readonly name: string;
}

/** Creates the workspace of this partition. Refuses when it exists. */
export const createWorkspace: Command<CreateWorkspaceInput, Workspace> = {
  name: "create-workspace",
  needs: (world) => [workspaces.ref(world.platformId)],
  decide(world, { name }) {
    if (world.find(workspaces.ref(world.platformId)) !== undefined)
      throw new Refusal("CONFLICT", undefined, "The workspace exists already.");
    return world.put(workspaces, {
      id: world.platformId,
      name,
      adminsReadDocuments: false,
      createdAt: world.at,
      updatedAt: world.at,
    });
  },
};
