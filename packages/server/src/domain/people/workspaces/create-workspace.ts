import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { type Workspace, workspaces } from "./workspace.ts";

export interface CreateWorkspaceInput {
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
