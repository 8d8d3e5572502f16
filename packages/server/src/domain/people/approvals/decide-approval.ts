import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { assert } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { Condition } from "../../../tables/list-query.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { share } from "../../lineage.ts";
import { platforms } from "../../platform.ts";
import { toPersonId } from "../person.ts";
import type { Capability } from "../role.ts";
import {
  type Approval,
  type ApprovalDecision,
  approvals,
  digestOf,
  endApproval,
  type KeptAssertion,
  moveApproval,
  toApprovalId,
} from "./approval.ts";
import { type AgreedShowing, approvalShowings } from "./shown/kept-showing.ts";

/** The person who decides, as the workspace knows them. */
export interface Approver {
  readonly personId: string;
  /** The ids that count as the person now: see domain/lineage.ts. */
  readonly lineage: readonly string[];
  /** The active people, including the person, whose lineages share a member with this one now. */
  readonly sameHuman: readonly string[];
  /** The person's capabilities on the platform, or in the workspace, of the approval. */
  readonly capabilities: ReadonlySet<Capability>;
  /** True for a day after the person's passkeys were replaced. */
  readonly isSuspended: boolean;
  /** True in a sandbox whose workspace has no other active person. */
  readonly isAlone: boolean;
}

/** The order of an approval, ready to be carried out. */
export interface OpenedOrder {
  readonly content: JsonObject;
  needs(world: Loaded): readonly AnyRef[];
  /** Runs the order's own command, and returns the wire id of what it made or changed. */
  carryOut(world: World, approval: Approval): string | null;
  /** What the order replaces at this moment, where the content does not have it. */
  readonly replacedNow?: {
    needs(): readonly AnyRef[];
    /** Undefined for an object that is not there. */
    digest(world: Loaded): string | undefined;
  };
}

/** Whether the requester and the earlier approvers are still entitled. */
export interface Standing {
  /** False for a requester who was suspended or removed, or has lost the role, since asking. */
  readonly mayAsk: boolean;
  /** The people whose earlier agreements count. */
  readonly agreed: readonly string[];
}

export interface DecideApprovalInput {
  readonly approvalId: string;
  readonly approver: Approver;
  /** Read right before the command, because people belong to the workspace and the approval to a platform. */
  readonly standing: Standing;
  readonly note: string | null;
  readonly decision:
    | {
        readonly outcome: "APPROVED";
        readonly assertion: KeptAssertion;
        /** What the person was shown, which the assertion covers. */
        readonly shown: AgreedShowing;
        readonly order: OpenedOrder;
      }
    | { readonly outcome: "REJECTED" };
}

/**
 * Decides about an approval. The last agreement that is needed carries the order out in the same commit. If the order's command
 * refuses, or the requester may no longer ask for the order, the approval is FAILED with that refusal and nothing moves. Agreements of
 * people who may no longer give them do not count. One rejection ends the approval. Refuses, in this order: an unknown approval; one
 * that is not PENDING, or too old; with APPROVAL_NOT_YOURS a person who lacks a capability, whose approving is suspended, who asked,
 * who counts as one human with the requester, who gains by the order, who has decided already, who counts as one human with an earlier
 * decider; an agreement to replace a value that is another one now. Suspension and lineage do not prevent a rejection.
 */
