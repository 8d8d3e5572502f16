import Type from "typebox";
import type { AgentOrder } from "../../../../domain/agents/actions/agent-action.sql.ts";
import { type Approval, approvalRows } from "../../../../domain/people/approvals/approval.ts";
import { findComments } from "../../../../domain/people/approvals/comment-approval.sql.ts";
import {
  type ApproverRule,
  decidableBy,
  mayReject,
  ruleAgainst,
} from "../../../../domain/people/approvals/decide-approval.ts";
import { approverOf } from "../../../../domain/people/approvals/eligible-people.ts";
import { titleOf } from "../../../../domain/people/approvals/shown/describe.ts";
import { findShowing } from "../../../../domain/people/approvals/shown/kept-showing.ts";
import type { Showing } from "../../../../domain/people/approvals/shown/shown.ts";
import { amountOf } from "../../../../domain/people/approvals/shown/words.ts";
import { type Person, toPersonId } from "../../../../domain/people/person.ts";
import { type PartiesOfPage, readParties } from "../../../../domain/reading/parties/parties.sql.ts";
import {
  type Party,
  type PartyReference,
  personParty,
} from "../../../../domain/reading/parties/party.ts";
import { eachAtOnce } from "../../../../std/admission/each-at-once.ts";
import type { Condition } from "../../../../tables/list-query.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { ApprovalSchema, approvalExample } from "../../../../wire/people/approval.ts";
import { wireApprovalComment } from "../../../../wire/people/approval-comment.ts";
import { ShownSchema, shownExample, shownJson } from "../../../../wire/people/shown.ts";
import { type NamedParties, partiesJson, partiesMember } from "../../../../wire/reading/party.ts";
import { openContent, shownApproval } from "../../../approvals/approval-content.ts";
import { partiesOfApproval } from "../../../approvals/approval-parties.ts";
import { openShowing, type ShownTo, showTo } from "../../../approvals/showing.ts";
import { approvalFilters } from "../../../operations/people/approvals.ts";
import { when } from "../../../request/filters.ts";
import { answerPage } from "../../../request/list.ts";
import { uncountedPageOf } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { maskedText } from "../../masking.ts";
import {
  AGENT_ORDER,
  agentOrderDetail,
  agentOrderMembers,
  agentOrdersAt,
  listedKind,
  partiesOfAgentOrder,
} from "./agent-orders.ts";
import { isConcerned } from "./approval-comments.ts";
import { decidingOperations } from "./decide-approval.ts";
import {
  type FoundApproval,
  PLACES_AT_ONCE,
  placesSeenBy,
  requireApproval,
  type Seen,
  type SeenPlace,
  shownTo,
} from "./find-approval.ts";

const RULES = [
  "CAPABILITY",
  "SUSPENDED",
  "REQUESTER",
  "SAME_HUMAN",
  "GAINS",
  "DECIDED_ALREADY",
] as const satisfies readonly ApproverRule[];

const OwnApprovalSchema = Type.Object({
  ...ApprovalSchema.properties,
  id: Type.String({ description: "`Approval:<uuid>`, or `AgentAction:<uuid>`" }),
  kind: listedKind,
  contentDigest: Type.Optional(ApprovalSchema.properties.contentDigest),
  mayDecide: Type.Boolean({ description: "Whether you may decide about it now." }),
  rule: Type.Optional(
    Type.Enum([...RULES], { description: "Why you may not decide about one that is `PENDING`." }),
  ),
  mayReject: Type.Boolean({ description: "Whether you may refuse it now." }),
  mayCancel: Type.Boolean({ description: "Whether you may take it back now." }),
  title: Type.String({ description: "What is asked for, in a few words." }),
  amount: Type.Optional(
    Type.String({ description: "With its currency; absent for orders of earlier versions." }),
  ),
  parties: partiesMember("from", "to", "by"),
});

const ownApprovalExample = {
  ...approvalExample,
  mayDecide: true,
  mayReject: true,
  mayCancel: false,
  title: "Adjustment of a balance",
  amount: "12.50 USD",
};

/** The approval with what the person may do about it, and further members. */
function ownApprovalJson(services: Services, found: FoundApproval, more: string): string {
  const { approval, person, place, isClear } = found;
  const isPending = approval.state === "PENDING";
  const rule = isPending ? ruleAgainst(approval, approverOf(person, place)) : undefined;
  const own = JSON.stringify({
    mayDecide: isPending && rule === undefined,
    rule,
    mayReject: isPending && mayReject(rule),
    mayCancel: isPending && approval.requesterId === person.id,
    title: titleOf(approval.act),
    amount: amountIn(approval),
  });
  const text = [shownApproval(services, found, approval), own, more].reduce(joined);
  return isClear ? text : maskedText(text);
}

