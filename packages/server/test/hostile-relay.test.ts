/**
 * The client module against a relay that has the service make another text than the owner wants: each single thing that a
 * text says is changed, one at a time, and the module signs none of it.
 */
import {
  assertPasskeyChallenge,
  assertPayload,
  type ExpectedPayload,
  stampQuote,
  type WalletSession,
} from "@florin/client/wallet";
import { describe, expect, it } from "vitest";
import { removalOf } from "../src/domain/wallets/credentials/registration.ts";
import {
  bodyDigestOf,
  passkeyChallengeOf,
  type SigningRequest,
  signingPayload,
  type WalletActivity,
} from "../src/domain/wallets/payload-to-sign.ts";
import type { ClientPublicKey } from "../src/domain/wallets/wallet-crypto.port.ts";
import { sha256Hex } from "../src/std/digest.ts";
import type { JsonObject } from "../src/std/json.ts";

const uuid = (last: number) => `0190aaaa-0000-7000-8000-${String(last).padStart(12, "0")}`;
const [platformId, wallet, target, other] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const KEY = `04${"ab".repeat(64)}` as ClientPublicKey;
const EXPIRES = Date.parse("2027-03-01T10:05:00.250Z");
const accountId = `InternalAccount:${wallet}`;
const QUOTE = `Quote:${target}`;

interface Case {
  readonly operation: SigningRequest["operation"];
  readonly target: string;
  readonly body: unknown;
  readonly activity: WalletActivity;
  readonly requestId?: string;
  readonly expected: ExpectedPayload;
}

const organizationId = wallet;
const email = { type: "EMAIL_OTP", accountId, email: "ana@example.com" } as const;
const token = { type: "OAUTH", accountId, oidcToken: "a.b.c" } as const;
const passkey = {
  type: "PASSKEY",
  accountId,
  nickname: " Phone ",
  challenge: "Y2hhbGxlbmdl",
  attestation: { credentialId: "aWQ", clientDataJson: "e30", attestationObject: "eA" },
} as const;
const destination = { destinationType: "ACCOUNT", accountId: `ExternalAccount:${other}` };
const padded = { ...passkey, attestation: { ...passkey.attestation, credentialId: "aWQ=" } };
const passkeyAdded = {
  type: "ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2",
  parameters: { authenticatorName: "Phone", challenge: passkey.challenge, credentialId: "aWQ" },
} as const;
const quoteBody = { source: { sourceType: "ACCOUNT", accountId }, destination };
const quote = {
  quoteId: QUOTE,
  sendingCurrency: "USDB",
  totalSendingAmount: 1_000,
  receivingCurrency: "EUR",
  totalReceivingAmount: 900n,
  destination,
  expiresAt: new Date(EXPIRES).toISOString(),
  body: quoteBody,
};

const adding = { operation: "ADD_CREDENTIAL", target: wallet } as const;
const cases: Readonly<Record<string, Case>> = {
  "adding mail": {
    ...adding,
    body: email,
    activity: {
      type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
      parameters: { userEmail: email.email },
    },
    expected: { operation: "ADD_CREDENTIAL", organizationId, credential: email },
  },
  "adding an ID token": {
    ...adding,
    body: token,
    activity: {
      type: "ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS",
      parameters: { providerName: "Google", oidcTokenSha256: sha256Hex("a.b.c") },
    },
    expected: { operation: "ADD_CREDENTIAL", organizationId, credential: token },
  },
  "adding a passkey": {
    ...adding,
    body: passkey,
    activity: passkeyAdded,
    expected: { operation: "ADD_CREDENTIAL", organizationId, credential: passkey },
  },
  "adding a passkey whose id is padded": {
    ...adding,
    body: padded,
    activity: passkeyAdded,
    expected: { operation: "ADD_CREDENTIAL", organizationId, credential: padded },
  },
  ...Object.fromEntries(
    (["EMAIL_OTP", "OAUTH", "PASSKEY"] as const).map((credentialType): [string, Case] => [
      `revoking ${credentialType}`,
      {
        operation: "REVOKE_CREDENTIAL",
        target,
        body: undefined,
        activity: removalOf(target, credentialType),
        expected: {
          operation: "REVOKE_CREDENTIAL",
          organizationId,
          credentialId: `AuthMethod:${target}`,
          credentialType,
        },
      },
    ]),
  ),
  "revoking a session": {
    operation: "REVOKE_SESSION",
    target,
    body: undefined,
    activity: { type: "ACTIVITY_TYPE_DELETE_API_KEYS", parameters: { apiKeyIds: [target] } },
    expected: { operation: "REVOKE_SESSION", organizationId, sessionId: `Session:${target}` },
  },
  "refreshing a session": {
    operation: "REFRESH_SESSION",
    target,
    body: { clientPublicKey: KEY },
    activity: {
      type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
      parameters: { targetPublicKey: KEY },
    },
    expected: {
      operation: "REFRESH_SESSION",
      organizationId,
      sessionId: target,
      clientPublicKey: KEY,
    },
  },
  "exporting the wallet": {
    operation: "EXPORT_WALLET",
    target: wallet,
    body: { clientPublicKey: KEY },
    activity: {
      type: "ACTIVITY_TYPE_EXPORT_WALLET",
      parameters: { targetPublicKey: KEY, walletId: wallet },
    },
    expected: { operation: "EXPORT_WALLET", organizationId, clientPublicKey: KEY },
  },
  "executing a quote": {
    operation: "EXECUTE_QUOTE",
    target,
    body: quoteBody,
    requestId: target,
    activity: {
      type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
      parameters: {
        signWith: wallet,
        quoteId: target,
        sendingCurrency: "USDB",
        totalSendingAmount: "1000",
        receivingCurrency: "EUR",
        totalReceivingAmount: "900",
        destination,
      },
    },
    expected: { operation: "EXECUTE_QUOTE", organizationId, quote },
  },
};

