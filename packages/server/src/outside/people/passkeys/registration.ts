/**
 * Verifies registrations. All parts are parsed first, and malformed parts are reported by field. Then the proof is
 * verified: type, challenge, origin, flags, and the attestation's signature.
 *
 * The vendor of an authenticator is not verified: an attestation needs a valid signature, of any certificate. So there are no
 * trust anchors, and no revocation list is fetched.
 */
import { SettingsService, verifyRegistrationResponse } from "@simplewebauthn/server";
import type {
  FieldProblem,
  Malformed,
  Passkey,
  PasskeyAttestation,
  PasskeyRegistration,
} from "../../../domain/wallets/credentials/passkeys.port.ts";
import { isLoopbackHost } from "../../../std/loopback.ts";
import { parseUrl } from "../../../std/url.ts";
import { ALGORITHMS, readCredentialKey } from "./credential-key.ts";
import {
  type AuthenticatorData,
  type Bytes,
  type ClientData,
  flagsProblem,
  fromBase64url,
  malformed,
  readAuthenticatorData,
  readCborMap,
  readClientData,
  toBase64url,
} from "./passkey-parts.ts";

const APP_ORIGIN = /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/;
const LONGEST_ORIGIN = 512;

/** The allowed origins of a passkey: a page over https, a page of this machine, or an Android app identified by its key. */
function isUsableOrigin(origin: string): boolean {
  if (origin.length > LONGEST_ORIGIN) return false;
  if (APP_ORIGIN.test(origin)) return true;
  const url = parseUrl(origin);
  // An origin has one canonical form, so a path or anything else in it makes it differ.
  if (url?.origin !== origin) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url.hostname));
}

/** To a browser the names below `localhost` are this machine too. */
function isThisMachine(host: string): boolean {
  return isLoopbackHost(host) || host.endsWith(".localhost");
}

const LONGEST = { credentialId: 1_368, clientDataJson: 8_192, attestationObject: 65_536 } as const;

for (const identifier of ["apple", "android-key", "android-safetynet"] as const) {
  SettingsService.setRootCertificates({ identifier, certificates: [] });
}

interface Registration {
  readonly clientData: ClientData;
  readonly authenticatorData: AuthenticatorData;
  readonly passkey: Passkey;
}

/** Verifies a registration in full, the attestation's signature included. */
export async function verifyRegistration(
  challenge: string,
  attestation: PasskeyAttestation,
): Promise<PasskeyRegistration> {
  const read = readRegistration(attestation);
  if ("kind" in read) return read;
  const { clientData, authenticatorData, passkey } = read;
  const reason =
    clientDataProblem(clientData, challenge) ??
    flagsProblem(authenticatorData) ??
    (await attestationProblem(clientData, attestation));
  if (reason !== undefined) return { kind: "unproven", reason };
  const { uv: userVerified, bs: isBackedUp } = authenticatorData.flags;
  return { kind: "registered", passkey, userVerified, isBackedUp };
}

/** The field errors of malformed parts. */
export function registrationProblems(attestation: PasskeyAttestation): readonly FieldProblem[] {
  const read = readRegistration(attestation);
  return "kind" in read ? read.problems : [];
}

/** The parsed parts, or the field errors of malformed ones. */
function readRegistration(attestation: PasskeyAttestation): Registration | Malformed {
  const { bytes, problems } = readFields(attestation);
  const { credentialId, clientDataJson, attestationObject } = bytes;
  const clientData = clientDataJson && readClientData(clientDataJson);
  if (clientDataJson !== undefined && clientData === undefined) {
    problems.push(problem("clientDataJson", "This is not the client data of a passkey."));
  }
  const made = attestationObject && readAttestationObject(attestationObject);
  if (attestationObject !== undefined && made === undefined) {
    problems.push(
      problem("attestationObject", "This is not an attestation of a key that can be used here."),
    );
  }
  if (made !== undefined && credentialId !== undefined) {
    const isSame = Buffer.from(made.credentialId).equals(credentialId);
    if (!isSame) problems.push(problem("credentialId", "The attestation is for another passkey."));
  }
  if (clientData === undefined || made === undefined || problems.length > 0) {
    return malformed(problems);
  }
  const { authenticatorData, credentialId: id, publicKey } = made;
  return {
    clientData,
    authenticatorData,
    passkey: {
      credentialId: toBase64url(id),
      publicKey: toBase64url(publicKey),
      rpIdHash: toBase64url(authenticatorData.rpIdHash),
      origin: clientData.origin,
      signCount: authenticatorData.counter,
      backupEligible: authenticatorData.flags.be,
      transports: attestation.transports ?? [],
    },
  };
}

