/** Creates and verifies passkeys. Each exchange is two calls, with the browser's passkey dialog between them. */
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { type Assertion, toAssertion, toAttestation } from "./passkey-json.ts";
import { own, type Session } from "./session.ts";
import { setCsrf } from "./session-fetch.ts";

type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** Links that lead to a first passkey: of the server's first start, of an invitation, of a re-enrolment. */
export type LinkKind = "start" | "invite" | "re-enrol";

const PATHS = { invite: "invites", "re-enrol": "re-enrolments" } as const;

interface Given {
  readonly code: string;
  readonly name: string;
  readonly email: string;
}

export type LinkState = "OPEN" | "USED" | "EXPIRED" | "UNKNOWN";

/** Whether the link can still be used. The code is in the body, so that it is in no address. */
export async function lookAtLink(code: string): Promise<LinkState> {
  const { state } = await own<{ readonly state: LinkState }>({
    method: "POST",
    path: ["links"],
    body: { code },
  });
  return state;
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

/** The passkey assertion by which a person approves what an approval shows. */
export async function proveAgreement(
  approvalId: string,
  body: { readonly outcome: "APPROVED"; readonly shown: string },
): Promise<Assertion> {
  const path = ["workspace", "approvals", approvalId, "decide"] as const;
  const optionsJSON = await own<RequestOptions>({ method: "POST", path, body });
  return toAssertion(await startAuthentication({ optionsJSON }));
}

export async function addPasskey(): Promise<void> {
  const path = ["me", "passkeys"] as const;
  const optionsJSON = await own<CreationOptions>({ method: "POST", path, body: {} });
  const passkey = toAttestation(await startRegistration({ optionsJSON }));
  await own({ method: "POST", path, body: { passkey } });
}
