/** How long keys of other institutions are kept, when they are fetched again, and what their faults are called. */
import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../../test/kit/manual-clock.ts";
import type {
  CounterpartyKeyStore,
  KeptDocument,
} from "../../domain/uma/keys/counterparty-keys.port.ts";
import { writeSelfSigned } from "../../formats/uma/certificates/write-certificate.ts";
import { pointOf, signText } from "../../formats/uma/signatures.ts";
import { createCounterpartyKeys } from "./counterparty-keys.ts";
import type { FetchedDocument } from "./fetch-key-document.ts";

const START = Date.UTC(2026, 10, 29, 12);
const DAY_MS = 86_400_000;
const DOMAIN = "vasp.example";

const newKey = (namedCurve = "secp256k1") => generateKeyPairSync("ec", { namedCurve }).privateKey;
const [one, other] = [newKey(), newKey()];
const hexOf = (key = one) => pointOf(key)?.toString("hex") ?? "";

async function certificate(key = one, days = 30): Promise<string> {
  const dates = { notBefore: START - DAY_MS, notAfter: START + days * DAY_MS };
  const der = await writeSelfSigned({ domains: [DOMAIN], use: "SIGNING", ...dates }, key);
  return der.toString("hex");
}

function documentOf(key = one, more: object = {}): string {
  return JSON.stringify({ signingPubKey: hexOf(key), encryptionPubKey: hexOf(key), ...more });
}

/** The table of a deployment, in memory. */
function memoryStore() {
  const rows = new Map<string, { kept?: KeptDocument; fetchingUntil?: number }>();
  const store: CounterpartyKeyStore = {
    async find(domain) {
      const row = rows.get(domain);
      return row && { kept: row.kept, fetchingUntil: row.fetchingUntil };
    },
    async claim(domain, { now, until }) {
      const row = rows.get(domain);
      if (row?.fetchingUntil !== undefined && row.fetchingUntil > now) return false;
      rows.set(domain, { ...row, fetchingUntil: until });
      return true;
    },
    async keep(domain, kept) {
      rows.set(domain, { kept });
    },
    async release(domain) {
      const kept = rows.get(domain)?.kept;
      if (kept === undefined) rows.delete(domain);
      else rows.set(domain, { kept });
    },
  };
  return { store, rows };
}

let clock: ManualClock;
let table: ReturnType<typeof memoryStore>;
let fetches: number;
let host: () => Promise<FetchedDocument>;
let source: ReturnType<typeof server>;

function server() {
  const fetch = () => {
    fetches += 1;
    return host();
  };
  return createCounterpartyKeys({ store: table.store, fetch, clock });
}

const publishes = (document: string) => {
  host = async () => ({ kind: "document", document });
};
const isAway = (reason = "timeout") => {
  host = async () => ({ kind: "fault", code: "COUNTERPARTY_PUBKEY_FETCH_ERROR", reason });
};
const inSeconds = (seconds: number) => ({ expirationTimestamp: clock.now() / 1_000 + seconds });

beforeEach(() => {
  clock = createManualClock(START);
  table = memoryStore();
  fetches = 0;
  source = server();
  publishes(documentOf());
});

async function signedBy(key = one, text = "a|b") {
  return { text, signature: await signText(text, key) };
}

describe("keys are kept", () => {
  it.each<readonly [string, object | undefined, number]>([
    ["for a minute without an expiry", undefined, 60],
    ["for a minute with an earlier expiry", { seconds: 5 }, 60],
    ["for a minute with an expiry that has passed", { seconds: -100 }, 60],
    ["until they expire", { seconds: 300 }, 300],
    ["for a day with a later expiry", { seconds: 90_000 }, 86_400],
  ])("%s", async (_what, expiry, keptS) => {
    const { seconds } = (expiry ?? {}) as { seconds?: number };
    publishes(documentOf(one, seconds === undefined ? {} : inSeconds(seconds)));
    expect(await source.find(DOMAIN)).toMatchObject({ kind: "keys" });
    await clock.advance(keptS * 1_000 - 1);
    await source.find(DOMAIN);
    await server().find(DOMAIN);
    expect(fetches).toBe(1);
    await clock.advance(1);
    await source.find(DOMAIN);
    expect(fetches).toBe(2);
  });

  it("no longer than their certificates", async () => {
    const chain = [await certificate(one, 0.5)];
    publishes(documentOf(one, { signingCertChain: chain, ...inSeconds(86_400) }));
    await source.find(DOMAIN);
    await clock.advance(DAY_MS / 2 - 1);
    expect((await source.find(DOMAIN)).kind).toBe("keys");
    expect(fetches).toBe(1);
    await clock.advance(1_001);
    expect(await source.find(DOMAIN)).toMatchObject({ code: "CERT_CHAIN_EXPIRED" });
  });

  it("for all servers, and a server that starts reads them", async () => {
    const found = await source.find(DOMAIN);
    const there = await server().find(DOMAIN);
    const pointIn = (each: typeof found) =>
      each.kind === "keys" ? each.keys.encryptionPoint.toString("hex") : undefined;
    expect([fetches, pointIn(there)]).toEqual([1, hexOf()]);
    expect(pointIn(found)).toBe(hexOf());
  });
});