const REQUEST = `Request:${uuid(9)}`;

function textOf({
  operation,
  target: what,
  body,
  activity,
  requestId = REQUEST,
}: Case): JsonObject {
  const { json } = signingPayload({
    environment: "PRODUCTION",
    platformId,
    accountId: wallet,
    operation,
    target: what,
    bodySha256: bodyDigestOf(body),
    requestId,
    at: EXPIRES - 300_000,
    expiresAt: EXPIRES,
    activity,
  });
  return JSON.parse(json);
}

const encoded = (text: unknown) => Buffer.from(JSON.stringify(text)).toString("base64url");

const check = (text: unknown, { expected, operation }: Case) =>
  assertPayload(
    encoded(text),
    { ...expected, platformId, environment: "PRODUCTION" },
    operation === "EXECUTE_QUOTE" ? undefined : REQUEST,
  );

/** What a relay cannot gain by: when it was asked for, and the issuer's name beside the digest of its token. */
const unchecked = ["timestampMs", "parameters.providerName"];
/** The end of a request is the service's own affair; that of a quote is agreed upon. */
const isUnchecked = (path: string, { operation }: Case) =>
  unchecked.includes(path) || (path === "parameters.expiresAt" && operation !== "EXECUTE_QUOTE");

/** Each leaf of the text, with the text in which it is another. */
function* altered(value: unknown, path = ""): Generator<readonly [string, unknown]> {
  if (typeof value === "string")
    yield [path, `${value.slice(0, -1)}${value.endsWith("1") ? "2" : "1"}`];
  else if (Array.isArray(value)) {
    yield [path, [...value, other]];
    for (const [index, member] of value.entries()) {
      for (const [where, changed] of altered(member, `${path}.${index}`)) {
        yield [where, value.with(index, changed)];
      }
    }
  } else {
    const members = value as Readonly<Record<string, unknown>>;
    for (const [name, member] of Object.entries(members)) {
      const { [name]: _, ...without } = members;
      yield [`${path}${path && "."}${name} left out`, without];
      for (const [where, changed] of altered(member, path === "" ? name : `${path}.${name}`)) {
        yield [where, { ...members, [name]: changed }];
      }
    }
  }
}

describe.each(Object.entries(cases))("%s", (_, one) => {
  it("is accepted when the text is the intended one", async () => {
    await expect(check(textOf(one), one)).resolves.toBeUndefined();
  });

  it("is refused when any single thing in the text is another", async () => {
    let tried = 0;
    for (const [path, text] of altered(textOf(one))) {
      if (isUnchecked(path, one)) continue;
      tried += 1;
      const outcome = await check(text, one).then(
        () => "taken",
        ({ reason }) => reason,
      );
      expect([path, outcome]).not.toEqual([path, "taken"]);
    }
    expect(tried).toBeGreaterThan(25);
  });

  it("is refused when the text says more than it should", async () => {
    const text = textOf(one) as { readonly parameters: JsonObject };
    const more = { ...text, parameters: { ...text.parameters, payee: "mallory" } };
    await expect(check(more, one)).rejects.toMatchObject({ reason: "other-operation" });
  });

  it("is refused in the place of every other thing", async () => {
    for (const [name, another] of Object.entries(cases)) {
      if (another === one) continue;
      const outcome = await check(textOf(another), one).then(
        () => "taken",
        ({ reason }) => reason,
      );
      expect([name, outcome]).toEqual([name, "other-operation"]);
    }
  });
});

