/** The body that registers a credential, and the check of its proof before the command. */
import Type, { type Static } from "typebox";
import { WRONG_ATTESTATION, WRONG_TOKEN } from "../../../domain/wallets/credentials/credential.ts";
import type { PasskeyAttestation } from "../../../domain/wallets/credentials/passkeys.port.ts";
import type { JudgedRegistration } from "../../../domain/wallets/credentials/register-credential.ts";
import type { WalletFacts } from "../../../domain/wallets/wallet.sql.ts";
import { notEmbedded } from "../../../domain/wallets/wallet-account.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { isJsonObject, type JsonObject, textOrUndefined } from "../../../std/json.ts";
import { sensitive, taggedUnion } from "../../../validation/schema.ts";
import { idField } from "../../../wire/id-fields.ts";
import type { JudgeSurroundings, Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

const accountId = idField("InternalAccount", { description: "An embedded wallet." });
const base64url = (maxLength: number) =>
  Type.String({ ...sensitive, minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+={0,2}$" });

/** Long enough for the tokens of any issuer; the cost of a check grows with the length. */
const MAX_TOKEN_LENGTH = 8_192;
export const oidcTokenField = Type.String({
  ...sensitive,
  minLength: 1,
  maxLength: MAX_TOKEN_LENGTH,
});

const EmailCredential = Type.Object({
  type: Type.Literal("EMAIL_OTP"),
  accountId,
  email: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 254,
      description: "Where codes go; the customer's address when absent.",
    }),
  ),
});

const OauthCredential = Type.Object({
  type: Type.Literal("OAUTH"),
  accountId,
  oidcToken: oidcTokenField,
});

const LETTER = "[\\p{L}\\p{M}\\p{N}._'()-]";
const LETTER_OR_BLANK = "[\\p{L}\\p{M}\\p{N} ._'()-]";

const PasskeyCredential = Type.Object({
  type: Type.Literal("PASSKEY"),
  accountId,
  nickname: Type.String({
    maxLength: 300,
    pattern: `^ *${LETTER}(?:${LETTER_OR_BLANK}{0,98}${LETTER})? *$`,
    description:
      "Letters and digits of any script, spaces, and . _ - ' ( ): 1 to 100 of them, without the spaces around them.",
  }),
  challenge: base64url(1_024),
  attestation: Type.Object({
    credentialId: base64url(1_400),
    clientDataJson: base64url(8_192),
    attestationObject: base64url(65_536),
    transports: Type.Optional(
      Type.Array(Type.Enum(["usb", "nfc", "ble", "internal", "hybrid"]), { maxItems: 10 }),
    ),
  }),
});

export const CredentialBody = taggedUnion("type", [
  EmailCredential,
  OauthCredential,
  PasskeyCredential,
]);

export type CredentialBody = Static<typeof CredentialBody>;

interface Judging {
  readonly services: Services;
  readonly principal: Principal;
  readonly wallet: WalletFacts;
}

/** The input of a registration, as far as the body determines it. Refuses a body that names no valid credential. */
export async function judgeRegistration(
  body: CredentialBody,
  judging: Judging,
): Promise<JudgedRegistration> {
  if (judging.wallet.account.type !== "EMBEDDED_WALLET") {
    const { services: context, principal } = judging;
    const inBody = await registrationFaults(body, { context, principal });
    throw invalidFields([notEmbedded("accountId"), ...inBody]);
  }
  switch (body.type) {
    case "EMAIL_OTP":
      return judgeEmail(body, judging);
    case "OAUTH":
      return judgeToken(body, judging);
    case "PASSKEY":
      return judgePasskey(body, judging);
  }
}

/** The faults of the body alone. Which of them are reported depends on the account and on the signer. */
export async function registrationFaults(
  { type, email, oidcToken, attestation }: JsonObject,
  { context: { wallets }, principal }: JudgeSurroundings<Services, Principal>,
): Promise<readonly FieldError[]> {
  const { mailer, tokens, passkeys } = wallets;
  if (type === "EMAIL_OTP" && typeof email === "string") {
    return mailer.isAddress(email) ? [] : [NO_ADDRESS];
  }
  if (type === "PASSKEY" && isJsonObject(attestation)) {
    return passkeys.attestationProblems(principal.environment, attestationIn(attestation));
  }
  if (type !== "OAUTH" || typeof oidcToken !== "string" || oidcToken.length > MAX_TOKEN_LENGTH) {
    return [];
  }
  const read = tokens.read(oidcToken);
  return read.kind === "malformed" ? [{ field: "oidcToken", message: read.message }] : [];
}

/** A part that is not text is reported by the schema, and is malformed like an empty part. */
function attestationIn(sent: JsonObject): PasskeyAttestation {
  return {
    credentialId: textOrUndefined(sent.credentialId) ?? "",
    clientDataJson: textOrUndefined(sent.clientDataJson) ?? "",
    attestationObject: textOrUndefined(sent.attestationObject) ?? "",
  };
}

const NO_ADDRESS: FieldError = { field: "email", message: "must be one mail address" };

function judgeEmail(
  body: Static<typeof EmailCredential>,
  { services, wallet }: Judging,
): JudgedRegistration {
  const email = body.email ?? wallet.email;
  if (email === null) throw bad("email", "is required: the customer has no address");
  if (!services.wallets.mailer.isAddress(email)) throw invalidFields([NO_ADDRESS]);
  return { kind: "judged", registration: { type: "EMAIL_OTP", email } };
}

async function judgeToken(
  { oidcToken }: Static<typeof OauthCredential>,
  { services, principal }: Judging,
): Promise<JudgedRegistration> {
  const { tokens } = services.wallets;
  const { environment } = principal;
  const tokenSha256 = sha256Hex(oidcToken);
  if (environment === "SANDBOX") {
    const read = tokens.read(oidcToken);
    if (read.kind === "malformed") throw bad("oidcToken", read.message);
    const { issuer, audience, subject, email, providerName } = read.claims;
    const nickname = email ?? subject ?? providerName;
    const identity = { issuer, audience, subject };
    return judgedToken({ identity, nickname, providerName, tokenSha256, token: null });
  }
  const proof = await tokens.prove({ token: oidcToken, environment, at: services.clock.now() });
  if (proof.kind === "malformed") throw bad("oidcToken", proof.message);
  if (proof.kind === "unproven") return { kind: "unproven", reason: WRONG_TOKEN };
  const { identity, email, providerName, token } = proof;
  const nickname = email ?? identity.subject;
  return judgedToken({ identity, nickname, providerName, tokenSha256, token });
}

type TokenFacts = Omit<
  Extract<
    Extract<JudgedRegistration, { readonly kind: "judged" }>["registration"],
    { readonly type: "OAUTH" }
  >,
  "type"
>;

function judgedToken(facts: TokenFacts): JudgedRegistration {
  return { kind: "judged", registration: { type: "OAUTH", ...facts } };
}

async function judgePasskey(
  { nickname, challenge, attestation }: Static<typeof PasskeyCredential>,
  { services, principal }: Judging,
): Promise<JudgedRegistration> {
  const { environment } = principal;
  const found = await services.wallets.passkeys.register({ environment, challenge, attestation });
  if (found.kind === "malformed") throw invalidFields(found.problems);
  if (found.kind === "unproven") return { kind: "unproven", reason: WRONG_ATTESTATION };
  const { passkey } = found;
  return {
    kind: "judged",
    registration: { type: "PASSKEY", nickname: nickname.trim(), challenge, passkey },
  };
}

function bad(field: string, message: string) {
  const error: FieldError = { field, message };
  return invalidFields([error]);
}
