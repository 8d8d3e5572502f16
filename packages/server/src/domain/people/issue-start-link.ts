import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { activeOwners } from "./person.ts";
import { type PersonLink, putLink } from "./person-link.ts";
import { workspaces } from "./workspaces/workspace.ts";

export interface IssueStartLinkInput {
  readonly codeHash: string;
  readonly makesOperator: boolean;
}

/** Issues a link that makes the first owner of the workspace. Refuses an unknown workspace, and one that has an owner. */
export const issueStartLink: Command<IssueStartLinkInput, PersonLink> = {
  name: "issue-start-link",
  needs: (world) => [workspaces.ref(world.platformId), activeOwners],
  decide(world, { codeHash, makesOperator }) {
    if (world.find(workspaces.ref(world.platformId)) === undefined)
      throw new Refusal("REFERENCE_NOT_FOUND", undefined, "The workspace does not exist.");
    if (world.all(activeOwners).length > 0)
      throw new Refusal("CONFLICT", undefined, "The workspace has an owner already.");
    return putLink(world, { kind: "START", personId: null, codeHash, makesOperator });
  },
};