export const decideApproval: Command<DecideApprovalInput, Approval> = {
  name: "decide-approval",
  needs(world, { approvalId, decision }) {
    const order = decision.outcome === "APPROVED" ? needsOf(world, decision.order) : [];
    return [approvals.ref(approvalId), platforms.ref(world.platformId), ...order];
  },
  decide(world, { approvalId, approver, standing, note, decision }) {
    const approval = requirePending(world, approvalId, "decided");
    const isOwn = refuseApprover(approval, approver, decision.outcome);
    if (decision.outcome === "APPROVED") refuseUnlessReplacesShown(world, approval, decision);

    const decided = withDecision(approval, {
      by: toPersonId(approver.personId),
      at: toIso(world.at),
      outcome: decision.outcome,
      note,
      isOwn,
      assertion: decision.outcome === "APPROVED" ? decision.assertion : null,
      ...(decision.outcome === "APPROVED"
        ? keepShowing(world, approval, { approver, shown: decision.shown })
        : {}),
    });
    if (decision.outcome === "REJECTED") {
      return endApproval(world, moveApproval(decided, "REJECTED"));
    }
    if (!standing.mayAsk) return fail(world, moveApproval(decided, "APPROVED"), mayNotAsk());
    if (standing.agreed.length + 1 < approval.approvalsNeeded) {
      return world.put(approvals, { ...decided, updatedAt: world.at });
    }
    return carryOut(world, moveApproval(decided, "APPROVED"), decision.order);
  },
};

function needsOf(world: Loaded, { needs, replacedNow }: OpenedOrder): readonly AnyRef[] {
  return [...needs(world), ...(replacedNow?.needs() ?? [])];
}

/** A change may have committed since the person was shown what the order replaces. */
function refuseUnlessReplacesShown(
  world: World,
  { approvalsNeeded }: Approval,
  { order: { replacedNow }, shown }: Shown & { readonly order: OpenedOrder },
): void {
  if (replacedNow === undefined) return;
  assert(approvalsNeeded <= 1, "two people could agree to replace two values");
  if (replacedNow.digest(world) === shown.showing.replaces) return;
  const message = "What you were shown has changed meanwhile; look at it again.";
  throw new Refusal("CONFLICT", { changed: ["replaced"] }, message);
}

/** Keeps what the person was shown. What was shown of another order, or to another person, is a bug of the caller. */
function keepShowing(
  world: World,
  { id: approvalId, contentDigest }: Approval,
  { approver: { personId }, shown }: Pick<DecideApprovalInput, "approver"> & Shown,
): Pick<ApprovalDecision, "showingId" | "shownDigest"> {
  const { showing, ...kept } = shown;
  assert(showing.approvalId === toApprovalId(approvalId), "people agree to what they were shown");
  assert(showing.contentDigest === contentDigest, "what was shown is the order");
  assert(showing.to === toPersonId(personId), "the person who agrees was shown it");
  const id = world.newId();
  world.put(approvalShowings, { id, approvalId, personId, ...kept, createdAt: world.at });
  return { showingId: id, shownDigest: kept.digest };
}

interface Shown {
  readonly shown: AgreedShowing;
}

function withDecision(approval: Approval, decision: ApprovalDecision): Approval {
  return { ...approval, decisions: [...approval.decisions, decision] };
}

/** Carries out the order of an approval that is complete, or whose time to be rejected has passed. */
function carryOut(world: World, approval: Approval, order: OpenedOrder): Approval {
  const { contentDigest } = approval;
  assert(digestOf(approval, order.content) === contentDigest, "an approval does what it showed");
  const outcome = world.attempt(() => order.carryOut(world, approval));
  if (!(outcome instanceof Refusal)) {
    return endApproval(world, moveApproval(approval, "DONE", { resultId: outcome }));
  }
  return fail(world, approval, outcome);
}

function fail(world: World, approval: Approval, refusal: Refusal): Approval {
  const { code, message, details = null } = refusal;
  return endApproval(
    world,
    moveApproval(approval, "FAILED", { failure: { code, message, details } }),
  );
}

function mayNotAsk(): Refusal {
  const message = "The person who asked for this may no longer ask for it.";
  return new Refusal("FORBIDDEN", { rule: "REQUESTER" }, message);
}

