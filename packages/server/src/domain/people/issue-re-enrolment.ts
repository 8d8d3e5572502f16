import type { Command } from "../../engine/command.ts";
import { wrongState } from "../../engine/refusal.ts";
import { granterRefs, joinedWithHolders, refuseGranting } from "./granting.ts";
import type { Invited } from "./invite-person.ts";
import { mailPeople } from "./notices/person-notice.ts";
import { people, requireThere } from "./person.ts";
import { openLinksOf, putLink } from "./person-link.ts";

export interface IssueReEnrolmentInput {
  readonly personId: string;
  readonly codeHash: string;
  /** The sealed link for the mail; absent when no mail is sent. */
  readonly urlSealed?: string | undefined;
  /** The person who issues it; null for the operator of the server. */
  readonly by: string | null;
  /** Another person who is shown the link, because they approved the order. */
  readonly shownTo?: string | undefined;
}

/**
 * Issues a link for a new passkey to a person who lost theirs, or a new invitation to an invited person. Ends the person's earlier
 * links. Joins the person with the issuer and with the one who is shown the link, because both could use it. Refuses, in this order: an
 * unknown or removed person; one whose roles the issuer may not give; a suspended one.
 */
export const issueReEnrolment: Command<IssueReEnrolmentInput, Invited> = {
  name: "issue-re-enrolment",
  needs: (_world, { personId, by, shownTo = null }) => [
    people.ref(personId),
    openLinksOf.of(personId),
    ...granterRefs(by),
    ...granterRefs(shownTo),
  ],
  decide(world, { personId, codeHash, urlSealed, by, shownTo = null }) {
    const person = requireThere(world.find(people.ref(personId)));
    refuseGranting(world, by, person.roles);
    if (person.state === "SUSPENDED")
      throw wrongState({
        object: "person",
        status: person.state,
        needed: "ACTIVE",
        action: "given a new link",
      });

    const kind = person.state === "INVITED" ? "INVITE" : "RE_ENROL";
    const made = { kind, personId, codeHash, makesOperator: false } as const;
    const link = putLink(world, { ...made, ...(urlSealed === undefined ? {} : { urlSealed }) });
    const about = kind === "INVITE" ? "INVITATION" : "RE_ENROLMENT";
    if (urlSealed !== undefined)
      mailPeople(world, [personId], { about, personId, linkId: link.id });
    else if (kind === "RE_ENROL")
      mailPeople(world, [personId], { about: "RE_ENROLMENT_ISSUED", personId });
    const joined = joinedWithHolders(world, person, [by, shownTo]);
    return { person: world.put(people, { ...person, joined, updatedAt: world.at }), link };
  },
};
