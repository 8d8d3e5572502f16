import type { Command, Loaded } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { unproven } from "./credentials/credential.ts";
import {
  endSession,
  isActive,
  issueSession,
  openSessionsOf,
  type Session,
  sessions,
} from "./session.ts";
import {
  findSignedRequest,
  type OwnerProof,
  openSignedRequest,
  proofNeeds,
  type Signed,
  useSignedRequest,
} from "./signed-request.ts";
import { findOwnedAccount, walletNeeds } from "./wallet-account.ts";
import type { ClientPublicKey } from "./wallet-crypto.port.ts";

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
 * Ends a session. Any active session of the account can sign, including the one that ends. Refuses, in this order: a second call without an
 * open request (`findSignedRequest`), a session that is not active.
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

interface RefreshSessionInput {
  readonly sessionId: string;
  readonly clientPublicKey: ClientPublicKey;
  readonly bodySha256: string;
  readonly proof: OwnerProof;
  /** The public key of the new session. */
  readonly publicKey: string;
}

const NOT_ACTIVE = "The session is not active";

/**
 * Opens a new session by one that is still active; the old one stays valid until its own end. Only that session can sign.
 * Refuses, in this order: a second call without an open request (`findSignedRequest`), an unknown session, a session that is
 * not active.
 */
export const refreshSession: Command<RefreshSessionInput, Signed<Session>> = {
  name: "refresh-session",
  needs(world, { sessionId, proof }) {
    const accountId = world.find(sessions.ref(sessionId))?.accountId;
    return [
      ...sessionNeeds(world, sessionId),
      ...(accountId === undefined ? [] : [openSessionsOf.of(accountId)]),
      ...proofNeeds(world, proof),
    ];
  },
  decide(world, { sessionId, clientPublicKey, bodySha256, proof, publicKey }) {
    const act = { operation: "REFRESH_SESSION", target: sessionId, bodySha256 } as const;
    const maySign = (session: Session) => session.id === sessionId;
    const request = findSignedRequest(world, { ...act, maySign }, proof);
    const session = world.find(sessions.ref(sessionId));
    if (session === undefined || findOwnedAccount(world, session.accountId) === undefined) {
      throw new Refusal("REFERENCE_NOT_FOUND");
    }
    if (!isActive(session, world.at)) throw unproven(NOT_ACTIVE);

    if (request === undefined) {
      const { accountId } = session;
      const activity = {
        type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
        parameters: { targetPublicKey: clientPublicKey },
      } as const;
      const opened = openSignedRequest(world, { ...act, accountId, activity });
      return { kind: "to-sign", request: opened };
    }
    useSignedRequest(world, request);
    return { kind: "done", done: issueSession(world, session, publicKey) };
  },
};
