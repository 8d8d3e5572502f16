/** The exchanges of the sign-in. The browser's dialog stands between the two calls of each. */
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { own } from "../../api/session.ts";

/** The code of the first start is in the fragment, and leaves the address before anything is fetched. */
export function takeCode(): string {
  const code = location.hash.slice(1);
  if (code !== "") history.replaceState(history.state, "", location.pathname);
  return code;
}

export async function start(given: {
  readonly code: string;
  readonly name: string;
  readonly email: string;
}): Promise<void> {
  const { options } = await own<{ readonly options: PublicKeyCredentialCreationOptionsJSON }>({
    method: "POST",
    path: ["start"],
    body: given,
  });
  const attestation = await startRegistration({ optionsJSON: options });
  await own({ method: "POST", path: ["start"], body: { ...given, attestation } });
}

export async function signIn(): Promise<void> {
  const { options } = await own<{ readonly options: PublicKeyCredentialRequestOptionsJSON }>({
    method: "POST",
    path: ["sign-in", "passkey"],
    body: {},
  });
  const assertion = await startAuthentication({ optionsJSON: options });
  await own({ method: "POST", path: ["sign-in", "passkey"], body: { assertion } });
}
