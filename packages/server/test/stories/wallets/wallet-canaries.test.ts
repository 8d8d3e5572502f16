/**
 * Secrets that must be nowhere: after a run through everything that wallets do, the database, the log, the events and every
 * answer but the one that carries it are searched for each of them, in the spellings that they could have.
 */
import { openExport } from "@florin/client/wallet";
import { decryptCredentialBundle } from "@turnkey/crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import type { Log, LogFields } from "../../../src/std/log.ts";
import { knownClientKey } from "../../kit/real-wallets.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  createOutside,
  jwt,
  newWallet,
  opened,
  registrationBody,
  signedCall,
  signedHeaders,
} from "../../kit/story-wallets.ts";
import { listenTo } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const outside = createOutside();
const secrets = new Map<string, Buffer>();
const shown: string[] = [];
let server: TestServer;
let story: Story;
/** Every line of the log, nothing left out. */
const lines: string[] = [];
const line = (fields: LogFields, message: string) => {
  const { err, ...rest } = fields;
  const thrown = err instanceof Error ? `${err.stack} ${JSON.stringify(err)}` : String(err);
  lines.push(`${message} ${JSON.stringify(rest)} ${thrown}`);
};
const recorder: Log = { debug: line, info: line, warn: line, error: line };
let delivered: string;

const remember = (what: string, secret: string | Buffer) =>
  secrets.set(what, Buffer.from(secret as string));

beforeAll(async () => {
  server = await startTestServer({
    wallets: outside.wallets,
    log: recorder,
    settings: { OUTBOUND_ALLOW_LOOPBACK: "all" },
  });
  const made = await openStory(server, { environment: "PRODUCTION" });
  story = {
    ...made,
    async call(...parameters) {
      const answer = await made.call(...parameters);
      shown.push(answer.text);
      return answer;
    },
  };
  await walk();
});
afterAll(() => server.close());

/** Everything once, with its failures. */
async function walk(): Promise<void> {
  const receiver = await listenTo(story);
  remember("the platform's client secret", story.clientSecret);
  const token = await story.call(
    "POST",
    "/tokens",
    { name: "t", permissions: ["VIEW"] },
    { key: "t" },
  );
  remember("a new token's secret", token.json.clientSecret);

  outside.answerMail({ kind: "refused", reason: "no such address" });
  const unreachable = await newWallet(story);
  const nowhere = registrationBody("EMAIL_OTP", unreachable.accountId, "nowhere");
  await story.call("POST", "/auth/credentials", nowhere);
  await story.settle();
  remember("a code that nobody got", outside.lastCode("nowhere@example.com"));
  outside.answerMail({ kind: "sent" });

  const { accountId } = await newWallet(story);
  const registration = registrationBody("EMAIL_OTP", accountId, "canary");
  const made = await story.call("POST", "/auth/credentials", registration, { key: "c" });
  await story.settle();
  const code = outside.lastCode("canary@example.com");
  remember("the mailed code", code);
  const clientKey = await knownClientKey();
  const { clientPublicKey } = clientKey;
  const path = `/auth/credentials/${made.json.id}/verify`;
  await story.call("POST", path, { type: "EMAIL_OTP", otp: `${code}9`, clientPublicKey });
  const body = { type: "EMAIL_OTP", otp: code, clientPublicKey };
  const session = await opened(clientKey, await story.call("POST", path, body, { key: "v" }));
  remember("the session's sealed key", session.encryptedKey);
  const privateHex = decryptCredentialBundle(session.encryptedKey, clientKey.privateHex);
  remember("the session's private key", Buffer.from(privateHex, "hex"));

  const oidcToken = jwt({ sub: "canary", aud: "app", email: "canary@example.com" });
  remember("an ID token", oidcToken);
  const oauth = { type: "OAUTH", accountId, oidcToken };
  const added = await signedCall(
    story,
    { method: "POST", path: "/auth/credentials", body: oauth },
    session,
  );
  const fresh = jwt({ sub: "canary", aud: "app", jti: "fresh" });
  remember("a fresh ID token", fresh);
  const proof = { type: "OAUTH", oidcToken: fresh, clientPublicKey };
  await story.call("POST", `/auth/credentials/${added.json.id}/verify`, proof);
  const bad = jwt({ sub: "canary", bad: true });
  remember("a bad ID token", bad);
  await story.call("POST", `/auth/credentials/${added.json.id}/verify`, {
    ...proof,
    oidcToken: bad,
  });

  const act = {
    method: "POST",
    path: `/internal-accounts/${accountId}/export`,
    body: { clientPublicKey },
  };
  const asked = await story.call(act.method, act.path, act.body);
  const stamp = await session.stamp(asked.json.payloadToSign);
  remember("a stamp", stamp);
  const headers = signedHeaders(asked.json.requestId, stamp);
  const exported = await story.call(act.method, act.path, act.body, { headers, key: "e" });
  const issuer = await story.call("GET", "/wallet/issuer-key");
  const { encryptedWalletCredentials } = exported.json;
  remember("the sealed export", JSON.parse(encryptedWalletCredentials).data);
  const words = await openExport({
    clientKey,
    encryptedWalletCredentials,
    issuerPublicKey: issuer.json.publicKey,
    organizationId: accountId.split(":")[1] ?? "",
  });
  expect(words.split(" ")).toHaveLength(24);
  remember("the wallet's words", words);
  await story.call("GET", `/auth/sessions?accountId=${accountId}`);
  await story.call("GET", `/auth/credentials?accountId=${accountId}`);
  await story.settle();
  delivered = JSON.stringify(await receiver.events());
}

