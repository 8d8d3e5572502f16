import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { endSession, openSessionsOf } from "../session.ts";
import {
  findSignedRequest,
  type OwnerProof,
  openSignedRequest,
  proofNeeds,
  type Signed,
  useSignedRequest,
} from "../signed-request.ts";
import {
  type Credential,
  credentialNeeds,
  credentials,
  liveCredentialsOf,
  requireCredential,
} from "./credential.ts";
import { removalOf } from "./registration.ts";

export interface RevokeCredentialInput {
  readonly credentialId: string;
  readonly bodySha256: string;
  readonly proof: OwnerProof;
}

/**
 * Revokes a credential and the sessions that it issued. A session of another credential must sign, so that a thief of one credential cannot
 * lock the owner out with it. Refuses, in this order: a second call without an open request (`findSignedRequest`), an unknown credential,
 * the account's only one.
 */
export const revokeCredential: Command<RevokeCredentialInput, Signed<Credential>> = {
  name: "revoke-credential",
  needs(world, { credentialId, proof }) {
    const accountId = world.find(credentials.ref(credentialId))?.accountId;
    return [
      ...credentialNeeds(world, credentialId),
      ...(accountId === undefined
        ? []
        : [liveCredentialsOf.of(accountId), openSessionsOf.of(accountId)]),
      ...proofNeeds(world, proof),
    ];
  },
  decide(world, { credentialId, bodySha256, proof }) {
    const act = { operation: "REVOKE_CREDENTIAL", target: credentialId, bodySha256 } as const;
    const maySign = (session: { readonly credentialId: string }) =>
      session.credentialId !== credentialId;
    const request = findSignedRequest(world, { ...act, maySign }, proof);
    const credential = requireCredential(world, credentialId);
    const { accountId, type } = credential;
    if (world.all(liveCredentialsOf.of(accountId)).length < 2) {
      throw new Refusal("LAST_CREDENTIAL");
    }

    if (request === undefined) {
      const wanted = { ...act, accountId, activity: removalOf(credentialId, type) };
      return { kind: "to-sign", request: openSignedRequest(world, wanted), type };
    }
    useSignedRequest(world, request);
    for (const session of world.all(openSessionsOf.of(accountId))) {
      if (session.credentialId === credentialId) endSession(world, session);
    }
    const revoked = world.put(credentials, {
      ...credential,
      code: null,
      codeSealed: null,
      updatedAt: world.at,
      revokedAt: world.at,
    });
    return { kind: "done", done: revoked };
  },
};
