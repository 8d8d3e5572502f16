import { createHash } from "node:crypto";
import Type, { type Static } from "typebox";
import {
  type Approval,
  approvalRows,
  challengeText,
} from "../../../../domain/people/approvals/approval.ts";
import {
  type ApproverRule,
  cancelApproval as cancelApprovalCommand,
  type DecideApprovalInput,
  decidableBy,
  decideApproval as decideApprovalCommand,
  mayReject,
  refuseApprover,
  ruleAgainst,
} from "../../../../domain/people/approvals/decide-approval.ts";
import { approverOf, standingOf } from "../../../../domain/people/approvals/eligible-people.ts";
import {
  type AgreedShowing,
  findShowing,
} from "../../../../domain/people/approvals/shown/kept-showing.ts";
import type { Showing } from "../../../../domain/people/approvals/shown/shown.ts";
import type { Person } from "../../../../domain/people/person.ts";
import type { Answered, Idempotency } from "../../../../engine/command.ts";
import { wrongState } from "../../../../engine/refusal.ts";
import { eachAtOnce } from "../../../../std/admission/each-at-once.ts";
import type { Condition } from "../../../../tables/list-query.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { ApprovalSchema, approvalExample } from "../../../../wire/people/approval.ts";
import { ShownSchema, shownExample, shownJson } from "../../../../wire/people/shown.ts";
import { openOrder } from "../../../approvals/act.ts";
import { acts } from "../../../approvals/acts.ts";
import { openContent } from "../../../approvals/approval-content.ts";
import {
  LONGEST_SHOWN,
  openShowing,
  refuseChanged,
  type ShownTo,
  shownBack,
  showTo,
} from "../../../approvals/showing.ts";
import { withIssued } from "../../../approvals/submit-held.ts";
import { approvalFilters } from "../../../operations/people/approvals.ts";
import { when } from "../../../request/filters.ts";
import { answerPage } from "../../../request/list.ts";
import { uncountedPageOf } from "../../../request/noun.ts";
import { defineOperation, type PersonPrincipal, route } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller, submitFound } from "../../../request/submit-for-caller.ts";
import { maskedText } from "../../masking.ts";
import { noteCopied } from "./counter-back.ts";
import { OptionsSchema } from "./entry.ts";
import {
  type FoundApproval,
  PLACES_AT_ONCE,
  placesSeenBy,
  requireApproval,
  type Seen,
  type SeenPlace,
  seenApproval,
} from "./find-approval.ts";
import { AssertionSchema, fixedOptions, proveFixed } from "./passkey-proof.ts";

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
  mayDecide: Type.Boolean({ description: "Whether you may decide about it now." }),
  rule: Type.Optional(
    Type.Enum([...RULES], { description: "Why you may not decide about one that is `PENDING`." }),
  ),
  mayReject: Type.Boolean({ description: "Whether you may refuse it now." }),
  mayCancel: Type.Boolean({ description: "Whether you may take it back now." }),
});

const ownApprovalExample = {
  ...approvalExample,
  mayDecide: true,
  mayReject: true,
  mayCancel: false,
};

function ownApprovalJson(services: Services, found: FoundApproval): string {
  const { approval, person, place } = found;
  const isPending = approval.state === "PENDING";
  const rule = isPending ? ruleAgainst(approval, approverOf(person, place)) : undefined;
  const own = JSON.stringify({
    mayDecide: isPending && rule === undefined,
    rule,
    mayReject: isPending && mayReject(rule),
    mayCancel: isPending && approval.requesterId === person.id,
  });
  return `${seenApproval(services, found, approval).slice(0, -1)},${own.slice(1)}`;
}

/** Views of the list: approvals that the person may decide now, that the person requested, or that have ended. */
const SHOWN = ["MINE_TO_DECIDE", "MINE_REQUESTED", "DECIDED"] as const;
type Shown = (typeof SHOWN)[number];

