import type { Command } from "../../../engine/command.ts";
import { platforms } from "../../platform.ts";
import { issueSession, openSessionsOf, type Session } from "../session.ts";
import { credentials, refuseOtherType, toIdentity, unproven, WRONG_TOKEN } from "./credential.ts";
import { credentialNeeds, requireCredential } from "./live-credential.ts";
import { isSameIdentity, type OidcIdentity } from "./oidc.port.ts";
import { isSpent, type SingleUse, spendProof, spentRef } from "./spent-proof.ts";

/** The token as verified by the operation. */
export type JudgedToken =
  | { readonly kind: "sandbox-word" }
  | {
      readonly kind: "proven";
      readonly identity: OidcIdentity;
      readonly token: SingleUse;
    }
  | { readonly kind: "unproven" };

export interface VerifyTokenInput {
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
  needs(world, { credentialId, token }) {
    const credential = world.find(credentials.ref(credentialId));
    return [
      ...credentialNeeds(world, credentialId),
      ...(credential === undefined ? [] : [openSessionsOf.of(credential.accountId)]),
      ...(token.kind === "proven" ? [spentRef(token.token)] : []),
    ];
  },
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
