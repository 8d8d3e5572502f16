import Type from "typebox";
import { pathId } from "../../../../../wire/id-fields.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { requireApproval } from "./find-approval.ts";
import { OwnApprovalSchema, ownApprovalExample, ownApprovalJson } from "./own-approval.ts";

export const getWorkspaceApproval = defineOperation({
  id: "getWorkspaceApproval",
  method: "GET",
  path: "/workspace/approvals/{approvalId}",
  access: "PERSON",
  tag: "Approvals",
  summary: "Get an approval that you may see",
  description: "Of any platform on which you have a role, or of the workspace.",
  params: Type.Object({ approvalId: pathId("Approval") }),
  answers: {
    200: { description: "The approval.", schema: OwnApprovalSchema, example: ownApprovalExample },
  },
  refusals: ["APPROVAL_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const found = await requireApproval(services, principal, params.approvalId);
    return { status: 200, body: ownApprovalJson(services, found) };
  },
});
