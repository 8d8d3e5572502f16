/**
 * Verifies assertions against the stored registration: the same passkey, origin and relying party, this challenge, user presence,
 * an increased counter, and the signature. User verification is reported, not required.
 */
import { createHash } from "node:crypto";
import {
  type FieldProblem,
  isNextSignCount,
  type Malformed,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyLogin,
} from "../../../domain/wallets/credentials/passkeys.port.ts";
import { present } from "../../../std/assert.ts";
import { type CredentialKey, isSignedBy, readCredentialKey } from "./credential-key.ts";
import {
  type AuthenticatorData,
  type Bytes,
  type ClientData,
  flagsProblem,
  fromBase64url,
  malformed,
  readAuthenticatorData,
  readClientData,
  toBase64url,
} from "./passkey-parts.ts";

const LONGEST = {
  credentialId: 1_368,
  clientDataJson: 8_192,
  authenticatorData: 8_192,
  signature: 2_048,
  userHandle: 88,
} as const;

interface Assertion {
  readonly credentialId: Bytes;
  readonly clientDataBytes: Bytes;
  readonly clientData: ClientData;
  readonly authenticatorBytes: Bytes;
  readonly authenticatorData: AuthenticatorData;
  readonly signature: Bytes;
}

export async function verifyAssertion(
  passkey: Passkey,
  challenge: string,
  assertion: PasskeyAssertion,
): Promise<PasskeyLogin> {
  const read = readAssertion(assertion);
  if ("kind" in read) return read;
  const reason = await problemOf(read, passkey, challenge);
  if (reason !== undefined) return { kind: "unproven", reason };
  const { counter, flags } = read.authenticatorData;
  if (!isNextSignCount(passkey.signCount, counter)) {
    return {
      kind: "unproven",
      reason: "The authenticator's counter has not moved: the passkey may have been copied.",
      mayBeCopied: true,
    };
  }
  return { kind: "proven", signCount: counter, userVerified: flags.uv, isBackedUp: flags.bs };
}

/** The field errors of malformed parts. */
export function assertionProblems(assertion: PasskeyAssertion): readonly FieldProblem[] {
  const read = readAssertion(assertion);
  return "kind" in read ? read.problems : [];
}

type Field = keyof typeof LONGEST;

/** The parsed parts, or the field errors of malformed ones. */
function readAssertion(assertion: PasskeyAssertion): Assertion | Malformed {
  const problems: FieldProblem[] = [];
  function must<T>(value: T | undefined, field: Field, message: string): T | undefined {
    if (value === undefined) problems.push({ field: `assertion.${field}`, message });
    return value;
  }
  function bytesOf(field: Field): Bytes | undefined {
    const bytes = fromBase64url(assertion[field] ?? "", LONGEST[field]);
    return must(bytes, field, "Must be base64url and not empty.");
  }
  const credentialId = bytesOf("credentialId");
  const clientDataBytes = bytesOf("clientDataJson");
  const authenticatorBytes = bytesOf("authenticatorData");
  const signature = bytesOf("signature");
  if ((assertion.userHandle ?? "") !== "") bytesOf("userHandle");
  const clientData =
    clientDataBytes &&
    must(readClientData(clientDataBytes), "clientDataJson", "This is no client data of a passkey.");
  const authenticatorData =
    authenticatorBytes &&
    must(
      readAuthenticatorData(authenticatorBytes),
      "authenticatorData",
      "This is no data of an authenticator.",
    );
  if (problems.length > 0) return malformed(problems);
  return {
    credentialId: present(credentialId, "a credential id that was read"),
    clientDataBytes: present(clientDataBytes, "client data that was read"),
    clientData: present(clientData, "client data that was read"),
    authenticatorBytes: present(authenticatorBytes, "authenticator data that was read"),
    authenticatorData: present(authenticatorData, "authenticator data that was read"),
    signature: present(signature, "a signature that was read"),
  };
}

async function problemOf(
  assertion: Assertion,
  passkey: Passkey,
  challenge: string,
): Promise<string | undefined> {
  const { clientData, authenticatorData } = assertion;
  const { flags } = authenticatorData;
  const key = keyOf(passkey);
  if (key === undefined) return "The passkey was never proven when it was registered.";
  if (toBase64url(assertion.credentialId) !== passkey.credentialId) {
    return "The assertion is of another passkey.";
  }
  if (clientData.type !== "webauthn.get") return "The client data is not of an assertion.";
  if (!isChallenge(clientData.challenge, challenge)) {
    return "The client data is for another challenge.";
  }
  if (clientData.origin !== passkey.origin || clientData.isCrossOrigin) {
    return "The assertion was made on another page than the passkey.";
  }
  if (toBase64url(authenticatorData.rpIdHash) !== passkey.rpIdHash) {
    return "The assertion was made for another relying party than the passkey.";
  }
  const badFlags = flagsProblem(authenticatorData);
  if (badFlags !== undefined) return badFlags;
  if (flags.be !== passkey.backupEligible) {
    return "The authenticator contradicts its registration about its backup.";
  }
  const digest = createHash("sha256").update(assertion.clientDataBytes).digest();
  const signed = Buffer.concat([assertion.authenticatorBytes, digest]);
  return (await isSignedBy(key, signed, assertion.signature))
    ? undefined
    : "The signature does not fit.";
}

function keyOf({ publicKey }: Passkey): CredentialKey | undefined {
  if (publicKey === null) return undefined;
  return readCredentialKey(new Uint8Array(Buffer.from(publicKey, "base64url")));
}

/**
 * A challenge is hexadecimal text. A page passes the bytes of that text to the browser, which writes them in base64url. A page that first
 * decodes the text as base64url, which it also is, makes the browser write the text itself. Only these two forms are accepted.
 */
function isChallenge(written: string, challenge: string): boolean {
  return written === challenge || written === Buffer.from(challenge, "utf8").toString("base64url");
}
