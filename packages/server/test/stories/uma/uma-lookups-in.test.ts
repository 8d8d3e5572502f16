/** Lookups of other institutions at a domain of a platform, as they come over the wire. */
import { verify, X509Certificate } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readLookupAnswer } from "../../../src/formats/uma/lookup-message.ts";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import type { Story } from "../../kit/story.ts";
import { eventsAbout, expectStatus } from "../../kit/story-rails.ts";
import {
  customerAt,
  listHosts,
  makesInvoices,
  openServed,
  type ServedHosts,
} from "../../kit/story-uma-served.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { askHost, type HostAnswer } from "../../kit/uma-proxy.ts";
import {
  type LookupWish,
  openVasp,
  send,
  signedLookup,
  type TestVasp,
} from "../../kit/uma-vasp.ts";

const SETTINGS = { PUBLIC_URL: "https://api.deployment.example" };
let connector: TestConnector;
let vasp: TestVasp;
let hosts: ServedHosts;
let server: TestServer;
let bank: Story;
beforeAll(async () => {
  connector = await openConnector();
  makesInvoices(connector);
  vasp = await openVasp();
  const institutions = [
    "vasp.test",
    "other.test",
    "silent.test",
    "broken.test",
    "slow.test",
    "claimed.test",
    "steady.test",
  ];
  hosts = await listHosts(["bank.test", "wallet.test", "shop.test"], vasp, institutions);
  const settings = { UMA_HOSTS: hosts.setting, RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  server = await startTestServer({ settings: { ...SETTINGS, ...settings } });
  hosts.proxy.upstream = server.app.address.port;
  bank = await openServed(server, "bank.test", connector);
  await customerAt(bank, "$ana@bank.test");
});
afterEach(() => {
  vasp.answer = undefined;
});
afterAll(async () => {
  await server.close();
  await hosts.proxy.close();
  await vasp.close();
  await connector.close();
});

const portOf = (at: TestServer) => at.app.address.port;
const ask = (wish: LookupWish = {}, at = server) => send(portOf(at), signedLookup(vasp, wish));
const named = ({ status, text }: HostAnswer) => {
  const told = JSON.parse(text);
  return status === 200 ? "200" : `${status} ${told.status} ${told.code}`;
};
const named200 = (answer: HostAnswer) => {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return JSON.parse(answer.text);
};
const nowS = () => Math.floor(Date.now() / 1_000);

describe("the institution that looks up", () => {
  const put = (domain: string, body: object) =>
    bank.call("PUT", `/uma/counterparties/${domain}`, body);

  it("is seen with its key, and what it asks is listed and counted", async () => {
    named200(await ask({ vaspDomain: "vasp.test" }));
    expect(named(await ask({ vaspDomain: "vasp.test", user: "$nobody" }))).toContain("404");
    await server.app.umaNotes.settled();
    const read = await bank.call("GET", "/uma/counterparties?domain=vasp.test");
    const [found] = expectStatus(200, read).json.data;
    expect(found).toMatchObject({
      status: "DEFAULT",
      versions: ["1.0"],
      keyState: "OK",
      signingKey: { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
      counts: { lookupsIn: 1 },
    });
    expect(await eventsAbout(bank, found.id)).toEqual(["UMA_COUNTERPARTY.SEEN"]);
    const exchanges = await bank.call("GET", "/uma/exchanges?vaspDomain=vasp.test");
    expect(exchanges.json.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "USER_NOT_FOUND",
      "OK",
    ]);
  });

  it("is refused while it is blocked, before its keys are asked for", async () => {
    const refused = "403 ERROR COUNTERPARTY_NOT_ALLOWED";
    expectStatus(200, await put("other.test", { status: "BLOCKED" }));
    expect(named(await ask({ vaspDomain: "other.test" }))).toBe(refused);
    expectStatus(200, await put("other.test", { status: "ALLOWED" }));
    expect(named(await ask({ vaspDomain: "other.test" }))).toBe("200");
  });

  it("is refused without a certificate of its domain where one is wanted", async () => {
    const overrides = { certificates: "DOMAIN" };
    expectStatus(200, await put("vasp.test", { status: "DEFAULT", overrides }));
    expect(named(await ask())).toBe("400 ERROR CERT_CHAIN_INVALID");
    expectStatus(200, await put("vasp.test", { status: "DEFAULT" }));
    expect(named(await ask())).toBe("200");
  });
});

describe("a lookup of a customer", () => {
  it("is answered with a price, and signed by the key that the platform publishes", async () => {
    const answer = await ask();
    const json = named200(answer);
    expect(answer.headers).toMatchObject({ "cache-control": "no-store" });
    expect(json).toMatchObject({
      tag: "payRequest",
      umaVersion: "1.0",
      commentAllowed: 140,
      currencies: [{ code: "EUR", decimals: 2, multiplier: 12_500 }],
      settlementOptions: [
        { settlementLayer: "ln", assets: [{ identifier: "BTC", multipliers: { EUR: 12_500 } }] },
      ],
      compliance: {
        kycStatus: "VERIFIED",
        isSubjectToTravelRule: true,
        receiverIdentifier: "$ana@bank.test",
      },
    });
    const { compliance, minSendable } = readLookupAnswer(Buffer.from(answer.text));
    expect(minSendable).toBe(12_500n);
    const { nonce, timestamp, signature } = compliance.signature;
    expect(BigInt(nonce)).toBeGreaterThan(2n ** 96n);
    const published = await askHost(portOf(server), {
      host: "bank.test",
      path: "/.well-known/lnurlpubkey",
    });
    const [leaf] = JSON.parse(published.text).signingCertChain;
    const { publicKey } = new X509Certificate(Buffer.from(leaf, "hex"));
    const text = Buffer.from(`$ana@bank.test|${nonce}|${timestamp}`);
    expect(verify("sha256", text, publicKey, Buffer.from(signature, "hex"))).toBe(true);
    expect(answer.text).not.toContain("Ruiz");
  });

  it("has a callback below the deployment's URL, or below the domain when that is wanted", async () => {
    const callback = async () => named200(await ask()).callback;
    const [, token] = /^https:\/\/api\.deployment\.example\/uma\/pay\/([\w-]+)$/.exec(
      await callback(),
    ) as unknown as [string, string];
    const tokens = server.app.umaExchanges.callbackTokens;
    expect(tokens.open(token, Date.now())).toMatchObject({
      platformId: bank.platformId,
      address: "$ana@bank.test",
      vaspDomain: "vasp.test",
      umaVersion: "1.0",
    });
    const [{ id }] = (await bank.call("GET", "/uma/domains")).json.data;
    const set = (callbackBase: string) =>
      bank.call("PATCH", `/uma/domains/${id}`, { callbackBase });
    expectStatus(200, await set("DOMAIN"));
    await expect.poll(callback).toMatch(/^https:\/\/bank\.test\/uma\/pay\//);
    expectStatus(200, await set("PUBLIC_URL"));
    await expect.poll(callback).toMatch(/^https:\/\/api\.deployment\.example\//);
  });

  it("writes nothing but its nonce, and HEAD is answered like GET", async () => {
    const counts = async () => {
      await server.app.umaNotes.settled();
      const sql =
        "select (select count(*) from transactions) + (select count(*) from command_log) as rows, (select count(*) from uma_nonces) as nonces";
      const { rows } = await server.app.store.database.withClient((client) => client.query(sql));
      return rows[0];
    };
    const before = await counts();
    expect(named(await ask())).toBe("200");
    const lookup = signedLookup(vasp);
    const head = await askHost(portOf(server), { ...lookup, method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    const after = await counts();
    expect(after).toEqual({ rows: before.rows, nonces: String(Number(before.nonces) + 2) });
  });

  it.each<readonly [string, LookupWish]>([
    ["in capital letters, signed as written", { user: "%24ANA" }],
    ["in capital letters, signed in lower case", { user: "$ANA", signedAddress: "$ana@bank.test" }],
    ["with a host in capital letters", { host: "Bank.Test" }],
    ["with a host and its port", { host: "bank.test:443", signedAddress: "$ana@bank.test" }],
    ["with a higher minor version", { query: { umaVersion: "1.9" } }],
    ["without isSubjectToTravelRule", { query: { isSubjectToTravelRule: undefined } }],
    ["with more parameters", { query: { backingSignatures: "x", amount: "7" } }],
    ["in the past, in time", { timestamp: nowS() - 200 }],
    ["in the future, in time", { timestamp: nowS() + 200 }],
  ])("%s is answered", async (_what, wish) => {
    expect(named(await ask(wish))).toBe("200");
  });

  it("has the price of the moment, and ends with the route within a second", async () => {
    const routes = (await bank.call("GET", "/rails/routes")).json.data;
    const set = (body: object) => bank.call("PATCH", `/rails/routes/${routes[0].id}`, body);
    const least = async () => named200(await ask()).currencies[0].convertible.min;
    const within = { timeout: 5_000 };
    expectStatus(200, await set({ minAmount: 2_500_000 }));
    await expect.poll(least, within).toBe(200);
    expectStatus(200, await set({ enabled: false }));
    await expect.poll(async () => named(await ask()), within).toBe("404 ERROR USER_NOT_FOUND");
    expectStatus(200, await set({ enabled: true, minAmount: null }));
    await expect.poll(async () => named(await ask()), within).toBe("200");
    expect(await least()).toBe(1);
  });

  it("is not delayed by institutions whose hosts never answer", async () => {
    const held: (() => void)[] = [];
    vasp.answer = ({ headers: { host } }, response) => {
      if (host !== "slow.test") return undefined;
      held.push(() => response.destroy());
      return true;
    };
    const slow = Array.from({ length: 60 }, () => ask({ vaspDomain: "slow.test" }));
    await expect.poll(() => held.length).toBe(1);
    for (let count = 0; count < 5; count += 1) expect(named(await ask())).toBe("200");
    expect(held).toHaveLength(1);
    held[0]?.();
    for (const answer of await Promise.all(slow))
      expect(named(answer)).toBe("424 ERROR COUNTERPARTY_PUBKEY_FETCH_ERROR");
  });

  it("is refused for each user alike while the platform's own chain has expired", async () => {
    const setExpiry = (sql: string) =>
      server.database.asSuperuser((client) =>
        client.query(
          `update uma_keys set ${sql} where platform_id = $1 and use = 'SIGNING' returning 1`,
          [bank.platformId],
        ),
      );
    await setExpiry("source = 'AUTHORITY', not_after = not_after - interval '2 years'");
    for (const user of ["$ana", "$bob"]) {
      const answer = await ask({ user });
      expect(named(answer)).toBe("424 ERROR CERT_CHAIN_EXPIRED");
    }
    await setExpiry("source = 'SELF_SIGNED', not_after = not_after + interval '2 years'");
    expect(named(await ask())).toBe("200");
  });
});

describe("a lookup is refused", () => {
  const missing = (name: string): LookupWish => ({ query: { [name]: undefined } });
  it.each<readonly [string, LookupWish]>([
    ["404 ERROR USER_NOT_FOUND", { host: "nowhere.test" }],
    ["404 ERROR USER_NOT_FOUND", { host: "api.deployment.example" }],
    ["400 ERROR PARSE_LNURLP_REQUEST_ERROR", { user: "$a%20b" }],
    ["400 ERROR PARSE_LNURLP_REQUEST_ERROR", { query: { signature: "a".repeat(4_096) } }],
    ["400 ERROR PARSE_LNURLP_REQUEST_ERROR", { query: { timestamp: "1e9" } }],
    ...["signature", "vaspDomain", "nonce", "timestamp", "umaVersion"].map(
      (name) => ["400 ERROR MISSING_REQUIRED_UMA_PARAMETERS", missing(name)] as const,
    ),
    ["412 ERROR UNSUPPORTED_UMA_VERSION", { query: { umaVersion: "0.3" } }],
    ["412 ERROR UNSUPPORTED_UMA_VERSION", { query: { umaVersion: "9.0" } }],
    ["400 ERROR INVALID_TIMESTAMP", { timestamp: nowS() - 600 }],
    ["400 ERROR INVALID_TIMESTAMP", { timestamp: nowS() + 900 }],
    ["403 ERROR COUNTERPARTY_NOT_ALLOWED", { vaspDomain: "bank.test" }],
    ["403 ERROR COUNTERPARTY_NOT_ALLOWED", { vaspDomain: "127.0.0.1" }],
    ["401 ERROR INVALID_SIGNATURE", { signedAddress: "$bob@bank.test" }],
    ["401 ERROR INVALID_SIGNATURE", { query: { nonce: "8" }, nonce: "7" }],
    ["401 ERROR INVALID_SIGNATURE", { query: { signature: "zz" } }],
    ["404 ERROR USER_NOT_FOUND", { user: "$bob" }],
    ["404 ERROR USER_NOT_FOUND", { user: "ana" }],
  ])("with %s: %j", async (expected, wish) => {
    const answer = await ask(wish);
    expect(named(answer)).toBe(expected);
    expect(Object.keys(JSON.parse(answer.text))).toEqual(
      expect.arrayContaining(["status", "code", "reason"]),
    );
  });

  it("without parameters of UMA, for each user alike", async () => {
    const plain = async (user: string) =>
      (await askHost(portOf(server), { host: "bank.test", path: `/.well-known/lnurlp/${user}` }))
        .text;
    const texts = await Promise.all(["$ana", "ana", "$bob", "bob"].map(plain));
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({ code: "NON_UMA_LNURL_NOT_SUPPORTED" });
  });

  it("when the keys of its institution cannot be used", async () => {
    vasp.answer = (request, response) => {
      const { host } = request.headers;
      if (host === "silent.test") response.writeHead(404).end();
      if (host === "broken.test") response.end('{"signingPubKey": "02", "encryptionPubKey": "02"}');
      return host === "silent.test" || host === "broken.test" ? true : undefined;
    };
    expect(named(await ask({ vaspDomain: "silent.test" }))).toBe(
      "424 ERROR COUNTERPARTY_PUBKEY_FETCH_ERROR",
    );
    expect(named(await ask({ vaspDomain: "broken.test" }))).toBe("400 ERROR INVALID_PUBKEY_FORMAT");
    // A failure is remembered: no second call to the host.
    const asked = vasp.asked.length;
    expect(named(await ask({ vaspDomain: "silent.test" }))).toContain("424");
    expect(vasp.asked).toHaveLength(asked);
  });

  it.each(["127.0.0.1", "0x7f.1", "2130706433", "[::1]", "localhost", "127.0.0.1.", "a@127.0.0.1"])(
    "and no call is made for a domain that is an address: %s",
    async (spelled) => {
      const asked = vasp.asked.length;
      const answer = await ask({ vaspDomain: `${spelled}:${vasp.port}` });
      expect(named(answer)).toBe("403 ERROR COUNTERPARTY_NOT_ALLOWED");
      expect(vasp.asked).toHaveLength(asked);
    },
  );
});

describe("a message that was sent before", () => {
  it("is refused on the same server, on another one, and after a restart", async () => {
    const lookup = signedLookup(vasp);
    expect(named(await send(portOf(server), lookup))).toBe("200");
    const settings = { ...SETTINGS, UMA_HOSTS: hosts.setting };
    const other = await startTestServer({ beside: server, settings });
    for (const at of [server, other])
      expect(named(await send(portOf(at), lookup))).toBe("400 ERROR INVALID_NONCE");
    const second = signedLookup(vasp);
    expect(named(await send(portOf(other), second))).toBe("200");
    await other.close();
    const restarted = await startTestServer({ beside: server, settings });
    for (const again of [lookup, second])
      expect(named(await send(portOf(restarted), again))).toBe("400 ERROR INVALID_NONCE");
    await restarted.close();
  });

  it("sent twenty times at once is answered once", async () => {
    const lookup = signedLookup(vasp);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(portOf(server), lookup)),
    );
    const codes = answers.map(named).toSorted();
    expect(codes).toEqual(["200", ...Array(19).fill("400 ERROR INVALID_NONCE")]);
  });

  it("is another one with the same nonce and another time", async () => {
    const nonce = "4294967295";
    for (const timestamp of [nowS(), nowS() - 1])
      expect(named(await ask({ nonce, timestamp }))).toBe("200");
  });

  it("is refused in another spelling of its address, and of use at no other platform", async () => {
    const wallet = await openServed(server, "wallet.test");
    await customerAt(wallet, "$ana@wallet.test");
    const lookup = signedLookup(vasp, { nonce: "77" });
    expect(named(await send(portOf(server), lookup))).toBe("200");
    const path = lookup.path.replace("$ana", "%24ANA");
    expect(named(await send(portOf(server), { ...lookup, path }))).toBe("400 ERROR INVALID_NONCE");
    expect(named(await send(portOf(server), { ...lookup, host: "wallet.test" }))).toBe(
      "401 ERROR INVALID_SIGNATURE",
    );
  });
});

describe("a user who cannot be paid", () => {
  it("is not told apart from one who is not there", async () => {
    await customerAt(bank, "$dollars@bank.test", { currencies: ["USD"] });
    const deleted = await customerAt(bank, "$gone@bank.test");
    expectStatus(200, await bank.call("DELETE", `/customers/${deleted}`));
    const frozen = await customerAt(bank, "$frozen@bank.test");
    const freeze = { reason: "LEGAL_ORDER", scope: "ALL" };
    expectStatus(200, await bank.call("POST", `/customers/${frozen}/freeze`, freeze));
    const answers = await Promise.all(
      ["$nobody", "$dollars", "$gone", "$frozen", "$platform", "nobody"].map((user) =>
        ask({ user }),
      ),
    );
    const [first] = answers;
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([404, first?.text]);
      const { date: _date, "x-request-id": _id, ...rest } = headers;
      const { date: _other, "x-request-id": _one, ...same } = first?.headers ?? {};
      expect(rest).toEqual(same);
    }
    const away = await askHost(portOf(server), {
      host: "unserved.test",
      path: "/.well-known/lnurlp/$ana",
    });
    expect([away.status, away.text]).toEqual([404, first?.text]);
  });
});

describe("two platforms of this deployment", () => {
  it("are two institutions: one looks up a customer of the other over the network", async () => {
    const shop = await openServed(server, "shop.test", connector);
    const [{ connectionId }] = (await shop.call("GET", "/rails/routes")).json.data;
    const out = { direction: "OUT", accountTypes: ["UMA_ADDRESS"], currency: "MSAT" };
    expectStatus(
      201,
      await shop.call("POST", "/rails/routes", { name: "out", ...out, connectionId }),
    );
    await customerAt(shop, "$eve@shop.test");
    const payer = "senderUmaAddress=%24eve%40shop.test";
    const find = (user: string) =>
      shop.call("GET", `/receiver/uma/%24${user}%40bank.test?${payer}`);
    const found = expectStatus(200, await find("ana"));
    expect(found.json.supportedCurrencies).toMatchObject([
      { currency: { code: "EUR" }, estimatedExchangeRate: 1 },
    ]);
    const unknown = await find("bob");
    expect([unknown.status, unknown.json.code]).toEqual([404, "UMA_NOT_FOUND"]);
  });
});

describe("limits", () => {
  it("send a domain away that asks for many unknown users, tell the platform once, and no other one", async () => {
    const wish = { user: "$nobody", vaspDomain: "other.test" };
    const codes: string[] = [];
    for (let count = 0; count < 102; count += 1) codes.push(named(await ask(wish)));
    expect(codes).toEqual([
      ...Array(101).fill("404 ERROR USER_NOT_FOUND"),
      "429 ERROR RATE_LIMITED",
    ]);
    const known = await ask({ vaspDomain: "other.test" });
    expect(named(known)).toBe("429 ERROR RATE_LIMITED");
    expect(Number(known.headers["retry-after"])).toBeGreaterThan(590);
    await server.app.umaNotes.settled();
    const read = await bank.call("GET", "/uma/counterparties?domain=other.test");
    const types = await eventsAbout(bank, read.json.data[0].id);
    expect(types.filter((type) => type !== "UMA_COUNTERPARTY.SEEN")).toEqual([
      "UMA_COUNTERPARTY.PROBING",
    ]);
    expect(named(await ask())).toBe("200");
  });

  it("do not count what is asked while no connection makes invoices, when no user can be paid", async () => {
    const wish = { vaspDomain: "steady.test" };
    const [route] = (await bank.call("GET", "/rails/routes")).json.data;
    const enable = async (enabled: boolean) => {
      const path = `/rails/routes/${route.id}`;
      expectStatus(200, await bank.call("PATCH", path, { enabled }));
      const expected = enabled ? "200" : "404 ERROR USER_NOT_FOUND";
      await expect.poll(async () => named(await ask()), { timeout: 5_000 }).toBe(expected);
    };
    await enable(false);
    const codes: string[] = [];
    for (let count = 0; count < 105; count += 1) codes.push(named(await ask(wish)));
    expect(new Set(codes)).toEqual(new Set(["404 ERROR USER_NOT_FOUND"]));
    await enable(true);
    expect(named(await ask(wish))).toBe("200");
  });

  it("end wrong signatures of an address that claims a domain, and not those of others", async () => {
    const wrong = { vaspDomain: "claimed.test", signedAddress: "$eve@bank.test" };
    const codes: string[] = [];
    for (let count = 0; count < 24; count += 1) codes.push(named(await ask(wrong)));
    expect(codes.slice(0, 20)).toEqual(Array(20).fill("401 ERROR INVALID_SIGNATURE"));
    expect(codes.at(-1)).toBe("429 ERROR RATE_LIMITED");
    expect(named(await ask({ vaspDomain: "claimed.test" }))).toBe("429 ERROR RATE_LIMITED");
    expect(named(await ask())).toBe("200");
  });
});

describe("the policy of the platform", () => {
  it("refuses a domain that is blocked before its keys are fetched, and one that is not regulated", async () => {
    const path = "/uma/counterparties/blocked.test";
    expectStatus(200, await bank.call("PUT", path, { status: "BLOCKED", overrides: {} }));
    const asked = vasp.asked.length;
    expect(named(await ask({ vaspDomain: "blocked.test" }))).toBe(
      "403 ERROR COUNTERPARTY_NOT_ALLOWED",
    );
    expect(vasp.asked).toHaveLength(asked);
    const overrides = { unregulated: "REFUSE" };
    const regulated = { status: "DEFAULT", overrides };
    expectStatus(200, await bank.call("PUT", "/uma/counterparties/vasp.test", regulated));
    const unregulated = { query: { isSubjectToTravelRule: "false" } };
    expect(named(await ask(unregulated))).toBe("403 ERROR COUNTERPARTY_NOT_ALLOWED");
    expect(named(await ask())).toBe("200");
    const certified = { status: "DEFAULT", overrides: { certificates: "DOMAIN" } };
    expectStatus(200, await bank.call("PUT", "/uma/counterparties/vasp.test", certified));
    expect(named(await ask())).toBe("400 ERROR CERT_CHAIN_INVALID");
    const usual = { status: "DEFAULT", overrides: {} };
    expectStatus(200, await bank.call("PUT", "/uma/counterparties/vasp.test", usual));
    expect(named(await ask())).toBe("200");
  });
});
