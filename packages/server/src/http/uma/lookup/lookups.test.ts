/** The refusals of a lookup in their order, and what each of them has cost until then. */
import { describe, expect, it } from "vitest";
import { inOrder } from "../../../../test/kit/decided.ts";
import { createManualClock, type ManualClock } from "../../../../test/kit/manual-clock.ts";
import type { JudgedSignature } from "../../../domain/uma/keys/counterparty-keys.port.ts";
import type { SignedMessage } from "../../../domain/uma/nonces/uma-nonce.ts";
import type { UmaAnswer } from "../uma-answer.ts";
import type { UmaRequest } from "../uma-paths.ts";
import { type Asking, createLookupLimits } from "./lookup-limits.ts";
import { createLookups, type VerifiedLookup } from "./lookups.ts";
import { VerificationsBusy } from "./verifications.ts";

const NOW_S = 1_795_953_600;
const PLATFORM = "019a4f00-0000-7000-8000-000000000001";

interface Case {
  readonly path?: string;
  readonly sentHost?: string;
  /** Without any parameter of UMA. */
  readonly isPlain?: boolean;
  readonly lacks?: string;
  /** A parameter that is there already. */
  readonly twice?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** What the policy refuses: the domain, or its keys. */
  readonly refuses?: "domain" | "keys";
  readonly waits?: number;
  readonly keys?: JudgedSignature | VerificationsBusy | "never";
  /** The texts whose signature holds. */
  readonly signs?: readonly string[];
  readonly waitsVerified?: number;
  readonly isUsed?: boolean;
  readonly isUnknown?: boolean;
  /** The limit of unknown users is passed. */
  readonly isOneTooMany?: boolean;
}

const fault = (code: Extract<JudgedSignature, { kind: "fault" }>["code"]) =>
  ({ kind: "fault", code, reason: "because" }) as const;

function requestOf({ path, sentHost, isPlain = false, lacks, twice, query }: Case): UmaRequest {
  const given = new URLSearchParams({
    signature: "3006020101020101",
    vaspDomain: "VASP.example",
    nonce: "7",
    timestamp: String(NOW_S),
    umaVersion: "1.0",
    isSubjectToTravelRule: "true",
    ...query,
  });
  if (lacks !== undefined) given.delete(lacks);
  return {
    host: "bank.example",
    sentHost: sentHost ?? "bank.example",
    path: path ?? "/.well-known/lnurlp/$bob",
    query: isPlain ? "amount=7" : [given, twice ?? ""].join("&"),
    isMarkedHttp: false,
    caller: "192.0.2.7",
    isAmongSandboxes: false,
    served: {
      platformId: PLATFORM,
      environment: "PRODUCTION",
      domain: "bank.example",
      name: "Bank",
      callbackBase: "PUBLIC_URL",
      ownDomains: ["bank.example", "old.example"],
    },
  };
}

