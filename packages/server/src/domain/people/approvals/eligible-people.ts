/** Which people of a workspace may decide about an approval. */

import { type Kin, lineageOf, membersOf, share } from "../../lineage.ts";
import type { Environment } from "../../platform.ts";
import { isOwner, type Person, rolesOn, toPersonId } from "../person.ts";
import { type Capability, capabilitiesOf } from "../role.ts";
import type { Approval } from "./approval.ts";
import { noteOf } from "./approval-kinds.ts";
import {
  type Approver,
  type JudgedApproval,
  ruleAgainst,
  type Standing,
} from "./decide-approval.ts";

/** Where an approval is: on `platform`, or in the workspace itself when `platform` is undefined. */
export interface ApprovalPlace {
  readonly platform: { readonly id: string; readonly environment: Environment } | undefined;
  /** The active people of the workspace. */
  readonly people: readonly Person[];
  /** Host time. */
  readonly now: number;
}

/** The capabilities of a person's roles where the approval is. A suspension of approving does not reduce them. */
export function capabilitiesIn(
  person: Pick<Person, "roles">,
  platform: ApprovalPlace["platform"],
): ReadonlySet<Capability> {
  const held =
    platform === undefined
      ? person.roles.flatMap(({ roles }) => roles)
      : rolesOn(person, platform.id);
  return capabilitiesOf(held, platform?.environment ?? "PRODUCTION");
}

/** The identities that count as the person. A sandbox joins none, because one human tries out all roles there. */
export function lineageAt(
  person: Pick<Person, "id" | "joined">,
  platform: Pick<NonNullable<ApprovalPlace["platform"]>, "environment"> | undefined,
  now: number,
): readonly Kin[] {
  return lineageOf(
    platform?.environment === "SANDBOX" ? { id: person.id, joined: [] } : person,
    now,
  );
}

export function approverOf(person: Person, place: ApprovalPlace): Approver {
  const { platform, people, now } = place;
  const lineage = idsAt(person, place);
  return {
    personId: person.id,
    lineage,
    sameHuman: people.filter((other) => share(lineage, idsAt(other, place))).map(({ id }) => id),
    capabilities: capabilitiesIn(person, platform),
    isSuspended: person.approvesFrom !== null && now < person.approvesFrom,
    isAlone: platform?.environment === "SANDBOX" && people.every((other) => other.id === person.id),
  };
}

function idsAt(person: Person, { platform, now }: ApprovalPlace): readonly string[] {
  return membersOf(lineageAt(person, platform, now), now);
}

/** What says who may decide about an approval, stored or only thought of. */
export type AskedApproval = JudgedApproval &
  Pick<Approval, "state" | "kind" | "requestedBy" | "approvalsNeeded">;

/**
 * Whether the requester may still ask, and whose earlier agreements still count. An agreement stops counting when its maker was
 * suspended or removed, has lost the role for it, or now counts as one human with the requester or with another person who agreed.
 */
export function standingOf(approval: AskedApproval, place: ApprovalPlace): Standing {
  const { requestedBy, requesterId, kind, decisions } = approval;
  const { people, platform } = place;
  const requester = people.find(({ id }) => id === requesterId);
  const isOfPerson = requesterId !== null && requestedBy === toPersonId(requesterId);
  const mayAsk =
    requester !== undefined && capabilitiesIn(requester, platform).has(noteOf(kind).asks);
  const counting: Approver[] = [];
  for (const { by } of decisions) {
    const person = people.find(({ id }) => toPersonId(id) === by);
    if (person === undefined) continue;
    const approver = approverOf(person, place);
    const isAble = ruleAgainst({ ...approval, decisions: [] }, approver) === undefined;
    if (isAble && !counting.some(({ personId }) => approver.sameHuman.includes(personId)))
      counting.push(approver);
  }
  return {
    mayAsk: !isOfPerson || mayAsk,
    agreed: counting.map(({ personId }) => personId),
  };
}

/** Whether too few people are left who may decide. */
export function isBlocked(approval: AskedApproval, place: ApprovalPlace): boolean {
  if (approval.state !== "PENDING") return false;
  const { agreed } = standingOf(approval, place);
  const wanted = approval.approvalsNeeded - agreed.length;
  const found: Approver[] = [];
  for (const person of place.people) {
    if (found.length >= wanted) break;
    const held = capabilitiesIn(person, place.platform);
    if (!approval.capabilities.every((one) => held.has(one))) continue;
    const approver = approverOf(person, place);
    const isOther = !found.some(({ personId }) => approver.sameHuman.includes(personId));
    if (isOther && ruleAgainst(approval, approver) === undefined) found.push(approver);
  }
  return found.length < wanted;
}

export function hasTwoOwners(people: readonly Person[]): boolean {
  return people.filter(isOwner).length >= 2;
}

/** Whether two people may decide about payments on the platform, or in the workspace. */
export function hasTwoDeciders({ people, platform }: ApprovalPlace): boolean {
  const able = people.filter((person) => capabilitiesIn(person, platform).has("payments.approve"));
  return able.length >= 2;
}