function agentOrderJson(
  person: Person,
  at: SeenPlace,
  { order, more }: { readonly order: AgentOrder; readonly more: string },
): string {
  const text = joined(JSON.stringify(agentOrderMembers(person, at, order)), more);
  return at.isClear ? text : maskedText(text);
}

function amountIn({ amountMinor, amountCurrency }: Approval): string | undefined {
  return amountMinor === null || amountCurrency === null
    ? undefined
    : amountOf(amountMinor, amountCurrency);
}

/** One JSON object with the members of both. */
function joined(own: string, more: string): string {
  return `${own.slice(0, -1)},${more.slice(1)}`;
}

/** Views of the list: approvals that the person may decide now, that the person requested, or that have ended. */
const SHOWN = ["MINE_TO_DECIDE", "MINE_REQUESTED", "DECIDED"] as const;
type Shown = (typeof SHOWN)[number];

const listWorkspaceApprovals = defineOperation({
  id: "listWorkspaceApprovals",
  ...route("GET /workspace/approvals", "PERSON"),
  tag: "Approvals",
  summary: "List the approvals that you may see",
  description:
    "Over all platforms on which you have a role, and of the workspace. Orders of agents that wait are among them.",
  query: Type.Object({
    shown: Type.Optional(Type.Enum([...SHOWN])),
    ...approvalFilters,
    kind: Type.Optional(listedKind),
    ...pageParameters,
  }),
  answers: {
    200: uncountedPageOf({ schema: OwnApprovalSchema, example: ownApprovalExample }),
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, services: Services) {
    const seen = await placesSeenBy(services, principal);
    return answerPage(services, {
      operationId: "listWorkspaceApprovals",
      principal,
      query,
      async load({ after, limit }) {
        const page = await loadPage(services, seen, { ...query, after, limit });
        return { ...page, rows: await withNames(services, page.rows) };
      },
      positionOf: ({ id }) => id,
      toJson({ at, approval, order, parties }) {
        const more = `{"parties":${partiesJson(parties)}}`;
        return order === undefined
          ? ownApprovalJson(services, { ...at, person: seen.person, approval }, more)
          : agentOrderJson(seen.person, at, { order, more });
      },
    });
  },
});

type NamedRow = SeenRow & { readonly parties: NamedParties };

/** The rows with those who ask, pay and are paid: looked up together for each platform of the page. */
async function withNames(
  services: Services,
  rows: readonly SeenRow[],
): Promise<readonly NamedRow[]> {
  const named = await eachAtOnce(
    [...new Set(rows.map(({ at }) => at))],
    PLACES_AT_ONCE,
    async (at) => {
      const own = rows.filter((row) => row.at === at);
      const references = own.map(({ approval, order }) =>
        order === undefined
          ? partiesOfApproval(approval, openContent(services, at.platformId, approval))
          : partiesOfAgentOrder(order),
      );
      // A workspace has no rows of payments, and its people are read already.
      const wanted =
        at.place.platform === undefined ? [] : references.flatMap((each) => Object.values(each));
      const found = await readParties(
        services.reads,
        at.platformId,
        wanted.filter((one) => one !== undefined),
      );
      return own.map(
        (row, index): NamedRow => ({
          ...row,
          parties: {
            ...nameEach(references[index] ?? {}, found),
            ...(row.approval && askerAt(at, row.approval)),
          },
        }),
      );
    },
  );
  const byId = new Map(named.flat().map((row) => [row.id, row]));
  return rows.flatMap(({ id }) => byId.get(id) ?? []);
}

function nameEach(
  references: Readonly<Record<string, PartyReference | undefined>>,
  found: PartiesOfPage,
): Readonly<Record<string, Party>> {
  return Object.fromEntries(
    Object.entries(references).flatMap(([name, reference]) => {
      const party = reference && found(reference);
      return party === undefined ? [] : [[name, party]];
    }),
  );
}

/** A person of the workspace who asked; in the partition of the workspace nothing else is looked up. */
function askerAt({ place }: SeenPlace, { requestedBy }: Approval): { readonly by?: Party } {
  const person = place.people.find(({ id }) => toPersonId(id) === requestedBy);
  return person === undefined ? {} : { by: personParty(person.id, person.name, person.email) };
}