async function lookedUp(the: Case) {
  const did: string[] = [];
  const texts: string[] = [];
  const messages: SignedMessage[] = [];
  const verified: VerifiedLookup[] = [];
  const policed: object[] = [];
  const noted: string[] = [];
  const signs = the.signs ?? [`$bob@bank.example|7|${NOW_S}`];
  const note = (what: string) => (asking: Asking) => void did.push(`${what} ${asking.vaspDomain}`);
  const clock = createManualClock(NOW_S * 1_000);
  const lookups = createLookups({
    clock,
    keys: {
      async judge(domain, { text }) {
        texts.push(`${domain} ${text}`);
        if (the.keys === "never") return new Promise(() => undefined);
        if (the.keys instanceof VerificationsBusy) throw the.keys;
        if (the.keys !== undefined) return the.keys;
        return signs.includes(text) ? { kind: "good", keys: {} as never } : { kind: "wrong" };
      },
    },
    nonces: {
      async use(_platformId, message) {
        messages.push(message);
        return the.isUsed !== true;
      },
    },
    limits: {
      admit: () => the.waits ?? 0,
      admitVerified: () => the.waitsVerified ?? 0,
      noteWrong: note("wrong signature of"),
      noteUnknownUser(asking) {
        note("unknown user of")(asking);
        return the.isOneTooMany === true;
      },
    },
    verifications: { of: () => async () => true },
    policies: {
      async judge(_platformId, domain, facts) {
        policed.push({ domain, ...facts, keys: facts.keys !== undefined });
        if (the.refuses === "domain")
          return { code: "COUNTERPARTY_NOT_ALLOWED", reason: "BLOCKED" };
        const isRefused = the.refuses === "keys" && facts.keys !== undefined;
        return isRefused ? { code: "CERT_CHAIN_INVALID", reason: "KEY_CHANGED" } : undefined;
      },
    },
    sightings: {
      note: ({ domain, version }) => void noted.push(`seen ${domain} ${version}`),
      noteExpired: (_platformId, domain) => void noted.push(`expired ${domain}`),
      noteProbing: (_platformId, domain) => void noted.push(`probing ${domain}`),
    },
    exchanges: {
      record: ({ vaspDomain, outcome }) => void noted.push(`listed ${vaspDomain} ${outcome}`),
      count: ({ outcome }) => void noted.push(`counted ${outcome}`),
    },
    takeFault: async () => undefined,
    async answer(one) {
      verified.push(one);
      return the.isUnknown === true ? undefined : { status: 200, body: "{}" };
    },
  });
  const [answer] = await Promise.all([lookups(requestOf(the)), passing(clock)]);
  return { answer, did, texts, messages, verified, policed, noted };
}

/** Seven seconds, once the lookup waits for something. */
async function passing(clock: ManualClock): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(7_000);
}

function named({ status, body }: UmaAnswer): string {
  const told = JSON.parse(body);
  return status === 200 ? "200" : `${status} ${told.status} ${told.code}`;
}

const faults: readonly (readonly [string, Case])[] = [
  ["400 ERROR PARSE_LNURLP_REQUEST_ERROR", { path: "/.well-known/lnurlp/$b%2Fb" }],
  ["403 ERROR NON_UMA_LNURL_NOT_SUPPORTED", { isPlain: true }],
  ["400 ERROR MISSING_REQUIRED_UMA_PARAMETERS", { lacks: "nonce" }],
  ["412 ERROR UNSUPPORTED_UMA_VERSION", { query: { umaVersion: "0.3" } }],
  ["400 ERROR INVALID_TIMESTAMP", { query: { timestamp: String(NOW_S - 301) } }],
  ["403 ERROR COUNTERPARTY_NOT_ALLOWED", { query: { vaspDomain: "OLD.example:8443" } }],
  ["403 ERROR COUNTERPARTY_NOT_ALLOWED", { refuses: "domain" }],
  ["429 ERROR RATE_LIMITED", { waits: 7 }],
  ["429 ERROR RATE_LIMITED", { keys: new VerificationsBusy() }],
  ["424 ERROR COUNTERPARTY_PUBKEY_FETCH_ERROR", { keys: fault("COUNTERPARTY_PUBKEY_FETCH_ERROR") }],
  ["424 ERROR COUNTERPARTY_PUBKEY_FETCH_ERROR", { keys: "never" }],
  ["400 ERROR INVALID_PUBKEY_FORMAT", { keys: fault("INVALID_PUBKEY_FORMAT") }],
  ["400 ERROR CERT_CHAIN_INVALID", { keys: fault("CERT_CHAIN_INVALID") }],
  ["400 ERROR CERT_CHAIN_EXPIRED", { keys: fault("CERT_CHAIN_EXPIRED") }],
  ["401 ERROR INVALID_SIGNATURE", { signs: [] }],
  ["400 ERROR CERT_CHAIN_INVALID", { refuses: "keys" }],
  ["429 ERROR RATE_LIMITED", { waitsVerified: 3 }],
  ["400 ERROR INVALID_NONCE", { isUsed: true }],
  ["404 ERROR USER_NOT_FOUND", { isUnknown: true }],
];

