/**
 * Institutions that are out to harm, at each exchange there is: their keys in both directions, their answers to lookups, and what they send
 * in. Each is refused by name, leaves nothing, takes a bounded amount of memory, and keeps no other caller waiting. The clock is moved by
 * the test alone, so whoever is answered while institutions hang was not waiting for their deadlines.
 */
import { sign } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sealFor } from "../../../src/formats/uma/envelope.ts";
import { present } from "../../../src/std/assert.ts";
import {
  type Answer,
  announcesGigabyte,
  breaksOff,
  drips,
  type HostileVasp,
  neverAnswers,
  openHostile,
  poursGigabyte,
  says,
  sendsBomb,
  sendsHeadsForEver,
  withMember,
} from "../../kit/hostile-vasp.ts";
import { createManualClock } from "../../kit/manual-clock.ts";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import type { Story } from "../../kit/story.ts";
import { expectStatus, routeTo } from "../../kit/story-rails.ts";
import { customerAt, listHosts, makesInvoices, openServed } from "../../kit/story-uma-served.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { askHost, type UmaProxy } from "../../kit/uma-proxy.ts";
import { openVasp, send, signedLookup, type TestVasp } from "../../kit/uma-vasp.ts";

const clock = createManualClock(Date.now());
const domainOf = ({ req }: ServerResponse) => req.headers.host ?? "";
/** All garbage is collected at once, so that what is left is in use. */
const collect: () => void = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
})();
const inUse = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
let inUseBefore = 0;
const TRAVEL_RULE = "payerData.compliance.encryptedTravelRuleInfo";
/** What the buffers of a connection on this machine take, beside the bounds of a message. */
const MOST_TAKEN = 16 << 20;
const domains = Array.from({ length: 300 }, (_, index) => `h${index}.test`);
const fresh = (() => {
  const left = [...domains];
  return () => present(left.shift(), "a domain that was not used");
})();

