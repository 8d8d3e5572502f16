/**
 * Every request of the console goes through here: with the session's cookie, and with the session's token against forged
 * requests. A 401 ends the session in this page; what listens then shows the sign-in. An act that needs a passkey asks for it, and
 * is sent once more.
 */
import { startAuthentication } from "@simplewebauthn/browser";
import { type Assertion, toAssertion } from "./passkey-json.ts";

let csrf = "";
/** An idle session ends. What a page reads by itself, long after the last act of a person, does not keep it alive. */
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

/** False when the person closes the browser's dialog; the act is then refused as it was. */
async function prove(signal: AbortSignal | null | undefined): Promise<boolean> {
  const optionsJSON = await stepUp<Parameters<typeof startAuthentication>[0]["optionsJSON"]>(
    {},
    signal,
  );
  // A person who signed in at an issuer may have no passkey.
  if (optionsJSON === undefined || optionsJSON.allowCredentials?.length === 0) return false;
  const passkey = await startAuthentication({ optionsJSON }).then(toAssertion, () => undefined);
  if (passkey === undefined) return false;
  const session = await stepUp<{ readonly csrf: string }>({ passkey }, signal);
  if (session === undefined) return false;
  // The session has a new cookie, and with it a new token.
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