describe("a lookup", () => {
  it("is answered when nothing is wrong with it", async () => {
    const { answer, did, messages, verified } = await lookedUp({});
    expect(named(answer)).toBe("200");
    expect(did).toEqual([]);
    const text = `$bob@bank.example|7|${NOW_S}`;
    const signedAt = NOW_S * 1_000;
    expect(messages).toEqual([{ kind: "lookup", domain: "vasp.example", text, signedAt }]);
    const address = "$bob@bank.example";
    const who = { platformId: PLATFORM, vaspDomain: "vasp.example" };
    expect(verified).toEqual([{ ...who, signedAddress: address, address }]);
  });

  // `query` is one member: the faults in it are merged by hand.
  const withQueries = faults.map(([expected, one], place): readonly [string, Case] => {
    const later = faults.slice(place).map(([, { query }]) => query ?? {});
    const query = Object.assign({}, ...later.toReversed());
    return [expected, "query" in one ? { ...one, query } : one];
  });
  it.each(inOrder(withQueries))("is refused with %s, %s", async (expected, _how, the) => {
    expect(named((await lookedUp(the)).answer)).toBe(expected);
  });

  it("reads nothing of a user, and keeps nothing, before the signature has held", async () => {
    const at = faults.findIndex(([, { waitsVerified }]) => waitsVerified !== undefined);
    for (const [, one] of faults.slice(0, at + 1)) {
      const { messages, verified } = await lookedUp(one);
      expect({ messages, verified }).toEqual({ messages: [], verified: [] });
    }
    expect((await lookedUp({ isUsed: true })).verified).toEqual([]);
  });

  it("is judged by the policy before its keys are fetched, and with them", async () => {
    const facts = { domain: "vasp.example", direction: "IN", isSubjectToTravelRule: true };
    const asked = { ...facts, keys: false };
    expect((await lookedUp({})).policed).toEqual([asked, { ...facts, keys: true }]);
    const refused = await lookedUp({
      refuses: "domain",
      query: { isSubjectToTravelRule: "false" },
    });
    expect(refused.policed).toEqual([{ ...asked, isSubjectToTravelRule: false }]);
    expect(refused.texts).toEqual([]);
  });

  it("counts wrong signatures and unknown users, and nothing else", async () => {
    for (const [expected, one] of faults) {
      const counted = expected.includes("INVALID_SIGNATURE")
        ? ["wrong signature of vasp.example"]
        : expected.includes("USER_NOT_FOUND")
          ? ["unknown user of vasp.example"]
          : [];
      expect((await lookedUp(one)).did).toEqual(counted);
    }
  });

  it("says when to come again", async () => {
    expect((await lookedUp({ waits: 7 })).answer.retryAfterSeconds).toBe(7);
    expect((await lookedUp({ keys: new VerificationsBusy() })).answer.retryAfterSeconds).toBe(1);
    expect((await lookedUp({ waitsVerified: 3 })).answer.retryAfterSeconds).toBe(3);
  });

  it("of another major version is told the versions that are spoken; a minor one is answered", async () => {
    for (const asked of ["0.3", "2.0", "9.0", "1", "one", ""]) {
      const { status, body } = (await lookedUp({ query: { umaVersion: asked } })).answer;
      expect([status, JSON.parse(body)]).toMatchObject([
        412,
        { status: "ERROR", unsupportedVersion: asked, supportedMajorVersions: [1] },
      ]);
    }
    expect(named((await lookedUp({ query: { umaVersion: "1.7" } })).answer)).toBe("200");
  });

  it.each([
    [-300, "200"],
    [300, "200"],
    [-301, "400 ERROR INVALID_TIMESTAMP"],
    [301, "400 ERROR INVALID_TIMESTAMP"],
  ])("%i seconds from now is %s", async (distance, expected) => {
    const timestamp = String(NOW_S + distance);
    const signs = [`$bob@bank.example|7|${timestamp}`];
    expect(named((await lookedUp({ query: { timestamp }, signs })).answer)).toBe(expected);
  });

  it("may name no domain that is none, and none of this platform", async () => {
    for (const vaspDomain of ["bank.example", "Bank.Example:9", "127.0.0.1", "vasp", "a b.example"])
      expect(named((await lookedUp({ query: { vaspDomain } })).answer)).toBe(
        "403 ERROR COUNTERPARTY_NOT_ALLOWED",
      );
  });

  it("of a path or query out of form is refused as that, whatever user it names", async () => {
    const users = ["", "%24b%20b", "$b%C3%BC", "$".repeat(65), "$a%00", "$a%40b"];
    const paths = users.map((user): Case => ({ path: `/.well-known/lnurlp/${user}` }));
    const long: Case = { query: { signature: "a".repeat(4_096) } };
    for (const one of [...paths, long])
      expect(named((await lookedUp(one)).answer)).toBe("400 ERROR PARSE_LNURLP_REQUEST_ERROR");
    expect(named((await lookedUp({ twice: "nonce=8" })).answer)).toBe(
      "400 ERROR PARSE_LNURLP_REQUEST_ERROR",
    );
  });
});

