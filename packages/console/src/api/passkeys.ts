/** The exchanges that make or show a passkey. The browser's dialog stands between the two calls of each. */
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { type Assertion, toAssertion, toAttestation } from "./passkey-json.ts";
import { own, type Session } from "./session.ts";
import { setCsrf } from "./session-fetch.ts";

type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** The ways to a first passkey: of the first start, of an invitation, of a re-enrolment. */
export type LinkKind = "start" | "invite" | "re-enrol";

const PATHS = { invite: "invites", "re-enrol": "re-enrolments" } as const;

interface Given {
  readonly code: string;
  readonly name: string;
  readonly email: string;
}

export async function acceptLink(kind: LinkKind, { code, name, email }: Given): Promise<void> {
  const path = kind === "start" ? ["start"] : [PATHS[kind], code, "accept"];
  const body = kind === "start" ? { code, name, email } : { email };
  const optionsJSON = await own<CreationOptions>({ method: "POST", path, body });
  const passkey = toAttestation(await startRegistration({ optionsJSON }));
  const { csrf } = await own<Session>({ method: "POST", path, body: { ...body, passkey } });
  setCsrf(csrf);
}

export async function signIn(): Promise<void> {
  const path = ["sign-in", "passkey"] as const;
  const optionsJSON = await own<RequestOptions>({ method: "POST", path, body: {} });
  const passkey = toAssertion(await startAuthentication({ optionsJSON }));
  const { csrf } = await own<Session>({ method: "POST", path, body: { passkey } });
  setCsrf(csrf);
}

/** The proof that a person agrees to what an approval shows. */
export async function proveAgreement(approvalId: string): Promise<Assertion> {
  const path = ["workspace", "approvals", approvalId, "decide"] as const;
  const body = { outcome: "APPROVED" };
  const optionsJSON = await own<RequestOptions>({ method: "POST", path, body });
  return toAssertion(await startAuthentication({ optionsJSON }));
}

export async function addPasskey(): Promise<void> {
  const path = ["me", "passkeys"] as const;
  const optionsJSON = await own<CreationOptions>({ method: "POST", path, body: {} });
  const passkey = toAttestation(await startRegistration({ optionsJSON }));
  await own({ method: "POST", path, body: { passkey } });
}
