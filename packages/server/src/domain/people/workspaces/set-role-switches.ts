import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { activeAdmins, isOwner } from "../person.ts";
import { endAllSessions, openSessionsOf } from "../sessions/person-session.ts";
import { type Workspace, workspaces } from "./workspace.ts";

export type SetRoleSwitchesInput = Pick<Workspace, "adminsReadDocuments">;

/**
 * Sets whether ADMINs of the workspace may read documents. A change ends the sessions of those whom it affects, as a change of roles
 * does. Refuses an unknown workspace.
 */
export const setRoleSwitches: Command<SetRoleSwitchesInput, Workspace> = {
  name: "set-role-switches",
  needs: (world) => [
    workspaces.ref(world.platformId),
    activeAdmins,
    ...world.all(activeAdmins).map(({ id }) => openSessionsOf.of(id)),
  ],
  decide(world, { adminsReadDocuments }) {
    const workspace = world.find(workspaces.ref(world.platformId));
    if (workspace === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    if (workspace.adminsReadDocuments === adminsReadDocuments) return workspace;

    const changed = world.put(workspaces, {
      ...workspace,
      adminsReadDocuments,
      updatedAt: world.at,
    });
    // An owner reads documents in any case.
    for (const person of world.all(activeAdmins))
      if (!isOwner(person)) endAllSessions(world, person.id);
    return changed;
  },
};
