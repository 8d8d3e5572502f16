import type { Command, World } from "../../../engine/command.ts";
import { platforms } from "../../platform.ts";
import { issueSession, openSessionsOf, type Session } from "../session.ts";
import {
  type Credential,
  credentials,
  refuseOtherType,
  unproven,
  WRONG_CODE,
} from "./credential.ts";
import { credentialNeeds, requireCredential } from "./live-credential.ts";
import { type Guess, judgeGuess } from "./one-time-code.ts";

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
 * Opens a session by a mailed code. Refuses, in this order: an unknown credential, one of another type, a guess after too
 * many. A wrong guess is counted.
 */
export const verifyCode: Command<VerifyCodeInput, GuessOutcome> = {
  name: "verify-code",
  needs(world, { credentialId }) {
    const credential = world.find(credentials.ref(credentialId));
    return [
      ...credentialNeeds(world, credentialId),
      ...(credential === undefined ? [] : [openSessionsOf.of(credential.accountId)]),
    ];
  },
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
