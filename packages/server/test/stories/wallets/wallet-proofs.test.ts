/** ID tokens and passkeys in production, as far as the command decides: whose they are, and that each opens one session. */
import { randomUUID } from "node:crypto";
import { createClientKey } from "@florin/client/wallet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLog, type Log } from "../../../src/std/log.ts";
import { ignoreUnknownFields, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import {
  createOutside,
  createStandingClock,
  ISSUER,
  jwt,
  newWallet,
  opened,
  registrationBody,
  sessionByToken,
  signedCall,
  signedHeaders,
} from "../../kit/story-wallets.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const outside = createOutside();
const time = createStandingClock(Date.parse("2027-03-01T10:00:00.250Z"));
const WRONG_TOKEN = { status: 401, json: { details: { reason: "Invalid OIDC token" } } };
const WRONG_ASSERTION = { status: 401, json: { details: { reason: "Invalid passkey signature" } } };
const WRONG_REQUEST = { status: 401, json: { details: { reason: "Invalid Request-Id" } } };

const warnings: unknown[] = [];
const log: Log = {
  ...createLog("silent"),
  warn: (...said) => void warnings.push(said),
};

let server: TestServer;
let story: Story;
let clientPublicKey: string;
let people = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: time.clock, wallets: outside.wallets, log });
  // The start warns of pages that were not built, which `npm test` does not need.
  warnings.length = 0;
  story = await openStory(server, { environment: "PRODUCTION" });
  await ignoreUnknownFields(story);
  ({ clientPublicKey } = await createClientKey());
});
afterAll(() => server.close());

interface Registered {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
}

async function registered(type: string): Promise<Registered> {
  people += 1;
  const name = `person ${people}`;
  const { accountId } = await newWallet(story);
  const body = registrationBody(type, accountId, name);
  const made = await story.call("POST", "/auth/credentials", body);
  expect(made.status).toBe(201);
  return { id: made.json.id, accountId, name };
}

const post = (path: string, body: object, requestId?: string, key?: string): Promise<RawAnswer> =>
  story.call("POST", `/auth/credentials/${path}`, body, {
    headers: requestId === undefined ? {} : { "Request-Id": requestId },
    ...(key === undefined ? {} : { key }),
  });

