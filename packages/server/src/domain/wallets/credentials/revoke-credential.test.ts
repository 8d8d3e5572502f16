import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { customer, internal, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { openSessionsOf, type Session, sessions } from "../session.ts";
import { type SignedRequest, signedRequests } from "../signed-request.ts";
import { type Credential, credentials } from "./credential.ts";
import { revokeCredential } from "./revoke-credential.ts";

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;

const mail: Credential = {
  id: idOf("c1"),
  accountId: internal.id,
  type: "EMAIL_OTP",
  nickname: "ana@example.com",
  identity: null,
  passkeyId: null,
  passkey: null,
  code: { id: idOf("c2"), digest: "ab", tries: 0, expiresAt: DECIDED_AT + 1_000 },
  codeSealed: "sealed",
  codeTimes: [DECIDED_AT],
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT - 1,
  revokedAt: null,
};
const token: Credential = {
  ...mail,
  id: idOf("c3"),
  type: "OAUTH",
  code: null,
  codeSealed: null,
  codeTimes: [],
};

const sessionOf = (credential: Credential, digits: string): Session => ({
  id: idOf(digits),
  accountId: internal.id,
  credentialId: credential.id,
  type: credential.type,
  nickname: credential.nickname,
  publicKey: digits,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
  expiresAt: DECIDED_AT + 1_000,
  endedAt: null,
});

const request: SignedRequest = {
  id: idOf("d1"),
  accountId: internal.id,
  operation: "REVOKE_CREDENTIAL",
  target: mail.id,
  bodySha256: "body",
  payloadToSign: "sign this",
  registration: null,
  createdAt: DECIDED_AT,
  expiresAt: DECIDED_AT + 1,
  usedAt: null,
};

function revoked(live: readonly Credential[]) {
  const stamp = { kind: "sandbox-word" } as const;
  const input = {
    credentialId: mail.id,
    bodySha256: request.bodySha256,
    proof: { kind: "given", requestId: request.id, stamp } as const,
  };
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(customers, customer),
    rowsOf(internalAccounts, { ...internal, currency: "USDB", type: "EMBEDDED_WALLET" } as const),
    rowsOf(credentials, ...live),
    rowsOf(sessions, sessionOf(mail, "e1"), sessionOf(token, "e2"), sessionOf(mail, "e3")),
    rowsOf(signedRequests, request),
  ];
  const world = worldFor({ command: revokeCredential, input, platformId: PLATFORM, tables });
  const refusal = refusalOf(world, () => revokeCredential.decide(world, input));
  return { world, code: refusal?.code };
}

describe("a credential that is revoked", () => {
  it("deletes its pending code, and ends its own sessions", () => {
    const { world, code } = revoked([mail, token]);
    expect(code).toBeUndefined();
    expect(world.get(credentials.ref(mail.id))).toEqual({
      ...mail,
      code: null,
      codeSealed: null,
      updatedAt: DECIDED_AT,
      revokedAt: DECIDED_AT,
    });
    const open = world.all(openSessionsOf.of(internal.id)).map(({ publicKey }) => publicKey);
    expect(open).toEqual(["e2"]);
    expect(world.get(signedRequests.ref(request.id)).usedAt).toBe(DECIDED_AT);
  });

  it("is never the account's last one that is live", () => {
    expect(revoked([mail]).code).toBe("LAST_CREDENTIAL");
    expect(revoked([mail, { ...token, revokedAt: 1 }]).code).toBe("LAST_CREDENTIAL");
  });
});
