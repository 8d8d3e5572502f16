/**
 * Wallets in production with nothing stood in for: codes come out of a mail server, tokens from an issuer, and what the
 * service sealed and what it takes as signed is held against libraries that are not ours.
 */
import { createHash } from "node:crypto";
import { createClientKey, openExport } from "@florin/client/wallet";
import { decryptExportBundle } from "@turnkey/crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressOf } from "../../../src/outside/wallets/new-wallet.ts";
import { newKeyPair } from "../../kit/oidc-issuer.ts";
import {
  type KnownSession,
  knownClientKey,
  knownSession,
  mailedCode,
  newOwner,
  type RealWallets,
  signIn,
  startRealWallets,
} from "../../kit/real-wallets.ts";
import type { RawAnswer } from "../../kit/story.ts";
import {
  type Act,
  newWallet,
  outsider,
  signedCall,
  signedHeaders,
} from "../../kit/story-wallets.ts";

let world: RealWallets;
beforeAll(async () => {
  world = await startRealWallets();
});
afterAll(() => world.close());

const MINUTE_MS = 60_000;
const uuidOf = (wireId: string) => wireId.split(":")[1] ?? "";
const post = (path: string, body?: unknown) => world.story.call("POST", path, body);
const listOf = async (what: "credentials" | "sessions", accountId: string) =>
  (await world.story.call("GET", `/auth/${what}?accountId=${accountId}`)).json.data as {
    readonly id: string;
    readonly type: string;
  }[];

describe("a code", () => {
  async function registered(address: string) {
    const { accountId } = await newWallet(world.story);
    const body = { type: "EMAIL_OTP", accountId, email: address };
    const made = await post("/auth/credentials", body);
    expect(made).toMatchObject({ status: 201, json: { type: "EMAIL_OTP", nickname: address } });
    await world.story.settle();
    return { accountId, credentialId: made.json.id as string };
  }
  const verify = (credentialId: string, otp: string, clientPublicKey: string) =>
    post(`/auth/credentials/${credentialId}/verify`, { type: "EMAIL_OTP", otp, clientPublicKey });

  it("comes by mail, opens a session once, and the session's key opens for its client alone", async () => {
    const { accountId, credentialId } = await registered("ana@mail.example");
    const otp = mailedCode(world.mail, "ana@mail.example");
    const clientKey = await knownClientKey();
    const answer = await verify(credentialId, otp, clientKey.clientPublicKey);
    expect(answer).toMatchObject({ status: 200, json: { accountId, type: "EMAIL_OTP" } });
    const session = await knownSession(clientKey, answer);
    const payload = "cGF5bG9hZA";
    const [ours, theirs] = [await session.stamp(payload), await session.stampElsewhere(payload)];
    const keyIn = (stamp: string) =>
      JSON.parse(Buffer.from(stamp, "base64url").toString()).publicKey;
    expect([keyIn(ours), keyIn(theirs)]).toEqual([session.publicKey, session.publicKey]);
    await expect(knownSession(await knownClientKey(), answer)).rejects.toMatchObject({
      reason: "does-not-open",
    });
    expect((await verify(credentialId, otp, clientKey.clientPublicKey)).status).toBe(401);
  });

  it("is followed by a new one when asked for, and the old one is nothing then", async () => {
    const { credentialId } = await registered("bea@mail.example");
    const { clientPublicKey } = await createClientKey();
    const first = mailedCode(world.mail, "bea@mail.example");
    const path = `/auth/credentials/${credentialId}/challenge`;
    const tooSoon = await post(path);
    expect([tooSoon.status, tooSoon.json.code]).toEqual([429, "RATE_LIMITED"]);
    world.move(30_000);
    expect((await post(path)).status).toBe(200);
    await world.story.settle();
    const second = mailedCode(world.mail, "bea@mail.example");
    expect(world.mail.received.filter(({ to }) => to.includes("bea@mail.example"))).toHaveLength(2);
    if (first !== second) {
      expect((await verify(credentialId, first, clientPublicKey)).status).toBe(401);
    }
    expect((await verify(credentialId, second, clientPublicKey)).status).toBe(200);
  });

  it("is mailed once the mail server takes it, and still is the only one", async () => {
    world.mailRefusal = 451;
    const { credentialId } = await registered("fay@mail.example");
    const mails = () => world.mail.received.filter(({ to }) => to.includes("fay@mail.example"));
    expect(mails()).toEqual([]);
    world.mailRefusal = undefined;
    world.move(20_000);
    await world.story.settle();
    expect(mails()).toHaveLength(1);
    const otp = mailedCode(world.mail, "fay@mail.example");
    const { clientPublicKey } = await createClientKey();
    expect((await verify(credentialId, otp, clientPublicKey)).status).toBe(200);
    world.move(MINUTE_MS);
    await world.story.settle();
    expect(mails()).toHaveLength(1);
  });

  it("is not the sandbox's fixed code", async () => {
    const { credentialId } = await registered("cem@mail.example");
    const { clientPublicKey } = await createClientKey();
    if (mailedCode(world.mail, "cem@mail.example") !== "000000") {
      expect((await verify(credentialId, "000000", clientPublicKey)).status).toBe(401);
    }
  });
});

