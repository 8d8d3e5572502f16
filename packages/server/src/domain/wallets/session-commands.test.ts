/** What is done with a session, and with a wallet in its name, when the session is not what it was. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, internal, PLATFORM, platform } from "../../../test/kit/payment-rows.ts";
import type { Command } from "../../engine/command.ts";
import { internalAccounts } from "../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../customers/customer.ts";
import { type Platform, platforms } from "../platform.ts";
import { recordCodeMail } from "./credentials/challenge-credential.ts";
import { type Credential, credentials } from "./credentials/credential.ts";
import { exportWallet } from "./export-wallet.ts";
import type { OwnerStamp } from "./owner-stamp.ts";
import type { WalletOperation } from "./payload-to-sign.ts";
import { type Session, sessions } from "./session.ts";
import { refreshSession, revokeSession } from "./session-commands.ts";
import {
  type OwnerProof,
  type Signed,
  type SignedRequest,
  signedRequests,
} from "./signed-request.ts";
import type { ClientPublicKey } from "./wallet-crypto.port.ts";

const REQUEST = "018f0000-0000-7000-8000-0000000000d1";
const TEXT = "sign this";
const KEY = "04ab" as ClientPublicKey;

const session: Session = {
  id: "018f0000-0000-7000-8000-0000000000e1",
  accountId: internal.id,
  credentialId: PLATFORM,
  type: "PASSKEY",
  nickname: "ana",
  publicKey: "02ab",
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
  expiresAt: DECIDED_AT + 1,
  endedAt: null,
};

const none: OwnerProof = { kind: "none" };
const given = (stamp: OwnerStamp): OwnerProof => ({ kind: "given", requestId: REQUEST, stamp });
const word = given({ kind: "sandbox-word" });
const signed = given({ kind: "signed", publicKey: session.publicKey, payloadToSign: TEXT });

interface State {
  readonly environment?: Platform["environment"];
  readonly session?: Partial<Session>;
  readonly customer?: Partial<Customer>;
}

function outcomeOf<Input>(
  command: Command<Input, Signed<unknown>>,
  input: Input,
  { asked, state }: { readonly asked: Partial<SignedRequest>; readonly state: State },
) {
  const request: SignedRequest = {
    id: REQUEST,
    accountId: internal.id,
    operation: "REVOKE_SESSION",
    target: session.id,
    bodySha256: "body",
    payloadToSign: TEXT,
    registration: null,
    createdAt: DECIDED_AT,
    expiresAt: DECIDED_AT + 1,
    usedAt: null,
    ...asked,
  };
  const { environment = "SANDBOX" } = state;
  const wallet = { ...internal, currency: "USDB", type: "EMBEDDED_WALLET" } as const;
  const tables = [
    rowsOf(platforms, { ...platform, environment }),
    rowsOf(customers, { ...customer, ...state.customer }),
    rowsOf(internalAccounts, wallet),
    rowsOf(sessions, { ...session, ...state.session }),
    rowsOf(signedRequests, request),
  ];
  const world = worldFor({ command, input, platformId: PLATFORM, tables });
  let outcome: unknown;
  const refusal = refusalOf(world, () => {
    const done = command.decide(world, input);
    outcome = done.kind === "to-sign" ? [done.kind, done.type] : [done.kind];
  });
  return outcome ?? refusal?.details?.reason ?? refusal?.code;
}

const target = { sessionId: session.id, bodySha256: "body" };

function refreshed(proof: OwnerProof, state: State = {}) {
  const input = { ...target, proof, clientPublicKey: KEY, publicKey: "02cd" };
  const operation: WalletOperation = "REFRESH_SESSION";
  return outcomeOf(refreshSession, input, { asked: { operation }, state });
}

function revoked(proof: OwnerProof, state: State = {}) {
  return outcomeOf(revokeSession, { ...target, proof }, { asked: {}, state });
}

const ends = [{ endedAt: DECIDED_AT }, { expiresAt: DECIDED_AT }];

describe("a session that is active", () => {
  it("is refreshed, and revoked, by a second call that is signed", () => {
    expect([refreshed(none), refreshed(word)]).toEqual([["to-sign", undefined], ["done"]]);
    expect(revoked(word)).toEqual(["done"]);
    expect(revoked(signed, { environment: "PRODUCTION" })).toEqual(["done"]);
  });

  it("names the type of the credential that issued it when it is to be revoked", () => {
    expect(revoked(none)).toEqual(["to-sign", "PASSKEY"]);
  });
});

describe.each(ends)("a session of which is said %j", (end) => {
  it("cannot be refreshed, in a sandbox neither", () => {
    const reason = "The session is not active";
    expect([refreshed(none, { session: end }), refreshed(word, { session: end })]).toEqual([
      reason,
      reason,
    ]);
  });

  it("cannot be revoked", () => {
    expect([revoked(none, { session: end }), revoked(word, { session: end })]).toEqual([
      "REFERENCE_NOT_FOUND",
      "REFERENCE_NOT_FOUND",
    ]);
  });
});

it("nothing is done with the session of a customer who was deleted", () => {
  const gone = { customer: { deletedAt: DECIDED_AT } };
  expect([refreshed(none, gone), revoked(none, gone)]).toEqual([
    "REFERENCE_NOT_FOUND",
    "REFERENCE_NOT_FOUND",
  ]);
});

it("a wallet is not exported when its mnemonic was not sealed to the client", () => {
  const exported = (isSealed: boolean) => {
    const act = { operation: "EXPORT_WALLET", target: internal.id } as const;
    const bound = { accountId: internal.id, clientPublicKey: KEY, bodySha256: "body" };
    const input = { ...bound, proof: signed, isSealed };
    return outcomeOf(exportWallet, input, { asked: act, state: { environment: "PRODUCTION" } });
  };
  expect([exported(true), exported(false)]).toEqual([["done"], "Invalid Service-Wallet-Signature"]);
});

describe("a code whose mail was sent", () => {
  const code = { id: REQUEST, digest: "ab", tries: 2, expiresAt: DECIDED_AT + 1 };
  const credential: Credential = {
    id: PLATFORM,
    accountId: internal.id,
    type: "EMAIL_OTP",
    nickname: "ana@example.com",
    identity: null,
    passkeyId: null,
    passkey: null,
    code,
    codeSealed: "sealed",
    codeTimes: [],
    createdAt: 1,
    updatedAt: 1,
    revokedAt: null,
  };

  function recorded(codeId: string) {
    const input = { credentialId: credential.id, codeId, jobId: session.id };
    const tables = [rowsOf(credentials, credential)];
    const world = worldFor({ command: recordCodeMail, input, platformId: PLATFORM, tables });
    recordCodeMail.decide(world, input);
    expect(world.cancelledJobs).toEqual([session.id]);
    return world.get(credentials.ref(credential.id));
  }

  it("is deleted except for its hash, against which later codes are compared", () => {
    expect(recorded(code.id)).toEqual({ ...credential, codeSealed: null });
  });

  it("is another one than the code that has taken its place", () => {
    expect(recorded(session.id)).toEqual(credential);
  });
});
