import type { Command } from "../../../engine/command.ts";
import { platforms } from "../../platform.ts";
import { issueSession, openSessionsOf, type Session } from "../session.ts";
import { WRONG_REQUEST } from "../signed-request.ts";
import { credentials, refuseOtherType, unproven, WRONG_ASSERTION } from "./credential.ts";
import { credentialNeeds, requireCredential } from "./live-credential.ts";
import { isOpenFor, passkeyChallenges } from "./passkey-challenge.ts";
import { isNextSignCount } from "./passkeys.port.ts";

/** The assertion as verified by the operation. */
export type JudgedAssertion =
  | { readonly kind: "sandbox-word" }
  | { readonly kind: "proven"; readonly signCount: number }
  | { readonly kind: "unproven" };

export interface VerifyPasskeyInput {
  readonly credentialId: string;
  /** From `Request-Id`; undefined when it is missing or no id. */
  readonly requestId: string | undefined;
  readonly assertion: JudgedAssertion;
  /** The public key of the session, sealed to the key that the challenge binds; undefined when no challenge was found. */
  readonly publicKey: string | undefined;
}

/**
 * Opens a session for the holder of the passkey. Refuses, in this order: a credential that is not there, one of another
 * type, a challenge that is not open for it, an assertion that does not fit, a counter that did not rise.
 */
export const verifyPasskey: Command<VerifyPasskeyInput, Session> = {
  name: "verify-passkey",
  needs(world, { credentialId, requestId }) {
    const credential = world.find(credentials.ref(credentialId));
    return [
      ...credentialNeeds(world, credentialId),
      ...(credential === undefined ? [] : [openSessionsOf.of(credential.accountId)]),
      ...(requestId === undefined ? [] : [passkeyChallenges.ref(requestId)]),
    ];
  },
  decide(world, { credentialId, requestId, assertion, publicKey }) {
    const credential = requireCredential(world, credentialId);
    refuseOtherType(credential, "PASSKEY");
    const challenge =
      requestId === undefined ? undefined : world.find(passkeyChallenges.ref(requestId));
    if (!isOpenFor(challenge, credentialId, world.at) || publicKey === undefined) {
      throw unproven(WRONG_REQUEST);
    }
    const { environment } = world.get(platforms.ref(world.platformId));
    const wanted = environment === "SANDBOX" ? "sandbox-word" : "proven";
    if (assertion.kind !== wanted) throw unproven(WRONG_ASSERTION);
    const { passkey } = credential;
    const signCount = assertion.kind === "proven" ? assertion.signCount : undefined;
    if (signCount !== undefined && !isNextSignCount(passkey?.signCount ?? 0, signCount)) {
      throw unproven(WRONG_ASSERTION);
    }

    world.put(passkeyChallenges, { ...challenge, usedAt: world.at });
    if (passkey !== null && signCount !== undefined) {
      world.put(credentials, { ...credential, passkey: { ...passkey, signCount } });
    }
    return issueSession(world, { ...credential, credentialId }, publicKey);
  },
};
