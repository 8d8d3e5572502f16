import type { Command } from "../../engine/command.ts";
import { defineTable, fixed } from "../../storage/tables.ts";
import { platforms } from "../platforms/platform.ts";
import { assertType, credentials, unproven, WRONG_TOKEN } from "./credential.ts";
import { credentialNeeds, requireCredential } from "./live-credential.ts";
import { isSameIdentity, type OidcIdentity } from "./oidc.port.ts";
import { issueSession, openSessionsOf, type Session } from "./session.ts";

/** An ID token that has opened a session. It is remembered for as long as it would be taken again. */
interface SpentToken {
  readonly id: string;
  readonly rememberUntil: number;
}

const spentTokens = defineTable<SpentToken>(
  "spent_tokens",
  {
    id: fixed("uuid"),
    rememberUntil: fixed("time"),
  },
  { isOver: () => true },
);

/** What the operation found out about the token. */
export type JudgedToken =
  | { readonly kind: "sandbox-word" }
  | {
      readonly kind: "proven";
      readonly identity: OidcIdentity;
      readonly tokenDigest: string;
      readonly rememberUntil: number;
    }
  | { readonly kind: "unproven" };

export interface VerifyTokenInput {
  readonly credentialId: string;
  /** The public key of the session that a good token opens. */
  readonly publicKey: string;
  readonly token: JudgedToken;
}

/**
 * Opens a session for the one whom the token names. Refuses, in this order: a credential that is not there, one of another
 * type, a token that proves nothing here, names somebody else, or has opened a session before.
 */
export const verifyToken: Command<VerifyTokenInput, Session> = {
  name: "verify-token",
  needs(world, { credentialId, token }) {
    const credential = world.find(credentials.ref(credentialId));
    return [
      ...credentialNeeds(world, credentialId),
      ...(credential === undefined ? [] : [openSessionsOf.of(credential.accountId)]),
      ...(token.kind === "proven" ? [spentTokens.ref(spentIdOf(token.tokenDigest))] : []),
    ];
  },
  decide(world, { credentialId, publicKey, token }) {
    const credential = requireCredential(world, credentialId);
    assertType(credential, "OAUTH");
    const issuer = { ...credential, credentialId };
    if (world.get(platforms.ref(world.platformId)).environment === "SANDBOX") {
      if (token.kind !== "sandbox-word") throw unproven(WRONG_TOKEN);
      return issueSession(world, issuer, publicKey);
    }
    if (token.kind !== "proven") throw unproven(WRONG_TOKEN);
    const { audience, subject, issuer: iss } = credential.identity ?? NOBODY;
    if (audience === null || subject === null) throw unproven(WRONG_TOKEN);
    if (!isSameIdentity({ issuer: iss, audience, subject }, token.identity)) {
      throw unproven(WRONG_TOKEN);
    }
    const spent = spentTokens.ref(spentIdOf(token.tokenDigest));
    if (world.find(spent) !== undefined) throw unproven(WRONG_TOKEN);

    world.put(spentTokens, { id: spent.id, rememberUntil: token.rememberUntil });
    return issueSession(world, issuer, publicKey);
  },
};

const NOBODY = { issuer: "", audience: null, subject: null };

/** 128 bits of the digest, in the form of a uuid. */
function spentIdOf(tokenDigest: string): string {
  const at = (from: number, to: number) => tokenDigest.slice(from, to);
  return [at(0, 8), at(8, 12), at(12, 16), at(16, 20), at(20, 32)].join("-");
}