describe("an ID token", () => {
  const proof = (oidcToken: string, key = clientPublicKey) => ({
    type: "OAUTH",
    oidcToken,
    clientPublicKey: key,
  });

  it("opens one session, however often and with whichever key it is sent", async () => {
    const { id, name } = await registered("OAUTH");
    const token = jwt({ sub: name, aud: "app", jti: "once" });
    const keys = await Promise.all(Array.from({ length: 10 }, () => createClientKey()));
    const answers = await Promise.all(
      keys.map((key) => post(`${id}/verify`, proof(token, key.clientPublicKey))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
    expect(
      (await post(`${id}/verify`, proof(jwt({ sub: name, aud: "app", jti: "two" })))).status,
    ).toBe(200);
  });

  it("has to name the same issuer, application and person as the credential", async () => {
    const { id, name } = await registered("OAUTH");
    const other = await registered("OAUTH");
    for (const claims of [
      { sub: other.name, aud: "app" },
      { sub: name, aud: "another app" },
      { sub: name, aud: "app", iss: `${ISSUER}/` },
      { sub: name, aud: "app", bad: true },
    ]) {
      expect(await post(`${id}/verify`, proof(jwt(claims)))).toMatchObject(WRONG_TOKEN);
    }
    expect(await post(`${id}/verify`, proof("sandbox-valid-oidc-token.e30.x"))).toMatchObject(
      WRONG_TOKEN,
    );
    expect((await post(`${id}/verify`, proof(jwt({ sub: name, aud: "app" })))).status).toBe(200);
  });

  it("is judged by its issuer's keys only where it could open something", async () => {
    const [mine, other, passkey] = [
      await registered("OAUTH"),
      await registered("OAUTH"),
      await registered("PASSKEY"),
    ];
    const token = jwt({ sub: mine.name, aud: "app", down: true });
    const verify = (id: string) => post(`${id}/verify`, proof(token));
    expect(await verify(mine.id)).toMatchObject({ status: 503 });
    expect(warnings.splice(0)).toMatchObject([
      [{ err: "no keys" }, "a request met a fault"],
      [{ status: 503 }, "a call failed"],
    ]);
    expect(await verify(other.id)).toMatchObject(WRONG_TOKEN);
    const wrongType = { status: 400, json: { details: { field: "type" } } };
    expect(await verify(passkey.id)).toMatchObject(wrongType);
    expect(await verify(`AuthMethod:${randomUUID()}`)).toMatchObject({ status: 404 });
  });

  it("that registered a credential opens no session and registers on no other wallet, and the other way round", async () => {
    const [mine, other, third] = [
      await newWallet(story),
      await newWallet(story),
      await newWallet(story),
    ];
    const oidcToken = jwt({ sub: "twice", aud: "app", jti: "registers" });
    const register = (accountId: string, token = oidcToken) =>
      story.call("POST", "/auth/credentials", { type: "OAUTH", accountId, oidcToken: token });
    const answers = await Promise.all(
      [mine, other, third].map(({ accountId }) => register(accountId)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    const made = answers.find(({ status }) => status === 201);
    const id = made?.json.id;
    expect(await post(`${id}/verify`, proof(oidcToken))).toMatchObject(WRONG_TOKEN);
    const fresh = jwt({ sub: "twice", aud: "app", jti: "opens" });
    expect((await post(`${id}/verify`, proof(fresh))).status).toBe(200);
    const { accountId } = await newWallet(story);
    expect(await register(accountId, fresh)).toMatchObject(WRONG_TOKEN);
  });

  it("is used up by the signed call that adds a credential, and not by the one that asks for it", async () => {
    const { id, accountId, name } = await registered("OAUTH");
    const second = await registered("OAUTH");
    const session = await sessionByToken(story, id, name);
    const otherSession = await sessionByToken(story, second.id, second.name);
    const oidcToken = jwt({ sub: "added", aud: "app", jti: "adds" });
    const ask = async (to: string) => {
      const body = { type: "OAUTH", accountId: to, oidcToken };
      const { json } = await story.call("POST", "/auth/credentials", body);
      return { body, requestId: json.requestId, payloadToSign: json.payloadToSign };
    };
    const [one, two] = [await ask(accountId), await ask(second.accountId)];
    const add = async (asked: typeof one, signer: typeof session) => {
      const headers = signedHeaders(asked.requestId, await signer.stamp(asked.payloadToSign));
      return story.call("POST", "/auth/credentials", asked.body, { headers });
    };
    const made = await add(one, session);
    expect(made.status).toBe(201);
    expect(await add(two, otherSession)).toMatchObject(WRONG_TOKEN);
    expect(await post(`${made.json.id}/verify`, proof(oidcToken))).toMatchObject(WRONG_TOKEN);
  });

  it("that proves nothing registers nothing", async () => {
    const { accountId } = await newWallet(story);
    const oidcToken = jwt({ sub: "x", aud: "app", bad: true });
    const answer = await story.call("POST", "/auth/credentials", {
      type: "OAUTH",
      accountId,
      oidcToken,
    });
    expect(answer).toMatchObject(WRONG_TOKEN);
    const listed = await story.call("GET", `/auth/credentials?accountId=${accountId}`);
    expect(listed.json.data).toEqual([]);
  });
});

describe("a passkey", () => {
  async function challenged(id: string, key = clientPublicKey) {
    const { json } = await post(`${id}/challenge`, { clientPublicKey: key });
    return json as { readonly challenge: string; readonly requestId: string };
  }

  const proof = (signature: string, signCount = 0) => ({
    type: "PASSKEY",
    assertion: {
      credentialId: "eA",
      clientDataJson: "e30",
      authenticatorData: String(signCount),
      signature,
    },
  });

  it("gets a session that is sealed to the key of the challenge, whatever the body says", async () => {
    const { id, accountId } = await registered("PASSKEY");
    const clientKey = await createClientKey();
    const { challenge, requestId } = await challenged(id, clientKey.clientPublicKey);
    const body = { ...proof(challenge), clientPublicKey };
    const session = await opened(clientKey, await post(`${id}/verify`, body, requestId));
    const act = {
      method: "POST",
      path: `/internal-accounts/${accountId}/export`,
      body: { clientPublicKey },
    };
    expect((await signedCall(story, act, session)).status).toBe(200);
  });

  it("is asked once for each challenge", async () => {
    const { id } = await registered("PASSKEY");
    const { challenge, requestId } = await challenged(id);
    expect(await post(`${id}/verify`, proof("no"), requestId)).toMatchObject(WRONG_ASSERTION);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`${id}/verify`, proof(challenge), requestId)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it("does not answer another one's challenge, an older one, or none", async () => {
    const [mine, theirs] = [await registered("PASSKEY"), await registered("PASSKEY")];
    const [own, other, second] = [
      await challenged(mine.id),
      await challenged(theirs.id),
      await challenged(mine.id),
    ];
    const verify = (challenge: string, requestId?: string) =>
      post(`${mine.id}/verify`, proof(challenge), requestId);
    expect(await verify(other.challenge, other.requestId)).toMatchObject(WRONG_REQUEST);
    expect(await verify(own.challenge)).toMatchObject(WRONG_REQUEST);
    expect(await verify(own.challenge, "nonsense")).toMatchObject(WRONG_REQUEST);
    expect(await verify(own.challenge, second.requestId)).toMatchObject(WRONG_ASSERTION);
    const signed = await signedRequestOf(mine);
    expect(await verify(own.challenge, signed)).toMatchObject(WRONG_REQUEST);
    time.move(5 * 60_000 - 1);
    expect((await verify(own.challenge, own.requestId)).status).toBe(200);
    time.move(1);
    expect(await verify(second.challenge, second.requestId)).toMatchObject(WRONG_REQUEST);
  });

  async function signedRequestOf({ accountId }: Registered): Promise<string> {
    const path = `/internal-accounts/${accountId}/export`;
    return (await story.call("POST", path, { clientPublicKey })).json.requestId;
  }

  it("that was revoked leaves no challenge open", async () => {
    const { id, accountId } = await registered("PASSKEY");
    const asked = await challenged(id);
    const signIn = await challenged(id);
    const clientKey = await createClientKey();
    const again = await challenged(id, clientKey.clientPublicKey);
    const own = await opened(
      clientKey,
      await post(`${id}/verify`, proof(again.challenge), again.requestId),
    );
    const act = {
      method: "POST",
      path: "/auth/credentials",
      body: registrationBody("OAUTH", accountId, "keeper"),
    };
    const keeper = await signedCall(story, act, own);
    const session = await sessionByToken(story, keeper.json.id, "keeper");
    const path = `/auth/credentials/${id}`;
    expect((await signedCall(story, { method: "DELETE", path }, session)).status).toBe(204);
    for (const { challenge, requestId } of [asked, signIn]) {
      const answer = await post(`${id}/verify`, proof(challenge), requestId);
      expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
      const elsewhere = await post(`${keeper.json.id}/verify`, proof(challenge), requestId);
      expect([elsewhere.status, elsewhere.json.code]).toEqual([400, "INVALID_INPUT"]);
    }
    const listed = await story.call("GET", `/auth/sessions?accountId=${accountId}`);
    expect(listed.json.data.map((one: { id: string }) => one.id)).toEqual([session.id]);
  });

  it("has a counter that only rises, unless it counts nothing", async () => {
    const { id } = await registered("PASSKEY");
    const login = async (signCount: number) => {
      const { challenge, requestId } = await challenged(id);
      return (await post(`${id}/verify`, proof(challenge, signCount), requestId)).status;
    };
    const statuses: number[] = [];
    for (const signCount of [0, 0, 5, 5, 4, 0, 6]) statuses.push(await login(signCount));
    expect(statuses).toEqual([200, 200, 200, 401, 401, 401, 200]);
    const credentialId = id.split(":")[1];
    expect(warnings).toEqual(
      Array(3).fill([
        { platformId: story.platformId, credentialId },
        "a passkey was refused for its counter: it may have been copied",
      ]),
    );
  });

  it("that is repeated under its key is replayed, and no warning is logged", async () => {
    warnings.length = 0;
    const { id } = await registered("PASSKEY");
    const { challenge, requestId } = await challenged(id);
    const login = () => post(`${id}/verify`, proof(challenge, 7), requestId, "again");
    const first = await login();
    expect(first.status).toBe(200);
    expect((await login()).text).toBe(first.text);
    expect(warnings).toEqual([]);
  });

  it("is not opened by the sandbox's word", async () => {
    const { id } = await registered("PASSKEY");
    const { requestId } = await challenged(id);
    const body = proof("sandbox-valid-passkey-signature");
    expect(await post(`${id}/verify`, body, requestId)).toMatchObject(WRONG_ASSERTION);
  });

  it("is registered by a challenge of its own: one that made another is refused, at once and for good", async () => {
    const wallets = [await newWallet(story), await newWallet(story), await newWallet(story)];
    const challenge = Buffer.from("one challenge").toString("base64url");
    const register = ({ accountId }: { readonly accountId: string }, name: string) =>
      story.call("POST", "/auth/credentials", {
        ...registrationBody("PASSKEY", accountId, name),
        challenge,
      });
    const answers = await Promise.all(
      wallets.map((wallet, index) => register(wallet, `challenged ${index}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    time.move(365 * 24 * 3_600_000);
    expect(await register(await newWallet(story), "challenged later")).toMatchObject({
      status: 401,
      json: { details: { reason: "Invalid passkey attestation" } },
    });
  });

  it("that is sent again is reported as the account's second one, not as a used proof", async () => {
    const { accountId } = await newWallet(story);
    const body = registrationBody("PASSKEY", accountId, "sent again");
    const register = () => story.call("POST", "/auth/credentials", body);
    expect((await register()).status).toBe(201);
    expect(await register()).toMatchObject({
      status: 400,
      json: { code: "PASSKEY_CREDENTIAL_ALREADY_EXISTS" },
    });
  });

  it("is registered once, whatever became of it", async () => {
    const { name } = await registered("PASSKEY");
    const { accountId } = await newWallet(story);
    const body = registrationBody("PASSKEY", accountId, name);
    expect(await story.call("POST", "/auth/credentials", body)).toMatchObject({
      status: 400,
      json: { details: { errors: [{ field: "attestation.credentialId" }] } },
    });
  });
});

describe("a session", () => {
  const listed = async (accountId: string) =>
    (await story.call("GET", `/auth/sessions?accountId=${accountId}`)).json;

  it("is listed while it is active, without its key", async () => {
    const { id, accountId, name } = await registered("OAUTH");
    const first = await sessionByToken(story, id, name);
    time.move(1);
    const second = await sessionByToken(story, id, name);
    const found = await listed(accountId);
    expect(found).toMatchObject({ hasMore: false, totalCount: 2 });
    expect(found.data.map((one: { id: string }) => one.id)).toEqual([second.id, first.id]);
    expect(Object.keys(found.data[0]).sort()).toEqual(
      ["id", "accountId", "type", "nickname", "createdAt", "updatedAt", "expiresAt"].sort(),
    );
    time.move(15 * 60_000 - 1);
    expect((await listed(accountId)).data.map((one: { id: string }) => one.id)).toEqual([
      second.id,
    ]);
    time.move(1);
    expect((await listed(accountId)).data).toEqual([]);
    expect((await story.call("DELETE", `/auth/sessions/${first.id}`)).status).toBe(404);
    const path = `/auth/sessions/${first.id}/refresh`;
    expect(await story.call("POST", path, { clientPublicKey })).toMatchObject({ status: 401 });
  });

  it("is followed by another one, and goes on until its own end", async () => {
    const { id, accountId, name } = await registered("OAUTH");
    const first = await sessionByToken(story, id, name);
    time.move(60_000);
    const clientKey = await createClientKey();
    const act = {
      method: "POST",
      path: `/auth/sessions/${first.id}/refresh`,
      body: { clientPublicKey: clientKey.clientPublicKey },
    };
    const asked = await story.call("POST", act.path, act.body);
    expect(Object.keys(asked.json).sort()).toEqual(["expiresAt", "payloadToSign", "requestId"]);
    const next = await opened(clientKey, await signedCall(story, act, first));
    expect((await listed(accountId)).totalCount).toBe(2);
    time.move(14 * 60_000);
    expect((await listed(accountId)).data.map((one: { id: string }) => one.id)).toEqual([next.id]);
  });

  it("ends when twenty others follow it", async () => {
    const { id, accountId, name } = await registered("OAUTH");
    const first = await sessionByToken(story, id, name);
    for (let count = 0; count < 20; count += 1) await sessionByToken(story, id, name);
    const found = await listed(accountId);
    expect(found.totalCount).toBe(20);
    expect(found.data.map((one: { id: string }) => one.id)).not.toContain(first.id);
  });
});

describe("a deployment without mail", () => {
  it("refuses codes in production, and does without them in a sandbox", async () => {
    const plain = await startTestServer({
      wallets: { mailer: { ...outside.wallets.mailer, canSend: false } },
    });
    try {
      const production = await openStory(plain, { environment: "PRODUCTION" });
      const { accountId } = await newWallet(production);
      const body = registrationBody("EMAIL_OTP", accountId);
      expect(await production.call("POST", "/auth/credentials", body)).toMatchObject({
        status: 501,
        json: {
          code: "NOT_IMPLEMENTED",
          details: { missing: "mail", requestId: expect.any(String) },
        },
      });
      const sandbox = await openStory(plain);
      const wallet = await newWallet(sandbox);
      const made = await sandbox.call(
        "POST",
        "/auth/credentials",
        registrationBody("EMAIL_OTP", wallet.accountId),
      );
      const path = `/auth/credentials/${made.json.id}/challenge`;
      expect((await sandbox.call("POST", path)).status).toBe(200);
      await sandbox.settle();
      expect(outside.mails).toEqual([]);
    } finally {
      await plain.close();
    }
  });
});