describe("requests of the relay in the owner's name", () => {
  const asked = (body: object, activity: WalletActivity) =>
    check(textOf({ ...present("adding mail"), body, activity }), present("adding mail"));
  const present = (name: string) => cases[name] as Case;

  it("is refused for an address of the relay, or the owner's address with a suffix", async () => {
    const activity = (userEmail: string) =>
      ({ type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL", parameters: { userEmail } }) as const;
    const mallory = { ...email, email: "mallory@example.com" };
    await expect(asked(mallory, activity(mallory.email))).rejects.toThrow("another body");
    await expect(asked({ ...email, more: 1 }, activity(email.email))).rejects.toThrow(
      "another body",
    );
  });
});

describe("the stamp of a quote", () => {
  const session: WalletSession = { publicKey: "02", stamp: async () => "a stamp" };
  const stamped = (changes: object) =>
    stampQuote(encoded(textOf(cases["executing a quote"] as Case)), session, {
      organizationId,
      quote: { ...quote, ...changes },
    });

  it("is made for the terms that were agreed upon, and for no others", async () => {
    expect(await stamped({})).toBe("a stamp");
    expect(await stamped({ body: undefined })).toBe("a stamp");
    for (const changes of [
      { quoteId: `Quote:${other}` },
      { sendingCurrency: "USD" },
      { totalSendingAmount: 999 },
      { receivingCurrency: "USD" },
      { totalReceivingAmount: 901 },
      { destination: { ...destination, accountId: "ExternalAccount:mine" } },
      { destination: { ...destination, paymentRail: "ACH" } },
      { expiresAt: "2027-03-01T10:05:00.251Z" },
      { body: { ...quoteBody, description: "another" } },
    ]) {
      await expect(stamped(changes)).rejects.toMatchObject({ reason: "other-operation" });
    }
  });
});

describe("the challenge of a passkey login", () => {
  const credentialId = `AuthMethod:${target}`;
  const login = {
    platformId: `PlatformConfig:${platformId}`,
    environment: "PRODUCTION" as const,
    organizationId,
    credentialId,
    clientPublicKey: KEY as string,
  };
  const challenge = passkeyChallengeOf(
    signingPayload({
      environment: "PRODUCTION",
      platformId,
      accountId: wallet,
      operation: "CREATE_SESSION",
      target,
      bodySha256: bodyDigestOf({ clientPublicKey: KEY }),
      requestId: REQUEST,
      at: EXPIRES - 300_000,
      expiresAt: EXPIRES,
      activity: {
        type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
        parameters: { targetPublicKey: KEY },
      },
    }),
  );
  const answer = {
    challenge,
    requestId: REQUEST,
    updatedAt: new Date(EXPIRES - 300_000).toISOString(),
    expiresAt: new Date(EXPIRES).toISOString(),
  };

  it("is taken when it stands for a session with the client's own key", async () => {
    await expect(assertPasskeyChallenge(answer, login)).resolves.toBeUndefined();
  });

  it("is refused when it stands for any other session", async () => {
    for (const changes of [
      { platformId: other },
      { environment: "SANDBOX" as const },
      { organizationId: other },
      { credentialId: other },
      { clientPublicKey: `04${"ba".repeat(64)}` },
    ]) {
      await expect(assertPasskeyChallenge(answer, { ...login, ...changes })).rejects.toMatchObject({
        reason: "other-operation",
      });
    }
    for (const changes of [
      { challenge: "00".repeat(32) },
      { requestId: `Request:${other}` },
      { updatedAt: answer.expiresAt },
      { expiresAt: answer.updatedAt },
    ]) {
      await expect(assertPasskeyChallenge({ ...answer, ...changes }, login)).rejects.toThrow(
        "another login",
      );
    }
  });
});
