/** Credentials of embedded wallets in a sandbox: registered, proved, listed, revoked, and every way to be refused. */
import { createClientKey } from "@florin/client/wallet";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  jwt,
  newWallet,
  registrationBody,
  SANDBOX_STAMP,
  signedCall,
  signedHeaders,
  type Wallet,
} from "../../kit/story-wallets.ts";

const AUTH_METHOD = ["id", "accountId", "type", "nickname", "createdAt", "updatedAt"];
const UNKNOWN = "019a4f00-0000-7000-8000-000000000001";

const server = await sharedServer();
let story: Story;
let wallet: Wallet;
let clientPublicKey: string;
beforeAll(async () => {
  story = await openStory(server);
  ({ clientPublicKey } = await createClientKey());
});
beforeEach(async () => {
  wallet = await newWallet(story);
});

const register = (type: string, name = "ana"): Promise<RawAnswer> =>
  story.call("POST", "/auth/credentials", registrationBody(type, wallet.accountId, name));

const add = (type: string, name = "ana"): Promise<RawAnswer> =>
  signedCall(story, {
    method: "POST",
    path: "/auth/credentials",
    body: registrationBody(type, wallet.accountId, name),
  });

const verify = (id: string, body: object, headers = {}): Promise<RawAnswer> =>
  story.call("POST", `/auth/credentials/${id}/verify`, body, { headers });

const TYPES = ["EMAIL_OTP", "OAUTH", "PASSKEY"] as const;

describe("the first credential", () => {
  it.each(TYPES)(
    "of type %s is made at once, with exactly the fields of an AuthMethod",
    async (type) => {
      const made = await register(type);
      expect(made.status).toBe(201);
      expect(Object.keys(made.json).sort()).toEqual([...AUTH_METHOD].sort());
      const nickname = { EMAIL_OTP: "ana@example.com", OAUTH: "ana", PASSKEY: "ana key" }[type];
      expect(made.json).toMatchObject({ accountId: wallet.accountId, type, nickname });
      expect(made.json.id).toMatch(/^AuthMethod:/);
      const listed = await story.call("GET", `/auth/credentials?accountId=${wallet.accountId}`);
      expect(listed.json).toEqual({ data: [made.json], hasMore: false, totalCount: 1 });
    },
  );

  it("takes the customer's address when none is given, and the token's when there is one", async () => {
    const body = { type: "EMAIL_OTP", accountId: wallet.accountId };
    const made = await story.call("POST", "/auth/credentials", body);
    expect(made.json.nickname).toMatch(/^ana\.\d+@example\.com$/);
    const other = await newWallet(story);
    const oidcToken = jwt({ sub: "1", email: "ana@gmail.com" });
    const token = await story.call("POST", "/auth/credentials", {
      type: "OAUTH",
      accountId: other.accountId,
      oidcToken,
    });
    expect(token.json.nickname).toBe("ana@gmail.com");
  });

  it("ignores signature headers, because no session exists yet", async () => {
    const body = registrationBody("OAUTH", wallet.accountId);
    const headers = signedHeaders("nonsense", "nonsense");
    const made = await story.call("POST", "/auth/credentials", body, { headers });
    expect(made.status).toBe(201);
  });

  it("is found again under its key, with headers that it ignored and when the customer is gone", async () => {
    const body = registrationBody("OAUTH", wallet.accountId);
    const options = { key: "ignored", headers: { "Request-Id": "correlation-1" } };
    const first = await story.call("POST", "/auth/credentials", body, options);
    expect(first.status).toBe(201);
    expect((await story.call("POST", "/auth/credentials", body, options)).text).toBe(first.text);
    const act = { method: "POST", path: "/auth/credentials" };
    const more = { ...act, body: registrationBody("EMAIL_OTP", wallet.accountId) };
    const asked = await story.call(more.method, more.path, more.body);
    const signed = { key: "signed", headers: signedHeaders(asked.json.requestId, SANDBOX_STAMP) };
    const added = await story.call(more.method, more.path, more.body, signed);
    expect(added.status).toBe(201);
    expect((await story.call("DELETE", `/customers/${wallet.customerId}`)).status).toBe(200);
    const again = await story.call(more.method, more.path, more.body, signed);
    expect(again.text).toBe(added.text);
    expect((await story.call("POST", "/auth/credentials", body, options)).text).toBe(first.text);
  });

  it.each(["a\u0000b", "a\ud800b", "a\nb"])(
    "is not called %j, whatever its token says",
    async (text) => {
      const token = (claims: object) => ({
        type: "OAUTH",
        accountId: wallet.accountId,
        oidcToken: jwt({ ...claims }),
      });
      const first = await story.call(
        "POST",
        "/auth/credentials",
        token({ email: text, sub: text }),
      );
      expect([first.status, first.json.nickname]).toEqual([201, "Google"]);
      const body = token({ email: text, sub: "1" });
      const second = await signedCall(story, { method: "POST", path: "/auth/credentials", body });
      expect([second.status, second.json.nickname]).toEqual([201, "1"]);
    },
  );

  it("is one when two are registered at once; the other is to be signed for", async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) => register("OAUTH", `person ${index}`)),
    );
    const statuses = made.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 202)]);
  });

  it("is made once under an idempotency key; what is to be signed is never kept", async () => {
    const body = registrationBody("OAUTH", wallet.accountId);
    const first = await story.call("POST", "/auth/credentials", body, { key: "first" });
    const again = await story.call("POST", "/auth/credentials", body, { key: "first" });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const more = registrationBody("EMAIL_OTP", wallet.accountId);
    const asked = await story.call("POST", "/auth/credentials", more, { key: "more" });
    const askedAgain = await story.call("POST", "/auth/credentials", more, { key: "more" });
    expect([asked.status, askedAgain.status]).toEqual([202, 202]);
    expect(askedAgain.json.requestId).not.toBe(asked.json.requestId);
  });
});

