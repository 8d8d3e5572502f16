import type { Command } from "../../engine/command.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { type SingleUse, spentRef } from "../wallets/credentials/spent-proof.ts";
import { mailPeople } from "./notices/person-notice.ts";
import { type NewPasskey, passkeysOf, personPasskeys, putPasskey } from "./passkey.ts";
import { NO_APPROVALS_MS, type Person, people } from "./person.ts";
import { linksByHash, personLinks, requireLink, unknownLink } from "./person-link.ts";
import {
  endAllSessions,
  type NewSession,
  openSession,
  openSessionsOf,
  type PersonSession,
  shownPasskey,
} from "./sessions/person-session.ts";
import { refusePasskeyWhereSsoIsRequired, ssoSettings } from "./single-sign-on/sso-settings.ts";
import { spendChallenge } from "./single-use.ts";

export interface AcceptLinkInput {
  readonly kind: "INVITE" | "RE_ENROL";
  readonly codeHash: string;
  /** The address that the link is bound to, as the person gave it, in lower case. */
  readonly email: string;
  readonly passkey: NewPasskey;
  readonly challenge: SingleUse;
  readonly session: NewSession;
}

const STATE_OF_KIND = { INVITE: "INVITED", RE_ENROL: "ACTIVE" } as const;

/**
 * Registers the passkey of an invited person, or a new one for a person who lost theirs, and signs them in. A re-enrolment ends all old
 * passkeys and sessions. Refuses, in this order: a link that is not open, is bound to another address, or does not fit the person's
 * state; an invited person of a workspace that requires single sign-on; a used challenge.
 */
export const acceptLink: Command<AcceptLinkInput, PersonSession> = {
  name: "accept-link",
  needs(world, { codeHash, challenge }) {
    const refs: AnyRef[] = [
      linksByHash.of(codeHash),
      spentRef(challenge),
      ssoSettings.ref(world.platformId),
    ];
    for (const { personId } of world.all(linksByHash.of(codeHash))) {
      if (personId !== null)
        refs.push(people.ref(personId), passkeysOf.of(personId), openSessionsOf.of(personId));
    }
    return refs;
  },
  decide(world, { kind, codeHash, email, passkey, challenge, session }) {
    const link = requireLink(world, codeHash, kind);
    const person = link.personId === null ? undefined : world.find(people.ref(link.personId));
    if (person?.email !== email || person.state !== STATE_OF_KIND[kind]) throw unknownLink();
    // A re-enrolment is exempt, because an approver needs a passkey even where single sign-on is required.
    if (kind === "INVITE") refusePasskeyWhereSsoIsRequired(world, person);
    spendChallenge(world, challenge);

    world.put(personLinks, { ...link, endedAt: world.at, urlSealed: null });
    for (const old of world.all(passkeysOf.of(person.id))) {
      world.put(personPasskeys, { ...old, deletedAt: world.at });
    }
    endAllSessions(world, person.id);
    const accepted: Person = {
      ...person,
      state: "ACTIVE",
      approvesFrom: kind === "RE_ENROL" ? world.at + NO_APPROVALS_MS : null,
      updatedAt: world.at,
    };
    world.put(people, accepted);
    if (kind === "RE_ENROL")
      mailPeople(world, [person.id], { about: "RE_ENROLLED", personId: person.id });
    const { id: passkeyId } = putPasskey(world, person, passkey);
    return openSession(world, shownPasskey(world, { personId: person.id, passkeyId }), session);
  },
};
