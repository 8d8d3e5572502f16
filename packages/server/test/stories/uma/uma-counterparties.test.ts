/** What a platform wants of other institutions, and what it knows of each. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findRoom } from "../../../src/domain/uma/policy/uma-counterparty.sql.ts";
import { issued, newKey } from "../../kit/issued-certificates.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { eventsAbout, expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { changedCounterparty, KEYS, seen, UMA_POLICY } from "../../kit/valid-uma-policy-calls.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  story = await openStory(server);
});
afterAll(() => server.close());

const production = () => openStory(server, { environment: "PRODUCTION", isRegulated: true });
const setPolicy = (change: object, of = story) =>
  of.call("PUT", "/uma/policy", { ...UMA_POLICY, ...change });
const put = (domain: string, body: object, of = story) =>
  of.call("PUT", `/uma/counterparties/${domain}`, body);
const list = async (query = "", of = story) =>
  expectStatus(200, await of.call("GET", `/uma/counterparties${query}`)).json.data;
const accept = (domain: string, body: object = {}, of = story) =>
  of.call("POST", `/uma/counterparties/${domain}/accept-key`, body);
const codeOf = ({ status, json }: RawAnswer) => [status, json.code];

const root = { name: "root", key: newKey("prime256v1") };
const rootPem = issued({ ...root, by: root, isAuthority: true });

describe("the policy", () => {
  it("has defaults before it is set, and shows the network of a sandbox alone", async () => {
    const first = expectStatus(200, await story.call("GET", "/uma/policy")).json;
    expect(first).toEqual({ ...UMA_POLICY, network: "SIMULATED" });
    const bank = await production();
    expect((await bank.call("GET", "/uma/policy")).json).toEqual(UMA_POLICY);
  });

  it("is replaced as a whole, for its platform alone", async () => {
    const other = await openStory(server);
    const wanted = {
      ...{ receive: false, send: false, counterparties: "LISTED", unregulated: "REFUSE" },
      ...{ receiverKyc: "VERIFIED", payerKyc: "VERIFIED", certificates: "AUTHORITY" },
      ...{ authorities: [rootPem], pinKeys: true, callbackHosts: "SAME_DOMAIN" },
      ...{ invoiceSeconds: 3_600, layers: ["bank.example", "spark", "ln"] },
    };
    const set = expectStatus(200, await setPolicy({ ...wanted, network: "SIMULATED" })).json;
    expect(set).toMatchObject({ ...wanted, network: "SIMULATED" });
    expect((await story.call("GET", "/uma/policy")).json).toEqual(set);
    expect((await other.call("GET", "/uma/policy")).json).toMatchObject(UMA_POLICY);
  });

  it.each([
    ["receive", undefined],
    ["send", "yes"],
    ["counterparties", "SOME"],
    ["unregulated", null],
    ["receiverKyc", "PENDING"],
    ["payerKyc", 1],
    ["certificates", "NONE"],
    ["certificates", "AUTHORITY"],
    ["authorities", "PEM"],
    ["authorities", [rootPem, "PEM"]],
    ["authorities", [rootPem, 7]],
    ["authorities", Array.from({ length: 21 }, () => rootPem)],
    ["authorities", ["x".repeat(16_385)]],
    ["pinKeys", "true"],
    ["callbackHosts", "OTHER"],
    ["invoiceSeconds", 59],
    ["invoiceSeconds", 3_601],
    ["invoiceSeconds", 60.5],
    ["layers", ["LN"]],
    ["layers", [""]],
    ["layers", ["ln", "ln"]],
    ["layers", Array.from({ length: 21 }, (_, index) => `layer${index}`)],
    ["network", "REAL"],
  ])("with the %s %j is refused and changes nothing", async (field, value) => {
    expect(codeOf(await setPolicy({ [field]: value }))).toEqual([400, "INVALID_INPUT"]);
    expect((await story.call("GET", "/uma/policy")).json.updatedAt).toBeUndefined();
  });

  it("has no network in production", async () => {
    const bank = await production();
    for (const network of ["SIMULATED", "PROTOCOL"]) {
      const refused = await setPolicy({ network }, bank);
      expect(codeOf(refused)).toEqual([400, "INVALID_INPUT"]);
    }
  });

  it("holds for the next judgement on this server", async () => {
    const judge = () =>
      server.app.umaPolicies.judge(story.platformId, "vasp.example", { direction: "IN" });
    expect(await judge()).toBeUndefined();
    await put("vasp.example", { status: "BLOCKED" });
    expect(await judge()).toMatchObject({ reason: "BLOCKED" });
    await put("vasp.example", { status: "ALLOWED" });
    await setPolicy({ counterparties: "LISTED" });
    expect(await judge()).toBeUndefined();
    await put("vasp.example", { status: "DEFAULT" });
    expect(await judge()).toMatchObject({ reason: "NOT_LISTED" });
    await setPolicy({ receive: false });
    expect(await judge()).toMatchObject({ reason: "RECEIVING_OFF" });
  });
});

describe("a counterparty", () => {
  it("is set before it is known, by its domain in any spelling, and read with the list", async () => {
    const overrides = { certificates: "DOMAIN", pinKeys: true };
    const made = expectStatus(200, await put("VASP.Example", { status: "ALLOWED", overrides }));
    expect(made.json).toMatchObject({
      domain: "vasp.example",
      status: "ALLOWED",
      overrides,
      versions: [],
      keyState: "OK",
    });
    expect(made.json.firstSeenAt).toBeUndefined();
    const set = expectStatus(200, await put("vasp.example", { status: "BLOCKED" })).json;
    expect(set).toMatchObject({ id: made.json.id, status: "BLOCKED", overrides: {} });
    const counts = { lookupsIn: 0, lookupsOut: 0, paymentsIn: 0, paymentsOut: 0 };
    expect(await list()).toEqual([{ ...set, counts }]);
  });

  it("is found by status, state of its key and domain, and by its own platform alone", async () => {
    const other = await openStory(server);
    await put("blocked.example", { status: "BLOCKED" });
    await put("allowed.example:8443", { status: "ALLOWED" });
    await changedCounterparty(story, "pinned.example");
    const domains = async (query: string, of = story) =>
      (await list(query, of)).map(({ domain }: { readonly domain: string }) => domain);
    expect(await domains("?status=BLOCKED")).toEqual(["blocked.example"]);
    expect(await domains("?keyState=CHANGED")).toEqual(["pinned.example"]);
    expect(await domains("?domain=ALLOWED.example:8443")).toEqual(["allowed.example:8443"]);
    expect(await domains("?domain=allowed.example")).toEqual([]);
    expect(await domains("")).toEqual([
      "pinned.example",
      "allowed.example:8443",
      "blocked.example",
    ]);
    expect(await domains("", other)).toEqual([]);
    expect((await story.call("GET", "/uma/counterparties?status=OTHER")).status).toBe(400);
  });

  it("is refused at a domain of the platform, at what is no domain, and with other settings", async () => {
    const { umaDomain } = (await story.call("GET", "/config")).json;
    const bad: readonly (readonly [string, object])[] = [
      [umaDomain, { status: "BLOCKED" }],
      ["localhost", { status: "BLOCKED" }],
      ["vasp.example%2Fpath", { status: "BLOCKED" }],
      ["$bob@vasp.example", { status: "BLOCKED" }],
      [`${"a".repeat(64)}.example`, { status: "BLOCKED" }],
      ["vasp.example:0", { status: "BLOCKED" }],
      ["vasp.example", {}],
      ["vasp.example", { status: "OTHER" }],
      ["vasp.example", { status: "ALLOWED", overrides: { certificates: 1 } }],
      ["vasp.example", { status: "ALLOWED", overrides: [] }],
    ];
    for (const [domain, body] of bad)
      expect([domain, ...codeOf(await put(domain, body))]).toEqual([domain, 400, "INVALID_INPUT"]);
    expect(await list()).toEqual([]);
  });

  it("is seen by its first message, and its changed key is told", async () => {
    await seen(story, "vasp.example", KEYS.first);
    await seen(story, "vasp.example", KEYS.first, "1.1");
    await seen(story, "vasp.example", KEYS.second);
    const [found] = await list();
    expect(found).toMatchObject({
      status: "DEFAULT",
      versions: ["1.0", "1.1"],
      signingKey: { fingerprint: KEYS.second, previous: KEYS.first },
      keyState: "OK",
    });
    expect(await eventsAbout(story, found.id)).toEqual([
      "UMA_COUNTERPARTY.SEEN",
      "UMA_COUNTERPARTY.KEY_CHANGED",
    ]);
  });

  it("waits with a pinned key until a person accepts the one that was looked at", async () => {
    await changedCounterparty(story, "vasp.example");
    const judge = () => list("?keyState=CHANGED").then((rows: readonly unknown[]) => rows.length);
    expect(await judge()).toBe(1);
    const stale = await accept("vasp.example", { fingerprint: KEYS.third });
    expect(codeOf(stale)).toEqual([409, "CONFLICT"]);
    const taken = expectStatus(200, await accept("VASP.example", { fingerprint: KEYS.second }));
    expect(taken.json).toMatchObject({
      keyState: "OK",
      signingKey: { fingerprint: KEYS.second, previous: KEYS.first },
    });
    expect(await judge()).toBe(0);
    expect(codeOf(await accept("vasp.example"))).toEqual([409, "CONFLICT"]);
  });

  it("of another platform gets the answer of an unknown one", async () => {
    const other = await openStory(server);
    await changedCounterparty(story, "vasp.example");
    const foreign = await accept("vasp.example", {}, other);
    const unknown = await accept("nobody.example", {}, other);
    expect(codeOf(foreign)).toEqual([404, "REFERENCE_NOT_FOUND"]);
    expect(foreign.json.message).toBe(unknown.json.message);
    for (const fingerprint of ["x", KEYS.first.toUpperCase(), 7, null])
      expect(codeOf(await accept("vasp.example", { fingerprint }))).toEqual([400, "INVALID_INPUT"]);
  });

  it("without a status makes room for another one, the longest unseen first", async () => {
    const { reads } = server.app.store.database;
    const room = (most: number) => findRoom(reads, story.platformId, most);
    expect(await room(1)).toEqual({ kind: "free" });
    await put("allowed.example", { status: "ALLOWED" });
    expect(await room(1)).toEqual({ kind: "full" });
    await seen(story, "old.example", KEYS.first);
    await story.call("POST", "/sandbox/clock/advance", { seconds: 3_600 });
    await seen(story, "new.example", KEYS.first);
    const old = (await list("?domain=old.example"))[0];
    expect(await room(3)).toEqual({ kind: "forget", id: old.id.split(":")[1] });
    expect(await room(4)).toEqual({ kind: "free" });
    await put("never-seen.example", { status: "DEFAULT" });
    const unseen = (await list("?domain=never-seen.example"))[0];
    expect(await room(4)).toEqual({ kind: "forget", id: unseen.id.split(":")[1] });
  });
});
