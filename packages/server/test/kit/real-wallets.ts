/** A server with a real mail server and a real issuer, and client keys that other libraries can use. */
import { createECDH, generateKeyPairSync } from "node:crypto";
import type { ClientKey } from "@florin/client/wallet";
import { ApiKeyStamper } from "@turnkey/api-key-stamper";
import { decryptCredentialBundle, getPublicKey } from "@turnkey/crypto";
import { present } from "../../src/std/assert.ts";
import { endMailServers, type MailServer, startMailServer } from "./mail-server.ts";
import { startIssuer, type TestIssuer } from "./oidc-issuer.ts";
import { endReceivers } from "./receivers.ts";
import { openStory, type RawAnswer, type Story } from "./story.ts";
import { type ActiveSession, createShiftedClock, newWallet, opened } from "./story-wallets.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

export interface RealWallets {
  readonly server: TestServer;
  readonly story: Story;
  readonly mail: MailServer;
  /** The status with which the mail server refuses a recipient; undefined accepts the mail. */
  mailRefusal: number | undefined;
  readonly issuer: TestIssuer;
  now(): number;
  move(ms: number): void;
  /** A token for the person, issued now for the application `app` unless the claims differ. */
  token(sub: string, claims?: Readonly<Record<string, unknown>>): string;
  close(): Promise<void>;
}

export async function startRealWallets(): Promise<RealWallets> {
  const mail = await startMailServer({
    onRcptTo(_address, _session, done) {
      const { mailRefusal: responseCode } = world;
      if (responseCode === undefined) done();
      else done(Object.assign(new Error("not now"), { responseCode }));
    },
  });
  const issuer = await startIssuer();
  const time = createShiftedClock();
  const server = await startTestServer({
    clock: time.clock,
    settings: {
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: "Florin <codes@florin.example>",
      OIDC_ISSUERS: issuer.issuer,
      OUTBOUND_ALLOW_LOOPBACK: "all",
    },
  });
  let tokens = 0;
  const world: RealWallets = {
    server,
    story: await openStory(server, { environment: "PRODUCTION" }),
    mail,
    mailRefusal: undefined,
    issuer,
    now: () => time.clock.now(),
    move: time.move,
    token(sub, claims = {}) {
      tokens += 1;
      const iat = Math.floor(time.clock.now() / 1000);
      return issuer.token({ sub, aud: "app", iat, exp: iat + 300, jti: tokens, ...claims });
    },
    async close() {
      await server.close();
      await endReceivers();
      await endMailServers();
    },
  };
  return world;
}

export function mailedCode({ received }: MailServer, address: string): string {
  const mail = present(
    received.findLast(({ to }) => to.includes(address)),
    `mail to ${address}`,
  );
  return present(/^ {4}(\S+)\r?$/m.exec(mail.raw)?.[1], "a code in the mail");
}

export interface KnownClientKey extends ClientKey {
  /** 64 hexadecimal digits. */
  readonly privateHex: string;
}

/** A client key with an extractable private key, for another library. */
export async function knownClientKey(): Promise<KnownClientKey> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = privateKey.export({ format: "jwk" });
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(present(jwk.d, "a private number"), "base64url");
  const curve = { name: "ECDH", namedCurve: "P-256" };
  return {
    clientPublicKey: pair.getPublicKey("hex"),
    publicKeyBytes: new Uint8Array(pair.getPublicKey()),
    privateKey: await crypto.subtle.importKey("jwk", jwk, curve, false, ["deriveBits"]),
    privateHex: pair.getPrivateKey("hex").padStart(64, "0"),
  };
}

/** A session of the wallet module that another library can also open and stamp with. */
export interface KnownSession extends ActiveSession {
  readonly clientKey: KnownClientKey;
  stampElsewhere(payloadToSign: string): Promise<string>;
}

export async function knownSession(
  clientKey: KnownClientKey,
  answer: RawAnswer,
): Promise<KnownSession> {
  const session = await opened(clientKey, answer);
  const apiPrivateKey = decryptCredentialBundle(session.encryptedKey, clientKey.privateHex);
  const apiPublicKey = Buffer.from(getPublicKey(apiPrivateKey, true)).toString("hex");
  const stamper = new ApiKeyStamper({ apiPublicKey, apiPrivateKey });
  return {
    ...session,
    clientKey,
    stampElsewhere: async (text) => (await stamper.stamp(text)).stampHeaderValue,
  };
}

export interface Owner {
  readonly name: string;
  readonly accountId: string;
  readonly credentialId: string;
}

let owners = 0;

/** A wallet whose owner has an OAUTH credential of the issuer. */
export async function newOwner({ story, token }: RealWallets): Promise<Owner> {
  owners += 1;
  const name = `owner-${owners}`;
  const { accountId } = await newWallet(story);
  const body = { type: "OAUTH", accountId, oidcToken: token(name) };
  const made = await story.call("POST", "/auth/credentials", body);
  return { name, accountId, credentialId: present(made.json.id, made.text) };
}

export async function signIn(world: RealWallets, owner: Owner): Promise<KnownSession> {
  const clientKey = await knownClientKey();
  const { clientPublicKey } = clientKey;
  const body = { type: "OAUTH", oidcToken: world.token(owner.name), clientPublicKey };
  const path = `/auth/credentials/${owner.credentialId}/verify`;
  return knownSession(clientKey, await world.story.call("POST", path, body));
}
