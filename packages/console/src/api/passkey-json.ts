/** Reduces the browser's passkey answers to the members that the server accepts; it refuses unknown members. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/browser";

export function toAttestation({ id, response }: RegistrationResponseJSON) {
  const { clientDataJSON, attestationObject, transports } = response;
  return {
    id,
    response: {
      clientDataJSON,
      attestationObject,
      ...(transports === undefined ? {} : { transports }),
    },
  };
}

export function toAssertion({ id, response }: AuthenticationResponseJSON) {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    response: {
      clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle === undefined ? {} : { userHandle }),
    },
  };
}

export type Assertion = ReturnType<typeof toAssertion>;
