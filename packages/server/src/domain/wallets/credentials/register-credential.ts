import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { platforms } from "../../platform.ts";
import {
  findSignedRequest,
  type OwnerProof,
  openSignedRequest,
  proofNeeds,
  type Signed,
  signedRequests,
  useSignedRequest,
} from "../signed-request.ts";
import { requireWallet, walletNeeds } from "../wallet-account.ts";
import {
  type Credential,
  type CredentialType,
  credentials,
  credentialsOfPasskey,
  liveCredentialsOf,
  MAX_CREDENTIALS,
  type StoredIdentity,
  toIdentity,
  unproven,
  WRONG_ATTESTATION,
  WRONG_TOKEN,
} from "./credential.ts";
import { isSameIdentity } from "./oidc.port.ts";
import type { NewCode } from "./one-time-code.port.ts";
import { issueCode, mailBudgetRef, requireMailable } from "./one-time-code.ts";
import { additionOf, nicknameOf, type Registration } from "./registration.ts";
import { isSpent, singleUseOf, spendProof, spentRef } from "./spent-proof.ts";

/** The credential as the operation has verified it. A second call takes it from its stored request. */
export type JudgedRegistration =
  | { readonly kind: "judged"; readonly registration: Registration }
  | { readonly kind: "unproven"; readonly reason: string }
  | { readonly kind: "unjudged" };

export interface RegisterCredentialInput {
  readonly accountId: string;
  readonly type: CredentialType;
  readonly judged: JudgedRegistration;
  readonly bodySha256: string;
  readonly proof: OwnerProof;
  /** For EMAIL_OTP in production; absent where no mail can be sent. */
  readonly code: NewCode | undefined;
}

/**
 * Adds a credential to a wallet. The first one needs no signature; a session of the account must sign every other one, and an unsigned call
 * gets the text to sign. Refuses, in this order: a second call without an open request (`findSignedRequest`), an unknown account, an
 * account that is not an embedded wallet, a second EMAIL_OTP, a second PASSKEY, a proof that is invalid or was used before, a passkey or
 * identity that is registered, too many credentials, mail that cannot be sent, too many codes.
 */
export const registerCredential: Command<RegisterCredentialInput, Signed<Credential>> = {
  name: "register-credential",
  needs: (world, input) => registrationNeeds(world, input),
  decide(world, input) {
    const { accountId, bodySha256 } = input;
    const others = world.all(liveCredentialsOf.of(accountId));
    const act = { operation: "ADD_CREDENTIAL", target: accountId, bodySha256 } as const;
    // An account without a credential has no session either, so no signature is possible yet.
    const request = others.length === 0 ? undefined : findSignedRequest(world, act, input.proof);
    requireWallet(world, accountId, "accountId");
    refuseSecondOfType(input.type, others);
    const registration = request?.registration ?? judgedRegistration(input.judged);
    refuseSpent(world, registration);
    refuseKnown(world, registration, others);
    const { environment } = world.get(platforms.ref(world.platformId));
    const isMailed = registration.type === "EMAIL_OTP" && environment === "PRODUCTION";
    const nickname = nicknameOf(registration);
    const code = isMailed
      ? requireMailable(world, { nickname, codeTimes: [] }, input.code)
      : undefined;

    if (others.length > 0 && request === undefined) {
      const wanted = { ...act, accountId, registration, activity: additionOf(registration) };
      const { type } = registration;
      return { kind: "to-sign", request: openSignedRequest(world, wanted), type };
    }
    if (request !== undefined) useSignedRequest(world, request);
    spendProof(world, singleUseOf(registration));
    const id = world.newId();
    const mailed =
      code === undefined
        ? { code: null, codeSealed: null, codeTimes: [] }
        : issueCode(world, { id, nickname, codeTimes: [] }, code);
    return { kind: "done", done: putCredential(world, { ...mailed, id, accountId, registration }) };
  },
};