type Field = keyof typeof LONGEST;

const FIELDS = Object.keys(LONGEST) as readonly Field[];
const NOT_BASE64URL = "Must be base64url and not empty.";

/** The fields that are not base64url. For fake sandbox values a non-canonical encoding is accepted. */
export function shapeProblems(attestation: PasskeyAttestation): readonly FieldProblem[] {
  return FIELDS.filter((field) => !hasShape(attestation[field], LONGEST[field])).map((field) =>
    problem(field, NOT_BASE64URL),
  );
}

function hasShape(text: string, maxLength: number): boolean {
  return text.length <= maxLength && /^[A-Za-z0-9_-]+={0,2}$/.test(text);
}

/** The bytes of the fields that are well formed. */
function readFields(attestation: PasskeyAttestation) {
  const problems: FieldProblem[] = [];
  const bytes: { [name in Field]?: Bytes } = {};
  for (const field of FIELDS) {
    const read = fromBase64url(attestation[field], LONGEST[field]);
    if (read === undefined) problems.push(problem(field, NOT_BASE64URL));
    else bytes[field] = read;
  }
  return { bytes, problems };
}

function problem(field: Field, message: string): FieldProblem {
  return { field: `attestation.${field}`, message };
}

interface MadeCredential {
  readonly authenticatorData: AuthenticatorData;
  readonly credentialId: Bytes;
  readonly publicKey: Bytes;
}

function readAttestationObject(bytes: Bytes): MadeCredential | undefined {
  const members = readCborMap(bytes);
  const statement = members?.get("attStmt");
  const data = members?.get("authData");
  if (typeof members?.get("fmt") !== "string" || !(statement instanceof Map)) return undefined;
  if (members.get("fmt") === "none" && statement.size > 0) return undefined;
  const authenticatorData =
    data instanceof Uint8Array ? readAuthenticatorData(new Uint8Array(data)) : undefined;
  const { credentialID, credentialPublicKey } = authenticatorData ?? {};
  if (authenticatorData === undefined || credentialPublicKey === undefined) return undefined;
  if (credentialID === undefined || credentialID.length === 0) return undefined;
  const publicKey = new Uint8Array(credentialPublicKey);
  if (readCredentialKey(publicKey) === undefined) return undefined;
  return { authenticatorData, credentialId: new Uint8Array(credentialID), publicKey };
}

function clientDataProblem(clientData: ClientData, challenge: string): string | undefined {
  if (clientData.type !== "webauthn.create") return "The client data is not of a registration.";
  if (clientData.challenge !== challenge) return "The client data is for another challenge.";
  if (clientData.isCrossOrigin) return "The passkey was made inside a page of another site.";
  if (!isUsableOrigin(clientData.origin))
    return "The passkey was made on a page that is not secure.";
  return undefined;
}

/** The library throws on invalid input; its message may contain the input and is not passed on. */
async function attestationProblem(
  { challenge, origin }: ClientData,
  { credentialId, clientDataJson, attestationObject }: PasskeyAttestation,
): Promise<string | undefined> {
  const id = bare(credentialId);
  try {
    const { verified } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: bare(clientDataJson),
          attestationObject: bare(attestationObject),
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      requireUserVerification: false,
      supportedAlgorithmIDs: Object.values(ALGORITHMS),
    });
    return verified ? undefined : REFUSED;
  } catch {
    return REFUSED;
  }
}

const REFUSED = "The attestation does not verify.";

function bare(text: string): string {
  return text.replace(/(?<!=)=+$/, "");
}
