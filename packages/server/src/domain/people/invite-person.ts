import type { Command } from "../../engine/command.ts";
import { granterRefs, joinedWithHolders, refuseGranting } from "./granting.ts";
import { mailPeople } from "./notices/person-notice.ts";
import { type Person, people, peopleByEmail, type RoleGrant } from "./person.ts";
import { openLinksOf, type PersonLink, putLink } from "./person-link.ts";
import { refuseTakenEmail } from "./taken-email.ts";

export interface InvitePersonInput {
  /** A new id. */
  readonly personId: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  /** Roles on platforms of this workspace. */
  readonly roles: readonly RoleGrant[];
  readonly codeHash: string;
  /** The sealed link for the mail; absent when no mail is sent. */
  readonly urlSealed?: string | undefined;
  /** The person who invites; null for the operator of the server. */
  readonly by: string | null;
  /** Another person who is shown the link, because they approved the order. */
  readonly shownTo?: string | undefined;
}

export interface Invited {
  readonly person: Person;
  readonly link: PersonLink;
}

/**
 * Invites a person with a link that is valid for a week, and mails it if there is a mail server. Joins the person with the inviter and
 * with the one who is shown the link. Refuses, in this order: roles that the inviter may not give; an email address that another person
 * has.
 */
export const invitePerson: Command<InvitePersonInput, Invited> = {
  name: "invite-person",
  needs: (_world, { personId, email, by, shownTo = null }) => [
    people.ref(personId),
    peopleByEmail.of(email),
    openLinksOf.of(personId),
    ...granterRefs(by),
    ...granterRefs(shownTo),
  ],
  decide(world, { personId, email, name, roles, codeHash, urlSealed, by, shownTo = null }) {
    refuseGranting(world, by, roles);
    refuseTakenEmail(world, email);

    const person = world.put(people, {
      id: personId,
      email,
      name,
      locale: null,
      timeZone: null,
      state: "INVITED",
      isOperator: false,
      roles,
      approvesFrom: null,
      joined: joinedWithHolders(world, { id: personId, joined: [] }, [by, shownTo]),
      passkeyPutOffAt: null,
      createdAt: world.at,
      updatedAt: world.at,
    });
    const made = { kind: "INVITE", personId, codeHash, makesOperator: false } as const;
    const link = putLink(world, { ...made, ...(urlSealed === undefined ? {} : { urlSealed }) });
    if (urlSealed !== undefined)
      mailPeople(world, [personId], { about: "INVITATION", personId, linkId: link.id });
    return { person, link };
  },
};
