/**
 * An approval: an order that waits until other people have agreed. It holds no money and reserves nothing. The decision that completes
 * the approval carries the order out in the same commit and checks it as things are then.
 *
 * PENDING     waits for people, for a week; an order that needs no agreement waits a day and is carried out then
 * APPROVED    the people have agreed; leaves in the same commit to DONE or FAILED, so no row keeps this state
 * DONE        the order was carried out
 * FAILED      the order was refused when it was to be carried out; `failure` has the refusal, and nothing was done
 * REJECTED, CANCELLED, EXPIRED   an approver rejected it, the requester cancelled it, or it was not decided within the week
 */
import type { World } from "../../../engine/command.ts";
import { assert } from "../../../std/assert.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { toWireId } from "../../../std/ids.ts";
import { canonicalJson, type JsonObject } from "../../../std/json.ts";
import { countedBy, stateFacet } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf, rowListerOf } from "../../../tables/list-query.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { platforms } from "../../platform.ts";
import { mailApprovers } from "../notices/approval-mail.ts";
import type { Capability } from "../role.ts";
import type { ApprovalKind } from "./approval-kinds.ts";

export const approvalStates = [
  "PENDING",
  "APPROVED",
  "DONE",
  "FAILED",
  "REJECTED",
  "CANCELLED",
  "EXPIRED",
] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** The passkey assertion over exactly this content, with the public key that verifies it. Members are base64url. */
export type KeptAssertion = {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly backupEligible: boolean;
  readonly rpId: string;
  readonly origin: string;
  readonly clientDataJson: string;
  readonly authenticatorData: string;
  readonly signature: string;
};

export type ApprovalDecision = {
  /** A wire id of a person. */
  readonly by: string;
  readonly at: string;
  readonly outcome: "APPROVED" | "REJECTED";
  readonly note: string | null;
  /** The requester approved their own order, which is possible only in a sandbox whose workspace has no other active person. */
  readonly isOwn: boolean;
  /** Null for a rejection. */
  readonly assertion: KeptAssertion | null;
  /** The row of what the person was shown, and its digest. Absent for a rejection, and for agreements of earlier versions. */
  readonly showingId?: string;
  readonly shownDigest?: string;
};

/** Why the command of the order refused when the order was to be carried out. */
export type ApprovalFailure = {
  readonly code: string;
  readonly message: string;
  readonly details: JsonObject | null;
};

