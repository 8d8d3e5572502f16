import Type from "typebox";
import {
  findApproval,
  listApprovals as loadApprovals,
} from "../../../domain/people/approvals/approval.sql.ts";
import { approvalStateFacet, approvalStates } from "../../../domain/people/approvals/approval.ts";
import { approvalKinds } from "../../../domain/people/approvals/approval-kinds.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { listOf } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { ApprovalSchema, approvalExample } from "../../../wire/people/approval.ts";
import { placeOf, shownApproval } from "../../approvals/approval-content.ts";
import { when, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const approvalFilters = {
  state: Type.Optional(Type.Enum([...approvalStates])),
  kind: Type.Optional(Type.Enum([...approvalKinds])),
};

export const listApprovals = defineOperation({
  id: "listApprovals",
  method: "GET",
  path: "/approvals",
  access: "VIEW",
  capability: "payments.read",
  tag: "Approvals",
  summary: "List approvals",
  description:
    "Orders of this platform that wait until other people have agreed, and those that have ended. What people ask for in the console may wait, payments above all; of what tokens ask for, adjustments alone do. People decide; no token does.",
  query: Type.Object({ ...approvalFilters, ...pageParameters }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(ApprovalSchema),
      example: { data: [approvalExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, services: Services) {
    const { platformId } = principal;
    const place = await placeOf(services, platformId);
    return answerList(services, {
      operationId: "listApprovals",
      principal,
      query,
      load: (page) =>
        loadApprovals(services.reads, {
          ...page,
          conditions: [
            whenFacet(query.state, approvalStateFacet),
            when(query.kind, "t.kind = ?::text"),
          ],
        }),
      idOf: ({ id }) => id,
      toJson: (approval) => shownApproval(services, { platformId, place }, approval),
    });
  },
});

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

export const approvalOperations = [listApprovals, getApproval];
