import type {
  Passkey,
  PasskeyAttestation,
  PasskeyRegistration,
  Passkeys,
} from "../../domain/wallets/passkeys.port.ts";
import { verifyAssertion } from "./assertion.ts";
import { malformed } from "./passkey-parts.ts";
import { shapeProblems, verifyRegistration } from "./registration.ts";

export function createPasskeys(): Passkeys {
  return {
    register: ({ environment, challenge, attestation }) =>
      environment === "PRODUCTION"
        ? verifyRegistration(challenge, attestation)
        : registerInSandbox(challenge, attestation),
    verify: ({ passkey, challenge, assertion }) => verifyAssertion(passkey, challenge, assertion),
  };
}

/** A sandbox looks at the shape. What is genuine is kept in full all the same; what is not is kept by its name alone. */
async function registerInSandbox(
  challenge: string,
  attestation: PasskeyAttestation,
): Promise<PasskeyRegistration> {
  const verified = await verifyRegistration(challenge, attestation);
  if (verified.kind === "registered") return verified;
  const problems = shapeProblems(attestation);
  if (problems.length > 0) return malformed(problems);
  const passkey: Passkey = {
    credentialId: attestation.credentialId.replace(/=+$/, ""),
    publicKey: null,
    rpIdHash: null,
    origin: null,
    signCount: 0,
    backupEligible: null,
    transports: attestation.transports ?? [],
  };
  return { kind: "registered", passkey };
}
