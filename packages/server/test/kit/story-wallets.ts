/** Helpers for stories about embedded wallets: accounts, fakes of mail, tokens and passkeys, sessions, signed calls. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import {
  type ClientKey,
  createClientKey,
  openSession,
  type WalletSession,
} from "@florin/client/wallet";
import { isSameIdentity, type OidcTokens } from "../../src/domain/wallets/credentials/oidc.port.ts";
import type { OtpMail, OtpMailer } from "../../src/domain/wallets/credentials/otp-mail.port.ts";
import type { Passkeys } from "../../src/domain/wallets/credentials/passkeys.port.ts";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { Fault } from "../../src/std/errors.ts";
import type { RawAnswer, Story } from "./story.ts";

export const ISSUER = "https://accounts.google.com";
export const SANDBOX_STAMP = "sandbox-valid-signature";

export interface Wallet {
  readonly customerId: string;
  readonly accountId: string;
}

let people = 0;

export async function newWallet(story: Story): Promise<Wallet> {
  people += 1;
  const customer = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    email: `ana.${people}@example.com`,
    currencies: ["USDB"],
  });
  const customerId = present(customer.json.id as string | undefined, customer.text);
  const accounts = await story.call(
    "GET",
    `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`,
  );
  return { customerId, accountId: present(accounts.json.data[0]?.id, "the wallet") };
}

/** A well-formed, unsigned token. */
export function jwt(claims: Readonly<Record<string, unknown>>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256" })}.${part({ iss: ISSUER, ...claims })}.${"c2ln".repeat(4)}`;
}

const attestation = {
  credentialId: "Y3JlZA",
  clientDataJson: Buffer.from("{}").toString("base64url"),
  attestationObject: "bm9uZQ",
  transports: ["internal"],
};

/** The body of `POST /auth/credentials` for each type. */
export function registrationBody(type: string, accountId: string, name = "ana") {
  if (type === "EMAIL_OTP") return { type, accountId, email: `${name}@example.com` };
  people += 1;
  if (type === "OAUTH") {
    return { type, accountId, oidcToken: jwt({ sub: name, aud: "app", jti: people }) };
  }
  return {
    type,
    accountId,
    nickname: `${name} key`,
    challenge: Buffer.from(`challenge ${people} for ${name}`).toString("base64url"),
    attestation: { ...attestation, credentialId: Buffer.from(name).toString("base64url") },
  };
}

export function createOutside() {
  const mails: OtpMail[] = [];
  let outcome: Awaited<ReturnType<OtpMailer["send"]>> = { kind: "sent" };
  const mailer: OtpMailer = {
    canSend: true,
    isAddress: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
    async send(mail) {
      mails.push(mail);
      return outcome;
    },
  };
  /** A token proves the subject in `sub`. With the claim `bad` it is invalid; with `down` its issuer is unreachable. */
  const tokens: OidcTokens = {
    read: () => ({ kind: "malformed", reason: "structure", message: "is not looked at here" }),
    async prove({ token, at, owner }) {
      const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
      if (claims.bad === true) return { kind: "unproven", reason: "a bad token" };
      const identity = { issuer: claims.iss, audience: claims.aud, subject: claims.sub };
      if (owner !== undefined && !isSameIdentity(owner, identity)) {
        return { kind: "unproven", reason: "somebody else" };
      }
      if (claims.down === true) throw new Fault("no keys");
      return {
        kind: "proven",
        identity,
        email: claims.email ?? null,
        providerName: "Google",
        token: {
          digest: createHash("sha256").update(token).digest("hex"),
          rememberUntil: at + 120_000,
        },
      };
    },
  };
  /** An assertion is valid when its signature equals the challenge; its counter is in `authenticatorData`. */
  const passkeys: Passkeys = {
    async register({ attestation: { credentialId, transports } }) {
      return {
        kind: "registered",
        passkey: {
          credentialId,
          publicKey: "a2V5",
          rpIdHash: "cnA",
          origin: "https://wallet.example",
          signCount: 0,
          backupEligible: false,
          transports: transports ?? [],
        },
        userVerified: true,
        isBackedUp: false,
      };
    },
    attestationProblems: async () => [],
    async verify({ challenge, assertion }) {
      if (assertion.signature !== challenge) return { kind: "unproven", reason: "a bad signature" };
      return {
        kind: "proven",
        signCount: Number(assertion.authenticatorData),
        userVerified: true,
        isBackedUp: false,
      };
    },
    assertionProblems: async () => [],
  };
  return {
    wallets: { mailer, tokens, passkeys },
    mails,
    lastCode: (to: string) =>
      present(mails.findLast((mail) => mail.to === to)?.code, `mail to ${to}`),
    answerMail(next: typeof outcome) {
      outcome = next;
    },
  };
}

export type Outside = ReturnType<typeof createOutside>;

export function createShiftedClock() {
  let aheadMs = 0;
  return {
    clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
    move(ms: number) {
      aheadMs += ms;
    },
  };
}

export function createStandingClock(startMs: number) {
  let nowMs = startMs;
  return {
    clock: { ...systemClock, now: () => nowMs },
    move(ms: number) {
      nowMs += ms;
    },
    get now() {
      return nowMs;
    },
  };
}

export interface ActiveSession extends WalletSession {
  readonly id: string;
  readonly clientKey: ClientKey;
  readonly encryptedKey: string;
}

export async function opened(clientKey: ClientKey, answer: RawAnswer): Promise<ActiveSession> {
  const encryptedKey = present(answer.json?.encryptedSessionSigningKey, answer.text) as string;
  const session = await openSession(clientKey, encryptedKey);
  return { ...session, id: answer.json.id, clientKey, encryptedKey };
}

/** A production session of an OAUTH credential, which needs the fewest calls. */
export async function sessionByToken(
  story: Story,
  credentialId: string,
  name = "ana",
): Promise<ActiveSession> {
  const clientKey = await createClientKey();
  people += 1;
  const oidcToken = jwt({ sub: name, aud: "app", jti: people });
  const { clientPublicKey } = clientKey;
  const body = { type: "OAUTH", oidcToken, clientPublicKey };
  return opened(
    clientKey,
    await story.call("POST", `/auth/credentials/${credentialId}/verify`, body),
  );
}

export interface Act {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export function signedHeaders(requestId: string, stamp: string): Readonly<Record<string, string>> {
  return { "Request-Id": requestId, "Service-Wallet-Signature": stamp };
}

/** Both calls of a signed retry, signed with this session or with the sandbox's signature. */
export async function signedCall(
  story: Story,
  { method, path, body }: Act,
  session?: WalletSession,
): Promise<RawAnswer> {
  const first = await story.call(method, path, body);
  if (first.status !== 202) return first;
  const stamp =
    session === undefined ? SANDBOX_STAMP : await session.stamp(first.json.payloadToSign);
  return story.call(method, path, body, { headers: signedHeaders(first.json.requestId, stamp) });
}

export function outsider(): WalletSession {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const prefix = (Buffer.from(y, "base64url").at(-1) ?? 0) % 2 === 0 ? "02" : "03";
  const compressed = prefix + Buffer.from(x, "base64url").toString("hex");
  return {
    publicKey: compressed,
    async stamp(payloadToSign) {
      const signature = sign("sha256", Buffer.from(payloadToSign), privateKey).toString("hex");
      const scheme = "SIGNATURE_SCHEME_TK_API_P256";
      const json = JSON.stringify({ publicKey: compressed, scheme, signature });
      return Buffer.from(json).toString("base64url");
    },
  };
}