describe("another credential", () => {
  it.each(TYPES)("of type %s is asked for with 202 and made by the signed retry", async (type) => {
    await register("OAUTH", "the first");
    const body = registrationBody(type, wallet.accountId);
    const asked = await story.call("POST", "/auth/credentials", body);
    expect(asked.status).toBe(202);
    expect(Object.keys(asked.json).sort()).toEqual([
      "expiresAt",
      "payloadToSign",
      "requestId",
      "type",
    ]);
    expect(asked.json.type).toBe(type);
    expect(asked.json.payloadToSign).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(asked.json.requestId).toMatch(/^Request:/);
    const headers = signedHeaders(asked.json.requestId, SANDBOX_STAMP);
    const made = await story.call("POST", "/auth/credentials", body, { headers });
    expect(made.status).toBe(201);
    expect(Object.keys(made.json).sort()).toEqual([...AUTH_METHOD].sort());
    const again = await story.call("POST", "/auth/credentials", body, { headers });
    expect(again).toMatchObject({ status: 401, json: { code: "UNAUTHORIZED" } });
  });

  it("of a type that can be there once is refused at both calls", async () => {
    await register("OAUTH", "the first");
    for (const type of ["EMAIL_OTP", "PASSKEY"]) {
      const body = registrationBody(type, wallet.accountId);
      const asked = await story.call("POST", "/auth/credentials", body);
      expect((await add(type, "quicker")).status).toBe(201);
      const refused = {
        status: 400,
        json: { code: `${type}_CREDENTIAL_ALREADY_EXISTS` },
      };
      expect(await register(type)).toMatchObject(refused);
      const headers = signedHeaders(asked.json.requestId, SANDBOX_STAMP);
      expect(await story.call("POST", "/auth/credentials", body, { headers })).toMatchObject(
        refused,
      );
    }
  });

  it("for the same person is refused, and so is the twenty-first", async () => {
    await register("OAUTH", "ana");
    expect(await register("OAUTH", "ana")).toMatchObject({
      status: 400,
      json: { code: "INVALID_INPUT", details: { errors: [{ field: "oidcToken" }] } },
    });
    for (let count = 2; count <= 20; count += 1) {
      expect((await add("OAUTH", `person ${count}`)).status).toBe(201);
    }
    expect(await add("OAUTH", "one too many")).toMatchObject({ status: 409 });
  });
});

