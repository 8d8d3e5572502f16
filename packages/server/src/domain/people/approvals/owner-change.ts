/**
 * Changes of the people who keep each other in check: an owner is suspended, demoted, removed or reinstated, or the last person besides
 * the requester loses the right to decide about payments. Such changes could make one owner the only one. Another owner must agree, if
 * there is one besides the requester and the person concerned. Otherwise the loss takes effect after a day in which the person may
 * reject it.
 */

import type { World } from "../../../engine/command.ts";
import type { NoticeAbout } from "../../job-kinds.ts";
import { lineageOf } from "../../lineage.ts";
import { mailPeople } from "../notices/person-notice.ts";
import {
  activeApprovers,
  activeOwners,
  isOwner,
  type Person,
  type RoleGrant,
  toPersonId,
} from "../person.ts";
import { capabilitiesOf } from "../role.ts";
import type { Approval } from "./approval.ts";
import type { OrderFacts } from "./hold-order.ts";

/** The production platforms of the workspace. A grant for all platforms counts as a grant for one of them. */
export interface OnPlatforms {
  readonly productionIds: ReadonlySet<string>;
}

export interface StandingChange {
  readonly before: Person;
  readonly person: Person;
}

/** The requester, null for the operator of the server, and the production platforms. */
interface Asked extends OnPlatforms {
  readonly by: string | null;
}

export function ofProduction({ platformId }: RoleGrant, { productionIds }: OnPlatforms): boolean {
  return platformId === null || productionIds.has(platformId);
}

const isActiveOwner = (person: Person) => person.state === "ACTIVE" && isOwner(person);

function decidesPayments(person: Person, places: OnPlatforms): boolean {
  if (person.state !== "ACTIVE") return false;
  const held = person.roles.filter((grant) => ofProduction(grant, places));
  return capabilitiesOf(
    held.flatMap(({ roles }) => roles),
    "PRODUCTION",
  ).has("payments.approve");
}

/**
 * Whether the change is an owner change. The command's `needs` must list `activeOwners` and `activeApprovers`. A person may give up
 * their own standing freely, unless other identities count as them, because one of those may be the requester.
 */
export function isOwnerChange(
  world: World,
  { before, person }: StandingChange,
  asked: Asked,
): boolean {
  const isOneself = lineageOf(before, world.at).length === 1;
  if (asked.by === person.id && isOneself) return false;
  if (isActiveOwner(before) !== isActiveOwner(person))
    return isOwner(before) && before.state !== "INVITED";
  if (!decidesPayments(before, asked) || decidesPayments(person, asked)) return false;
  const others = [...world.all(activeOwners), ...world.all(activeApprovers)];
  return !others.some(
    (other) => other.id !== person.id && other.id !== asked.by && decidesPayments(other, asked),
  );
}

/** The facts of an owner change; undefined for any other change, and when an owner returns but no other owner could agree. */
export function ownerChangeFacts(
  world: World,
  change: StandingChange,
  asked: Asked,
): OrderFacts | undefined {
  if (!isOwnerChange(world, change, asked)) return undefined;
  const { before, person } = change;
  const hasThird = world.all(activeOwners).some(({ id }) => id !== person.id && id !== asked.by);
  if (!hasThird && isActiveOwner(person)) return undefined;
  const standing = isOwner(before) ? "an owner" : "who decides about payments";
  return {
    kinds: ["OWNER_CHANGE"],
    summary: `${whatOf(change)} ${toPersonId(person.id)}, ${standing}`,
    // The person concerned may reject a timed change, but may not decide where another owner does.
    gainers: hasThird ? [person.id] : [],
    isTimed: !hasThird,
  };
}

function whatOf({ before, person }: StandingChange): string {
  if (person.state === "REMOVED") return "The removal of";
  if (before.state === person.state) return "Fewer roles for";
  return person.state === "ACTIVE" ? "The reinstatement of" : "The suspension of";
}

/** Mails the owners and the person concerned. The command's `needs` must list `activeOwners`. */
export function mailOwnerChange(world: World, personId: string, about: NoticeAbout): void {
  const owners = world.all(activeOwners).map(({ id }) => id);
  mailPeople(world, [...owners, personId], { about, personId });
}

export function tellOwnerChange(world: World, personId: string, approval: Approval): void {
  if (approval.kind !== "OWNER_CHANGE") return;
  const isTimed = approval.approvalsNeeded === 0;
  mailOwnerChange(world, personId, isTimed ? "OWNER_CHANGE_TIMED" : "OWNER_CHANGE_ASKED");
}
