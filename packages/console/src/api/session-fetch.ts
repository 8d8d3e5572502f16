/**
 * Every request of the console goes through here: with the session's cookie, and with the session's token against forged
 * requests. A 401 ends the session in this page; what listens then shows the sign-in.
 */
let csrf = "";
let onSignedOut: () => void = () => {};

export function setCsrf(token: string): void {
  csrf = token;
}

export function whenSignedOut(listen: () => void): void {
  onSignedOut = listen;
}

export async function sessionFetch(input: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (csrf !== "") headers.set("florin-csrf", csrf);
  const response = await fetch(input, {
    ...init,
    headers,
    credentials: "same-origin",
    redirect: "error",
  });
  if (response.status === 401) onSignedOut();
  return response;
}