describe("revoking", () => {
  it("takes a credential away, with the sessions that it issued", async () => {
    const first = await register("OAUTH", "keeps");
    const second = await add("EMAIL_OTP");
    const proof = { type: "EMAIL_OTP", otp: "000000", clientPublicKey };
    const session = await verify(second.json.id, proof);
    const asked = await story.call("DELETE", `/auth/credentials/${second.json.id}`);
    expect(asked).toMatchObject({ status: 202, json: { type: "EMAIL_OTP" } });
    const headers = signedHeaders(asked.json.requestId, SANDBOX_STAMP);
    const path = `/auth/credentials/${second.json.id}`;
    expect((await story.call("DELETE", path, undefined, { headers })).status).toBe(204);
    const listed = await story.call("GET", `/auth/credentials?accountId=${wallet.accountId}`);
    expect(listed.json.data.map(({ id }: { id: string }) => id)).toEqual([first.json.id]);
    const sessions = await story.call("GET", `/auth/sessions?accountId=${wallet.accountId}`);
    expect(sessions.json.data).toEqual([]);
    expect((await story.call("DELETE", `/auth/sessions/${session.json.id}`)).status).toBe(404);
    expect((await story.call("DELETE", path)).status).toBe(404);
    expect(await verify(second.json.id, proof)).toMatchObject({ status: 404 });
    expect((await add("EMAIL_OTP", "again")).status).toBe(201);
  });

  it("leaves an account its last credential, at both calls and when all go at once", async () => {
    const only = await register("OAUTH", "a");
    expect(await story.call("DELETE", `/auth/credentials/${only.json.id}`)).toMatchObject({
      status: 400,
      json: { code: "LAST_CREDENTIAL" },
    });
    const other = await add("OAUTH", "b");
    const paths = [only, other].map(({ json }) => `/auth/credentials/${json.id}`);
    const asked = await Promise.all(paths.map((path) => story.call("DELETE", path)));
    const revoked = await Promise.all(
      paths.map((path, index) => {
        const headers = signedHeaders(asked[index]?.json.requestId, SANDBOX_STAMP);
        return story.call("DELETE", path, undefined, { headers });
      }),
    );
    expect(revoked.map(({ status }) => status).sort()).toEqual([204, 400]);
    const listed = await story.call("GET", `/auth/credentials?accountId=${wallet.accountId}`);
    expect(listed.json.totalCount).toBe(1);
  });
});

describe("what is not there", () => {
  it("is 404 in a path or body, nothing in a list, 400 when it is no id", async () => {
    const id = `AuthMethod:${UNKNOWN}`;
    const proof = { type: "EMAIL_OTP", otp: "000000", clientPublicKey };
    const notFound = { status: 404, json: { code: "REFERENCE_NOT_FOUND" } };
    expect(await verify(id, proof)).toMatchObject(notFound);
    expect(await story.call("POST", `/auth/credentials/${id}/challenge`)).toMatchObject(notFound);
    expect(await story.call("DELETE", `/auth/credentials/${id}`)).toMatchObject(notFound);
    const body = registrationBody("OAUTH", `InternalAccount:${UNKNOWN}`);
    expect(await story.call("POST", "/auth/credentials", body)).toMatchObject(notFound);
    for (const accountId of [UNKNOWN, `Customer:${UNKNOWN}`, "InternalAccount:1", ""]) {
      const malformed = registrationBody("OAUTH", accountId);
      expect(await story.call("POST", "/auth/credentials", malformed)).toMatchObject({
        status: 400,
        json: { code: "INVALID_INPUT", details: { errors: [{ field: "accountId" }] } },
      });
    }
    for (const list of ["credentials", "sessions"]) {
      const found = await story.call("GET", `/auth/${list}?accountId=InternalAccount:${UNKNOWN}`);
      expect(found.json).toEqual({ data: [], hasMore: false, totalCount: 0 });
      expect(await story.call("GET", `/auth/${list}`)).toMatchObject({ status: 400 });
      expect(await story.call("GET", `/auth/${list}?accountId=${UNKNOWN}`)).toMatchObject({
        status: 400,
        json: { code: "INVALID_INPUT", details: { errors: [{ field: "accountId" }] } },
      });
    }
  });

  it("is what a deleted customer's wallet becomes", async () => {
    const made = await register("EMAIL_OTP");
    const deleted = await story.call("DELETE", `/customers/${wallet.customerId}`);
    expect(deleted.status).toBeLessThan(300);
    const proof = { type: "EMAIL_OTP", otp: "000000", clientPublicKey };
    expect(await verify(made.json.id, proof)).toMatchObject({ status: 404 });
    expect(await register("OAUTH")).toMatchObject({ status: 404 });
    const listed = await story.call("GET", `/auth/credentials?accountId=${wallet.accountId}`);
    expect(listed.json.data).toEqual([]);
  });
});

