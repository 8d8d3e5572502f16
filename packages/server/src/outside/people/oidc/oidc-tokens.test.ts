import { createHash, createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../../../test/kit/manual-clock.ts";
import {
  newKeyPair,
  part,
  signToken,
  startIssuer,
  type TestIssuer,
} from "../../../../test/kit/oidc-issuer.ts";
import { endReceivers, outbound } from "../../../../test/kit/receivers.ts";
import { isSameIdentity, type OidcTokens } from "../../../domain/wallets/credentials/oidc.port.ts";
import { Fault } from "../../../std/errors.ts";
import { createLog, type Log } from "../../../std/log.ts";
import { createOidcTokens } from "./oidc-tokens.ts";

const at = Date.UTC(2026, 0, 15, 12, 0, 0) + 400;
const now = Math.floor(at / 1000);
const clientPublicKey = `04${"Ab".repeat(64)}`;
const warnings: string[] = [];
const log: Log = {
  ...createLog("silent"),
  warn: (fields) => void warnings.push(JSON.stringify(fields)),
};

let issuer: TestIssuer;
let clock: ManualClock;
let tokens: OidcTokens;

beforeEach(async () => {
  warnings.length = 0;
  issuer = await startIssuer();
  clock = createManualClock(at);
  tokens = tokensOf([issuer.issuer]);
});
afterEach(endReceivers);

function tokensOf(issuers: readonly string[], allowsLoopback = true): OidcTokens {
  return createOidcTokens({
    outbound: outbound(),
    clock,
    log,
    issuers,
    allowsLoopback: () => allowsLoopback,
  });
}

const right = { aud: "app", sub: "person", iat: now, exp: now + 3600, email: "a@example.com" };
const prove = (token: string, more: { clientPublicKey?: string; at?: number } = {}) =>
  tokens.prove({ token, environment: "PRODUCTION", at, ...more });
const proveClaims = (claims: object) => prove(issuer.token({ ...right, ...claims }));

describe("a token", () => {
  test("of a key that the issuer publishes names its subject", async () => {
    expect(await proveClaims({})).toEqual({
      kind: "proven",
      identity: { issuer: issuer.issuer, audience: "app", subject: "person" },
      email: "a@example.com",
      providerName: new URL(issuer.issuer).host,
      token: { digest: expect.stringMatching(/^[0-9a-f]{64}$/), rememberUntil: at + 120_000 },
    });
  });

  test("may be signed with RS256, come without an email and name its audience in a list of one", async () => {
    issuer.rotate("RS256");
    const { email: _, ...claims } = right;
    expect(await prove(issuer.token({ ...claims, aud: ["app"] }))).toMatchObject({
      kind: "proven",
      identity: { audience: "app" },
      email: null,
    });
  });

  const times: readonly (readonly [string, object, boolean])[] = [
    ["made less than 60 s ago", { iat: now - 59 }, true],
    ["made more than 60 s ago", { iat: now - 60 }, false],
    ["made 5 s ahead", { iat: now + 5 }, true],
    ["made 6 s ahead", { iat: now + 6 }, false],
    ["made an hour ahead", { iat: now + 3600, exp: now + 7200 }, false],
    ["without a time", { iat: undefined }, false],
    ["with its time as text", { iat: String(now) }, false],
    ["with a time beyond all", { iat: 1e300 }, false],
    ["with a time before all", { iat: -1e300 }, false],
    ["with its time as null", { iat: null }, false],
    ["that has expired", { exp: now }, false],
    ["that expires in a second", { iat: now - 1, exp: now + 1 }, true],
    ["that ends before it began", { iat: now + 5, exp: now + 3 }, false],
    ["without an end", { exp: undefined }, false],
    ["with its end as text", { exp: String(now + 60) }, false],
    ["valid since now", { nbf: now }, true],
    ["not valid yet", { nbf: now + 6 }, false],
    ["valid since some text", { nbf: "now" }, false],
  ];

  test("is too old a thousandth after its minute, and has expired at its end", async () => {
    const token = issuer.token({ ...right, iat: now - 60 });
    expect((await prove(token, { at: now * 1000 })).kind).toBe("proven");
    expect((await prove(token, { at: now * 1000 + 1 })).kind).toBe("unproven");
    const short = issuer.token({ ...right, iat: now - 1, exp: now });
    expect((await prove(short, { at: now * 1000 - 1 })).kind).toBe("proven");
    expect((await prove(short, { at: now * 1000 })).kind).toBe("unproven");
  });

  test.each(times)("%s", async (_, claims, isFine) => {
    expect((await proveClaims(claims)).kind).toBe(isFine ? "proven" : "unproven");
  });

  const people: readonly (readonly [string, object])[] = [
    ["without an audience", { aud: undefined }],
    ["for an empty audience", { aud: "" }],
    ["for no audience", { aud: [] }],
    ["for two audiences", { aud: ["app", "other"] }],
    ["for two audiences, one of them authorised", { aud: ["app", "other"], azp: "app" }],
    ["for an audience that is a number", { aud: 1 }],
    ["for a list in a list", { aud: [["app"]] }],
    ["without a subject", { sub: undefined }],
    ["for nobody", { sub: "" }],
    ["for a number", { sub: 7 }],
    ["for an endless subject", { sub: "a".repeat(256) }],
    ["for a subject with a NUL", { sub: "per\u0000son" }],
    ["for a subject with half a character", { sub: "per\ud800son" }],
    ["for a subject of two lines", { sub: "per\r\nson" }],
    ["for an audience with a NUL", { aud: "a\u0000pp" }],
  ];

  test.each(people)("%s is refused", async (_, claims) => {
    expect(await proveClaims(claims)).toMatchObject({ kind: "unproven" });
  });

  test.each(["a\u0000@b.c", "a\ud800@b.c", "a@b.c\nBcc: d@e.f"])(
    "tells no address such as %j",
    async (email) => {
      expect(await proveClaims({ email })).toMatchObject({ kind: "proven", email: null });
    },
  );

  const headers: readonly (readonly [string, object])[] = [
    ["an address of keys", { jku: "https://evil.example/keys" }],
    ["a key", { jwk: newKeyPair("ES256", "own").jwk }],
    ["an address of certificates", { x5u: "https://evil.example/certs" }],
    ["certificates", { x5c: ["MIIB"] }],
    ["something critical that nobody knows", { crit: ["exp2"], exp2: 1 }],
    ["a payload that is not encoded", { crit: ["b64"], b64: false }],
    ["the type of an access token", { typ: "at+jwt" }],
    ["the type of a logout token", { typ: "logout+jwt" }],
    ["a type that is a number", { typ: 1 }],
    ["an algorithm that is not allowed", { alg: "ES384" }],
    ["an algorithm that it does not use", { alg: "RS256" }],
    ["no algorithm", { alg: "none" }],
    ["no algorithm in capitals", { alg: "NONE" }],
    ["an algorithm that is no text", { alg: 1 }],
    ["a key id that is no text", { kid: 1 }],
  ];

  test.each(headers)("with %s in its header is refused", async (_, header) => {
    expect(await prove(issuer.token(right, { header }))).toMatchObject({ kind: "unproven" });
  });

  test("without a signature is refused", async () => {
    const [head, body] = issuer.token(right).split(".");
    expect(await prove(`${head}.${body}.`)).toMatchObject({ kind: "unproven" });
    const none = `${part({ alg: "none" })}.${part({ iss: issuer.issuer, ...right })}.`;
    expect(await prove(none)).toMatchObject({ kind: "unproven" });
  });

  test("signed with the issuer's public key as a shared secret is refused", async () => {
    const pem = JSON.stringify(issuer.key.jwk);
    const signed = `${part({ alg: "HS256", kid: issuer.key.kid })}.${part({ iss: issuer.issuer, ...right })}`;
    const signature = createHmac("sha256", pem).update(signed).digest("base64url");
    expect(await prove(`${signed}.${signature}`)).toMatchObject({ kind: "unproven" });
  });

  test("of an unpublished key is refused, also under a published id", async () => {
    const foreign = newKeyPair("ES256", issuer.key.kid);
    expect(await prove(issuer.token(right, { key: foreign }))).toMatchObject({ kind: "unproven" });
    const unnamed = newKeyPair("ES256", "unnamed");
    expect(await prove(issuer.token(right, { key: unnamed }))).toMatchObject({ kind: "unproven" });
  });

  test("is refused once any character of it is another", async () => {
    const token = issuer.token(right);
    for (let index = 0; index < token.length; index++) {
      if (token[index] === ".") continue;
      const other = token[index] === "A" ? "B" : "A";
      const result = await prove(token.slice(0, index) + other + token.slice(index + 1));
      expect(result.kind).not.toBe("proven");
    }
  });

  const structures: readonly (readonly [string, (token: string) => string])[] = [
    ["nothing", () => ""],
    ["one part", () => "token"],
    ["two parts", (token) => token.split(".").slice(0, 2).join(".")],
    ["four parts", (token) => `${token}.x`],
    ["four dots", () => "...."],
    ["a megabyte", (token) => token + "A".repeat(1_000_000)],
    ["the sandbox's constant", () => "sandbox-valid-oidc-token"],
    ["a header that is no JSON", (token) => `AAAA.${token.split(".")[1]}.AAAA`],
    ["a payload that is an array", (token) => `${token.split(".")[0]}.${part([])}.AAAA`],
    ["a payload that is no text", (token) => `${token.split(".")[0]}._w.AAAA`],
    ["a payload with padding", (token) => token.replace(/\.([^.]*)\./, ".$1=.")],
    ["a payload with stray bits", () => `${part({ alg: "RS256" })}.e31.AAAA`],
    ["blanks around it", (token) => ` ${token} `],
    ["a line end", (token) => `${token}\n`],
  ];

  test.each(structures)("that is %s is malformed", async (_, alter) => {
    expect(await prove(alter(issuer.token(right)))).toMatchObject({
      kind: "malformed",
      reason: "structure",
    });
  });

  test("with ten thousand nested claims is answered like any other", async () => {
    const deep = `${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`;
    const body = Buffer.from(`{"iss":"${issuer.issuer}","x":${deep}}`).toString("base64url");
    expect((await prove(`${part({ alg: "RS256" })}.${body}.AAAA`)).kind).not.toBe("proven");
  });

  test.each([
    ["another issuer", (own: string) => `${own}.evil.example`],
    ["a slash more", (own: string) => `${own}/`],
    ["capitals", (own: string) => own.toUpperCase()],
    ["no issuer", () => undefined],
    ["a number", () => 1],
    ["a list", (own: string) => [own]],
  ])("of %s is of an issuer that is not recognised", async (_, alter) => {
    expect(await proveClaims({ iss: alter(issuer.issuer) })).toMatchObject({
      kind: "malformed",
      reason: "issuer",
    });
    expect(issuer.keyFetches).toBe(0);
  });
});

describe("one token", () => {
  test("has one digest for every signature, so that a mirrored signature is no second token", async () => {
    const token = issuer.token(right);
    const [head, body, signature = ""] = token.split(".");
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const raw = Buffer.from(signature, "base64url");
    const s = BigInt(`0x${raw.subarray(32).toString("hex")}`);
    const mirrored = Buffer.from((order - s).toString(16).padStart(64, "0"), "hex");
    const twin = `${head}.${body}.${Buffer.concat([raw.subarray(0, 32), mirrored]).toString("base64url")}`;
    const [first, second] = [await prove(token), await prove(twin)];
    expect(first).toMatchObject({ kind: "proven" });
    expect(second).toEqual(first);
  });

  test("with a nonce is good for the client key it was made for, spelled as it was sent", async () => {
    const nonceOf = (key: string) => createHash("sha256").update(key, "utf8").digest("hex");
    const token = issuer.token({ ...right, nonce: nonceOf(clientPublicKey) });
    const kindFor = async (key?: string) =>
      (await prove(token, key === undefined ? {} : { clientPublicKey: key })).kind;
    expect(await kindFor(clientPublicKey)).toBe("proven");
    expect(await kindFor()).toBe("proven");
    expect(await kindFor(clientPublicKey.toLowerCase())).toBe("unproven");
    for (const nonce of [nonceOf(clientPublicKey).toUpperCase(), "", 1, null]) {
      const other = issuer.token({ ...right, nonce });
      expect(await prove(other, { clientPublicKey })).toMatchObject({ kind: "unproven" });
    }
  });

  test("without a nonce is good for any client key", async () => {
    expect(await prove(issuer.token(right), { clientPublicKey })).toMatchObject({ kind: "proven" });
  });
});

describe("an identity", () => {
  const identity = { issuer: "https://i.example", audience: "app", subject: "person" };

  test("is the same when all three of it are, and not otherwise", () => {
    expect(isSameIdentity(identity, { ...identity })).toBe(true);
    for (const member of ["issuer", "audience", "subject"] as const) {
      expect(isSameIdentity(identity, { ...identity, [member]: "other" })).toBe(false);
    }
  });
});

describe("Google", () => {
  test("is one issuer under both of its names", () => {
    const google = createOidcTokens({
      outbound: outbound(),
      clock,
      log,
      issuers: ["https://accounts.google.com", "https://appleid.apple.com"],
      allowsLoopback: () => false,
    });
    for (const iss of ["https://accounts.google.com", "accounts.google.com"]) {
      expect(google.read(`${part({})}.${part({ iss, sub: "1" })}.sig`)).toEqual({
        kind: "read",
        claims: {
          issuer: "https://accounts.google.com",
          audience: null,
          subject: "1",
          email: null,
          providerName: "Google",
        },
      });
    }
    const apple = `${part({})}.${part({ iss: "https://appleid.apple.com" })}.sig`;
    expect(google.read(apple)).toMatchObject({ claims: { providerName: "Apple", subject: null } });
    expect(google.read(`${part({})}.${part({ iss: "appleid.apple.com" })}.sig`)).toMatchObject({
      reason: "issuer",
    });
  });
});

describe("a token in a sandbox", () => {
  test("is read without its times, its signature or a call to anywhere", () => {
    const token = `${part({ alg: "none" })}.${part({ iss: issuer.issuer, aud: 1, iat: 1 })}.signature`;
    expect(tokens.read(token)).toMatchObject({ kind: "read", claims: { audience: null } });
    expect(issuer.keyFetches).toBe(0);
  });

  test("still has to have three parts and a recognised issuer", () => {
    const body = part({ iss: issuer.issuer });
    const malformed = [
      "sandbox-valid-oidc-token",
      `${part({})}.${body}`,
      `${part({})}.${body}.`,
      `../..`,
      `AAAA.${body}.sig`,
    ];
    for (const token of malformed) {
      expect(tokens.read(token)).toMatchObject({ kind: "malformed", reason: "structure" });
    }
    const foreign = `${part({})}.${part({ iss: "https://evil.example" })}.sig`;
    expect(tokens.read(foreign)).toMatchObject({ kind: "malformed", reason: "issuer" });
  });
});

describe("an issuer on this machine", () => {
  test("is refused for platforms that may not call this machine", async () => {
    const strict = tokensOf([issuer.issuer], false);
    const result = await strict.prove({
      token: issuer.token(right),
      environment: "PRODUCTION",
      at,
    });
    expect(result).toMatchObject({ kind: "malformed", reason: "issuer" });
    expect(issuer.keyFetches).toBe(0);
  });
});

describe("the keys of an issuer", () => {
  test("are fetched once and kept for five minutes", async () => {
    await Promise.all(Array.from({ length: 20 }, () => proveClaims({})));
    await clock.advance(5 * 60_000 - 1);
    await proveClaims({});
    expect(issuer.keyFetches).toBe(1);
    await clock.advance(1);
    await proveClaims({});
    expect(issuer.keyFetches).toBe(2);
  });

  test("are fetched again for a key id that is new, at most every 30 seconds, once for all who ask", async () => {
    await proveClaims({});
    issuer.rotate();
    await clock.advance(30_000);
    const results = await Promise.all(Array.from({ length: 20 }, () => proveClaims({})));
    expect(results.map(({ kind }) => kind)).toEqual(Array(20).fill("proven"));
    expect(issuer.keyFetches).toBe(2);
    issuer.rotate();
    expect(await proveClaims({})).toMatchObject({ kind: "unproven" });
    await clock.advance(29_999);
    expect(await proveClaims({})).toMatchObject({ kind: "unproven" });
    expect(issuer.keyFetches).toBe(2);
    await clock.advance(1);
    expect(await proveClaims({})).toMatchObject({ kind: "proven" });
    expect(issuer.keyFetches).toBe(3);
  });

  test("are not fetched more often by a flood of invented key ids", async () => {
    await proveClaims({});
    await clock.advance(31_000);
    for (let index = 0; index < 200; index++) {
      const token = issuer.token(right, { header: { kid: `made-up-${index}` } });
      expect(await prove(token)).toMatchObject({ kind: "unproven" });
    }
    expect(issuer.keyFetches).toBe(2);
  });

  test("that are withdrawn no longer count once they were fetched again", async () => {
    const old = issuer.key;
    await proveClaims({});
    issuer.rotate("ES256", "instead");
    expect(await prove(issuer.token(right, { key: old }))).toMatchObject({ kind: "proven" });
    await clock.advance(5 * 60_000);
    expect(await prove(issuer.token(right, { key: old }))).toMatchObject({ kind: "unproven" });
  });

  test("are used for ten minutes while the issuer is down, and then no token is accepted", async () => {
    await proveClaims({});
    issuer.answerInstead = (_, response) => {
      response.writeHead(500).end();
      return true;
    };
    await clock.advance(9 * 60_000);
    expect(await proveClaims({})).toMatchObject({ kind: "proven" });
    await clock.advance(60_000);
    await expect(proveClaims({})).rejects.toBeInstanceOf(Fault);
    issuer.answerInstead = undefined;
    await clock.advance(5_000);
    expect(await proveClaims({})).toMatchObject({ kind: "proven" });
  });

  test("are not fetched again within five seconds of a failure", async () => {
    let asked = 0;
    issuer.answerInstead = (_, response) => {
      asked++;
      response.writeHead(503).end();
      return true;
    };
    for (let index = 0; index < 10; index++) {
      await expect(proveClaims({})).rejects.toMatchObject({ retryAfterSeconds: 5 });
    }
    expect(asked).toBe(1);
  });

  test("that do not suit are not used: another use, another type, two of one name, off the curve, too short", async () => {
    const { key } = issuer;
    const another = newKeyPair("ES256", key.kid);
    const sets = [
      [{ ...key.jwk, use: "enc" }],
      [{ ...key.jwk, alg: "ES384" }],
      [key.jwk, another.jwk],
      [newKeyPair("RS256", key.kid).jwk],
      [{ ...key.jwk, kid: "other" }],
      [{ ...key.jwk, y: key.jwk.x }],
      [{ kty: "RSA", kid: key.kid, alg: "RS256", n: "AQAB", e: "AQAB" }],
      [{ kty: "oct", kid: key.kid, k: "c2VjcmV0" }],
      [null, 1, "x"],
      [],
    ];
    for (const published of sets) {
      const own = await startIssuer();
      own.published = published as TestIssuer["published"];
      tokens = tokensOf([own.issuer]);
      const token = signToken(key, { alg: "ES256", kid: key.kid }, { ...right, iss: own.issuer });
      const kind = await prove(token).then(
        (result) => result.kind,
        (error: unknown) => (error instanceof Fault ? "fault" : error),
      );
      expect(["unproven", "fault"]).toContain(kind);
    }
  });

  const answers: readonly (readonly [string, NonNullable<TestIssuer["answerInstead"]>])[] = [
    [
      "is of another issuer",
      json("configuration", { issuer: "https://evil.example", jwks_uri: "/keys" }),
    ],
    ["names no keys", json("configuration", {})],
    ["is no JSON", json("configuration", undefined)],
    ["sends elsewhere", redirect("configuration")],
    ["has a key set that sends elsewhere", redirect("keys")],
    ["has a key set that is no JSON", json("keys", undefined)],
    ["has a key set that is a list", json("keys", [])],
    ["has a key set without end", json("keys", { keys: Array(101).fill({}) })],
    [
      "has a key set of more than a megabyte",
      json("keys", { keys: [], more: "x".repeat(1_100_000) }),
    ],
  ];

  function json(what: string, value: unknown): NonNullable<TestIssuer["answerInstead"]> {
    return (path, response) => {
      if (!path.endsWith(what)) return false;
      response.end(value === undefined ? "<html>" : JSON.stringify(value));
      return true;
    };
  }
  function redirect(what: string): NonNullable<TestIssuer["answerInstead"]> {
    return (path, response) => {
      if (!path.endsWith(what)) return false;
      response.writeHead(302, { location: `${issuer.issuer}/elsewhere` }).end("{}");
      return true;
    };
  }

  test.each(answers)("cannot be had when its configuration %s", async (_, answerInstead) => {
    issuer.answerInstead = answerInstead;
    await expect(proveClaims({})).rejects.toBeInstanceOf(Fault);
  });

  test("are not fetched from private addresses under any configuration", async () => {
    const addresses = ["http://10.0.0.1/keys", "http://169.254.169.254/keys", "file:///etc/passwd"];
    for (const jwksUri of addresses) {
      issuer.answerInstead = json("configuration", { issuer: issuer.issuer, jwks_uri: jwksUri });
      await expect(proveClaims({})).rejects.toBeInstanceOf(Fault);
      await clock.advance(5_000);
    }
    expect(warnings).toHaveLength(3);
    for (const warning of warnings) expect(warning).toContain("outbound target refused");
  });
});