describe("a token", () => {
  const verify = (credentialId: string, oidcToken: string, clientPublicKey: string) =>
    post(`/auth/credentials/${credentialId}/verify`, { type: "OAUTH", oidcToken, clientPublicKey });

  it("registers a person and signs them in, before and after the issuer's keys change", async () => {
    const { accountId } = await newWallet(world.story);
    const oidcToken = world.token("dan", { email: "dan@mail.example" });
    const made = await post("/auth/credentials", { type: "OAUTH", accountId, oidcToken });
    expect(made).toMatchObject({ status: 201, json: { nickname: "dan@mail.example" } });
    const { clientPublicKey } = await createClientKey();
    const login = (token: string) => verify(made.json.id, token, clientPublicKey);
    expect((await login(world.token("dan"))).status).toBe(200);

    const retired = world.issuer.key;
    world.issuer.rotate("RS256", "instead");
    const fetched = world.issuer.keyFetches;
    world.move(30_000);
    expect((await login(world.token("dan"))).status).toBe(200);
    expect(world.issuer.keyFetches).toBe(fetched + 1);
    const byRetired = world.issuer.token(claimsOf(world.token("dan")), { key: retired });
    expect((await login(byRetired)).status).toBe(401);
  });

  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as object;
  const nonceOf = (clientPublicKey: string) =>
    createHash("sha256").update(clientPublicKey).digest("hex");

  it("opens nothing that it is not for", async () => {
    const owner = await newOwner(world);
    const { clientPublicKey } = await createClientKey();
    const other = await createClientKey();
    const now = Math.floor(world.now() / 1000);
    const used = world.token(owner.name);
    expect((await verify(owner.credentialId, used, clientPublicKey)).status).toBe(200);
    const before = await listOf("sessions", owner.accountId);
    const wrong: Readonly<Record<string, string>> = {
      "used before": used,
      "of another person": world.token("somebody else"),
      "for another application": world.token(owner.name, { aud: "another app" }),
      "for two applications": world.token(owner.name, { aud: ["app", "another app"] }),
      "too old": world.token(owner.name, { iat: now - 70 }),
      over: world.token(owner.name, { iat: now - 30, exp: now - 10 }),
      "bound to another client key": world.token(owner.name, {
        nonce: nonceOf(other.clientPublicKey),
      }),
      "signed with another key under the same name": world.issuer.token(
        claimsOf(world.token(owner.name)),
        { key: newKeyPair(world.issuer.key.alg, world.issuer.key.kid) },
      ),
      "the sandbox's word": "sandbox-valid-oidc-token",
    };
    for (const [what, token] of Object.entries(wrong)) {
      const { status } = await verify(owner.credentialId, token, clientPublicKey);
      expect([what, status]).toEqual([what, 401]);
    }
    expect(await listOf("sessions", owner.accountId)).toEqual(before);
    const bound = world.token(owner.name, { nonce: nonceOf(clientPublicKey) });
    expect((await verify(owner.credentialId, bound, clientPublicKey)).status).toBe(200);
  });

  it("waits for its issuer: while there are no keys to be had, nothing is decided", async () => {
    const owner = await newOwner(world);
    world.move(11 * MINUTE_MS);
    world.issuer.answerInstead = (_path, response) => {
      response.writeHead(500).end();
      return true;
    };
    const { clientPublicKey } = await createClientKey();
    const token = world.token(owner.name);
    const refused = await verify(owner.credentialId, token, clientPublicKey);
    expect(refused.status).toBe(503);
    world.issuer.answerInstead = undefined;
    world.move(5_000);
    expect((await verify(owner.credentialId, token, clientPublicKey)).status).toBe(200);
  });
});

