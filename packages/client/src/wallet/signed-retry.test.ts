import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { toBase64url, utf8 } from "./bytes.ts";
import { createClientKey } from "./client-key.ts";
import { readPayload } from "./payload.ts";
import { sandboxSession, type WalletSession } from "./session.ts";
import { type ExpectedCall, signAndRetry } from "./signed-retry.ts";

const KEY = "04aa";
/** SHA-256 of `{"clientPublicKey":"04aa"}`. */
const BODY = createHash("sha256").update(`{"clientPublicKey":"${KEY}"}`).digest("hex");
const parameters = {
  accountId: "wallet-1",
  bodySha256: BODY,
  environment: "PRODUCTION",
  expiresAt: "2",
  operation: "EXPORT_WALLET",
  platformId: "platform-1",
  requestId: "Request:1",
  target: "wallet-1",
  targetPublicKey: KEY,
  userId: "wallet-1",
  version: "1",
  walletId: "wallet-1",
};
const payloadOf = (more: object = {}, outside: object = {}) =>
  toBase64url(
    utf8(
      JSON.stringify({
        organizationId: "wallet-1",
        parameters: { ...parameters, ...more },
        timestampMs: "1",
        type: "ACTIVITY_TYPE_EXPORT_WALLET",
        ...outside,
      }),
    ),
  );
const expected: ExpectedCall = {
  operation: "EXPORT_WALLET",
  organizationId: "wallet-1",
  clientPublicKey: KEY,
};
const session: WalletSession = {
  publicKey: "02",
  stamp: (payload) => Promise.resolve(`stamp of ${payload}`),
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
  json(): Promise<unknown>;
}

function service(answers: readonly (readonly [number, unknown])[]) {
  const calls: Readonly<Record<string, string>>[] = [];
  const send = (headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const [status, body] = answers[calls.length] ?? [500, null];
    calls.push(headers);
    return Promise.resolve({ status, body, json: () => Promise.resolve(body) });
  };
  return { calls, send };
}

describe("a signed call", () => {
  it("is sent twice: without a stamp, and with a stamp over exactly the returned payload", async () => {
    const payloadToSign = payloadOf();
    const { calls, send } = service([
      [202, { payloadToSign, requestId: "Request:1", expiresAt: "2026-01-01T00:00:00Z" }],
      [200, { id: "InternalAccount:1" }],
    ]);
    const answer = await signAndRetry(send, session, expected);
    expect(answer).toMatchObject({ status: 200, body: { id: "InternalAccount:1" } });
    expect(calls).toEqual([
      {},
      { "Service-Wallet-Signature": `stamp of ${payloadToSign}`, "Request-Id": "Request:1" },
    ]);
  });

  it("returns the first answer when it is not a request for a signature", async () => {
    for (const status of [201, 400, 401, 404, 500]) {
      const { calls, send } = service([[status, {}]]);
      expect((await signAndRetry(send, session, expected)).status).toBe(status);
      expect(calls).toHaveLength(1);
    }
  });

  it("returns the second answer unchanged and sends no third request", async () => {
    const { calls, send } = service([
      [202, { payloadToSign: payloadOf(), requestId: "Request:1" }],
      [401, { code: "UNAUTHORIZED" }],
    ]);
    expect((await signAndRetry(send, session, expected)).status).toBe(401);
    expect(calls).toHaveLength(2);
  });

  it.each([
    ["operation", { operation: "REVOKE_CREDENTIAL" }, {}],
    ["target", { target: "wallet-2" }, {}],
    ["client key", { targetPublicKey: "04bb" }, {}],
    ["client key", { targetPublicKey: undefined }, {}],
    ["body", { bodySha256: "00" }, {}],
    ["request", { requestId: "Request:2" }, {}],
    ["wallet", { walletId: "wallet-2" }, {}],
    ["wallet", { accountId: "wallet-2" }, {}],
    ["wallet", {}, { organizationId: "wallet-2" }],
    ["kind of activity", {}, { type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2" }],
    ["version", { version: "2" }, {}],
    ["end", { expiresAt: undefined }, {}],
    ["set of members", { totalSendingAmount: "1" }, {}],
  ])("is not signed when it turns out to be for another %s", async (what, inside, outside) => {
    const { calls, send } = service([
      [202, { payloadToSign: payloadOf(inside, outside), requestId: "Request:1" }],
      [200, {}],
    ]);
    await expect(signAndRetry(send, session, expected)).rejects.toMatchObject({
      name: "WalletError",
      reason: "other-operation",
      message: `the payload to sign is for another ${what}`,
    });
    expect(calls).toHaveLength(1);
  });

  it("is compared with the platform and environment where these are known", async () => {
    const answers = [
      [202, { payloadToSign: payloadOf(), requestId: "Request:1" }],
      [200, {}],
    ];
    const sign = (more: Partial<ExpectedCall>) =>
      signAndRetry(service(answers as never).send, session, { ...expected, ...more } as never);
    const platformId = "PlatformConfig:platform-1";
    expect((await sign({ platformId, environment: "PRODUCTION" })).status).toBe(200);
    await expect(sign({ platformId: "platform-2" })).rejects.toThrow("another platform");
    await expect(sign({ environment: "SANDBOX" })).rejects.toThrow("another environment");
  });

  it.each([
    [null],
    [[]],
    [{}],
    [{ payloadToSign: payloadOf() }],
    [{ payloadToSign: 1, requestId: "Request:1" }],
    [{ payloadToSign: "!", requestId: "Request:1" }],
    [{ payloadToSign: toBase64url(utf8("[]")), requestId: "Request:1" }],
    [{ payloadToSign: toBase64url(utf8('{"type":"T"}')), requestId: "Request:1" }],
    [{ payloadToSign: toBase64url(Uint8Array.of(0xff)), requestId: "Request:1" }],
  ])("is not signed when the answer is %j", async (body) => {
    const { calls, send } = service([[202, body]]);
    await expect(signAndRetry(send, session, expected)).rejects.toMatchObject({
      reason: "malformed",
    });
    expect(calls).toHaveLength(1);
  });

  it("in a sandbox carries the constant", async () => {
    const { calls, send } = service([
      [202, { payloadToSign: payloadOf(), requestId: "Request:1" }],
      [200, {}],
    ]);
    await signAndRetry(send, sandboxSession, expected);
    expect(calls[1]?.["Service-Wallet-Signature"]).toBe("sandbox-valid-signature");
  });
});

describe("a payload", () => {
  it("can be read, to be shown", () => {
    expect(readPayload(payloadOf())).toEqual({
      type: "ACTIVITY_TYPE_EXPORT_WALLET",
      organizationId: "wallet-1",
      timestampMs: "1",
      parameters,
    });
  });

  it("of a fresh client key names that key and no other", async () => {
    const { clientPublicKey } = await createClientKey();
    expect(clientPublicKey).toMatch(/^04[0-9a-f]{128}$/);
    expect(clientPublicKey).not.toBe((await createClientKey()).clientPublicKey);
  });
});
