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
  /** The link, to be mailed; absent where no mail is sent. */
  readonly urlSealed?: string | undefined;
  /** The person who issues it; null for the operator of the server. */
  readonly by: string | null;
  /** Another person who is shown the link, because they agreed to it. */
  readonly shownTo?: string | undefined;
}

/**
 * Issues a link by which a person who lost their passkeys makes a new one, or, for one who has not come yet, a new invitation.
 * It ends the links that the person has, and joins the person with the one who issues it and the one who is shown it: they may use the link.
 * Refuses, in this order: a person who is not there; one whose roles the one who issues it may not give; a suspended one.
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