/** Refuses an unknown approval with APPROVAL_NOT_FOUND, and one that has ended or is too old with CONFLICT. */
function requirePending(world: World, id: string, action: string): Approval {
  const approval = world.find(approvals.ref(id));
  if (approval === undefined) throw new Refusal("APPROVAL_NOT_FOUND");
  const isTooOld = approval.state === "PENDING" && world.at >= approval.expiresAt;
  const status = isTooOld ? "EXPIRED" : approval.state;
  if (status === "PENDING") return approval;
  throw wrongState({ object: "approval", status, needed: "PENDING", action });
}

/** Why a person may not decide; sent as `details.rule`. */
export type ApproverRule =
  | "CAPABILITY"
  | "SUSPENDED"
  | "REQUESTER"
  | "SAME_HUMAN"
  | "GAINS"
  | "DECIDED_ALREADY";

const RULE_MESSAGES: Readonly<Record<ApproverRule, string>> = {
  CAPABILITY: "Your roles do not let you decide this; an owner of the workspace can give them.",
  SUSPENDED: "Your passkeys were replaced less than a day ago; until then you approve nothing.",
  REQUESTER:
    "You asked for this, or made the token or the agent that asked. Another person must decide it.",
  SAME_HUMAN:
    "In the last 30 days you, or the person who asked or has agreed, invited or re-enrolled the other, changed their roles, or set the issuer " +
    "they sign in by. Until then you count as one person, and another one must decide it.",
  GAINS: "This would give you something. Another person must decide it.",
  DECIDED_ALREADY: "You have decided about this already. Another person must decide it, too.",
};

/** A person signs what they are shown, so they must see names and account numbers in clear. Every role that decides does. */
const SEES_ALL: Capability = "pii.read";

/** The members of an approval by which its approvers are judged. */
export type JudgedApproval = Pick<
  Approval,
  "capabilities" | "requesterId" | "requesterPeople" | "gainers" | "decisions"
>;

/** The first rule that prevents a person from deciding; undefined for a person who may decide. */
export function ruleAgainst(
  { capabilities, requesterId, requesterPeople, gainers, decisions }: JudgedApproval,
  approver: Approver,
): ApproverRule | undefined {
  const { personId, lineage, sameHuman } = approver;
  if (!approver.capabilities.has(SEES_ALL)) return "CAPABILITY";
  if (!capabilities.every((one) => approver.capabilities.has(one))) return "CAPABILITY";
  if (approver.isSuspended) return "SUSPENDED";
  if (!approver.isAlone) {
    if (requesterId === personId) return "REQUESTER";
    const asked = requesterId === null ? requesterPeople : [requesterId, ...requesterPeople];
    if (share(sameHuman, asked) || share(lineage, asked)) return "SAME_HUMAN";
  }
  if (gainers.includes(personId)) return "GAINS";
  if (decisions.some(({ by }) => by === toPersonId(personId))) return "DECIDED_ALREADY";
  const hasAgreed = decisions.map(({ by }) => by);
  if (share(sameHuman.map(toPersonId), hasAgreed)) return "SAME_HUMAN";
  return undefined;
}

/** SQL conditions for the approvals that `ruleAgainst` lets the person decide. */
export function decidableBy(approver: Approver): readonly (Condition | undefined)[] {
  const { personId, lineage, sameHuman, capabilities, isSuspended, isAlone } = approver;
  const others = [...new Set([...lineage, ...sameHuman])];
  return [
    { sql: isSuspended || !capabilities.has(SEES_ALL) ? "false" : "t.state = 'PENDING'" },
    { sql: "t.capabilities::jsonb <@ ?::jsonb", value: JSON.stringify([...capabilities]) },
    ...(isAlone ? [] : others.flatMap(notAskedBy)),
    { sql: "not t.gainers::jsonb @> ?::jsonb", value: JSON.stringify([personId]) },
    ...sameHuman.map((id) => ({
      sql: "not t.decisions::jsonb @> ?::jsonb",
      value: JSON.stringify([{ by: toPersonId(id) }]),
    })),
  ];
}