type Stamping = (session: KnownSession, payloadToSign: string) => Promise<string>;

const stampings: readonly { readonly by: string; readonly stamp: Stamping }[] = [
  { by: "the wallet module", stamp: (session, text) => session.stamp(text) },
  { by: "another library", stamp: (session, text) => session.stampElsewhere(text) },
];

/** Both calls, stamped in this way. */
const signed = (stamp: Stamping, act: Act, session: KnownSession): Promise<RawAnswer> =>
  signedCall(world.story, act, { ...session, stamp: (text) => stamp(session, text) });

describe.each(stampings)("a session whose stamps are made by $by", ({ stamp }) => {
  it("adds a credential, whose code comes by mail after the signature and not before", async () => {
    const owner = await newOwner(world);
    const session = await signIn(world, owner);
    const email = `${owner.name}@mail.example`;
    const body = { type: "EMAIL_OTP", accountId: owner.accountId, email };
    expect((await post("/auth/credentials", body)).status).toBe(202);
    await world.story.settle();
    expect(world.mail.received.filter(({ to }) => to.includes(email))).toEqual([]);
    const act = { method: "POST", path: "/auth/credentials", body };
    const added = await signed(stamp, act, session);
    expect(added).toMatchObject({ status: 201, json: { type: "EMAIL_OTP", nickname: email } });
    await world.story.settle();
    const { clientPublicKey } = await createClientKey();
    const proof = { type: "EMAIL_OTP", otp: mailedCode(world.mail, email), clientPublicKey };
    expect((await post(`/auth/credentials/${added.json.id}/verify`, proof)).status).toBe(200);
    const types = (await listOf("credentials", owner.accountId)).map(({ type }) => type);
    expect(types.sort()).toEqual(["EMAIL_OTP", "OAUTH"]);
  });

  it("is listed, followed by a fresh one, and ended", async () => {
    const owner = await newOwner(world);
    const session = await signIn(world, owner);
    const clientKey = await knownClientKey();
    const body = { clientPublicKey: clientKey.clientPublicKey };
    const path = `/auth/sessions/${session.id}`;
    const refresh = { method: "POST", path: `${path}/refresh`, body };
    const refreshed = await signed(stamp, refresh, session);
    expect(refreshed.status).toBe(201);
    const next = await knownSession(clientKey, refreshed);
    const ids = async () => (await listOf("sessions", owner.accountId)).map(({ id }) => id);
    expect((await ids()).sort()).toEqual([session.id, next.id].sort());
    expect((await signed(stamp, { method: "DELETE", path }, next)).status).toBe(204);
    expect(await ids()).toEqual([next.id]);
    const own = { method: "DELETE", path: `/auth/sessions/${next.id}` };
    expect((await signed(stamp, own, next)).status).toBe(204);
    expect(await ids()).toEqual([]);
  });

  it("exports the wallet: two libraries read the same words, and they are the wallet's", async () => {
    const owner = await newOwner(world);
    const session = await signIn(world, owner);
    const clientKey = await knownClientKey();
    const body = { clientPublicKey: clientKey.clientPublicKey };
    const path = `/internal-accounts/${owner.accountId}/export`;
    const exported = await signed(stamp, { method: "POST", path, body }, session);
    expect(exported).toMatchObject({ status: 200, json: { id: owner.accountId } });
    const { encryptedWalletCredentials } = exported.json;
    const issuerPublicKey = (await world.story.call("GET", "/wallet/issuer-key")).json.publicKey;
    const organizationId = uuidOf(owner.accountId);
    const words = await openExport({
      clientKey,
      encryptedWalletCredentials,
      issuerPublicKey,
      organizationId,
    });
    const elsewhere = await decryptExportBundle({
      exportBundle: encryptedWalletCredentials,
      embeddedKey: clientKey.privateHex,
      organizationId,
      dangerouslyOverrideSignerPublicKey: issuerPublicKey,
      returnMnemonic: true,
    });
    expect(elsewhere).toBe(words);
    expect(await addressOf(words)).toBe(await walletAddress(organizationId));
  });
});