describe("the signed address", () => {
  it("is the one that was written, and then that in lower case", async () => {
    const written: Case = { path: "/.well-known/lnurlp/%24Bob", sentHost: "Bank.Example" };
    const texts = [`$Bob@Bank.Example|7|${NOW_S}`, `$bob@bank.example|7|${NOW_S}`];
    const both = await lookedUp(written);
    expect(both.texts).toEqual(texts.map((text) => `vasp.example ${text}`));
    expect(both.messages[0]?.text).toBe(texts[1]);
    expect(both.verified[0]?.signedAddress).toBe("$bob@bank.example");
    const first = await lookedUp({ ...written, signs: texts });
    expect(first.texts).toHaveLength(1);
    expect(first.messages[0]?.text).toBe(texts[0]);
    expect(first.verified[0]).toMatchObject({
      signedAddress: "$Bob@Bank.Example",
      address: "$bob@bank.example",
    });
  });

  it("of a host with a port of https is that without it", async () => {
    const { answer, texts } = await lookedUp({ sentHost: "bank.example:443" });
    expect(named(answer)).toBe("200");
    expect(texts).toHaveLength(2);
  });

  it("costs one verification where both are the same", async () => {
    expect((await lookedUp({ signs: [] })).texts).toHaveLength(1);
  });
});

