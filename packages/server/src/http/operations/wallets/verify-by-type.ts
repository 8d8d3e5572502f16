/** Verifies a credential of each of the three types: the checks before the command, and its submission. */
import {
  type Credential,
  toIdentity,
  unproven,
  WRONG_CODE,
} from "../../../domain/wallets/credentials/credential.ts";
import type { Guess } from "../../../domain/wallets/credentials/one-time-code.ts";
import type { PasskeyChallenge } from "../../../domain/wallets/credentials/passkey-challenge.ts";
import {
  isNextSignCount,
  type PasskeyAssertion,
} from "../../../domain/wallets/credentials/passkeys.port.ts";
import {
  type JudgedAssertion,
  type JudgedToken,
  verifyCode,
  verifyPasskey,
  verifyToken,
} from "../../../domain/wallets/credentials/verify-credential.ts";
import type { Session } from "../../../domain/wallets/session.ts";
import { findPasskeyChallenge } from "../../../domain/wallets/wallet.sql.ts";
import type { Answer, Answered, Idempotency } from "../../../engine/command.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import { isJsonObject, type JsonObject, textOrUndefined } from "../../../std/json.ts";
import { parseId } from "../../../wire/ids.ts";
import { sessionJson } from "../../../wire/wallets/wallet.ts";
import { bindIdempotency } from "../../auth/owner-proof.ts";
import type { JudgeSurroundings, Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { toErrorAnswer } from "../../server/errors.ts";
import type { CodeProof, PasskeyProof, TokenProof } from "./credentials.ts";
import { clientKeyFaults, newSessionKey, requireClientKey } from "./session-key.ts";

const SANDBOX_CODE = "000000";
const SANDBOX_TOKEN = "sandbox-valid-oidc-token";
const SANDBOX_SIGNATURE = "sandbox-valid-passkey-signature";

interface Login {
  readonly services: Services;
  readonly principal: Principal;
  readonly credentialId: string;
  /** The credential before the command; the command checks it again. */
  readonly credential: Credential | undefined;
  readonly idempotency: Idempotency | undefined;
}

/**
 * The faults of the body alone. Which of them are reported depends on the credential. A sandbox does not read the
 * assertion.
 */
export async function proofFaults(
  body: JsonObject,
  { context: { wallets }, principal }: JudgeSurroundings<Services, Principal>,
): Promise<readonly FieldError[]> {
  const { type, assertion } = body;
  if (type !== "PASSKEY") return clientKeyFaults(body, wallets);
  if (principal.environment !== "PRODUCTION" || !isJsonObject(assertion)) return [];
  return wallets.passkeys.assertionProblems(assertionIn(assertion));
}

/** A part that is not text is reported by the schema, and is malformed like an empty part. */
function assertionIn(sent: JsonObject): PasskeyAssertion {
  return {
    credentialId: textOrUndefined(sent.credentialId) ?? "",
    clientDataJson: textOrUndefined(sent.clientDataJson) ?? "",
    authenticatorData: textOrUndefined(sent.authenticatorData) ?? "",
    signature: textOrUndefined(sent.signature) ?? "",
    userHandle: textOrUndefined(sent.userHandle),
  };
}

/** The answer carries the sealed session key, so every submission of a login sets `secret`. */
function issued(session: Session, encryptedSessionSigningKey: string): Answer {
  return { status: 200, body: sessionJson(session, encryptedSessionSigningKey) };
}

export async function verifyByCode(login: Login, body: CodeProof): Promise<Answered> {
  const { services, principal, credentialId } = login;
  const clientKey = requireClientKey(services, body.clientPublicKey);
  const key = await newSessionKey(services, principal, clientKey);
  return submitForCaller(services.engine, principal, {
    command: verifyCode,
    input: {
      credentialId,
      publicKey: key.publicKey,
      isSandboxCode: body.otp === SANDBOX_CODE,
      guess: guessOf(login, body.otp),
    },
    toAnswer: (outcome) =>
      outcome.kind === "session"
        ? issued(outcome.session, key.encryptedSessionSigningKey)
        : toErrorAnswer(unproven(WRONG_CODE)),
    idempotency: login.idempotency,
    secret: true,
  });
}

function guessOf({ services, principal, credential }: Login, otp: string): Guess | undefined {
  const codeId = credential?.code?.id;
  if (codeId === undefined) return undefined;
  const { codes } = services.wallets;
  return { codeId, digest: codes.digestOf(principal.platformId, codeId, otp) };
}

export async function verifyByToken(login: Login, body: TokenProof): Promise<Answered> {
  const { services, principal, credentialId } = login;
  const clientKey = requireClientKey(services, body.clientPublicKey);
  const key = await newSessionKey(services, principal, clientKey);
  return submitForCaller(services.engine, principal, {
    command: verifyToken,
    input: {
      credentialId,
      publicKey: key.publicKey,
      token: await judgeToken(login, body),
    },
    toAnswer: (session) => issued(session, key.encryptedSessionSigningKey),
    idempotency: login.idempotency,
    secret: true,
  });
}

/**
 * A token that cannot match this credential is refused without a call to its issuer. The issuer's keys are fetched only
 * when the token names the credential's subject, so no other answer depends on whether the issuer is reachable.
 */
async function judgeToken(
  { services, principal, credential }: Login,
  { oidcToken: token, clientPublicKey }: TokenProof,
): Promise<JudgedToken> {
  const { environment } = principal;
  if (environment === "SANDBOX") {
    return { kind: token === SANDBOX_TOKEN ? "sandbox-word" : "unproven" };
  }
  const owner = toIdentity(credential?.identity ?? null);
  if (owner === undefined) return { kind: "unproven" };
  const at = services.clock.now();
  const asked = { token, environment, at, clientPublicKey, owner };
  const proof = await services.wallets.tokens.prove(asked);
  return proof.kind === "proven" ? proof : { kind: "unproven" };
}

export async function verifyByPasskey(
  login: Login,
  { assertion }: PasskeyProof,
  requestHeader: string | undefined,
): Promise<Answered> {
  const { services, principal, credentialId } = login;
  const requestId = requestHeader === undefined ? undefined : parseId("Request", requestHeader);
  const challenge =
    requestId === undefined
      ? undefined
      : await findPasskeyChallenge(services.reads, principal.platformId, requestId);
  const key =
    challenge === undefined
      ? undefined
      : await newSessionKey(services, principal, challenge.clientPublicKey);
  return submitForCaller(services.engine, principal, {
    idempotency: bindIdempotency(login.idempotency, [requestHeader]),
    command: verifyPasskey,
    input: {
      credentialId,
      requestId,
      assertion: await judgeAssertion(login, assertion, challenge),
      publicKey: key?.publicKey,
    },
    toAnswer: (session) => issued(session, key?.encryptedSessionSigningKey ?? ""),
    secret: true,
  });
}

async function judgeAssertion(
  { services, principal, credentialId, credential }: Login,
  assertion: PasskeyProof["assertion"],
  challenge: PasskeyChallenge | undefined,
): Promise<JudgedAssertion> {
  const { environment } = principal;
  if (environment === "SANDBOX") {
    return { kind: assertion.signature === SANDBOX_SIGNATURE ? "sandbox-word" : "unproven" };
  }
  const passkey = credential?.passkey ?? null;
  if (passkey === null || challenge === undefined) return { kind: "unproven" };
  const found = await services.wallets.passkeys.verify({
    passkey,
    challenge: challenge.challenge,
    assertion,
  });
  if (found.kind === "malformed") throw invalidFields(found.problems);
  const isBehind =
    found.kind === "proven"
      ? !isNextSignCount(passkey.signCount, found.signCount)
      : found.mayBeCopied === true;
  // On a replay, the stored counter is the one that the same login has set.
  if (isBehind && challenge.usedAt === null) {
    const { platformId } = principal;
    const fields = { platformId, credentialId };
    services.log.warn(fields, "a passkey was refused for its counter: it may have been copied");
  }
  return found.kind === "proven" ? found : { kind: "unproven" };
}