const columns = {
  id: fixed("uuid"),
  kind: fixed<ApprovalKind>("text"),
  /** The operation that was asked for. */
  act: fixed("text"),
  state: mutable<ApprovalState>("text"),
  /** A wire id of a person or a token. */
  requestedBy: fixed("text"),
  /** The person who asked, or who made the token that asked; null when no person did. */
  requesterId: fixed<string | null>("uuid"),
  /** The lineage of the requester at the time of asking: see domain/lineage.ts. */
  requesterPeople: fixed<readonly string[]>("json"),
  /** The wire id of the order's object, about which only one order may wait; null where several may. */
  subjectId: fixed<string | null>("text"),
  /** People who may not decide, because the order gives them something or is about them. */
  gainers: fixed<readonly string[]>("json"),
  /** The amount of an order that has one; null for orders of earlier versions. */
  amountMinor: fixed<bigint | null>("int8"),
  amountCurrency: fixed<string | null>("text"),
  /** Contains no personal data, because it is not sealed. */
  summary: fixed("text"),
  contentSealed: mutable("text"),
  /** Identifies the sealed content, which is sealed before the row has an id. */
  sealId: fixed("uuid"),
  /** The digest of what approvers are shown: see `digestOf`. */
  contentDigest: fixed("text"),
  /** The capabilities that an approver must have. */
  capabilities: fixed<readonly Capability[]>("json"),
  /** 0 for an order that is carried out at `expiresAt` unless it is rejected before. */
  approvalsNeeded: fixed("int4"),
  decisions: mutable<readonly ApprovalDecision[]>("json"),
  /** The wire id of what the order made or changed. */
  resultId: mutable<string | null>("text"),
  failure: mutable<ApprovalFailure | null>("json"),
  jobId: mutable<string | null>("uuid"),
  expiresAt: fixed("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface Approval extends RowOf<typeof columns> {}

export const approvals = defineTable<Approval>("approvals", columns, {
  isFinal: ({ state }) => state !== "PENDING",
  counted: countedBy<Approval>(stateFacet),
});

export const findApproval = finderOf(approvals);
export const listApprovals = listerOf(approvals);

/** A page without a count, for a list over several platforms. */
export const approvalRows = rowListerOf(approvals);

/** The pending order about an object. */
export const pendingAbout = defineLookup(approvals, {
  by: "subjectId",
  where: { sql: "t.state = 'PENDING'", holds: ({ state }) => state === "PENDING" },
});

export function toApprovalId(id: string): string {
  return toWireId("Approval", id);
}

/** The associated data of the sealed content. */
export function contentIdentity(platformId: string, sealId: string): string {
  return `approvals.content ${platformId} ${sealId}`;
}

/** The content of an order as approvers are shown it, and sealed for storage. */
export interface SealedContent {
  readonly content: JsonObject;
  readonly contentSealed: string;
  readonly sealId: string;
}

/** The digest of what approvers are shown. */
export function digestOf(
  { kind, act, summary }: Pick<Approval, "kind" | "act" | "summary">,
  content: JsonObject,
): string {
  return sha256Hex(canonicalJson({ kind, operation: act, summary, content }));
}

/**
 * The text whose SHA-256 is the challenge that a passkey signs to agree: the order, and the facts that were shown of it. Without
 * `shownDigest` it is the text of earlier versions, by which `florin verify` checks the agreements of that time.
 */
export function challengeText(
  { id, contentDigest }: Pick<Approval, "id" | "contentDigest">,
  shownDigest: string | undefined,
): string {
  const order = `${toApprovalId(id)}\n${contentDigest}`;
  return shownDigest === undefined
    ? `florin approval v1\n${order}`
    : `florin approval v2\n${order}\n${shownDigest}`;
}

export interface ApprovalSubject {
  readonly kind: "Approval";
  readonly id: string;
  readonly approval: Approval;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DECIDED_WITHIN_MS = 7 * DAY_MS;
/** An order that needs no agreement can be rejected for this long, and is then carried out. */
const REJECTED_WITHIN_MS = DAY_MS;

export interface AskedOrder
  extends Pick<Approval, "kind" | "act" | "summary" | "capabilities" | "approvalsNeeded"> {
  readonly sealed: SealedContent;
  readonly amount?: { readonly currency: string; readonly minor: bigint } | undefined;
  readonly subjectId?: string | null;
  readonly gainers?: readonly string[];
}

/** Stores an order that was checked and could be carried out now. The command's `needs` must list the platform. */
export function askForApproval(
  world: World,
  { sealed, amount, gainers = [], subjectId = null, ...asked }: AskedOrder,
): Approval {
  const { content, ...kept } = sealed;
  const id = world.newId();
  const isTimed = asked.approvalsNeeded === 0;
  const expiresAt = world.at + (isTimed ? REJECTED_WITHIN_MS : DECIDED_WITHIN_MS);
  const { kind, id: actorId, people = [], personId = null } = world.actor;
  const approval = world.put(approvals, {
    id,
    ...asked,
    ...kept,
    state: "PENDING",
    requestedBy: toWireId(kind === "person" ? "Person" : "Token", actorId),
    requesterId: personId,
    requesterPeople: people,
    amountMinor: amount?.minor ?? null,
    amountCurrency: amount?.currency ?? null,
    subjectId,
    gainers,
    contentDigest: digestOf(asked, content),
    decisions: [],
    resultId: null,
    failure: null,
    jobId: scheduleJob(world, {
      kind: isTimed ? "carry-out-approval" : "expire-approval",
      payload: { approvalId: id },
      dueAt: expiresAt,
    }),
    expiresAt,
    createdAt: world.at,
    updatedAt: world.at,
  });
  tell(world, approval);
  // Owners are mailed of an order that takes effect by itself, see `tellOwnerChange`.
  if (!isTimed) mailApprovers(world, id);
  return approval;
}

const WAYS_OUT: Readonly<Record<ApprovalState, readonly ApprovalState[]>> = {
  PENDING: ["APPROVED", "REJECTED", "CANCELLED", "EXPIRED"],
  APPROVED: ["DONE", "FAILED"],
  DONE: [],
  FAILED: [],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
};

/** The approval in its next state. A transition that is not listed is a bug. */
export function moveApproval(
  approval: Approval,
  to: ApprovalState,
  change: Partial<Pick<Approval, "resultId" | "failure">> = {},
): Approval {
  assert(WAYS_OUT[approval.state].includes(to), `an approval goes from ${approval.state} to ${to}`);
  return { ...approval, ...change, state: to };
}

/** Stores an approval that has ended, cancels its job and emits its event. */
export function endApproval(world: World, approval: Approval): Approval {
  if (approval.jobId !== null) world.cancel(approval.jobId);
  const ended = world.put(approvals, { ...approval, jobId: null, updatedAt: world.at });
  tell(world, ended);
  return ended;
}

/** The event of each state. APPROVED has none, because the commit that enters it also leaves it. */
export const approvalEvents = {
  PENDING: "APPROVAL.PENDING",
  DONE: "APPROVAL.DONE",
  FAILED: "APPROVAL.FAILED",
  REJECTED: "APPROVAL.REJECTED",
  CANCELLED: "APPROVAL.CANCELLED",
  EXPIRED: "APPROVAL.EXPIRED",
} as const satisfies Readonly<Record<Exclude<ApprovalState, "APPROVED">, string>>;

/** Emits the event of the approval's state. A workspace has no events. */
function tell(world: World, approval: Approval): void {
  if (world.find(platforms.ref(world.platformId)) === undefined) return;
  assert(approval.state !== "APPROVED", "an approval leaves APPROVED in the commit that enters it");
  const subject: ApprovalSubject = {
    kind: "Approval",
    id: toApprovalId(approval.id),
    approval,
  };
  world.emit(approvalEvents[approval.state], subject);
}
