/**
 * A wallet whose owner has a passkey: a real browser makes it and signs in with it, the whole server judges it, and the page
 * uses the session. The test is the integrator's server in between: it hands on what it is given.
 */
import { randomBytes } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../kit/browser.ts";
import { type BrowserPasskeys, passkeysOf } from "../kit/browser-passkeys.ts";
import { type LocalPage, openLocalPage } from "../kit/local-page.ts";
import { mailedCode, type RealWallets, startRealWallets } from "../kit/real-wallets.ts";
import type { RawAnswer } from "../kit/story.ts";
import { type Act, newWallet, signedHeaders } from "../kit/story-wallets.ts";
import { inWalletPage, walletScript } from "../kit/wallet-page.ts";

let world: RealWallets;
let browser: Browser;
let local: LocalPage;
let page: Page;
let passkeys: BrowserPasskeys;
beforeAll(async () => {
  world = await startRealWallets();
  browser = await startBrowser();
  local = await openLocalPage(browser, { "wallet.js": await walletScript() });
  page = local.page;
  passkeys = await passkeysOf(page);
  await passkeys.use("phone");
}, 180_000);
afterAll(async () => {
  await local?.close();
  await browser?.close();
  await world.close();
});

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  world.story.call("POST", path, body, { headers });
const inPage = <T>(body: string, input?: object) => inWalletPage<T>(page, body, input);

async function registered(): Promise<{
  readonly id: string;
  readonly accountId: string;
  readonly passkeyId: string;
}> {
  const { accountId } = await newWallet(world.story);
  const challenge = randomBytes(32).toString("base64url");
  const attestation = await passkeys.create(challenge);
  const body = { type: "PASSKEY", accountId, nickname: "Ana's phone", challenge, attestation };
  const made = await post("/auth/credentials", body);
  expect(made).toMatchObject({ status: 201, json: { type: "PASSKEY", nickname: "Ana's phone" } });
  return { id: made.json.id, accountId, passkeyId: attestation.credentialId };
}

type Registered = Awaited<ReturnType<typeof registered>>;

/** The page's key and the challenge that binds it. */
async function challenged(owner: Registered) {
  const { id } = owner;
  const clientPublicKey = await inPage<string>(
    "kept.key = await wallet.createClientKey(); return kept.key.clientPublicKey;",
  );
  const { json } = await post(`/auth/credentials/${id}/challenge`, { clientPublicKey });
  await inPage("await wallet.assertPasskeyChallenge(input.json, input.login);", {
    json,
    login: { ...(await loginOf(owner)), clientPublicKey },
  });
  return json as { readonly challenge: string; readonly requestId: string };
}

async function loginOf({ id, accountId }: Registered) {
  const platformId = (await world.story.call("GET", "/config")).json.id;
  const organizationId = uuidOf(accountId);
  return { platformId, environment: "PRODUCTION", organizationId, credentialId: id };
}

const verify = (id: string, assertion: unknown, requestId: string) =>
  post(
    `/auth/credentials/${id}/verify`,
    { type: "PASSKEY", assertion },
    { "Request-Id": requestId },
  );

/** Signs in; the session stays in the page. */
async function signIn(owner: Registered, how: "utf8" | "decoded" = "utf8"): Promise<string> {
  const { challenge, requestId } = await challenged(owner);
  const assertion = await passkeys.get(owner.passkeyId, challenge, how);
  const answer = await verify(owner.id, assertion, requestId);
  expect([answer.status, answer.json.type]).toEqual([200, "PASSKEY"]);
  const sealed = answer.json.encryptedSessionSigningKey;
  await inPage("kept.session = await wallet.openSession(kept.key, input.sealed);", { sealed });
  return answer.json.id;
}

/** Both calls; the page looks at what it signs. */
async function signedByPage({ method, path, body }: Act, expected: object): Promise<RawAnswer> {
  const { status, json } = await world.story.call(method, path, body);
  expect(status).toBe(202);
  const { payloadToSign, requestId } = json;
  const stamp = await inPage<string>(
    `await wallet.assertPayload(input.payloadToSign, input.expected, input.requestId);
     return kept.session.stamp(input.payloadToSign);`,
    { payloadToSign, expected, requestId },
  );
  return world.story.call(method, path, body, { headers: signedHeaders(requestId, stamp) });
}

