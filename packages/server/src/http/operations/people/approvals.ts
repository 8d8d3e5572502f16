import Type from "typebox";
import {
  type Approval,
  approvalStates,
  findApproval,
  listApprovals as loadApprovals,
} from "../../../domain/people/approvals/approval.ts";
import { approvalKinds } from "../../../domain/people/approvals/approval-kinds.ts";
import type { ApprovalPlace } from "../../../domain/people/approvals/eligible-people.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import { stateFacet } from "../../../tables/facets.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { ApprovalSchema, approvalExample } from "../../../wire/people/approval.ts";
import { openContent, placeOf, shownApproval } from "../../approvals/approval-content.ts";
import { partiesOfApproval } from "../../approvals/approval-parties.ts";
import { expandParameter, ofEach } from "../../request/expand.ts";
import { when, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { getFacts, listFacts, shownOne } from "../../request/noun.ts";
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
  query: Type.Object({ ...approvalFilters, ...expandParameter, ...pageParameters }),
  async handle({ principal, query }, services: Services) {
    const { platformId } = principal;
    const place = await placeOf(services, platformId);
    return answerList(services, {
      operationId: "listApprovals",
      principal,
      query,
      async load(page) {
        const conditions = [
          whenFacet(query.state, stateFacet),
          when(query.kind, "t.kind = ?::text"),
        ];
        const { rows, ...more } = await loadApprovals(services.reads, { ...page, conditions });
        return { ...more, rows: rows.map((approval) => opened(services, platformId, approval)) };
      },
      idOf: ({ approval }) => approval.id,
      ...shownAt(services, { platformId, place }),
    });
  },
});

const getApproval = defineOperation({
  ...getFacts(approvals, "The approval."),
  id: "getApproval",
  path: "/approvals/{approvalId}",
  summary: "Get an approval",
  params: Type.Object({ approvalId: pathId("Approval") }),
  query: Type.Object(expandParameter),
  refusals: ["APPROVAL_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { platformId } = principal;
    const id = requireId("Approval", params.approvalId, "APPROVAL_NOT_FOUND");
    const approval = await findApproval(services.reads, platformId, id);
    if (approval === undefined) throw new Refusal("APPROVAL_NOT_FOUND");
    const place = await placeOf(services, platformId);
    const { toJson, partiesOf } = shownAt(services, { platformId, place });
    const body = await shownOne(services.reads, opened(services, platformId, approval), {
      platformId,
      json: toJson,
      partiesOf,
      expand: query.expand,
    });
    return { status: 200, body };
  },
});

interface OpenedApproval {
  readonly approval: Approval;
  readonly content: JsonObject;
}

const opened = (services: Services, platformId: string, approval: Approval): OpenedApproval => ({
  approval,
  content: openContent(services, platformId, approval),
});

function shownAt(services: Services, at: { platformId: string; place: ApprovalPlace }) {
  return {
    toJson: ({ approval, content }: OpenedApproval) =>
      shownApproval(services, { ...at, content }, approval),
    partiesOf: ofEach(({ approval, content }: OpenedApproval) =>
      partiesOfApproval(approval, content),
    ),
  };
}

export const approvalOperations = [listApprovals, getApproval];