interface Wanted {
  readonly shown?: Shown | undefined;
  readonly state?: string | undefined;
  readonly kind?: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** An approval, or an order of an agent. */
type SeenRow = { readonly at: SeenPlace; readonly id: string } & (
  | { readonly approval: Approval; readonly order?: undefined }
  | { readonly order: AgentOrder; readonly approval?: undefined }
);

/** The newest rows of all partitions. If one has more rows, rows of others that are older than its last row wait for the next page. */
async function loadPage(
  services: Services,
  { person, places }: Seen,
  wanted: Wanted,
): Promise<{ readonly rows: readonly SeenRow[]; readonly hasMore: boolean }> {
  const { limit } = wanted;
  const pages = await eachAtOnce(places, PLACES_AT_ONCE, async (at) => {
    const [own, ofAgents] = await Promise.all([
      approvalsAt(services, { person, at }, wanted),
      agentOrdersAt(services, { person, at }, wanted),
    ]);
    const orders = ofAgents.rows.map((order) => ({ at, id: order.subject.action.id, order }));
    return [own, { ...ofAgents, rows: orders }];
  });
  const all: readonly { rows: readonly SeenRow[]; hasMore: boolean }[] = pages.flat();
  const from = all
    .flatMap(({ rows, hasMore }) => (hasMore ? [rows.at(-1)?.id ?? ""] : []))
    .reduce((last, id) => (id > last ? id : last), "");
  const rows = all
    .flatMap((page) => page.rows)
    .filter(({ id }) => id >= from)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit || from !== "" };
}

async function approvalsAt(
  { reads }: Services,
  { person, at }: { readonly person: Person; readonly at: SeenPlace },
  wanted: Wanted,
) {
  if (wanted.kind === AGENT_ORDER) return { rows: [], hasMore: false };
  const conditions = conditionsAt(wanted, person, at);
  const { after, limit } = wanted;
  const { platformId } = at;
  const { rows, hasMore } = await approvalRows(reads, { platformId, conditions, after, limit });
  return { rows: rows.map((approval) => ({ at, id: approval.id, approval })), hasMore };
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

const DetailSchema = Type.Object({
  ...OwnApprovalSchema.properties,
  shown: ShownSchema,
  comments: Type.Array(wireApprovalComment.schema, { description: "The first one first." }),
  mayComment: Type.Boolean({ description: "Whether you may comment on it." }),
});

const detailExample = {
  ...ownApprovalExample,
  shown: shownExample,
  comments: [wireApprovalComment.example],
  mayComment: true,
};

/** The approval with what is shown of it, and that sealed for a person who may decide. */
async function detailJson(services: Services, found: FoundApproval, to: ShownTo): Promise<string> {
  const { approval, person, place, isClear } = found;
  const [{ showing, sealed }, comments] = await Promise.all([
    showingOf(services, to),
    findComments(services.reads, to.platformId, approval.id),
  ]);
  const mayDecide =
    approval.state === "PENDING" && ruleAgainst(approval, approverOf(person, place)) === undefined;
  const text = shownJson(showing, { sealed: mayDecide && isClear ? sealed : undefined });
  const more =
    `{"shown":${text},"comments":[${comments.map(wireApprovalComment.json).join(",")}],` +
    `"mayComment":${isConcerned(found)}}`;
  return ownApprovalJson(services, found, more);
}

/** An order that people agreed to is shown as the last of them saw it. */
async function showingOf(
  services: Services,
  to: ShownTo,
): Promise<{ readonly showing: Showing; readonly sealed?: string }> {
  const { approval, platformId } = to;
  const agreed = approval.decisions.findLast(({ showingId }) => showingId !== undefined);
  const kept =
    approval.state === "PENDING" || agreed?.showingId === undefined
      ? undefined
      : await findShowing(services.reads, platformId, agreed.showingId);
  return kept === undefined
    ? showTo(services, to)
    : { showing: openShowing(services, platformId, kept) };
}

const getWorkspaceApproval = defineOperation({
  id: "getWorkspaceApproval",
  ...route("GET /workspace/approvals/{approvalId}", "PERSON"),
  tag: "Approvals",
  summary: "Get an approval that you may see",
  description:
    "Of any platform on which you have a role, or of the workspace. An `AgentAction:<uuid>` is an order of an agent.",
  params: Type.Object({ approvalId: pathId("Approval") }),
  answers: {
    200: { description: "The approval.", schema: DetailSchema, example: detailExample },
  },
  refusals: ["APPROVAL_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const { approvalId } = params;
    if (approvalId.startsWith("AgentAction:")) {
      const { at, members, more } = await agentOrderDetail(services, principal, approvalId);
      const text = joined(JSON.stringify(members), more);
      return { status: 200, body: at.isClear ? text : maskedText(text) };
    }
    const found = await requireApproval(services, principal, approvalId);
    return {
      status: 200,
      body: await detailJson(services, found, shownTo(services, principal, found)),
    };
  },
});

export const workspaceApprovalOperations = [
  listWorkspaceApprovals,
  getWorkspaceApproval,
  ...decidingOperations,
];