describe("the limits", () => {
  const asking: Asking = { caller: "192.0.2.7", vaspDomain: "vasp.example", platformId: PLATFORM };
  const start = () => {
    const clock = createManualClock(NOW_S * 1_000);
    return { clock, limits: createLookupLimits(clock) };
  };

  it("let nobody shut out another by claiming its name", async () => {
    const { clock, limits } = start();
    for (let count = 0; count < 20; count += 1) {
      expect(limits.admit(asking)).toBe(0);
      limits.noteWrong(asking);
    }
    expect(limits.admit(asking)).toBeGreaterThan(0);
    expect(limits.admit({ ...asking, caller: "192.0.2.8" })).toBe(0);
    expect(limits.admit({ ...asking, vaspDomain: "other.example" })).toBe(0);
    await clock.advance(3_000);
    expect(limits.admit(asking)).toBe(0);
  });

  it("give a verified domain 500 lookups at once and 100 a second at each platform", async () => {
    const { clock, limits } = start();
    for (let count = 0; count < 500; count += 1) expect(limits.admitVerified(asking)).toBe(0);
    expect(limits.admitVerified(asking)).toBe(1);
    expect(limits.admit(asking)).toBe(1);
    expect(limits.admitVerified({ ...asking, platformId: "other" })).toBe(0);
    expect(limits.admitVerified({ ...asking, vaspDomain: "other.example" })).toBe(0);
    await clock.advance(1_000);
    for (let count = 0; count < 100; count += 1) expect(limits.admitVerified(asking)).toBe(0);
    expect(limits.admitVerified(asking)).toBe(1);
  });

  it("let an address name 30 new domains a minute, and all of them 300", async () => {
    const { clock, limits } = start();
    const of = (caller: number, domain: number) =>
      limits.admit({
        caller: `192.0.2.${caller}`,
        vaspDomain: `v${domain}.example`,
        platformId: PLATFORM,
      });
    for (let domain = 0; domain < 30; domain += 1) expect(of(1, domain)).toBe(0);
    expect(of(1, 30)).toBe(2);
    // One that it has named is not new for a minute.
    expect(of(1, 7)).toBe(0);
    for (let domain = 30; domain < 300; domain += 1)
      expect(of(2 + Math.floor(domain / 30), domain)).toBe(0);
    expect(of(99, 300)).toBe(1);
    await clock.advance(60_000);
    expect(of(99, 300)).toBe(0);
  });

  it("count no domain as new whose signature has held", async () => {
    const { clock, limits } = start();
    limits.admitVerified(asking);
    for (let domain = 0; domain < 30; domain += 1)
      limits.admit({ ...asking, vaspDomain: `v${domain}.example` });
    await clock.advance(3_600_000);
    for (let domain = 0; domain < 30; domain += 1)
      limits.admit({ ...asking, vaspDomain: `w${domain}.example` });
    expect(limits.admit({ ...asking, vaspDomain: "x.example" })).toBeGreaterThan(0);
    expect(limits.admit(asking)).toBe(0);
  });

  it("send a domain away for ten minutes that asks for more than 100 unknown users", async () => {
    const { clock, limits } = start();
    const ask = (count: number) => {
      const ones = Array.from({ length: count }, () => limits.noteUnknownUser(asking));
      return ones.filter((isOneTooMany) => isOneTooMany).length;
    };
    expect(ask(100)).toBe(0);
    expect(limits.admit(asking)).toBe(0);
    await clock.advance(599_000);
    expect(ask(1)).toBe(1);
    // Lookups that were under way.
    expect(ask(100)).toBe(0);
    expect(limits.admit(asking)).toBe(600);
    expect(limits.admit({ ...asking, platformId: "other" })).toBe(0);
    expect(limits.admit({ ...asking, vaspDomain: "other.example" })).toBe(0);
    await clock.advance(599_999);
    expect(limits.admit(asking)).toBe(1);
    await clock.advance(1);
    expect(limits.admit(asking)).toBe(0);
    expect(ask(100)).toBe(0);
    expect(limits.admit(asking)).toBe(0);
    await clock.advance(600_000);
    expect(ask(100)).toBe(0);
    expect(limits.admit(asking)).toBe(0);
    expect(ask(1)).toBe(1);
  });
});

describe("what is noted of an institution", () => {
  it.each<readonly [readonly string[], Case]>([
    [["seen vasp.example 1.0", "listed vasp.example OK"], {}],
    [["seen vasp.example 1.0", "listed vasp.example USER_NOT_FOUND"], { isUnknown: true }],
    [
      ["seen vasp.example 1.0", "probing vasp.example", "listed vasp.example USER_NOT_FOUND"],
      { isUnknown: true, isOneTooMany: true },
    ],
    [["seen vasp.example 1.0", "listed vasp.example OK"], { isOneTooMany: true }],
    [["seen vasp.example 1.0", "listed vasp.example INVALID_NONCE"], { isUsed: true }],
    [["seen vasp.example 1.0", "listed vasp.example CERT_CHAIN_INVALID"], { refuses: "keys" }],
    [["counted INVALID_SIGNATURE"], { signs: [] }],
    [["counted COUNTERPARTY_NOT_ALLOWED"], { refuses: "domain" }],
    [["counted RATE_LIMITED"], { waits: 7 }],
    [["counted INVALID_TIMESTAMP"], { query: { timestamp: "7" } }],
    [["expired vasp.example", "counted CERT_CHAIN_EXPIRED"], { keys: fault("CERT_CHAIN_EXPIRED") }],
  ])("is %j", async (expected, the) => {
    expect((await lookedUp(the)).noted).toEqual(expected);
  });
});
