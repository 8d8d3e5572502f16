import type {
  Passkey,
  PasskeyAttestation,
  PasskeyRegistration,
  Passkeys,
} from "../../../domain/wallets/credentials/passkeys.port.ts";

/** The passkey library is large, so it is loaded at the first passkey and does not slow the start down. */
const registration = () => import("./registration.ts");
const assertions = () => import("./assertion.ts");

export function createPasskeys(): Passkeys {
  return {
    async register({ environment, challenge, attestation }) {
      if (environment !== "PRODUCTION") return registerInSandbox(challenge, attestation);
      return (await registration()).verifyRegistration(challenge, attestation);
    },
    async attestationProblems(environment, attestation) {
      const { registrationProblems, shapeProblems } = await registration();
      return environment === "PRODUCTION"
        ? registrationProblems(attestation)
        : shapeProblems(attestation);
    },
    async verify({ passkey, challenge, assertion }) {
      return (await assertions()).verifyAssertion(passkey, challenge, assertion);
    },
    async assertionProblems(assertion) {
      return (await assertions()).assertionProblems(assertion);
    },
  };
}

/** A sandbox checks only the shape. A genuine registration is still stored in full; a fake one is stored without a key. */
async function registerInSandbox(
  challenge: string,
  attestation: PasskeyAttestation,
): Promise<PasskeyRegistration> {
  const { shapeProblems, verifyRegistration } = await registration();
  const verified = await verifyRegistration(challenge, attestation);
  if (verified.kind === "registered") return verified;
  const problems = shapeProblems(attestation);
  if (problems.length > 0) return (await import("./passkey-parts.ts")).malformed(problems);
  const passkey: Passkey = {
    credentialId: attestation.credentialId.replace(/(?<!=)=+$/, ""),
    publicKey: null,
    rpIdHash: null,
    origin: null,
    signCount: 0,
    backupEligible: null,
    transports: attestation.transports ?? [],
  };
  return { kind: "registered", passkey, userVerified: false, isBackedUp: false };
}
