import Type from "typebox";
import {
  approvalStates,
  findApproval,
  listApprovals as loadApprovals,
} from "../../../domain/people/approvals/approval.ts";
import { approvalKinds } from "../../../domain/people/approvals/approval-kinds.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { stateFacet } from "../../../tables/facets.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { ApprovalSchema, approvalExample } from "../../../wire/people/approval.ts";
import { placeOf, shownApproval } from "../../approvals/approval-content.ts";
import { when, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { getFacts, listFacts } from "../../request/noun.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

const approvals = {
  path: "/approvals",
  tag: "Approvals",
  capability: "payments.read",
  schema: ApprovalSchema,
  example: approvalExample,
} as const;

export const approvalFilters = {
  state: Type.Optional(Type.Enum([...approvalStates])),
  kind: Type.Optional(Type.Enum([...approvalKinds])),
};

const listApprovals = defineOperation({
  ...listFacts(approvals),
  id: "listApprovals",
  summary: "List approvals",
  description:
    "Orders of this platform that wait until other people have agreed, and those that have ended. What people ask for in the console may wait, payments above all; of what tokens ask for, adjustments alone do. People decide; no token does.",
  query: Type.Object({ ...approvalFilters, ...pageParameters }),
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
          conditions: [whenFacet(query.state, stateFacet), when(query.kind, "t.kind = ?::text")],
        }),
      idOf: ({ id }) => id,
      toJson: (approval) => shownApproval(services, { platformId, place }, approval),
    });
  },
});

const getApproval = defineOperation({
  ...getFacts(approvals, "The approval."),
  id: "getApproval",
  path: "/approvals/{approvalId}",
  summary: "Get an approval",
  params: Type.Object({ approvalId: pathId("Approval") }),
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
