import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type SingleUse, spentRef } from "../wallets/credentials/spent-proof.ts";
import { type NewPasskey, putPasskey } from "./passkey.ts";
import { activeOwners, type Person, people, peopleByEmail } from "./person.ts";
import {
  linksByHash,
  type PersonLink,
  personLinks,
  putLink,
  requireLink,
  unknownLink,
} from "./person-link.ts";
import {
  type NewSession,
  openSession,
  openSessionsOf,
  type PersonSession,
  shownPasskey,
} from "./sessions/person-session.ts";
import { spendChallenge } from "./single-use.ts";
import { refuseTakenEmail } from "./taken-email.ts";
import { workspaces } from "./workspaces/workspace.ts";

export interface ClaimStartInput {
  readonly codeHash: string;
  /** The id of the new person, for which the passkey was created. */
  readonly personId: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly passkey: NewPasskey;
  readonly challenge: SingleUse;
  readonly session: NewSession;
}

/**
 * Makes the first owner of a workspace and signs them in. Refuses, in this order: a link that is not open, or whose workspace has got
 * an owner since; a used challenge; an email address that another person has.
 */
export const claimStart: Command<ClaimStartInput, PersonSession> = {
  name: "claim-start",
  needs: (_world, { codeHash, personId, email, challenge }) => [
    linksByHash.of(codeHash),
    activeOwners,
    people.ref(personId),
    peopleByEmail.of(email),
    openSessionsOf.of(personId),
    spentRef(challenge),
  ],
  decide(world, { codeHash, personId, name, email, passkey, challenge, session }) {
    const link = requireLink(world, codeHash, "START");
    if (world.all(activeOwners).length > 0) throw unknownLink();
    refuseTakenEmail(world, email);
    spendChallenge(world, challenge);

    world.put(personLinks, { ...link, endedAt: world.at });
    const person: Person = world.put(people, {
      id: personId,
      email,
      name,
      locale: null,
      timeZone: null,
      state: "ACTIVE",
      isOperator: link.makesOperator,
      roles: [{ platformId: null, roles: ["OWNER"] }],
      approvesFrom: null,
      joined: [],
      passkeyPutOffAt: null,
      createdAt: world.at,
      updatedAt: world.at,
    });
    const { id: passkeyId } = putPasskey(world, person, passkey);
    return openSession(world, shownPasskey(world, { personId, passkeyId }), session);
  },
};

interface IssueStartLinkInput {
  readonly codeHash: string;
  readonly makesOperator: boolean;
}

/** Issues a link that makes the first owner of the workspace. Refuses an unknown workspace, and one that has an owner. */
export const issueStartLink: Command<IssueStartLinkInput, PersonLink> = {
  name: "issue-start-link",
  needs: (world) => [workspaces.ref(world.platformId), activeOwners],
  decide(world, { codeHash, makesOperator }) {
    if (world.find(workspaces.ref(world.platformId)) === undefined)
      throw new Refusal("REFERENCE_NOT_FOUND", undefined, "The workspace does not exist.");
    if (world.all(activeOwners).length > 0)
      throw new Refusal("CONFLICT", undefined, "The workspace has an owner already.");
    return putLink(world, { kind: "START", personId: null, codeHash, makesOperator });
  },
};
