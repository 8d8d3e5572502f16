import type { Command, World } from "../../../engine/command.ts";
import { isNextSignCount } from "../../wallets/credentials/passkeys.port.ts";
import { type SingleUse, spentRef } from "../../wallets/credentials/spent-proof.ts";
import { type PersonPasskey, personPasskeys } from "../passkey.ts";
import { people } from "../person.ts";
import { refusePasskeyWhereSsoIsRequired, ssoSettings } from "../single-sign-on/sso-settings.ts";
import { spendChallenge, unproven } from "../single-use.ts";
import {
  endSessions,
  type NewSession,
  openSession,
  openSessionsOf,
  type PersonSession,
  personSessions,
  shownPasskey,
} from "./person-session.ts";

/** An assertion that was verified before the command. */
export interface ProvenPasskey {
  readonly personId: string;
  readonly passkeyId: string;
  readonly signCount: bigint;
  readonly isSynced: boolean;
  readonly challenge: SingleUse;
}

export interface SignInInput extends ProvenPasskey {
  readonly session: NewSession;
}

/**
 * Opens a session for the holder of a passkey. Refuses a person whose workspace requires single sign-on. Then, with one answer for all:
 * a passkey that is gone or whose counter did not rise since it was verified, a person who is not active, a used challenge.
 */
export const signIn: Command<SignInInput, PersonSession> = {
  name: "sign-in",
  needs: (world, { personId, passkeyId, challenge }) => [
    people.ref(personId),
    personPasskeys.ref(passkeyId),
    openSessionsOf.of(personId),
    spentRef(challenge),
    ssoSettings.ref(world.platformId),
  ],
  decide(world, { session, ...proven }) {
    const person = world.find(people.ref(proven.personId));
    if (person !== undefined) refusePasskeyWhereSsoIsRequired(world, person);
    const passkey = requireProven(world, proven);
    notePasskey(world, passkey, proven);
    return openSession(world, shownPasskey(world, proven), session);
  },
};

export interface StepUpInput extends ProvenPasskey {
  readonly sessionId: string;
  readonly session: Omit<NewSession, "lifeMs">;
}

/**
 * Replaces a session by a new one after the person has shown a passkey. The new one ends when the old one would have ended. Refuses as
 * `signIn` does, and a session that has ended.
 */
export const stepUp: Command<StepUpInput, PersonSession> = {
  name: "step-up",
  needs: (world, { sessionId, ...input }) => [
    ...signIn.needs(world, { ...input, session: { ...input.session, lifeMs: 0 } }),
    personSessions.ref(sessionId),
  ],
  decide(world, { sessionId, session, ...proven }) {
    const old = world.find(personSessions.ref(sessionId));
    if (old === undefined || old.endedAt !== null || old.personId !== proven.personId)
      throw unproven();
    const passkey = requireProven(world, proven);
    notePasskey(world, passkey, proven);
    endSessions(world, [old]);
    const lifeMs = old.expiresAt - world.at;
    const shown = { ...shownPasskey(world, proven), issuerId: old.issuerId };
    return openSession(world, shown, { ...session, lifeMs });
  },
};

function requireProven(
  world: World,
  { personId, passkeyId, signCount, challenge }: ProvenPasskey,
): PersonPasskey {
  const passkey = world.find(personPasskeys.ref(passkeyId));
  const person = world.find(people.ref(personId));
  if (passkey === undefined || passkey.deletedAt !== null || passkey.personId !== personId)
    throw unproven();
  if (person?.state !== "ACTIVE") throw unproven();
  if (!isNextSignCount(Number(passkey.signCount), Number(signCount))) throw unproven();
  spendChallenge(world, challenge);
  return passkey;
}

function notePasskey(
  world: World,
  passkey: PersonPasskey,
  { signCount, isSynced }: ProvenPasskey,
): void {
  world.put(personPasskeys, { ...passkey, signCount, isSynced, lastUsedAt: world.at });
}
