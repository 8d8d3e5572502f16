/**
 * Every request of the console is sent here, with the session cookie and the CSRF token. After a 401 a listener shows the sign-in.
 * When an act requires a step-up, the passkey is asked for and the request is sent once more.
 */
import { startAuthentication } from "@simplewebauthn/browser";
import { type Assertion, toAssertion } from "./passkey-json.ts";

let csrf = "";
/** Requests later than this after the last user input are marked as background, so polling does not keep an idle session alive. */
const ACT_COUNTS_MS = 5_000;
let actedAt = 0;
for (const kind of ["pointerdown", "keydown", "focus"]) {
  addEventListener(kind, ({ timeStamp }) => {
    actedAt = timeStamp;
  });
}

let onSignedOut: () => void = () => {};

export function setCsrf(token: string): void {
  csrf = token;
}

export function whenSignedOut(listen: () => void): void {
  onSignedOut = listen;
}

export async function sessionFetch(input: string, init: RequestInit): Promise<Response> {
  const response = await send(input, init);
  if (response.status === 401) onSignedOut();
  if (response.status !== 403 || !(await asksForProof(response.clone()))) return response;
  return (await prove(init.signal)) ? send(input, init) : response;
}

function send(input: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (csrf !== "") headers.set("florin-csrf", csrf);
  if (performance.now() - actedAt > ACT_COUNTS_MS) headers.set("florin-background", "1");
  return fetch(input, { ...init, headers, credentials: "same-origin", redirect: "error" });
}

async function asksForProof(response: Response): Promise<boolean> {
  const body: { readonly details?: { readonly reason?: unknown } } = await response
    .json()
    .catch(() => ({}));
  return body.details?.reason === "STEP_UP_REQUIRED";
}

/** Returns false when the person closes the browser's dialog; the caller then returns the original refusal. */
async function prove(signal: AbortSignal | null | undefined): Promise<boolean> {
  const optionsJSON = await stepUp<Parameters<typeof startAuthentication>[0]["optionsJSON"]>(
    {},
    signal,
  );
  // A person who signed in at an identity provider may have no passkey.
  if (optionsJSON === undefined || optionsJSON.allowCredentials?.length === 0) return false;
  const passkey = await startAuthentication({ optionsJSON }).then(toAssertion, () => undefined);
  if (passkey === undefined) return false;
  const session = await stepUp<{ readonly csrf: string }>({ passkey }, signal);
  if (session === undefined) return false;
  // The step-up replaced the session cookie, so the CSRF token is new, too.
  setCsrf(session.csrf);
  return true;
}

async function stepUp<Answer>(
  body: { readonly passkey?: Assertion },
  signal: AbortSignal | null | undefined,
): Promise<Answer | undefined> {
  const response = await send("/console/api/step-up", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  return response.ok ? response.json() : undefined;
}
