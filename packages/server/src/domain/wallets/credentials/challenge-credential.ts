import type { Command, World } from "../../../engine/command.ts";
import { invalidFields, type Refusal } from "../../../engine/refusal.ts";
import { platforms } from "../../platform.ts";
import type { ClientPublicKey } from "../wallet-crypto.port.ts";
import { type Credential, credentialNeeds, credentials, requireCredential } from "./credential.ts";
import type { NewCode } from "./one-time-code.port.ts";
import { issueCode, mailBudgetRef, requireMailable } from "./one-time-code.ts";
import { openPasskeyChallenge, type PasskeyChallenge } from "./passkey-challenge.ts";

export interface ChallengeCredentialInput {
  readonly credentialId: string;
  /** For PASSKEY; undefined when none was sent, or no usable one. */
  readonly clientPublicKey: ClientPublicKey | undefined;
  /** For EMAIL_OTP in production; absent where no mail can be sent. */
  readonly code: NewCode | undefined;
}

export interface Challenged {
  readonly credential: Credential;
  readonly challenge: PasskeyChallenge | undefined;
}

/**
 * Starts a login: mails a new code, or creates a passkey challenge. OAUTH needs neither. Refuses, in this order: an unknown
 * credential, a passkey without a client key, mail that cannot be sent, too many codes.
 */
export const challengeCredential: Command<ChallengeCredentialInput, Challenged> = {
  name: "challenge-credential",
  needs(world, { credentialId }) {
    const credential = world.find(credentials.ref(credentialId));
    return [
      ...credentialNeeds(world, credentialId),
      ...(credential?.type === "EMAIL_OTP" ? [mailBudgetRef(credential.nickname)] : []),
    ];
  },
  decide(world, { credentialId, clientPublicKey, code }) {
    const credential = requireCredential(world, credentialId);
    switch (credential.type) {
      case "OAUTH":
        return { credential, challenge: undefined };
      case "EMAIL_OTP":
        return { credential: withNewCode(world, credential, code), challenge: undefined };
      case "PASSKEY": {
        if (clientPublicKey === undefined) throw missingKey();
        const challenge = openPasskeyChallenge(world, credential, clientPublicKey);
        return { credential: touched(world, credential), challenge };
      }
    }
  },
};

function withNewCode(world: World, credential: Credential, code: NewCode | undefined): Credential {
  const { environment } = world.get(platforms.ref(world.platformId));
  if (environment === "SANDBOX") return touched(world, credential);
  const mailed = requireMailable(world, credential, code);
  return touched(world, { ...credential, ...issueCode(world, credential, mailed) });
}

function touched(world: World, credential: Credential): Credential {
  return world.put(credentials, { ...credential, updatedAt: world.at });
}

function missingKey(): Refusal {
  return invalidFields([
    {
      field: "clientPublicKey",
      message: "must be a P-256 public key, uncompressed, as 130 hexadecimal digits",
      constraint: { pattern: "^04[0-9a-fA-F]{128}$" },
    },
  ]);
}

interface RecordCodeMailInput {
  readonly credentialId: string;
  readonly codeId: string;
  readonly jobId: string;
}

/**
 * Ends the job of a code's mail: it was sent, permanently refused, or its code was replaced. The sealed code is deleted; its
 * hash stays. Refuses nothing.
 */
export const recordCodeMail: Command<RecordCodeMailInput, Credential | undefined> = {
  name: "record-code-mail",
  needs: (_world, { credentialId }) => [credentials.ref(credentialId)],
  decide(world, { credentialId, codeId, jobId }) {
    const credential = world.find(credentials.ref(credentialId));
    world.cancel(jobId);
    if (credential?.code?.id !== codeId) return credential;
    return world.put(credentials, { ...credential, codeSealed: null });
  },
};