let connector: TestConnector;
let hostile: HostileVasp;
let honest: TestVasp;
let proxy: UmaProxy;
let server: TestServer;
let bank: Story;
beforeAll(async () => {
  connector = await openConnector();
  makesInvoices(connector);
  hostile = await openHostile(clock.now);
  honest = await openVasp();
  const hosts = await listHosts(["bank.test"], honest, ["vasp.test"]);
  proxy = hosts.proxy;
  const places = domains.map((domain) => `${domain}=http://127.0.0.1:${hostile.port}`);
  server = await startTestServer({
    clock,
    settings: {
      UMA_HOSTS: [hosts.setting, ...places].join(","),
      RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}`,
    },
  });
  proxy.upstream = server.app.address.port;
  bank = await openServed(server, "bank.test", connector);
  await customerAt(bank, "$ana@bank.test");
  const [{ id }] = (await bank.call("GET", "/rails/connections")).json.data;
  await routeTo(bank, id, { currency: "MSAT", accountTypes: ["UMA_ADDRESS"] });
  expect((await lookIn("vasp.test")).status).toBe(200);
  expectStatus(200, await lookOut(fresh()));
  collect();
  inUseBefore = inUse();
});
afterAll(async () => {
  await server.close();
  await Promise.all([proxy.close(), hostile.close(), honest.close(), connector.close()]);
});

const lookOut = (domain: string) =>
  bank.call("GET", `/receiver/uma/$bob@${domain}?senderUmaAddress=$ana@bank.test`);

const lookIn = (vaspDomain: string) => {
  const timestamp = Math.floor(clock.now() / 1_000);
  return send(server.app.address.port, signedLookup(honest, { vaspDomain, timestamp }));
};

const callsOf = (domain: string) => hostile.asked.filter((line) => line.startsWith(`${domain} `));

/** How long a host has to answer for its keys, and for a lookup. */
const [KEYS_MS, LOOKUP_MS] = [5_000, 10_000];

/** Until its host has been called so often: then the deadline of that call runs, and nothing else that a moved clock would end. */
async function called(domain: string, times: number): Promise<void> {
  await expect.poll(() => callsOf(domain).length).toBe(times);
}

interface Rows {
  readonly lookups: number;
  readonly transactions: number;
  readonly travelRules: number;
  readonly keys: number;
}

async function rows(): Promise<Rows> {
  const sql = `select (select count(*)::int from uma_lookups) as lookups,
    (select count(*)::int from transactions) as transactions,
    (select count(*)::int from uma_travel_rules) as "travelRules",
    (select count(*)::int from uma_counterparty_keys where document is not null and domain <> 'vasp.test') as keys`;
  return (await server.database.asSuperuser((client) => client.query(sql))).rows[0];
}

const MESSAGE_DEPTH = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
const DIGITS = "7".repeat(60_000);

const HANGING: ReadonlySet<Answer> = new Set([neverAnswers, drips]);
const wires: readonly (readonly [what: string, answer: Answer])[] = [
  ["never answers", neverAnswers],
  ["drips", drips],
  ["pours out a gigabyte", poursGigabyte],
  ["announces a gigabyte, and pours it out", announcesGigabyte],
  ["sends a bomb", sendsBomb],
  ["sends heads for ever", sendsHeadsForEver],
  ["breaks off", breaksOff],
  ["leads inside", says("", 302, { location: "http://127.0.0.1:1/inside" })],
  ["leads to itself for ever", says("", 308, { location: "/" })],
];

type Edit = readonly [what: string, path: string, value: string, code?: string];
const anywhere: readonly Edit[] = [
  ["nests 10,000 deep", "more", MESSAGE_DEPTH],
  ["has a number of 60,000 digits", "more", DIGITS],
  ["has a number of 60,000 digits after a point", "more", `0.${DIGITS}`],
  ["names a member twice", "more", '1,"more":1'],
  ["is no JSON", "more", "undefined"],
];

interface Told {
  readonly status: number;
  readonly text: string;
}

/** What is answered about a domain whose host answers so. Nothing is kept, and little is taken. */
async function refusal(
  look: (domain: string) => Promise<Told>,
  answers: Pick<HostileVasp, "keys"> | Pick<HostileVasp, "lookups">,
  answer: Answer,
): Promise<string> {
  const before = [hostile.taken(), await rows()] as const;
  const domain = fresh();
  const [at, calls] = "keys" in answers ? [answers.keys, 1] : [answers.lookups, 2];
  at.set(domain, answer);
  const asked = look(domain);
  if (HANGING.has(answer)) {
    await called(domain, calls);
    await clock.advance(calls === 1 ? KEYS_MS : LOOKUP_MS);
  }
  const told = await asked;
  expect(callsOf(domain)).toHaveLength(calls);
  expect(hostile.taken() - before[0]).toBeLessThan(MOST_TAKEN);
  const after = await rows();
  expect({ ...after, keys: 0 }).toEqual({ ...before[1], keys: 0 });
  expect(after.keys - before[1].keys).toBe(calls - 1);
  return `${told.status} ${JSON.parse(told.text).code}`;
}

const keys = () => ({ keys: hostile.keys });
const lookups = () => ({ lookups: hostile.lookups });

/** Each change, with the code of its refusal: this one, unless it names another. */
const edits = (code: string, ...changes: readonly Edit[]) =>
  [...anywhere, ...changes].map(
    ([what, path, value, own = code]) => [what, path, value, own] as const,
  );

describe("an institution is refused when the host of its keys", () => {
  it.each(wires)("%s, in both directions", async (_what, answer) => {
    for (const look of [lookOut, lookIn])
      expect(await refusal(look, keys(), answer)).toBe("424 COUNTERPARTY_PUBKEY_FETCH_ERROR");
  });

  it.each(
    edits(
      "400 INVALID_PUBKEY_FORMAT",
      ["says nothing", "signingPubKey", "null"],
      ["has a point that is on no curve", "signingPubKey", `"04${"0".repeat(128)}"`],
      ["has a key of megabytes", "signingPubKey", `"${"04".repeat(30_000)}"`],
      ["has no certificates in its chain", "signingCertChain", '["00"]', "400 CERT_CHAIN_INVALID"],
      ["has a NUL", "signingPubKey", '"04\\u0000"'],
      ["has a long chain", "signingCertChain", `[${'"00",'.repeat(9_999)}"00"]`],
      ["expires in the year 10,000,000", "expirationTimestamp", "300000000000000"],
    ),
  )("%s, in both directions", async (_what, path, value, code) => {
    const answer = says(withMember(hostile.document(), path, value));
    for (const look of [lookOut, lookIn]) expect(await refusal(look, keys(), answer)).toBe(code);
  });
});

describe("an institution is refused when its answer to a lookup", () => {
  it.each(wires)("%s", async (_what, answer) => {
    expect(await refusal(lookOut, lookups(), answer)).toBe("424 LNURLP_REQUEST_FAILED");
  });

  const currency = (code: string) =>
    `{"code":"${code}","name":"","symbol":"","decimals":2,"multiplier":1,"convertible":{"min":1,"max":2}}`;
  it.each(
    edits(
      "400 PARSE_LNURLP_RESPONSE_ERROR",
      ["has 201 currencies", "currencies", `[${Array(201).fill(currency("EUR")).join()}]`],
      ["has a multiplier of 0", "currencies.0.multiplier", "0"],
      ["has a multiplier below 0", "currencies.0.multiplier", "-1"],
      ["has a multiplier of 1e400", "currencies.0.multiplier", "1e400"],
      ["has a multiplier of 31 digits", "currencies.0.multiplier", "1".repeat(31)],
      ["has a multiplier that is text", "currencies.0.multiplier", '"12500"'],
      ["has 30 decimals", "currencies.0.decimals", "30"],
      ["has -1 decimals", "currencies.0.decimals", "-1"],
      ["has a lowest amount of 1e18", "currencies.0.convertible.min", "1e18"],
      [
        "asks for 41 fields",
        "payerData",
        `{${Array.from({ length: 41 }, (_, at) => `"f${at}":{"mandatory":true}`).join()}}`,
      ],
      [
        "has 10,000 layers",
        "settlementOptions",
        `[${Array(3_000).fill('{"settlementLayer":"x"}').join()}]`,
      ],
      ["has a long callback", "callback", `"https://a.example/${"a".repeat(3_000)}"`],
      ["has a NUL", "currencies.0.name", '"a\\u0000b"'],
      ["has a name that turns the writing around", "currencies.0.name", '"\u202eoruE"'],
    ),
  )("%s", async (_what, path, value, code) => {
    const answer: Answer = (response) =>
      response.end(withMember(hostile.found(`$bob@${domainOf(response)}`), path, value));
    expect(await refusal(lookOut, lookups(), answer)).toBe(code);
  });

  it("has a million currencies", async () => {
    const million = `[${`${currency("EUR")},`.repeat(1_000_000)}{}]`;
    const answer = says(withMember(hostile.found("$bob@a.test"), "currencies", million));
    expect(await refusal(lookOut, lookups(), answer)).toBe("424 LNURLP_REQUEST_FAILED");
  });
});

describe("an institution is refused when it asks to pay and", () => {
  let signatures = 0;
  /** What an honest one sends. */
  function payRequest(travelRule: string): string {
    const stamp = [`${++signatures}`, Math.floor(clock.now() / 1_000)] as const;
    const text = Buffer.from(["$bo@vasp.test", ...stamp].join("|"));
    return JSON.stringify({
      convert: "EUR",
      amount: "1000.EUR",
      payerData: {
        identifier: "$bo@vasp.test",
        compliance: {
          kycStatus: "VERIFIED",
          utxos: [],
          encryptedTravelRuleInfo: travelRule,
          travelRuleFormat: "ivms@101.2023",
          signature: sign("sha256", text, honest.signingKey).toString("hex"),
          signatureNonce: stamp[0],
          signatureTimestamp: stamp[1],
        },
      },
      payeeData: {},
      comment: "for lunch",
    });
  }

  async function sealed(to?: string): Promise<string> {
    const path = "/.well-known/lnurlpubkey";
    const published = await askHost(server.app.address.port, { host: "bank.test", path });
    const point = Buffer.from(to ?? JSON.parse(published.text).encryptionPubKey, "hex");
    return sealFor(point, Buffer.from("{}")).toString("hex");
  }

  async function post(body: string): Promise<Told> {
    const { pathname } = new URL(JSON.parse((await lookIn("vasp.test")).text).callback);
    const url = `http://127.0.0.1:${server.app.address.port}${pathname}`;
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  }

  it.each(
    edits(
      "400 PARSE_PAYREQ_REQUEST_ERROR",
      ["has an amount of 60,000 digits", "amount", `"${DIGITS}.EUR"`],
      ["has an amount of 0", "amount", '"0.EUR"'],
      ["has an amount below 0", "amount", '"-1.EUR"'],
      ["has an amount of 1e400", "amount", '"1e400.EUR"'],
      ["has a number as amount", "amount", "1000"],
      ["has a NUL", "comment", '"a\\u0000b"'],
      ["has a text that turns the writing around", "comment", '"a\\u202eb"'],
      [
        "asks for 10,000 fields",
        "payeeData",
        `{${Array.from({ length: 8_000 }, (_, at) => `"f${at}":{"mandatory":true}`).join()}}`,
      ],
      [
        "has a currency like a member of every object",
        "convert",
        '"__proto__"',
        "400 INVALID_CURRENCY",
      ],
      [
        "tells under the travel rule in the clear",
        TRAVEL_RULE,
        JSON.stringify('{"originator":{}}'),
      ],
      ["tells garbage under the travel rule", TRAVEL_RULE, `"04${"5a".repeat(300)}"`],
      ["tells 65 kB under the travel rule", TRAVEL_RULE, `"${"5a".repeat(65_537)}"`],
      [
        "tells nothing under the travel rule",
        TRAVEL_RULE,
        "null",
        "400 MISSING_MANDATORY_PAYER_DATA",
      ],
    ),
  )("%s", async (_what, path, value, expected) => {
    const before = await rows();
    const { status, text } = await post(withMember(payRequest(await sealed()), path, value));
    expect(`${status} ${JSON.parse(text).code}`).toBe(expected);
    expect(await rows()).toEqual(before);
  });

  it("tells 10 MB under the travel rule", async () => {
    const before = await rows();
    const large = `"${"5a".repeat(5 << 20)}"`;
    const { status, text } = await post(withMember(payRequest(""), TRAVEL_RULE, large));
    expect([status, JSON.parse(text).code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(await rows()).toEqual(before);
  });

  it("tells for another key under the travel rule", async () => {
    const before = await rows();
    const { signingPubKey } = JSON.parse(honest.document);
    const { status, text } = await post(payRequest(await sealed(signingPubKey)));
    expect([status, JSON.parse(text).code]).toEqual([400, "PARSE_PAYREQ_REQUEST_ERROR"]);
    expect(await rows()).toEqual(before);
  });

  it("is taken without any of that, as far as the platform agrees", async () => {
    const { text } = await post(payRequest(await sealed()));
    expect(JSON.parse(text).code).toBe("USER_NOT_READY");
  });
});

describe("while institutions hang", () => {
  it("others are looked up, look up and are answered, and nobody's deadline has passed", async () => {
    const hanging = {
      out: Array.from({ length: 30 }, fresh),
      in: Array.from({ length: 6 }, fresh),
    };
    for (const domain of [...hanging.out, ...hanging.in]) hostile.keys.set(domain, neverAnswers);
    let ended = 0;
    const note = <Value>(value: Value) => {
      ended += 1;
      return value;
    };
    const calls = [
      ...hanging.out.map((domain) => lookOut(domain).then(note)),
      ...hanging.in.map((domain) => lookIn(domain).then(note)),
    ];
    for (const domain of [...hanging.out, ...hanging.in]) await called(domain, 1);
    for (let count = 0; count < 10; count += 1) {
      expectStatus(200, await lookOut(fresh()));
      expect((await lookIn("vasp.test")).status).toBe(200);
      expectStatus(200, await bank.call("GET", "/config"));
    }
    expect(ended).toBe(0);
    await clock.advance(KEYS_MS);
    for (const { status, text } of await Promise.all(calls))
      expect([status, JSON.parse(text).code]).toEqual([424, "COUNTERPARTY_PUBKEY_FETCH_ERROR"]);
  });
});

it("an address that invents domains makes thirty calls a minute, and keeps nothing", async () => {
  await clock.advance(60_000);
  const before = await rows();
  const invented = Array.from({ length: 60 }, fresh);
  for (const domain of invented) hostile.keys.set(domain, says("", 404));
  const asked = hostile.asked.length;
  const answers = await Promise.all(invented.map(lookIn));
  const told = answers.map(({ status, text }) => `${status} ${JSON.parse(text).code}`);
  expect(told.toSorted()).toEqual([
    ...Array(30).fill("424 COUNTERPARTY_PUBKEY_FETCH_ERROR"),
    ...Array(30).fill("429 RATE_LIMITED"),
  ]);
  expect(hostile.asked.length - asked).toBe(30);
  expect(await rows()).toEqual(before);
  expect((await lookIn("vasp.test")).status).toBe(200);
});

it("and none of it is in memory afterwards", () => {
  hostile.keys.clear();
  hostile.lookups.clear();
  collect();
  expect(inUse() - inUseBefore).toBeLessThan(48 << 20);
});