const uuidOf = (wireId: string) => wireId.split(":")[1] ?? "";

describe("a passkey of a real browser", () => {
  it.each(["utf8", "decoded"] as const)(
    "opens a session, which adds a credential and exports the wallet (challenge as %s)",
    async (how) => {
      const owner = await registered();
      await signIn(owner, how);
      const organizationId = uuidOf(owner.accountId);

      const email = `${how}@mail.example`;
      const credential = { type: "EMAIL_OTP", accountId: owner.accountId, email };
      const added = await signedByPage(
        { method: "POST", path: "/auth/credentials", body: credential },
        { operation: "ADD_CREDENTIAL", organizationId, credential },
      );
      expect(added).toMatchObject({ status: 201, json: { type: "EMAIL_OTP" } });
      await world.story.settle();
      expect(mailedCode(world.mail, email)).toMatch(/^\d{6}$/);

      const clientPublicKey = await inPage<string>(
        "kept.exportKey = await wallet.createClientKey(); return kept.exportKey.clientPublicKey;",
      );
      const exported = await signedByPage(
        {
          method: "POST",
          path: `/internal-accounts/${owner.accountId}/export`,
          body: { clientPublicKey },
        },
        { operation: "EXPORT_WALLET", organizationId, clientPublicKey },
      );
      expect(exported.status).toBe(200);
      const issuer = await world.story.call("GET", "/wallet/issuer-key");
      const words = await inPage<string>(
        "return wallet.openExport({ ...input, clientKey: kept.exportKey });",
        {
          encryptedWalletCredentials: exported.json.encryptedWalletCredentials,
          issuerPublicKey: issuer.json.publicKey,
          organizationId,
        },
      );
      expect(words.split(" ")).toHaveLength(24);
    },
  );

  it("is not asked to sign when the challenge is for a session with another key", async () => {
    const owner = await registered();
    const login = await loginOf(owner);
    const [own, others] = await Promise.all(
      [1, 2].map(() => inPage<string>("return (await wallet.createClientKey()).clientPublicKey;")),
    );
    const path = `/auth/credentials/${owner.id}/challenge`;
    const { json } = await post(path, { clientPublicKey: others });
    const reported = await inPage<string>(
      `return wallet.assertPasskeyChallenge(input.json, input.login)
         .then(() => "taken", ({ message }) => message);`,
      { json, login: { ...login, clientPublicKey: own } },
    );
    expect(reported).toBe("the challenge is for another login");
  });

  it("cannot be used for what it did not sign: another challenge, the same one again, another wallet", async () => {
    const [mine, theirs] = [await registered(), await registered()];
    const { challenge, requestId } = await challenged(mine);
    const other = await challenged(mine);
    const assertion = await passkeys.get(mine.passkeyId, challenge);
    const byTheirs = await passkeys.get(theirs.passkeyId, challenge);
    expect((await verify(mine.id, assertion, other.requestId)).status).toBe(401);
    expect((await verify(mine.id, byTheirs, requestId)).status).toBe(401);
    expect((await verify(theirs.id, assertion, requestId)).status).toBe(401);
    const word = { ...assertion, signature: "sandbox-valid-passkey-signature" };
    expect((await verify(mine.id, word, requestId)).status).not.toBe(200);
    expect((await verify(mine.id, assertion, requestId)).status).toBe(200);
    expect((await verify(mine.id, assertion, requestId)).status).toBe(401);
  });

  it("is registered for the challenge that it was made for", async () => {
    const { accountId } = await newWallet(world.story);
    const attestation = await passkeys.create(randomBytes(32).toString("base64url"));
    const challenge = randomBytes(32).toString("base64url");
    const body = { type: "PASSKEY", accountId, nickname: "phone", challenge, attestation };
    const refused = await post("/auth/credentials", body);
    expect([refused.status, refused.json.code]).toEqual([401, "UNAUTHORIZED"]);
    const listed = await world.story.call("GET", `/auth/credentials?accountId=${accountId}`);
    expect(listed.json.data).toEqual([]);
  });
});
