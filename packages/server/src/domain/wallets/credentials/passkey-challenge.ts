/** The challenge of one passkey login. It is derived from the new session's payload, so it binds the client's key. */
import type { World } from "../../../engine/command.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import { platforms } from "../../platform.ts";
import { bodyDigestOf, passkeyChallengeOf, signingPayload } from "../payload-to-sign.ts";
import { REQUEST_LIFETIME_MS, toRequestId } from "../signed-request.ts";
import type { ClientPublicKey } from "../wallet-crypto.port.ts";
import type { Credential } from "./credential.ts";

const columns = {
  id: fixed("uuid"),
  credentialId: fixed("uuid"),
  clientPublicKey: fixed<ClientPublicKey>("text"),
  challenge: fixed("text"),
  createdAt: fixed("time"),
  expiresAt: fixed("time"),
  usedAt: mutable<number | null>("time"),
};

/** Open until it is used or runs out. */
export interface PasskeyChallenge extends RowOf<typeof columns> {}

export const passkeyChallenges = defineTable<PasskeyChallenge>("passkey_challenges", columns, {
  isFinal: ({ usedAt }) => usedAt !== null,
});

export function openPasskeyChallenge(
  world: World,
  { id: credentialId, accountId }: Credential,
  clientPublicKey: ClientPublicKey,
): PasskeyChallenge {
  const id = world.newId();
  const expiresAt = world.at + REQUEST_LIFETIME_MS;
  const session = signingPayload({
    environment: world.get(platforms.ref(world.platformId)).environment,
    platformId: world.platformId,
    accountId,
    operation: "CREATE_SESSION",
    target: credentialId,
    bodySha256: bodyDigestOf({ clientPublicKey }),
    requestId: toRequestId(id),
    at: world.at,
    expiresAt,
    activity: {
      type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
      parameters: { targetPublicKey: clientPublicKey },
    },
  });
  return world.put(passkeyChallenges, {
    id,
    credentialId,
    clientPublicKey,
    challenge: passkeyChallengeOf(session),
    createdAt: world.at,
    expiresAt,
    usedAt: null,
  });
}

export function isOpenFor(
  challenge: PasskeyChallenge | undefined,
  credentialId: string,
  at: number,
): challenge is PasskeyChallenge {
  return (
    challenge !== undefined &&
    challenge.credentialId === credentialId &&
    challenge.usedAt === null &&
    at < challenge.expiresAt
  );
}
