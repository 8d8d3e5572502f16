/**
 * Changes of people that may wait for another owner: roles that let a person ask for orders or decide about them, new passkeys of
 * people with such a role, and changes of who the owners are.
 */
import type { Command } from "../../../engine/command.ts";
import { toWireId } from "../../../std/ids.ts";
import { type ChangePersonInput, changePerson } from "../change-person.ts";
import { type Invited, type InvitePersonInput, invitePerson } from "../invite-person.ts";
import { type IssueReEnrolmentInput, issueReEnrolment } from "../issue-re-enrolment.ts";
import { activeApprovers, type Person, people, type RoleGrant, toPersonId } from "../person.ts";
import { type RemovePersonInput, removePerson } from "../remove-person.ts";
import { type Role, roles } from "../role.ts";
import { mayAskOrDecideAny } from "./approval-kinds.ts";
import type { HoldableOrder } from "./hold-order.ts";
import {
  isOwnerChange,
  mailOwnerChange,
  type OnPlatforms,
  ofProduction,
  ownerChangeFacts,
  type StandingChange,
  tellOwnerChange,
} from "./owner-change.ts";

/** All roles but VIEWER. A person who gave one to a second account of their own could ask with one account and agree with the other. */
const GUARDED: ReadonlySet<Role> = new Set(roles.filter((role) => mayAskOrDecideAny([role])));

/** The guarded roles among these, by platform. */
function guardedIn(grants: readonly RoleGrant[], places: OnPlatforms): readonly string[] {
  return grants
    .filter((grant) => ofProduction(grant, places))
    .flatMap(({ platformId, roles }) =>
      roles.filter((role) => GUARDED.has(role)).map((role) => `${role} ${platformId ?? "all"}`),
    );
}

function rolesIn(gained: readonly string[]): string {
  return [...new Set(gained.map((one) => one.split(" ")[0]))].join(", ");
}

type OfPerson = { readonly personId: string; readonly by: string | null } & OnPlatforms;

/** Wraps a command so that its output also has the person before the change. Mails the owners and the person about an owner change. */
function withBefore<Input extends OfPerson>(
  command: Command<Input, Person>,
): Command<Input, StandingChange> {
  return {
    name: command.name,
    needs: (world, input) => [...command.needs(world, input), activeApprovers],
    decide(world, input) {
      const before = world.find(people.ref(input.personId));
      const person = command.decide(world, input);
      const change = { before: before ?? person, person };
      if (isOwnerChange(world, change, input)) mailOwnerChange(world, person.id, "OWNER_CHANGED");
      return change;
    },
  };
}

export const changePersonOrder: HoldableOrder<ChangePersonInput & OnPlatforms, StandingChange> = {
  kind: "ROLE_GRANT",
  otherKind: "OWNER_CHANGE",
  act: "updatePerson",
  command: withBefore(changePerson),
  subjectOf: ({ personId }) => toPersonId(personId),
  factsOf(change, { world, input }) {
    const ofOwner = ownerChangeFacts(world, change, input);
    if (ofOwner !== undefined) return ofOwner;
    const { before, person } = change;
    const had = new Set(guardedIn(before.roles, input));
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
  tellAsked: (world, { personId }, approval) => tellOwnerChange(world, personId, approval),
};

export const removePersonOrder: HoldableOrder<RemovePersonInput & OnPlatforms, StandingChange> = {
  kind: "OWNER_CHANGE",
  act: "removePerson",
  command: withBefore(removePerson),
  subjectOf: ({ personId }) => toPersonId(personId),
  factsOf: (change, { world, input }) =>
    ownerChangeFacts(world, change, input) ?? {
      summary: `The removal of ${toPersonId(change.person.id)}`,
      isHarmless: true,
    },
  resultOf: ({ person }) => toPersonId(person.id),
  tellAsked: (world, { personId }, approval) => tellOwnerChange(world, personId, approval),
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
