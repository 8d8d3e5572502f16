/** Recomputes the challenge of a passkey login from the key that this client generated. */
import { WalletError } from "./errors.ts";
import { bodyDigestOf, canonicalJson, sha256Hex } from "./json.ts";
import { uuidOf } from "./payload.ts";

/** The answer of `POST /auth/credentials/{id}/challenge`, as far as the challenge depends on it. */
export interface AnsweredChallenge {
  readonly challenge: string;
  readonly requestId: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
}

/** The intended login. Ids are those of the API, or the uuid alone. */
export interface ExpectedLogin {
  readonly platformId: string;
  readonly environment: "SANDBOX" | "PRODUCTION";
  /** The wallet: the uuid of its internal account. */
  readonly organizationId: string;
  readonly credentialId: string;
  /** The key that the session will be sealed to. */
  readonly clientPublicKey: string;
}

/** The challenge of a login with this key: SHA-256, in hexadecimal, of the JSON text of the session that is to be made. */
export async function passkeyChallengeOf(
  answer: Omit<AnsweredChallenge, "challenge">,
  { platformId, environment, organizationId, credentialId, clientPublicKey }: ExpectedLogin,
): Promise<string> {
  const session = {
    organizationId,
    parameters: {
      accountId: organizationId,
      bodySha256: await bodyDigestOf({ clientPublicKey }),
      environment,
      expiresAt: String(Date.parse(answer.expiresAt)),
      operation: "CREATE_SESSION",
      platformId: uuidOf(platformId),
      requestId: answer.requestId,
      target: uuidOf(credentialId),
      targetPublicKey: clientPublicKey,
      userId: organizationId,
      version: "1",
    },
    timestampMs: String(Date.parse(answer.updatedAt)),
    type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
  };
  return sha256Hex(canonicalJson(session));
}

/**
 * Throws unless the challenge is for the intended session. Call it before the passkey signs: your server could have requested a
 * challenge for another key.
 */
export async function assertPasskeyChallenge(
  answer: AnsweredChallenge,
  expected: ExpectedLogin,
): Promise<void> {
  if (answer.challenge !== (await passkeyChallengeOf(answer, expected))) {
    throw new WalletError("other-operation", "the challenge is for another login");
  }
}
