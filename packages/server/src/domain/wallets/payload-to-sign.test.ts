import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  bodyDigestOf,
  organizationIdOf,
  passkeyChallengeOf,
  type SigningRequest,
  signingPayload,
  type WalletActivity,
} from "./payload-to-sign.ts";
import type { ClientPublicKey } from "./wallet-crypto.port.ts";

const accountId = "0190aaaa-0000-7000-8000-000000000002";
const clientPublicKey = `04${"ab".repeat(64)}` as ClientPublicKey;

const request: SigningRequest = {
  environment: "PRODUCTION",
  platformId: "0190aaaa-0000-7000-8000-000000000001",
  accountId,
  operation: "EXPORT_WALLET",
  target: accountId,
  bodySha256: bodyDigestOf({ clientPublicKey }),
  requestId: "Request:0190aaaa-0000-7000-8000-000000000003",
  at: 1_760_000_000_123,
  expiresAt: 1_760_000_300_123,
  activity: {
    type: "ACTIVITY_TYPE_EXPORT_WALLET",
    parameters: { targetPublicKey: clientPublicKey, walletId: accountId },
  },
};

describe("a payload to sign", () => {
  test("is sorted JSON without blanks, in base64url without padding", () => {
    const { json, payloadToSign } = signingPayload(request);
    expect(payloadToSign).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(payloadToSign, "base64url").toString("utf8")).toBe(json);
    expect(json).toBe(
      `{"organizationId":"${accountId}","parameters":{"accountId":"${accountId}",` +
        `"bodySha256":"${request.bodySha256}","environment":"PRODUCTION","expiresAt":"1760000300123",` +
        `"operation":"EXPORT_WALLET","platformId":"${request.platformId}","requestId":"${request.requestId}",` +
        `"target":"${accountId}","targetPublicKey":"${clientPublicKey}","userId":"${accountId}","version":"1",` +
        `"walletId":"${accountId}"},"timestampMs":"1760000000123","type":"ACTIVITY_TYPE_EXPORT_WALLET"}`,
    );
  });

  test("is another one when anything that it binds is another, and the same one otherwise", () => {
    const other = "0190aaaa-0000-7000-8000-0000000000ff";
    const changes: readonly Partial<SigningRequest>[] = [
      {},
      { environment: "SANDBOX" },
      { platformId: other },
      { accountId: other },
      { operation: "REVOKE_SESSION" },
      { target: other },
      { bodySha256: bodyDigestOf({}) },
      { requestId: "Request:0190aaaa-0000-7000-8000-000000000004" },
      { at: request.at + 1 },
      { expiresAt: request.expiresAt + 1 },
      {
        activity: {
          type: "ACTIVITY_TYPE_EXPORT_WALLET",
          parameters: {
            targetPublicKey: clientPublicKey.toUpperCase() as ClientPublicKey,
            walletId: accountId,
          },
        },
      },
      { activity: { type: "ACTIVITY_TYPE_DELETE_API_KEYS", parameters: { apiKeyIds: [other] } } },
    ];
    const payloads = changes.map(
      (change) => signingPayload({ ...request, ...change }).payloadToSign,
    );
    expect(new Set(payloads).size).toBe(changes.length);
    expect(signingPayload({ ...request }).payloadToSign).toBe(payloads[0]);
  });

  test("does not let an activity override the bound members", () => {
    const parameters = {
      userEmail: "a@example.com",
      accountId: "x",
      operation: "x",
      requestId: "x",
    };
    const activity: WalletActivity = { type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL", parameters };
    const { json } = signingPayload({ ...request, activity });
    expect(JSON.parse(json).parameters).toMatchObject({
      userEmail: "a@example.com",
      accountId,
      operation: "EXPORT_WALLET",
      requestId: request.requestId,
    });
  });

  test("of a payment is void once an amount or the payee is another", () => {
    const terms = {
      signWith: "spark1…",
      quoteId: "0190aaaa-0000-7000-8000-000000000005",
      sendingCurrency: "USDB",
      totalSendingAmount: "1000",
      receivingCurrency: "EUR",
      totalReceivingAmount: "920",
      destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:1" },
    };
    const payloadFor = (change: object) =>
      signingPayload({
        ...request,
        operation: "EXECUTE_QUOTE",
        activity: {
          type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
          parameters: { ...terms, ...change },
        },
      }).payloadToSign;
    const payloads = [
      {},
      { totalSendingAmount: "1001" },
      { totalReceivingAmount: "919" },
      { receivingCurrency: "USD" },
      { destination: { destinationType: "ACCOUNT", accountId: "ExternalAccount:2" } },
    ].map(payloadFor);
    expect(new Set(payloads).size).toBe(payloads.length);
  });
});

describe("the digest of a body", () => {
  test("is the same for every order of its members, and another for another value", () => {
    expect(bodyDigestOf({ a: 1, b: { c: [1, 2], d: "x" } })).toBe(
      bodyDigestOf({ b: { d: "x", c: [1, 2] }, a: 1 }),
    );
    const bodies = [
      {},
      { a: 1 },
      { a: "1" },
      { a: [1] },
      { a: null },
      { a: 1, b: 1 },
      [],
      null,
      "",
    ];
    expect(new Set(bodies.map(bodyDigestOf)).size).toBe(bodies.length);
    expect(bodyDigestOf(undefined)).toBe(bodyDigestOf(null));
  });
});

describe("a passkey's challenge", () => {
  test("is the digest of the session that is to be made, and so of the client's key", () => {
    const session = (key: ClientPublicKey) =>
      signingPayload({
        ...request,
        operation: "CREATE_SESSION",
        activity: {
          type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
          parameters: { targetPublicKey: key },
        },
      });
    const payload = session(clientPublicKey);
    const challenge = passkeyChallengeOf(payload);
    expect(challenge).toBe(createHash("sha256").update(payload.json, "utf8").digest("hex"));
    const other = session(`04${"cd".repeat(64)}` as ClientPublicKey);
    expect(passkeyChallengeOf(other)).not.toBe(challenge);
  });
});

describe("the wallet's name", () => {
  test("is the account's own id, the same in every payload and export", () => {
    expect(organizationIdOf(accountId)).toBe(accountId);
  });
});
