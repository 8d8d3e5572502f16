/** Verifies what a browser's authenticator sends against a challenge, the host name and the origin of this server. */
import { createHash } from "node:crypto";
import Type, { type Static } from "typebox";
import type { KeptAssertion } from "../../../../domain/people/approvals/approval.ts";
import {
  type NewPasskey,
  type PersonPasskey,
  passkeyHandle,
} from "../../../../domain/people/passkey.ts";
import { findPasskey, findPasskeysOf } from "../../../../domain/people/person.sql.ts";
import { unproven } from "../../../../domain/people/single-use.ts";
import { platformOfHandle } from "../../../../domain/platform.sql.ts";
import type { SingleUse } from "../../../../domain/wallets/credentials/spent-proof.ts";
import { readJsonObject } from "../../../../std/json.ts";
import { filledText } from "../../../../wire/fields.ts";
import type { Services } from "../../../request/services.ts";
import type { Purpose } from "../../challenges.ts";
import type { ConsolePlace } from "../../place.ts";

const base64url = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+$" });

/** As `PublicKeyCredential.toJSON()` writes it. */
export const RegistrationSchema = Type.Object(
  {
    id: base64url(1_368),
    response: Type.Object({
      clientDataJSON: base64url(8_192),
      attestationObject: base64url(65_536),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
    }),
  },
  { $id: "PasskeyRegistration" },
);

export const AssertionSchema = Type.Object(
  {
    id: base64url(1_368),
    response: Type.Object({
      clientDataJSON: base64url(8_192),
      authenticatorData: base64url(8_192),
      signature: base64url(2_048),
      userHandle: Type.Optional(Type.Union([base64url(88), Type.Null()])),
    }),
  },
  { $id: "PasskeyAssertion" },
);

export const nicknameField = Type.Optional(filledText(60, { examples: ["Laptop"] }));

type Tools = Pick<Services, "wallets" | "people" | "reads">;

interface ProvenRegistration {
  /** The uuid that the challenge was issued for. */
  readonly subject: string;
  readonly passkey: NewPasskey;
  readonly challenge: SingleUse;
}

/** The options of `navigator.credentials.create`, as JSON. */
export function registrationOptions(
  { people: { place, challenges } }: Tools,
  purpose: Purpose,
  person: { readonly id: string; readonly email: string; readonly name: string },
) {
  return {
    challenge: challenges.issue(purpose, person.id),
    rp: { id: place().rpId, name: "Florin" },
    user: {
      id: handleOf(person.id),
      name: person.email,
      displayName: person.name === "" ? person.email : person.name,
    },
    pubKeyCredParams: [-7, -257, -8].map((alg) => ({ type: "public-key", alg })),
    timeout: 300_000,
    attestation: "none",
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
  };
}

/** The options of `navigator.credentials.get`, as JSON. */
export function assertionOptions(
  { people: { place, challenges } }: Tools,
  purpose: Purpose,
  {
    subject,
    allowed = [],
  }: { readonly subject?: string; readonly allowed?: readonly string[] } = {},
) {
  return {
    challenge: challenges.issue(purpose, subject),
    rpId: place().rpId,
    timeout: 300_000,
    userVerification: "required",
    allowCredentials: allowed.map((id) => ({ type: "public-key", id })),
  };
}

/** Verifies the registration of a passkey that no workspace has or had. Every cause of failure gets the same 401. */
export async function proveRegistration(
  { wallets, people: { place, challenges }, reads }: Tools,
  purpose: Purpose,
  sent: Static<typeof RegistrationSchema> & { readonly nickname?: string | undefined },
): Promise<ProvenRegistration> {
  const { id, response } = sent;
  const text = challengeIn(response.clientDataJSON);
  const challenge = challenges.read(purpose, text);
  if (challenge === undefined) throw unproven();
  const made = await wallets.passkeys.register({
    environment: "PRODUCTION",
    challenge: text,
    attestation: {
      credentialId: id,
      clientDataJson: response.clientDataJSON,
      attestationObject: response.attestationObject,
      transports: response.transports,
    },
  });
  const here = place();
  if (made.kind !== "registered" || !made.userVerified) throw unproven();
  const { passkey, isBackedUp } = made;
  const { publicKey, origin, rpIdHash, signCount, transports } = passkey;
  if (publicKey === null || origin !== here.origin || rpIdHash !== hashOfRpId(here))
    throw unproven();
  if ((await platformOfHandle(reads, passkeyHandle(passkey.credentialId))) !== undefined)
    throw unproven();
  return {
    subject: challenge.subject,
    challenge: challenge.use,
    passkey: {
      credentialId: passkey.credentialId,
      publicKey,
      rpId: here.rpId,
      signCount: BigInt(signCount),
      backupEligible: passkey.backupEligible === true,
      isSynced: isBackedUp,
      transports,
      nickname: sent.nickname ?? "Passkey",
    },
  };
}

export type JudgedAssertion =
  | {
      readonly kind: "proven";
      readonly workspaceId: string;
      readonly passkey: PersonPasskey;
      readonly signCount: bigint;
      readonly isSynced: boolean;
      readonly subject: string;
      readonly challenge: SingleUse;
    }
  /** `of` is the passkey that the assertion names, if it is known. */
  | {
      readonly kind: "unproven";
      readonly of: { readonly workspaceId: string; readonly passkey: PersonPasskey } | undefined;
      readonly mayBeCopied: boolean;
    };

