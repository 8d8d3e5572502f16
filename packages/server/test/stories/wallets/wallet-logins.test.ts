/** Signing in to embedded wallets in a sandbox: the proof of each kind of credential, and the challenge of a passkey. */
import { createClientKey } from "@florin/client/wallet";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { jwt, newWallet, registrationBody, type Wallet } from "../../kit/story-wallets.ts";

const AUTH_METHOD = ["id", "accountId", "type", "nickname", "createdAt", "updatedAt"];
const UNKNOWN = "019a4f00-0000-7000-8000-000000000001";

const server = await sharedServer();
let story: Story;
let wallet: Wallet;
let clientPublicKey: string;
beforeAll(async () => {
  story = await openStory(server);
  await ignoreUnknownFields(story);
  ({ clientPublicKey } = await createClientKey());
});
beforeEach(async () => {
  wallet = await newWallet(story);
});

const register = (type: string): Promise<RawAnswer> =>
  story.call("POST", "/auth/credentials", registrationBody(type, wallet.accountId, "ana"));

const verify = (id: string, body: object, headers = {}): Promise<RawAnswer> =>
  story.call("POST", `/auth/credentials/${id}/verify`, body, { headers });

describe("a proof", () => {
  it("by code: 000000 and nothing else", async () => {
    const { json } = await register("EMAIL_OTP");
    const right = { type: "EMAIL_OTP", otp: "000000", clientPublicKey };
    const session = await verify(json.id, right);
    expect(session.status).toBe(200);
    expect(session.json).toMatchObject({
      accountId: wallet.accountId,
      type: "EMAIL_OTP",
      nickname: "ana@example.com",
    });
    expect(session.json.id).toMatch(/^Session:/);
    expect(session.json.encryptedSessionSigningKey).toMatch(/^[1-9A-HJ-NP-Za-km-z]{115,116}$/);
    const life = Date.parse(session.json.expiresAt) - Date.parse(session.json.createdAt);
    expect(life).toBe(15 * 60 * 1000);
    for (const otp of ["123456", "0000000", " 000000", "００００００"]) {
      expect(await verify(json.id, { ...right, otp })).toMatchObject({
        status: 401,
        json: {
          code: "UNAUTHORIZED",
          message: "Invalid OTP code",
          details: { reason: "Invalid OTP code" },
        },
      });
    }
    expect((await verify(json.id, right)).status).toBe(200);
  });

  it("by token: the sandbox's fixed code and nothing else", async () => {
    const { json } = await register("OAUTH");
    const right = { type: "OAUTH", oidcToken: "sandbox-valid-oidc-token", clientPublicKey };
    expect((await verify(json.id, right)).status).toBe(200);
    const wrong = { ...right, oidcToken: jwt({ sub: "ana" }) };
    expect(await verify(json.id, wrong)).toMatchObject({
      status: 401,
      json: { code: "UNAUTHORIZED", details: { reason: "Invalid OIDC token" } },
    });
  });

  it("by passkey: the challenge's request, and the sandbox's fixed signature", async () => {
    const { json } = await register("PASSKEY");
    const path = `/auth/credentials/${json.id}/challenge`;
    const challenged = await story.call("POST", path, { clientPublicKey });
    expect(Object.keys(challenged.json).sort()).toEqual(
      [...AUTH_METHOD, "credentialId", "challenge", "requestId", "expiresAt"].sort(),
    );
    expect(challenged.json.challenge).toMatch(/^[0-9a-f]{64}$/);
    const assertion = {
      credentialId: "x",
      clientDataJson: "x",
      authenticatorData: "x",
      signature: "sandbox-valid-passkey-signature",
    };
    const body = { type: "PASSKEY", assertion };
    const headers = { "Request-Id": challenged.json.requestId };
    const forged = { type: "PASSKEY", assertion: { ...assertion, signature: "c2ln" } };
    expect(await verify(json.id, forged, headers)).toMatchObject({
      status: 401,
      json: { details: { reason: "Invalid passkey signature" } },
    });
    expect(await verify(json.id, body)).toMatchObject({ status: 401 });
    expect((await verify(json.id, body, headers)).status).toBe(200);
    expect(await verify(json.id, body, headers)).toMatchObject({
      status: 401,
      json: { details: { reason: "Invalid Request-Id" } },
    });
  });

  it("of another type than the credential's is a bad field", async () => {
    const { json } = await register("EMAIL_OTP");
    const body = { type: "OAUTH", oidcToken: "sandbox-valid-oidc-token", clientPublicKey };
    expect(await verify(json.id, body)).toMatchObject({
      status: 400,
      json: { code: "INVALID_INPUT", details: { errors: [{ field: "type" }] } },
    });
  });

  it("names a key off the curve beside what else is wrong", async () => {
    const { json } = await register("EMAIL_OTP");
    const offCurve = `04${"11".repeat(64)}`;
    const named = async (body: object) =>
      (await verify(json.id, body)).json.details.errors.map((one: { field: string }) => one.field);
    const code = { type: "EMAIL_OTP", clientPublicKey: offCurve };
    expect(await named(code)).toEqual(["otp", "clientPublicKey"]);
    expect(await named({ ...code, otp: "000000" })).toEqual(["clientPublicKey"]);
    expect(await named({ ...code, type: "OAUTH" })).toEqual(["oidcToken", "clientPublicKey"]);
    expect(await named({ ...code, type: "PASSKEY" })).toEqual(["assertion"]);
  });

  it.each([
    `/auth/sessions/Session:${UNKNOWN}/refresh`,
    `/internal-accounts/InternalAccount:${UNKNOWN}/export`,
  ])("names a key off the curve beside a bad idempotency key at %s", async (path) => {
    const body = { clientPublicKey: `04${"11".repeat(64)}` };
    const { json } = await story.call("POST", path, body, { key: "k".repeat(256) });
    expect(json.details.errors.map((one: { field: string }) => one.field)).toEqual([
      "Idempotency-Key",
      "clientPublicKey",
    ]);
  });

  it("for one passkey challenge is no answer to another under the same key", async () => {
    const { json } = await register("PASSKEY");
    const challenged = async () =>
      (await story.call("POST", `/auth/credentials/${json.id}/challenge`, { clientPublicKey }))
        .json;
    const { requestId } = await challenged();
    const assertion = {
      credentialId: "x",
      clientDataJson: "x",
      authenticatorData: "x",
      signature: "sandbox-valid-passkey-signature",
    };
    const login = (id: string) =>
      story.call(
        "POST",
        `/auth/credentials/${json.id}/verify`,
        { type: "PASSKEY", assertion },
        { key: "passkey", headers: { "Request-Id": id } },
      );
    const first = await login(requestId);
    expect(first.status).toBe(200);
    expect((await login(requestId)).text).toBe(first.text);
    const other = `Request:${UNKNOWN}`;
    expect((await login(other)).json.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("gives its session again under an idempotency key, byte for byte", async () => {
    const { json } = await register("EMAIL_OTP");
    const body = { type: "EMAIL_OTP", otp: "000000", clientPublicKey };
    const path = `/auth/credentials/${json.id}/verify`;
    const first = await story.call("POST", path, body, { key: "login" });
    expect(first.status).toBe(200);
    const again = await story.call("POST", path, body, { key: "login" });
    expect(again.text).toBe(first.text);
    const other = { ...body, otp: "111111" };
    const reused = await story.call("POST", path, other, { key: "login" });
    expect(reused.json.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });
});

describe("a challenge", () => {
  it("for a code or a token answers the credential for every key", async () => {
    for (const type of ["EMAIL_OTP", "OAUTH"]) {
      wallet = await newWallet(story);
      const { json } = await register(type);
      const path = `/auth/credentials/${json.id}/challenge`;
      for (const body of [undefined, {}, { clientPublicKey: "nonsense" }, { clientPublicKey: 5 }]) {
        const answer = await story.call("POST", path, body);
        expect(answer.status).toBe(200);
        expect(answer.json).toMatchObject({ id: json.id, nickname: json.nickname });
        expect(Object.keys(answer.json).sort()).toEqual([...AUTH_METHOD].sort());
      }
    }
  });

  it("for a passkey needs a key that is a point of the curve", async () => {
    const { json } = await register("PASSKEY");
    const path = `/auth/credentials/${json.id}/challenge`;
    const wrong = [
      undefined,
      {},
      { clientPublicKey: 5 },
      { clientPublicKey: clientPublicKey.slice(2) },
      { clientPublicKey: `${clientPublicKey}\n` },
      { clientPublicKey: `04${"1".repeat(128)}` },
      { clientPublicKey: `04${"0".repeat(128)}` },
    ];
    for (const body of wrong) {
      expect(await story.call("POST", path, body)).toMatchObject({
        status: 400,
        json: { code: "INVALID_INPUT", details: { errors: [{ field: "clientPublicKey" }] } },
      });
    }
  });
});
