import Type from "typebox";
import { findApproval } from "../../../../domain/people/approvals/approval.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { ApprovalSchema, approvalExample } from "../../../../wire/people/approval.ts";
import { placeOf, shownApproval } from "../../../approvals/approval-content.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getApproval = defineOperation({
  id: "getApproval",
  method: "GET",
  path: "/approvals/{approvalId}",
  access: "VIEW",
  capability: "payments.read",
  tag: "Approvals",
  summary: "Get an approval",
  params: Type.Object({ approvalId: pathId("Approval") }),
  answers: {
    200: { description: "The approval.", schema: ApprovalSchema, example: approvalExample },
  },
  refusals: ["APPROVAL_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const { platformId } = principal;
    const id = requireId("Approval", params.approvalId, "APPROVAL_NOT_FOUND");
    const approval = await findApproval(services.reads, platformId, id);
    if (approval === undefined) throw new Refusal("APPROVAL_NOT_FOUND");
    const place = await placeOf(services, platformId);
    return { status: 200, body: shownApproval(services, { platformId, place }, approval) };
  },
});
