import type { Command, Loaded, World } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { platforms } from "../../platform.ts";
import { issueSession, openSessionsOf, type Session } from "../session.ts";
import { WRONG_REQUEST } from "../signed-request.ts";
import {
  type Credential,
  credentialNeeds,
  credentials,
  refuseOtherType,
  requireCredential,
  toIdentity,
  unproven,
  WRONG_ASSERTION,
  WRONG_CODE,
  WRONG_TOKEN,
} from "./credential.ts";
import { isSameIdentity, type OidcIdentity } from "./oidc.port.ts";
import { type Guess, judgeGuess } from "./one-time-code.ts";
import { isOpenFor, passkeyChallenges } from "./passkey-challenge.ts";
import { isNextSignCount } from "./passkeys.port.ts";
import { isSpent, type SingleUse, spendProof, spentRef } from "./spent-proof.ts";

/** Rows that opening a session by a credential needs. */
function openingNeeds(world: Loaded, credentialId: string): readonly AnyRef[] {
  const credential = world.find(credentials.ref(credentialId));
  return [
    ...credentialNeeds(world, credentialId),
    ...(credential === undefined ? [] : [openSessionsOf.of(credential.accountId)]),
  ];
}

export interface VerifyCodeInput {
  readonly credentialId: string;
  /** The public key of the session that a right guess opens. */
  readonly publicKey: string;
  /** Whether the guess is the code of every sandbox. */
  readonly isSandboxCode: boolean;
  readonly guess: Guess | undefined;
}

/** A wrong guess is an answer and not a refusal, so that its count is committed. */
export type GuessOutcome =
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "wrong" };

/**
 * Opens a session by a mailed code. Refuses, in this order: an unknown credential, one of another type, a guess after too many wrong ones.
 * A wrong guess is counted.
 */
export const verifyCode: Command<VerifyCodeInput, GuessOutcome> = {
  name: "verify-code",
  needs: (world, { credentialId }) => openingNeeds(world, credentialId),
  decide(world, { credentialId, publicKey, isSandboxCode, guess }) {
    const credential = requireCredential(world, credentialId);
    refuseOtherType(credential, "EMAIL_OTP");
    const issuer = { ...credential, credentialId };
    if (world.get(platforms.ref(world.platformId)).environment === "SANDBOX") {
      if (!isSandboxCode) throw unproven(WRONG_CODE);
      return { kind: "session", session: issueSession(world, issuer, publicKey) };
    }
    const verdict = judgeGuess(credential.code, guess, world.at);
    if (verdict === "unjudged") throw unproven(WRONG_CODE);
    if (verdict === "wrong") {
      countTry(world, credential);
      return { kind: "wrong" };
    }

    world.put(credentials, { ...credential, code: null, codeSealed: null });
    return { kind: "session", session: issueSession(world, issuer, publicKey) };
  },
};

function countTry(world: World, credential: Credential): void {
  const { code } = credential;
  if (code === null) return;
  world.put(credentials, { ...credential, code: { ...code, tries: code.tries + 1 } });
}

/** The token as verified by the operation. */
export type JudgedToken =
  | { readonly kind: "sandbox-word" }
  | {
      readonly kind: "proven";
      readonly identity: OidcIdentity;
      readonly token: SingleUse;
    }
  | { readonly kind: "unproven" };

interface VerifyTokenInput {
  readonly credentialId: string;
  /** The public key of the session that a good token opens. */
  readonly publicKey: string;
  readonly token: JudgedToken;
}

/**
 * Opens a session by an ID token. Refuses, in this order: an unknown credential, one of another type, a token that is
 * invalid, names another subject, or was used before, for a session or to register a credential.
 */
export const verifyToken: Command<VerifyTokenInput, Session> = {
  name: "verify-token",
  needs: (world, { credentialId, token }) => [
    ...openingNeeds(world, credentialId),
    ...(token.kind === "proven" ? [spentRef(token.token)] : []),
  ],
  decide(world, { credentialId, publicKey, token }) {
    const credential = requireCredential(world, credentialId);
    refuseOtherType(credential, "OAUTH");
    const issuer = { ...credential, credentialId };
    if (world.get(platforms.ref(world.platformId)).environment === "SANDBOX") {
      if (token.kind !== "sandbox-word") throw unproven(WRONG_TOKEN);
      return issueSession(world, issuer, publicKey);
    }
    if (token.kind !== "proven") throw unproven(WRONG_TOKEN);
    const owner = toIdentity(credential.identity);
    if (owner === undefined || !isSameIdentity(owner, token.identity)) {
      throw unproven(WRONG_TOKEN);
    }
    if (isSpent(world, token.token)) throw unproven(WRONG_TOKEN);

    spendProof(world, token.token);
    return issueSession(world, issuer, publicKey);
  },
};

/** The assertion as verified by the operation. */
export type JudgedAssertion =
  | { readonly kind: "sandbox-word" }
  | { readonly kind: "proven"; readonly signCount: number }
  | { readonly kind: "unproven" };

interface VerifyPasskeyInput {
  readonly credentialId: string;
  /** From `Request-Id`; undefined when it is missing or malformed. */
  readonly requestId: string | undefined;
  readonly assertion: JudgedAssertion;
  /** The public key of the session, sealed to the key that the challenge binds; undefined when no challenge was found. */
  readonly publicKey: string | undefined;
}

/**
 * Opens a session for the holder of the passkey. Refuses, in this order: an unknown credential, one of another type, a challenge that is
 * not open for it, an assertion that is not valid, a counter that did not rise.
 */
export const verifyPasskey: Command<VerifyPasskeyInput, Session> = {
  name: "verify-passkey",
  needs: (world, { credentialId, requestId }) => [
    ...openingNeeds(world, credentialId),
    ...(requestId === undefined ? [] : [passkeyChallenges.ref(requestId)]),
  ],
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