async function walletAddress(id: string): Promise<string> {
  return world.server.database.asSuperuser(async (client) => {
    const statement = "select wallet_address from internal_accounts where id = $1";
    const { rows } = await client.query(statement, [id]);
    return rows[0].wallet_address;
  });
}

describe("a stamp", () => {
  it("of an ended session, another account, another text or an unknown key is refused, and leaves the request open", async () => {
    const owner = await newOwner(world);
    const session = await signIn(world, owner);
    const ended = await signIn(world, owner);
    const end = { method: "DELETE", path: `/auth/sessions/${ended.id}` };
    expect((await signedCall(world.story, end, session)).status).toBe(204);
    const stranger = await signIn(world, await newOwner(world));
    const { clientPublicKey } = await createClientKey();
    const path = `/internal-accounts/${owner.accountId}/export`;
    const asked = (await post(path, { clientPublicKey })).json;
    const { payloadToSign, requestId } = asked;
    const another = (await post(path, { clientPublicKey })).json.payloadToSign;
    const retry = (stamp: string) =>
      world.story.call(
        "POST",
        path,
        { clientPublicKey },
        {
          headers: signedHeaders(requestId, stamp),
        },
      );
    const decoded = Buffer.from(payloadToSign, "base64url").toString();
    const wrong: Readonly<Record<string, string>> = {
      "of an ended session": await ended.stampElsewhere(payloadToSign),
      "of another account": await stranger.stampElsewhere(payloadToSign),
      "of nobody": await outsider().stamp(payloadToSign),
      "over another request's text": await session.stampElsewhere(another),
      "over the decoded text": await session.stampElsewhere(decoded),
      "in the sandbox's word": "sandbox-valid-signature",
    };
    for (const [what, stamp] of Object.entries(wrong)) {
      const { status, json } = await retry(stamp);
      expect([what, status, json.code]).toEqual([what, 401, "UNAUTHORIZED"]);
    }
    const right = await session.stampElsewhere(payloadToSign);
    expect((await retry(right)).status).toBe(200);
    expect((await retry(right)).status).toBe(401);
  });

  it("of a session that ran out is refused", async () => {
    const owner = await newOwner(world);
    const session = await signIn(world, owner);
    world.move(15 * MINUTE_MS);
    const { clientPublicKey } = await createClientKey();
    const path = `/internal-accounts/${owner.accountId}/export`;
    const act = { method: "POST", path, body: { clientPublicKey } };
    expect((await signed((one, text) => one.stampElsewhere(text), act, session)).status).toBe(401);
  });
});