function registrationNeeds(
  world: Loaded,
  { accountId, judged, proof }: RegisterCredentialInput,
): readonly AnyRef[] {
  const asked = judged.kind === "judged" ? judged.registration : undefined;
  const request = proof.kind === "given" ? signedRequests.ref(proof.requestId) : undefined;
  const granted = request === undefined ? undefined : world.find(request)?.registration;
  return [
    ...walletNeeds(world, accountId),
    liveCredentialsOf.of(accountId),
    ...proofNeeds(world, proof),
    ...[asked, granted].flatMap((one): readonly AnyRef[] => {
      if (one === undefined || one === null) return [];
      if (one.type === "EMAIL_OTP") return [mailBudgetRef(one.email)];
      const single = singleUseOf(one);
      const spent = single === undefined ? [] : [spentRef(single)];
      if (one.type === "OAUTH") return spent;
      return [...spent, credentialsOfPasskey.of(one.passkey.credentialId)];
    }),
  ];
}

function judgedRegistration(judged: JudgedRegistration): Registration {
  if (judged.kind === "unproven") throw unproven(judged.reason);
  // The proof was not verified, because the account did not exist then.
  if (judged.kind === "unjudged") throw new Refusal("REFERENCE_NOT_FOUND");
  return judged.registration;
}

function refuseSpent(world: World, registration: Registration): void {
  if (!isSpent(world, singleUseOf(registration))) return;
  throw unproven(registration.type === "OAUTH" ? WRONG_TOKEN : WRONG_ATTESTATION);
}

/** Checked before the proof: a repeated registration gets "exists already", not "proof used before". */
function refuseSecondOfType(type: CredentialType, others: readonly Credential[]): void {
  if (!others.some((credential) => credential.type === type)) return;
  if (type === "EMAIL_OTP") throw new Refusal("EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS");
  if (type === "PASSKEY") throw new Refusal("PASSKEY_CREDENTIAL_ALREADY_EXISTS");
}

function refuseKnown(
  world: World,
  registration: Registration,
  others: readonly Credential[],
): void {
  const { type } = registration;
  if (type === "PASSKEY") refuseKnownPasskey(world, registration.passkey.credentialId);
  if (type === "OAUTH") {
    const { identity } = registration;
    if (others.some((other) => other.identity !== null && isSame(other.identity, identity))) {
      throw taken("oidcToken", "names an identity that this account has");
    }
  }
  if (others.length >= MAX_CREDENTIALS) {
    throw new Refusal(
      "CONFLICT",
      undefined,
      `The account has ${MAX_CREDENTIALS} credentials, the most that it can have; revoke one first.`,
    );
  }
}

/** Refuses a passkey that is registered already. Skipped for simulated attestations of a sandbox, which are all alike. */
function refuseKnownPasskey(world: World, passkeyId: string): void {
  if (world.get(platforms.ref(world.platformId)).environment === "SANDBOX") return;
  if (world.all(credentialsOfPasskey.of(passkeyId)).length > 0) {
    throw taken("attestation.credentialId", "is registered already");
  }
}

function taken(field: string, message: string): Refusal {
  return invalidFields([{ field, message }]);
}

/** Two sandbox tokens without a subject are not the same person. */
function isSame(left: StoredIdentity, right: StoredIdentity): boolean {
  const first = toIdentity(left);
  const second = toIdentity(right);
  return first !== undefined && second !== undefined && isSameIdentity(first, second);
}

function putCredential(
  world: World,
  made: Pick<Credential, "id" | "accountId" | "code" | "codeSealed" | "codeTimes"> & {
    readonly registration: Registration;
  },
): Credential {
  const { registration, ...rest } = made;
  return world.put(credentials, {
    ...rest,
    type: registration.type,
    nickname: nicknameOf(registration),
    identity: registration.type === "OAUTH" ? registration.identity : null,
    passkeyId: registration.type === "PASSKEY" ? registration.passkey.credentialId : null,
    passkey: registration.type === "PASSKEY" ? registration.passkey : null,
    createdAt: world.at,
    updatedAt: world.at,
    revokedAt: null,
  });
}
