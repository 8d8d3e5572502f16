import Type from "typebox";
import { approvalRows, decidableBy } from "../../../../../domain/people/approvals/approval.sql.ts";
import type { Approval } from "../../../../../domain/people/approvals/approval.ts";
import { approverOf } from "../../../../../domain/people/approvals/eligible-people.ts";
import type { Person } from "../../../../../domain/people/person.ts";
import { eachAtOnce } from "../../../../../std/admission/each-at-once.ts";
import type { Condition } from "../../../../../tables/list-query.ts";
import { listOf } from "../../../../../wire/fields.ts";
import { approvalFilters } from "../../../../operations/people/approvals.ts";
import { when } from "../../../../request/filters.ts";
import { answerPage } from "../../../../request/list.ts";
import { defineOperation } from "../../../../request/operation.ts";
import { pageParameters } from "../../../../request/paging.ts";
import type { Services } from "../../../../request/services.ts";
import { PLACES_AT_ONCE, placesSeenBy, type Seen, type SeenPlace } from "./find-approval.ts";
import { OwnApprovalSchema, ownApprovalExample, ownApprovalJson } from "./own-approval.ts";

/** Which of them: those that the person may decide now, those that the person asked for, those that have ended. */
const SHOWN = ["MINE_TO_DECIDE", "MINE_REQUESTED", "DECIDED"] as const;
type Shown = (typeof SHOWN)[number];

export const listWorkspaceApprovals = defineOperation({
  id: "listWorkspaceApprovals",
  method: "GET",
  path: "/workspace/approvals",
  access: "PERSON",
  tag: "Approvals",
  summary: "List the approvals that you may see",
  description: "Over all platforms on which you have a role, and of the workspace.",
  query: Type.Object({
    shown: Type.Optional(Type.Enum([...SHOWN])),
    ...approvalFilters,
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(OwnApprovalSchema),
      example: { data: [ownApprovalExample], hasMore: false },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, services: Services) {
    const seen = await placesSeenBy(services, principal);
    return answerPage(services, {
      operationId: "listWorkspaceApprovals",
      principal,
      query,
      load: ({ after, limit }) => loadPage(services, seen, { ...query, after, limit }),
      positionOf: ({ approval }) => approval.id,
      toJson: ({ at, approval }) =>
        ownApprovalJson(services, { ...at, person: seen.person, approval }),
    });
  },
});

interface Wanted {
  readonly shown?: Shown | undefined;
  readonly state?: string | undefined;
  readonly kind?: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

interface SeenRow {
  readonly at: SeenPlace;
  readonly approval: Approval;
}

/** The newest rows of all places. A place whose page ends early has older rows that were not read, so older ones of others wait. */
async function loadPage(
  { reads }: Services,
  { person, places }: Seen,
  wanted: Wanted,
): Promise<{ readonly rows: readonly SeenRow[]; readonly hasMore: boolean }> {
  const { after, limit } = wanted;
  const pages = await eachAtOnce(places, PLACES_AT_ONCE, async (at) => {
    const conditions = conditionsAt(wanted, person, at);
    const { platformId } = at;
    return { at, ...(await approvalRows(reads, { platformId, conditions, after, limit })) };
  });
  const from = pages
    .flatMap(({ rows, hasMore }) => (hasMore ? [rows.at(-1)?.id ?? ""] : []))
    .reduce((last, id) => (id > last ? id : last), "");
  const rows = pages
    .flatMap((page) => page.rows.map((approval) => ({ at: page.at, approval })))
    .filter(({ approval }) => approval.id >= from)
    .toSorted((a, b) => (a.approval.id < b.approval.id ? 1 : -1));
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit || from !== "" };
}

function conditionsAt(
  { shown, state, kind }: Wanted,
  person: Person,
  { place }: SeenPlace,
): readonly (Condition | undefined)[] {
  const asked = [when(state, "t.state = ?::text"), when(kind, "t.kind = ?::text")];
  switch (shown) {
    case undefined:
      return asked;
    case "DECIDED":
      return [...asked, { sql: "t.state <> 'PENDING'" }];
    case "MINE_REQUESTED":
      return [...asked, when(person.id, "t.requester_id = ?::uuid")];
    case "MINE_TO_DECIDE":
      return [...asked, ...decidableBy(approverOf(person, place))];
  }
}
