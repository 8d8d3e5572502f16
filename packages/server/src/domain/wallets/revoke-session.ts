import type { Command, Loaded } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { endSession, isActive, type Session, sessions } from "./session.ts";
import {
  findSignedRequest,
  type OwnerProof,
  openSignedRequest,
  proofNeeds,
  type Signed,
  useSignedRequest,
} from "./signed-request.ts";
import { findOwnedAccount, walletNeeds } from "./wallet-account.ts";

export interface RevokeSessionInput {
  readonly sessionId: string;
  readonly bodySha256: string;
  readonly proof: OwnerProof;
}

export function sessionNeeds(world: Loaded, sessionId: string): readonly AnyRef[] {
  const session = world.find(sessions.ref(sessionId));
  return [
    sessions.ref(sessionId),
    ...(session === undefined ? [] : walletNeeds(world, session.accountId)),
  ];
}

/**
 * Ends a session. Any active session of the account signs for it, the one that ends too. Refuses, in this order: a second
 * call that is not one (`findSignedRequest`), a session that is not active.
 */
export const revokeSession: Command<RevokeSessionInput, Signed<Session>> = {
  name: "revoke-session",
  needs: (world, { sessionId, proof }) => [
    ...sessionNeeds(world, sessionId),
    ...proofNeeds(world, proof),
  ],
  decide(world, { sessionId, bodySha256, proof }) {
    const act = { operation: "REVOKE_SESSION", target: sessionId, bodySha256 } as const;
    const request = findSignedRequest(world, act, proof);
    const session = world.find(sessions.ref(sessionId));
    if (session === undefined || !isActive(session, world.at)) {
      throw new Refusal("REFERENCE_NOT_FOUND");
    }
    const { accountId } = session;
    if (findOwnedAccount(world, accountId) === undefined) throw new Refusal("REFERENCE_NOT_FOUND");

    if (request === undefined) {
      const activity = {
        type: "ACTIVITY_TYPE_DELETE_API_KEYS",
        parameters: { apiKeyIds: [sessionId] },
      } as const;
      const opened = openSignedRequest(world, { ...act, accountId, activity });
      return { kind: "to-sign", request: opened, type: session.type };
    }
    useSignedRequest(world, request);
    return { kind: "done", done: endSession(world, session) };
  },
};