describe("the nickname of a passkey", () => {
  const named = (nickname: string) =>
    story.call("POST", "/auth/credentials", {
      ...registrationBody("PASSKEY", wallet.accountId),
      nickname,
    });

  it.each([
    [99, 10],
    [100, 0],
    [100, 100],
    [1, 3],
  ])(
    "is trimmed before it is measured: %i letters with %i blanks on each side",
    async (letters, blanks) => {
      const made = await named(" ".repeat(blanks) + "é".repeat(letters) + " ".repeat(blanks));
      expect([made.status, made.json.nickname]).toEqual([201, "é".repeat(letters)]);
    },
  );

  it.each([
    ["101 letters", "e".repeat(101)],
    ["101 with a blank among them", `${"e".repeat(50)} ${"e".repeat(50)}`],
    ["nothing but blanks", "   "],
    ["nothing", ""],
    ["a letter after a multitude of blanks", `${" ".repeat(200_000)}e`],
  ])("is not %s", async (_, nickname) => {
    expect(await named(nickname)).toMatchObject({
      status: 400,
      json: { details: { errors: [{ field: "nickname" }] } },
    });
  });
});

describe("a body that makes no credential", () => {
  const fields = (answer: RawAnswer) =>
    answer.json.details.errors.map(({ field }: { field: string }) => field).sort();

  it("is refused with every bad field", async () => {
    const post = (body: object) => story.call("POST", "/auth/credentials", body);
    const { accountId } = wallet;
    expect(fields(await post({ accountId }))).toEqual(["type"]);
    expect(fields(await post({ type: "SMS_OTP", accountId }))).toEqual(["type"]);
    expect(fields(await post({}))).toEqual(["accountId", "type"]);
    expect(fields(await post({ type: "SMS_OTP", accountId: "x" }))).toEqual(["accountId", "type"]);
    expect(fields(await post({ type: "OAUTH" }))).toEqual(["accountId", "oidcToken"]);
    expect(fields(await post({ type: "PASSKEY", accountId, nickname: "<b>" }))).toEqual([
      "attestation",
      "challenge",
      "nickname",
    ]);
    const passkey = registrationBody("PASSKEY", accountId);
    expect(fields(await post({ ...passkey, nickname: "  ", challenge: "a b" }))).toEqual([
      "challenge",
      "nickname",
    ]);
    for (const email of ["ana", "ana@x.y\r\nBcc: eve@x.y", "Ana <ana@x.y>", 5]) {
      expect(fields(await post({ type: "EMAIL_OTP", accountId, email }))).toEqual(["email"]);
    }
    for (const oidcToken of [
      "sandbox-valid-oidc-token",
      "a.b",
      "a.b.c",
      jwt({ iss: "https://x" }),
    ]) {
      expect(fields(await post({ type: "OAUTH", accountId, oidcToken }))).toEqual(["oidcToken"]);
    }
  });

  it("is refused for an account that is no embedded wallet", async () => {
    const { accountId } = await fundedCustomer(story, 0);
    const answer = await story.call(
      "POST",
      "/auth/credentials",
      registrationBody("OAUTH", accountId),
    );
    expect(answer.json.code).toBe("INVALID_INPUT");
    expect(fields(answer)).toEqual(["accountId"]);
    const more = { type: "EMAIL_OTP", accountId, email: "nope" };
    const both = await story.call("POST", "/auth/credentials", more);
    expect(fields(both)).toEqual(["accountId", "email"]);
  });
});
