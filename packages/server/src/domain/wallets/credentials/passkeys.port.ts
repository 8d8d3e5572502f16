/** Passkeys: verifies registrations and assertions, and defines the stored data. */
import type { Environment } from "../../platform.ts";

export interface PasskeyAttestation {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly attestationObject: string;
  readonly transports?: readonly string[] | undefined;
}

export interface PasskeyAssertion {
  readonly credentialId: string;
  readonly clientDataJson: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle?: string | null | undefined;
}

/** Plain values to store with the credential; all binary ones are base64url without padding. */
export interface Passkey {
  readonly credentialId: string;
  /** COSE. Null for a simulated registration of a sandbox; production never accepts such a passkey. */
  readonly publicKey: string | null;
  /** Must be equal in every assertion. */
  readonly rpIdHash: string | null;
  readonly origin: string | null;
  readonly signCount: number;
  /** Whether it may be copied to other devices. An authenticator never changes this flag. */
  readonly backupEligible: boolean | null;
  readonly transports: readonly string[];
}

export interface FieldProblem {
  /** As in the body, for example `attestation.clientDataJson`. */
  readonly field: string;
  readonly message: string;
}

/** 400: malformed, so it was not verified. */
export interface Malformed {
  readonly kind: "malformed";
  readonly problems: readonly FieldProblem[];
}

/** 401: the proof does not verify. `reason` is for people and contains no secret. */
export interface Unproven {
  readonly kind: "unproven";
  readonly reason: string;
}

/** Flags that the authenticator set in this ceremony. */
export interface AuthenticatorSaid {
  readonly userVerified: boolean;
  /** Whether the passkey is copied to other devices. */
  readonly isBackedUp: boolean;
}

export type PasskeyRegistration =
  | ({ readonly kind: "registered"; readonly passkey: Passkey } & AuthenticatorSaid)
  | Malformed
  | Unproven;

export type PasskeyLogin =
  | ({
      readonly kind: "proven";
      /** Replaces the stored counter, in the command that uses this, if it is still higher there or both are zero. */
      readonly signCount: number;
    } & AuthenticatorSaid)
  | Malformed
  | (Unproven & {
      /** Everything is valid except that the counter has not moved: the passkey may have been copied. */
      readonly mayBeCopied?: boolean;
    });

export interface Passkeys {
  register(request: {
    readonly environment: Environment;
    /** The challenge in the body, which the integrator issued. */
    readonly challenge: string;
    readonly attestation: PasskeyAttestation;
  }): Promise<PasskeyRegistration>;
  /** The problems that make `register` answer `malformed`. */
  attestationProblems(
    environment: Environment,
    attestation: PasskeyAttestation,
  ): Promise<readonly FieldProblem[]>;
  /** The full check, in every environment. */
  verify(request: {
    readonly passkey: Passkey;
    /** The text that `challenge` answered: `passkeyChallengeOf` the session payload. */
    readonly challenge: string;
    readonly assertion: PasskeyAssertion;
  }): Promise<PasskeyLogin>;
  /** The problems that make `verify` answer `malformed`. */
  assertionProblems(assertion: PasskeyAssertion): Promise<readonly FieldProblem[]>;
}

/** Whether the counter of an assertion may follow the stored one. Authenticators without a counter always send zero. */
export function isNextSignCount(stored: number, asserted: number): boolean {
  return asserted > stored || (stored === 0 && asserted === 0);
}