const listWorkspaceApprovals = defineOperation({
  id: "listWorkspaceApprovals",
  ...route("GET /workspace/approvals", "PERSON"),
  tag: "Approvals",
  summary: "List the approvals that you may see",
  description: "Over all platforms on which you have a role, and of the workspace.",
  query: Type.Object({
    shown: Type.Optional(Type.Enum([...SHOWN])),
    ...approvalFilters,
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

/** The newest rows of all partitions. If one has more rows, rows of others that are older than its last row wait for the next page. */
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

const DetailSchema = Type.Object({ ...OwnApprovalSchema.properties, shown: ShownSchema });

const detailExample = { ...ownApprovalExample, shown: shownExample };

/** The approval with what is shown of it, and that sealed for a person who may decide. */
async function detailJson(services: Services, found: FoundApproval, to: ShownTo): Promise<string> {
  const { approval, person, place, isClear } = found;
  const { showing, sealed } = await showingOf(services, to);
  const mayDecide =
    approval.state === "PENDING" && ruleAgainst(approval, approverOf(person, place)) === undefined;
  const text = shownJson(showing, { sealed: mayDecide && isClear ? sealed : undefined });
  const shown = isClear ? text : maskedText(text);
  return `${ownApprovalJson(services, found).slice(0, -1)},"shown":${shown}}`;
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
  description: "Of any platform on which you have a role, or of the workspace.",
  params: Type.Object({ approvalId: pathId("Approval") }),
  answers: {
    200: { description: "The approval.", schema: DetailSchema, example: detailExample },
  },
  refusals: ["APPROVAL_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const found = await requireApproval(services, principal, params.approvalId);
    return {
      status: 200,
      body: await detailJson(services, found, shownTo(services, principal, found)),
    };
  },
});

const params = Type.Object({ approvalId: pathId("Approval") });

const body = Type.Object({
  outcome: Type.Enum(["APPROVED", "REJECTED"]),
  note: Type.Optional(Type.String({ maxLength: 500 })),
  shown: Type.Optional(
    Type.String({
      maxLength: LONGEST_SHOWN,
      description: "To agree: the `shown.sealed` of the approval as you were shown it.",
    }),
  ),
  assertion: Type.Optional(AssertionSchema),
});

const decideApproval = defineOperation({
  id: "decideApproval",
  ...route("POST /workspace/approvals/{approvalId}/decide", "PERSON"),
  tag: "Approvals",
  summary: "Agree to an order that waits, or refuse it",
  description:
    "To agree, a passkey signs a challenge that follows from the id and the digest of what is shown; without `assertion` the answer has the " +
    "options for that, and nothing is decided. The last agreement that is needed carries the order out in the same commit.",
  params,
  body,
  requestExample: { outcome: "REJECTED", note: "The amount is wrong." },
  answers: {
    200: {
      description: "The approval after it, or the options.",
      schema: Type.Union([ApprovalSchema, OptionsSchema]),
      example: { ...approvalExample, state: "REJECTED" },
    },
  },
  refusals: ["INVALID_INPUT", "APPROVAL_NOT_FOUND", "APPROVAL_NOT_YOURS", "CONFLICT"],
  async handle({ principal, params: { approvalId }, body: sent, idempotency }, services: Services) {
    const found = await requireApproval(services, principal, approvalId);
    if (sent.outcome === "REJECTED") {
      const find = async () => ({ decision: { outcome: "REJECTED" } as const });
      return decideAs(services, principal, { found, note: sent.note, find, idempotency });
    }
    if (sent.assertion === undefined) refuseNow(found);
    const to = shownTo(services, principal, found);
    const shown = shownBack(services, to, sent.shown);
    const challenge = challengeOf(found.approval, shown);
    if (sent.assertion === undefined) {
      await refuseChanged(services, to, shown);
      const options = await fixedOptions(services, challenge, principal);
      return { status: 200, body: JSON.stringify(options) };
    }
    const agreed = await agreement(services, principal, { found, challenge, sent: sent.assertion });
    const find = async () => {
      await refuseChanged(services, to, shown);
      const { decision, issued } = agreed;
      return { decision: { ...decision, shown }, issued };
    };
    const answered = await decideAs(services, principal, {
      found,
      note: sent.note,
      find,
      idempotency,
    });
    // The order may have changed people, so cached sessions are dropped.
    services.people.sessions.forget();
    return answered;
  },
});

/** Refuses a person who may not agree before their passkey is asked for. */
function refuseNow({ approval, person, place }: FoundApproval): void {
  refuseApprover(approval, approverOf(person, place), "APPROVED");
  const { state: status } = approval;
  if (status !== "PENDING")
    throw wrongState({ object: "approval", status, needed: "PENDING", action: "decided" });
}

interface Decided {
  readonly decision: DecideApprovalInput["decision"];
  /** Secrets that the order creates. */
  readonly issued?: object | undefined;
}

/** Submits the decision, or the refusal of `find` in its place, under the key of the call. */
function decideAs(
  services: Services,
  principal: PersonPrincipal,
  {
    found,
    note,
    find,
    idempotency,
  }: {
    readonly found: FoundApproval;
    readonly note: string | undefined;
    readonly find: () => Promise<Decided>;
    readonly idempotency: Idempotency | undefined;
  },
): Promise<Answered> {
  let issued: object | undefined;
  return submitFound(services.engine, atPlace(principal, found, note), {
    command: decideApprovalCommand,
    async find() {
      const decided = await find();
      issued = decided.issued;
      return {
        approvalId: found.approval.id,
        approver: approverOf(found.person, found.place),
        standing: standingOf(found.approval, found.place),
        note: note ?? null,
        decision: decided.decision,
      };
    },
    toAnswer(approval) {
      const answer = shown(services, found, approval);
      const body = withIssued(answer.body, approval.state === "DONE" ? issued : undefined);
      return { ...answer, body };
    },
    idempotency,
    secret: true,
  });
}

/** The challenge in base64url, as browsers expect it. */
function challengeOf(approval: Approval, { digest }: AgreedShowing): string {
  return createHash("sha256").update(challengeText(approval, digest)).digest("base64url");
}

function shownTo(
  services: Services,
  { workspaceId, personId }: PersonPrincipal,
  { approval, platformId, environment, place }: FoundApproval,
): ShownTo {
  const content = openContent(services, platformId, approval);
  return { workspaceId, platformId, environment, place, approval, content, personId };
}

async function agreement(
  services: Services,
  principal: PersonPrincipal,
  {
    found,
    challenge,
    sent,
  }: {
    readonly found: FoundApproval;
    readonly challenge: string;
    readonly sent: Static<typeof AssertionSchema>;
  },
) {
  const { approval, platformId } = found;
  const { workspaceId, personId } = principal;
  const copied = (passkeyId: string) => noteCopied(services, principal, passkeyId);
  return services.people.failedProofs.run(`approve ${personId}`, async () => {
    const asked = { workspaceId, personId, sent, noteCopied: copied };
    const assertion = await proveFixed(services, challenge, asked);
    const content = openContent(services, platformId, approval);
    const { issued, ...order } = await openOrder(acts, content, { ...found, services });
    return { decision: { outcome: "APPROVED", assertion, order } as const, issued };
  });
}

const cancelApproval = defineOperation({
  id: "cancelApproval",
  ...route("POST /workspace/approvals/{approvalId}/cancel", "PERSON"),
  tag: "Approvals",
  summary: "Take back an order that waits",
  description: "Only the person who asked for it, or who made the token that did.",
  params,
  answers: {
    200: {
      description: "The approval after it.",
      schema: ApprovalSchema,
      example: { ...approvalExample, state: "CANCELLED" },
    },
  },
  refusals: ["APPROVAL_NOT_FOUND", "APPROVAL_NOT_YOURS", "CONFLICT"],
  async handle({ principal, params: { approvalId }, idempotency }, services: Services) {
    const found = await requireApproval(services, principal, approvalId);
    return submitForCaller(services.engine, atPlace(principal, found), {
      command: cancelApprovalCommand,
      input: { approvalId: found.approval.id, personId: principal.personId },
      toAnswer: (approval) => shown(services, found, approval),
      idempotency,
      secret: true,
    });
  },
});

/** The person as a caller at the partition of the approval. */
function atPlace(
  principal: PersonPrincipal,
  { platformId }: FoundApproval,
  reason: string | undefined = undefined,
): PersonPrincipal {
  return { ...principal, platformId, act: { ...principal.act, reason: reason ?? null } };
}

function shown(services: Services, found: FoundApproval, approval: Approval) {
  return { status: 200, body: seenApproval(services, found, approval) };
}

export const workspaceApprovalOperations = [
  listWorkspaceApprovals,
  getWorkspaceApproval,
  decideApproval,
  cancelApproval,
];
