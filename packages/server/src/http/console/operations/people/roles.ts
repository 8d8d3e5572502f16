import Type from "typebox";
import { setRoleSwitches } from "../../../../domain/people/workspaces/set-role-switches.ts";
import { findWorkspace } from "../../../../domain/people/workspaces/workspace.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  RoleMatrixSchema,
  roleMatrixExample,
  roleMatrixJson,
} from "../../../../wire/people/roles.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

const answers = {
  200: { description: "The matrix.", schema: RoleMatrixSchema, example: roleMatrixExample },
} as const;

export const getRoleMatrix = defineOperation({
  id: "getRoleMatrix",
  method: "GET",
  path: "/workspace/roles",
  access: "PERSON",
  capability: "people.read",
  tag: "People",
  summary: "Get what each role may do",
  answers,
  refusals: [],
  async handle({ principal: { workspaceId } }, { reads }: Services) {
    const workspace = await findWorkspace(reads, workspaceId);
    if (workspace === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: roleMatrixJson(workspace) };
  },
});

export const updateRoleMatrix = defineOperation({
  id: "updateRoleMatrix",
  method: "PATCH",
  path: "/workspace/roles",
  access: "PERSON",
  capability: "workspace.write",
  tag: "People",
  summary: "Let admins read documents, or no longer",
  description:
    "The rest of the matrix is fixed. A change ends the sessions of the workspace's admins, but for those who are owners as well.",
  body: Type.Object({ adminsReadDocuments: Type.Boolean() }),
  requestExample: { adminsReadDocuments: true },
  answers,
  refusals: ["INVALID_INPUT"],
  async handle({ principal, body }, { engine, people }: Services) {
    const answered = await submitForCaller(engine, principal, {
      command: setRoleSwitches,
      input: body,
      toAnswer: (workspace) => ({ status: 200, body: roleMatrixJson(workspace) }),
    });
    people.sessions.forget();
    return answered;
  },
});
