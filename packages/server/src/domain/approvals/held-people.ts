/** Changes of people that may wait for another owner: roles that ask for orders or decide about them, and new passkeys of people with one. */
import type { Command } from "../../engine/command.ts";
import { toWireId } from "../../std/ids.ts";
import { type ChangePersonInput, changePerson } from "../people/change-person.ts";
import { type Invited, type InvitePersonInput, invitePerson } from "../people/invite-person.ts";
import { type IssueReEnrolmentInput, issueReEnrolment } from "../people/issue-re-enrolment.ts";
import { type Person, people, type RoleGrant, toPersonId } from "../people/person.ts";
import { type Role, roles } from "../people/role.ts";
import { mayAskOrDecideAny } from "./approval-kinds.ts";
import type { HoldableOrder } from "./hold-order.ts";

/** The platforms of the workspace that are in production; a grant for all platforms counts as one of those. */
export interface OnPlatforms {
  readonly productionIds: ReadonlySet<string>;
}

/** All but VIEWER: a person who gave one to a second account of their own could ask as one of the two and agree as the other. */
const GUARDED: ReadonlySet<Role> = new Set(roles.filter((role) => mayAskOrDecideAny([role])));

/** The guarded roles among these, by platform. */
function guardedIn(
  grants: readonly RoleGrant[],
  { productionIds }: OnPlatforms,
): readonly string[] {
  return grants
    .filter(({ platformId }) => platformId === null || productionIds.has(platformId))
    .flatMap(({ platformId, roles }) =>
      roles.filter((role) => GUARDED.has(role)).map((role) => `${role} ${platformId ?? "all"}`),
    );
}

function rolesIn(gained: readonly string[]): string {
  return [...new Set(gained.map((one) => one.split(" ")[0]))].join(", ");
}

interface Changed {
  readonly before: Person | undefined;
  readonly person: Person;
}

const changeWithBefore: Command<ChangePersonInput & OnPlatforms, Changed> = {
  name: changePerson.name,
  needs: (world, input) => changePerson.needs(world, input),
  decide(world, input) {
    const before = world.find(people.ref(input.personId));
    return { before, person: changePerson.decide(world, input) };
  },
};

export const changePersonOrder: HoldableOrder<ChangePersonInput & OnPlatforms, Changed> = {
  kind: "ROLE_GRANT",
  act: "updatePerson",
  command: changeWithBefore,
  subjectOf: ({ personId }) => toPersonId(personId),
  factsOf({ before, person }, { input }) {
    const had = new Set(guardedIn(before?.roles ?? [], input));
    const gained = guardedIn(person.roles, input).filter(
      (one) => !had.has(one) && !had.has(`${one.split(" ")[0]} all`),
    );
    return {
      summary: `${rolesIn(gained)} for ${toPersonId(person.id)}`,
      gainers: [person.id],
      isHarmless: gained.length === 0,
    };
  },
  resultOf: ({ person }) => toPersonId(person.id),
};

export const inviteOrder: HoldableOrder<InvitePersonInput & OnPlatforms, Invited> = {
  kind: "ROLE_GRANT",
  act: "createInvite",
  command: invitePerson,
  factsOf({ person }, { input }) {
    const gained = guardedIn(person.roles, input);
    return {
      summary: `An invitation as ${rolesIn(gained)}`,
      gainers: [person.id],
      isHarmless: gained.length === 0,
    };
  },
  resultOf: ({ link }) => toWireId("PersonInvite", link.id),
};

export const reEnrolOrder: HoldableOrder<IssueReEnrolmentInput, Invited> = {
  kind: "REENROLMENT",
  act: "reEnrolPerson",
  command: issueReEnrolment,
  subjectOf: ({ personId }) => toPersonId(personId),
  factsOf: ({ person, link }) => ({
    summary: `A new ${link.kind === "INVITE" ? "invitation" : "passkey"} for ${toPersonId(person.id)}`,
    gainers: [person.id],
    isHarmless: !isGuarded(person),
  }),
  resultOf: ({ link }) => toWireId("PersonInvite", link.id),
};

function isGuarded({ roles }: Person): boolean {
  return mayAskOrDecideAny(roles.flatMap((grant) => grant.roles));
}