function notAskedBy(id: string): readonly Condition[] {
  return [
    { sql: "t.requester_id is distinct from ?::uuid", value: id },
    { sql: "not t.requester_people::jsonb @> ?::jsonb", value: JSON.stringify([id]) },
  ];
}

/** Rules that do not prevent a rejection: an owner must be able to stop what another owner has asked for about them. */
const REJECTING: ReadonlySet<ApproverRule> = new Set(["SUSPENDED", "SAME_HUMAN"]);

export function mayReject(rule: ApproverRule | undefined): boolean {
  return rule === undefined || REJECTING.has(rule);
}

/** Refuses with APPROVAL_NOT_YOURS a person who may not decide with this outcome. Returns whether the order is the person's own. */
export function refuseApprover(
  approval: Approval,
  approver: Approver,
  outcome: ApprovalDecision["outcome"],
): boolean {
  const rule = ruleAgainst(approval, approver);
  const isRejection = outcome === "REJECTED" && mayReject(rule);
  if (rule === undefined || isRejection) return approval.requesterId === approver.personId;
  const capabilities = [...new Set([...approval.capabilities, SEES_ALL])];
  const details = rule === "CAPABILITY" ? { rule, capabilities } : { rule };
  throw new Refusal("APPROVAL_NOT_YOURS", details, RULE_MESSAGES[rule]);
}

export interface CancelApprovalInput {
  readonly approvalId: string;
  readonly personId: string;
}

/**
 * Cancels an order. Refuses, in this order: an unknown approval; one that is not PENDING, or too old; with APPROVAL_NOT_YOURS anyone
 * but the requester.
 */
export const cancelApproval: Command<CancelApprovalInput, Approval> = {
  name: "cancel-approval",
  needs: (world, { approvalId }) => [approvals.ref(approvalId), platforms.ref(world.platformId)],
  decide(world, { approvalId, personId }) {
    const approval = requirePending(world, approvalId, "cancelled");
    if (approval.requesterId !== personId) {
      const message = "Only the person who asked for it takes it back; others reject it.";
      throw new Refusal("APPROVAL_NOT_YOURS", { rule: "NOT_REQUESTER" }, message);
    }
    return endApproval(world, moveApproval(approval, "CANCELLED"));
  },
};

export interface ExpireApprovalInput {
  readonly approvalId: string;
  readonly jobId: string;
}

/** Ends an approval that was not decided in time. Returns false and keeps the job if it is not due yet: the host's clock was set back. */
export const expireApproval: Command<ExpireApprovalInput, boolean> = {
  name: "expire-approval",
  needs: (world, { approvalId }) => [approvals.ref(approvalId), platforms.ref(world.platformId)],
  decide(world, { approvalId, jobId }) {
    const approval = world.get(approvals.ref(approvalId));
    const isPending = approval.state === "PENDING";
    if (isPending && world.at < approval.expiresAt) return false;
    if (isPending) endApproval(world, moveApproval(approval, "EXPIRED"));
    else world.cancel(jobId);
    return true;
  },
};

export interface CarryOutInTimeInput {
  readonly approvalId: string;
  readonly jobId: string;
  readonly order: OpenedOrder;
}

/**
 * Carries out a pending order that needed no agreement, once its time has come. If the order's command refuses, the approval is FAILED.
 * Returns false and keeps the job if it is not due yet: the host's clock was set back.
 */
export const carryOutInTime: Command<CarryOutInTimeInput, boolean> = {
  name: "carry-out-in-time",
  needs: (world, { approvalId, order }) => [
    approvals.ref(approvalId),
    platforms.ref(world.platformId),
    ...order.needs(world),
  ],
  decide(world, { approvalId, jobId, order }) {
    const approval = world.get(approvals.ref(approvalId));
    const isPending = approval.state === "PENDING";
    if (isPending && world.at < approval.expiresAt) return false;
    if (isPending) carryOut(world, moveApproval(approval, "APPROVED"), order);
    else world.cancel(jobId);
    return true;
  },
};
