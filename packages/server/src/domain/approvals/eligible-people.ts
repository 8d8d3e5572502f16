/** Who of a workspace may decide about an approval. */
import { isOwner, type Person, rolesOn } from "../people/person.ts";
import { type Capability, capabilitiesOf } from "../people/role.ts";
import type { Environment } from "../platforms/platform.ts";
import type { Approval } from "./approval.ts";
import { type Approver, ruleAgainst } from "./decide-approval.ts";

/** The platform of an approval; undefined for what concerns the workspace. */
export interface ApprovalPlace {
  readonly platform: { readonly id: string; readonly environment: Environment } | undefined;
  /** The active people of the workspace. */
  readonly people: readonly Person[];
  /** Host time. */
  readonly now: number;
}

/** What a person's roles hold where the approval is, whether or not their approving is suspended. */
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

export function approverOf(person: Person, { platform, people, now }: ApprovalPlace): Approver {
  return {
    personId: person.id,
    capabilities: capabilitiesIn(person, platform),
    isSuspended: person.approvesFrom !== null && now < person.approvesFrom,
    isAlone: platform?.environment === "SANDBOX" && people.every((other) => other.id === person.id),
  };
}

/** Whether too few people are left who may decide. */
export function isBlocked(approval: Approval, place: ApprovalPlace): boolean {
  if (approval.state !== "PENDING") return false;
  const able = place.people.filter(
    (person) => ruleAgainst(approval, approverOf(person, place)) === undefined,
  );
  return able.length < approval.approvalsNeeded - approval.decisions.length;
}

export function hasTwoOwners(people: readonly Person[]): boolean {
  return people.filter(isOwner).length >= 2;
}

/** Whether two people may decide about payments at the place. */
export function hasTwoDeciders({ people, platform }: ApprovalPlace): boolean {
  const able = people.filter((person) => capabilitiesIn(person, platform).has("payments.approve"));
  return able.length >= 2;
}