/** In base64 behind so many other bytes: the digits that depend on nothing but the secret. */
function base64Behind(secret: Buffer, others: number): string {
  const whole = Buffer.concat([Buffer.alloc(others), secret]);
  const first = Math.ceil((others * 8) / 6);
  return whole.toString("base64").slice(first, Math.floor((whole.length * 8) / 6));
}

function encodings(secret: Buffer): readonly string[] {
  const hex = secret.toString("hex");
  const base64 = [0, 1, 2].map((others) => base64Behind(secret, others));
  const base64url = base64.map((one) => one.replaceAll("+", "-").replaceAll("/", "_"));
  return [hex, hex.toUpperCase(), ...base64, ...base64url];
}

const isIn = (text: string) => (one: string) => text.includes(one);

const holds = (text: string, secret: Buffer) =>
  [secret.toString(), ...encodings(secret)].some(isIn(text));

/** Six digits turn up by chance, in times and amounts: a code is looked for on its own. */
const holdsCode = (text: string, code: Buffer) =>
  new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`).test(text) || encodings(code).some(isIn(text));

const isCode = (what: string) => what.includes("code");

const found = (text: string) =>
  [...secrets]
    .filter(([what, secret]) => (isCode(what) ? holdsCode : holds)(text, secret))
    .map(([what]) => what);

async function everyCell(): Promise<string> {
  return server.database.asSuperuser(async (client) => {
    const tables = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`select row_to_json(t)::text as row from ${name} t`);
      texts.push(...rows.map(({ row }) => row as string));
    }
    return texts.join("\n");
  });
}

describe("the secrets of wallets", () => {
  it("are found where they are shown, so that the search can find them", () => {
    const all = shown.join("\n");
    for (const what of ["a new token's secret", "the session's sealed key", "the sealed export"]) {
      expect(holds(all, present(secrets.get(what), what))).toBe(true);
    }
    expect(secrets.size).toBe(12);
  });

  it("are found in every encoding", () => {
    for (const [what, secret] of secrets) {
      for (let before = 0; before < 6; before += 1) {
        const packed = Buffer.concat([Buffer.alloc(before, "x"), secret, Buffer.from("yz")]);
        for (const encoding of ["hex", "base64", "base64url"] as const) {
          expect([what, before, encoding, holds(packed.toString(encoding), secret)]).toEqual([
            what,
            before,
            encoding,
            true,
          ]);
        }
      }
    }
  });

  it("are not in the mail, but for the code of each", () => {
    expect(outside.mails.length).toBeGreaterThan(1);
    for (const { code, ...mail } of outside.mails) {
      expect(found(JSON.stringify(mail))).toEqual([]);
      expect(found(code)).toHaveLength(1);
    }
    expect(found(JSON.stringify(outside.mails)).every(isCode)).toBe(true);
  });

  it("are in no cell of the database", async () => {
    expect(found(await everyCell())).toEqual([]);
  });

  it("are in no line of the log, and in no event", () => {
    expect(lines.join("\n")).toContain("a code was refused by the mail server");
    expect(found(lines.join("\n"))).toEqual([]);
    expect(delivered.length).toBeGreaterThan(2);
    expect(found(delivered)).toEqual([]);
  });

  it("are in one answer each, and the others in none", () => {
    const counts = [...secrets].map(([what, secret]) => {
      const holder = isCode(what) ? holdsCode : holds;
      return [what, shown.filter((text) => holder(text, secret)).length];
    });
    expect(Object.fromEntries(counts)).toEqual({
      "the platform's client secret": 0,
      "a new token's secret": 1,
      "a code that nobody got": 0,
      "the mailed code": 0,
      "the session's sealed key": 1,
      "the session's private key": 0,
      "an ID token": 0,
      "a fresh ID token": 0,
      "a bad ID token": 0,
      "a stamp": 0,
      "the sealed export": 1,
      "the wallet's words": 0,
    });
  });
});
