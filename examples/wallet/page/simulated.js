/**
 * What stands here for the world outside, because the platform is a sandbox. With a production platform this file goes: the
 * code comes by mail, the token from its issuer, and the signature from the passkey.
 */

const base64url = (value) =>
  btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** In the form of a token of a known issuer, signed by nobody. */
export function newIdToken(email) {
  const claims = { iss: "https://accounts.google.com", sub: email, aud: "example", email };
  return `${base64url({ alg: "RS256" })}.${base64url(claims)}.${base64url("nobody")}`;
}

export const signInToken = "sandbox-valid-oidc-token";

/** The assertion with the one signature that a sandbox takes. */
export const asSandboxTakesIt = (assertion) => ({
  ...assertion,
  signature: "sandbox-valid-passkey-signature",
});