describe("one fetch at a time", () => {
  it("is shared by callers of a server, and waited for by other servers", async () => {
    let publish: () => void = () => undefined;
    host = () =>
      new Promise((resolve) => {
        publish = () => resolve({ kind: "document", document: documentOf() });
      });
    const elsewhere = server();
    const asked = [source.find(DOMAIN), source.find(DOMAIN), elsewhere.find(DOMAIN)];
    await clock.advance(1_000);
    publish();
    await clock.advance(200);
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(["keys", "keys", "keys"]);
    expect(fetches).toBe(1);
  });

  it("is taken over from a server that died in it", async () => {
    await table.store.claim(DOMAIN, { now: clock.now(), until: clock.now() + 7_000 });
    const asked = source.find(DOMAIN);
    await clock.advance(6_900);
    expect(fetches).toBe(0);
    await clock.advance(200);
    expect((await asked).kind).toBe("keys");
  });

  it("is not waited for longer than it can take", async () => {
    await table.store.claim(DOMAIN, { now: clock.now(), until: clock.now() + 60_000 });
    const asked = source.find(DOMAIN);
    await clock.advance(7_100);
    expect(await asked).toMatchObject({ code: "COUNTERPARTY_PUBKEY_FETCH_ERROR" });
  });
});

describe("a fetch that fails", () => {
  it("is remembered for a minute, and leaves nothing behind", async () => {
    isAway("connect");
    const fault = {
      kind: "fault",
      code: "COUNTERPARTY_PUBKEY_FETCH_ERROR",
      reason: "connect",
    };
    for (let count = 0; count < 3; count += 1) expect(await source.find(DOMAIN)).toEqual(fault);
    expect([fetches, table.rows.size]).toEqual([1, 0]);
    publishes(documentOf());
    await clock.advance(59_999);
    expect(await source.find(DOMAIN)).toEqual(fault);
    await clock.advance(1);
    expect((await source.find(DOMAIN)).kind).toBe("keys");
  });

  it("leaves keys that have not expired in use, and no others", async () => {
    publishes(documentOf(one, inSeconds(300)));
    await source.find(DOMAIN);
    isAway();
    await clock.advance(31_000);
    const wrong = await signedBy(other);
    expect(await source.judge(DOMAIN, wrong)).toEqual({ kind: "wrong" });
    expect(fetches).toBe(2);
    expect((await source.judge(DOMAIN, await signedBy())).kind).toBe("good");
    expect((await server().judge(DOMAIN, await signedBy())).kind).toBe("good");
    await clock.advance(269_000);
    expect(await source.find(DOMAIN)).toMatchObject({ code: "COUNTERPARTY_PUBKEY_FETCH_ERROR" });
    expect(await server().find(DOMAIN)).toMatchObject({ kind: "fault" });
  });
});

describe("a signature", () => {
  it("that is right needs one fetch", async () => {
    expect((await source.judge(DOMAIN, await signedBy())).kind).toBe("good");
    await source.judge(DOMAIN, await signedBy(one, "c|d"));
    expect(fetches).toBe(1);
  });

  it("by a new key is right once keys that are older than 30 s were fetched again", async () => {
    publishes(documentOf(one, inSeconds(3_600)));
    await source.find(DOMAIN);
    publishes(documentOf(other, inSeconds(3_600)));
    const byOther = await signedBy(other);
    await clock.advance(30_000);
    expect(await source.judge(DOMAIN, byOther)).toEqual({ kind: "wrong" });
    expect(fetches).toBe(1);
    await clock.advance(1);
    const judged = await source.judge(DOMAIN, byOther);
    expect(judged).toMatchObject({ kind: "good", keys: { fetchedAt: clock.now() } });
    expect(await source.judge(DOMAIN, await signedBy(one))).toEqual({ kind: "wrong" });
    expect(fetches).toBe(2);
  });

  it("that is wrong leads to one fetch in 30 s, however often it is sent", async () => {
    await source.find(DOMAIN);
    const wrong = await signedBy(other);
    await clock.advance(30_001);
    for (let count = 0; count < 5; count += 1)
      expect((await source.judge(DOMAIN, wrong)).kind).toBe("wrong");
    expect(fetches).toBe(2);
  });

  it("of another form is wrong", async () => {
    for (const signature of ["", "zz", "30", "00".repeat(400)])
      expect(await source.judge(DOMAIN, { text: "a", signature })).toEqual({ kind: "wrong" });
  });

  it("of a domain without keys is judged by nothing", async () => {
    isAway();
    expect(await source.judge(DOMAIN, await signedBy())).toMatchObject({ kind: "fault" });
  });
});

describe("a document", async () => {
  const ended = await certificate(one, -0.5);
  const foreign = await certificate(other);
  it.each([
    ["that is no JSON", "<html>", "INVALID_PUBKEY_FORMAT"],
    ["that is a list", "[]", "INVALID_PUBKEY_FORMAT"],
    ["without a key", "{}", "INVALID_PUBKEY_FORMAT"],
    ["with a member twice", '{"signingPubKey":"a","signingPubKey":"b"}', "INVALID_PUBKEY_FORMAT"],
    [
      "with a point beside the curve",
      documentOf(one, { signingPubKey: `04${"11".repeat(64)}` }),
      "INVALID_PUBKEY_FORMAT",
    ],
    ["with a number as key", documentOf(one, { signingPubKey: 7 }), "INVALID_PUBKEY_FORMAT"],
    [
      "with a certificate of another key",
      documentOf(one, { signingCertChain: [foreign] }),
      "CERT_CHAIN_INVALID",
    ],
    [
      "with a chain that is broken",
      documentOf(one, { signingCertChain: [foreign, ended] }),
      "CERT_CHAIN_INVALID",
    ],
    [
      "with a certificate that cannot be read",
      documentOf(one, { signingCertChain: ["00"] }),
      "CERT_CHAIN_INVALID",
    ],
    [
      "with a certificate that has ended",
      documentOf(one, { signingCertChain: [ended] }),
      "CERT_CHAIN_EXPIRED",
    ],
  ])("%s has a fault, and is not kept", async (_what, document, code) => {
    publishes(document);
    expect(await source.find(DOMAIN)).toMatchObject({ kind: "fault", code });
    expect(table.rows.size).toBe(0);
  });
});