export async function judgeAssertion(
  tools: Tools,
  purpose: Purpose,
  sent: Static<typeof AssertionSchema>,
): Promise<JudgedAssertion> {
  const text = challengeIn(sent.response.clientDataJSON);
  const challenge = tools.people.challenges.read(purpose, text);
  const found = await findPasskey(tools.reads, sent.id);
  const failed = { kind: "unproven", of: found, mayBeCopied: false } as const;
  if (challenge === undefined || found === undefined) return failed;
  const { passkey, workspaceId } = found;
  // A discoverable passkey names its person. For a passkey that the page named, the authenticator may omit the person.
  const namesPerson = purpose[0] === "sign-in";
  const login = await verifyBy(tools, passkey, { sent, challenge: text, namesPerson });
  if (login.kind !== "proven") return { ...failed, mayBeCopied: login.mayBeCopied };
  return {
    kind: "proven",
    workspaceId,
    passkey,
    signCount: BigInt(login.signCount),
    isSynced: login.isBackedUp,
    subject: challenge.subject,
    challenge: challenge.use,
  };
}

type Verified =
  | { readonly kind: "proven"; readonly signCount: number; readonly isBackedUp: boolean }
  | { readonly kind: "unproven"; readonly mayBeCopied: boolean };

async function verifyBy(
  { wallets, people: { place } }: Pick<Tools, "wallets" | "people">,
  passkey: PersonPasskey,
  asked: {
    readonly sent: Static<typeof AssertionSchema>;
    readonly challenge: string;
    readonly namesPerson: boolean;
  },
): Promise<Verified> {
  const { id, response } = asked.sent;
  const here = place();
  const { userHandle = null } = response;
  const isOptional = !asked.namesPerson && userHandle === null;
  const failed = { kind: "unproven", mayBeCopied: false } as const;
  if (!isOptional && userHandle !== handleOf(passkey.personId)) return failed;
  const login = await wallets.passkeys.verify({
    passkey: {
      ...passkey,
      signCount: Number(passkey.signCount),
      rpIdHash: hashOfRpId(here),
      origin: here.origin,
    },
    challenge: asked.challenge,
    assertion: {
      credentialId: id,
      clientDataJson: response.clientDataJSON,
      authenticatorData: response.authenticatorData,
      signature: response.signature,
      userHandle,
    },
  });
  if (login.kind === "unproven") return { ...failed, mayBeCopied: login.mayBeCopied === true };
  if (login.kind !== "proven" || !login.userVerified || passkey.rpId !== here.rpId) return failed;
  return login;
}

/** The options for an assertion over a given challenge by one of the person's own passkeys. */
export async function fixedOptions(
  { people: { place }, reads }: Tools,
  challenge: string,
  person: { readonly workspaceId: string; readonly personId: string },
) {
  const own = await findPasskeysOf(reads, person.workspaceId, [person.personId]);
  return {
    challenge,
    rpId: place().rpId,
    timeout: 300_000,
    userVerification: "required",
    allowCredentials: own.map(({ credentialId: id }) => ({ type: "public-key", id })),
  };
}

/**
 * Verifies an assertion of the person over this challenge, and returns what a later check needs. Every cause of failure gets the same 401.
 * If only the counter of the passkey went back, `noteCopied` is called before the refusal.
 */
export async function proveFixed(
  tools: Tools,
  challenge: string,
  asked: {
    readonly workspaceId: string;
    readonly personId: string;
    readonly sent: Static<typeof AssertionSchema>;
    readonly noteCopied: (passkeyId: string) => Promise<void>;
  },
): Promise<KeptAssertion> {
  const { workspaceId, personId, sent, noteCopied } = asked;
  const found = await findPasskey(tools.reads, sent.id);
  if (found === undefined || found.workspaceId !== workspaceId) throw unproven();
  const { passkey } = found;
  if (passkey.personId !== personId) throw unproven();
  const login = await verifyBy(tools, passkey, { sent, challenge, namesPerson: false });
  if (login.kind === "unproven" && login.mayBeCopied) await noteCopied(passkey.id);
  if (login.kind !== "proven") throw unproven();
  const { origin, rpId } = tools.people.place();
  return {
    credentialId: passkey.credentialId,
    publicKey: passkey.publicKey,
    backupEligible: passkey.backupEligible,
    rpId,
    origin,
    clientDataJson: sent.response.clientDataJSON,
    authenticatorData: sent.response.authenticatorData,
    signature: sent.response.signature,
  };
}

/** The user handle of a person: the bytes of the uuid. */
function handleOf(personId: string): string {
  return Buffer.from(personId.replaceAll("-", ""), "hex").toString("base64url");
}

function hashOfRpId({ rpId }: ConsolePlace): string {
  return createHash("sha256").update(rpId).digest("base64url");
}

/** The challenge that the browser signed; empty when the client data is not readable. */
function challengeIn(clientDataJson: string): string {
  const { challenge } = readJsonObject(Buffer.from(clientDataJson, "base64url")) ?? {};
  return typeof challenge === "string" ? challenge : "";
}
