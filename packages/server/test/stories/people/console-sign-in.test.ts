/** The first owner, sign-in, sessions and the gate of the console. */
import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { systemClock } from "../../../src/std/clock.ts";
import {
  assertionOf,
  type ConsoleBrowser,
  NOT_VERIFIED,
  openBrowser,
  originOf,
  registrationOf,
  signIn,
  stepUp,
} from "../../kit/console.ts";
import { makeOwner, startCodeOf } from "../../kit/console-people.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

/** Time that can be moved on. */
let aheadMs = 0;
let heldAt: number | undefined;
const clock = { ...systemClock, now: () => heldAt ?? systemClock.now() + aheadMs };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let server: TestServer;
let story: Story;
let workspaceId: string;
let production: Story;
let owner: ConsoleBrowser;

beforeAll(async () => {
  server = await startTestServer({ clock });
  const made = await server.makePlatform({ name: "Acme Pay" });
  workspaceId = made.workspaceId;
  story = await openStory(server, { workspaceId, name: "Acme Pay" });
  production = await openStory(server, { workspaceId, environment: "PRODUCTION", name: "Live" });
  owner = await makeOwner(server, workspaceId);
});
afterAll(() => server.close());

const UNKNOWN_LINK = { status: 404, json: { code: "NOT_FOUND" } };

describe("the link of a start", () => {
  it("makes the first owner, who may see to the deployment, with a session", async () => {
    const made = await server.makePlatform({ name: "Other" });
    const browser = await makeOwner(server, made.workspaceId, "Ana@Example.com");
    const session = await browser.call("GET", "/session");
    expect(session.json).toMatchObject({
      person: {
        email: "ana@example.com",
        name: "Olga Owner",
        state: "ACTIVE",
        roles: [{ platformId: null, roles: ["OWNER"] }],
        passkeys: [{ nickname: "Passkey", host: "localhost", isSynced: false }],
      },
      workspace: { id: `Workspace:${made.workspaceId}`, name: "Other" },
      platforms: [
        {
          id: `PlatformConfig:${made.platformId}`,
          slug: "other",
          environment: "SANDBOX",
          roles: ["OWNER"],
        },
      ],
    });
    expect(session.json.platforms[0].capabilities).toContain("payments.create");
  });

  it("tells how far the clock of a sandbox is ahead", async () => {
    const sandbox = await openStory(server, { workspaceId, name: "Ahead" });
    const platformOf = async () => {
      const { platforms } = (await owner.call("GET", "/session")).json;
      return platforms.find(({ slug }: { slug: string }) => slug === "ahead");
    };
    expect(await platformOf()).not.toHaveProperty("clockAheadMs");
    await sandbox.call("POST", "/sandbox/clock/advance", { seconds: 7_200 });
    expect(await platformOf()).toMatchObject({ clockAheadMs: 7_200_000 });
  });

  it("is answered alike when it is wrong, used or expired, or when there is an owner", async () => {
    const made = await server.makePlatform();
    const browser = openBrowser(server);
    const [code, other] = [
      await startCodeOf(server, made.workspaceId),
      await startCodeOf(server, made.workspaceId),
    ];
    const start = (sent: string, more = {}) =>
      browser.call("POST", "/start", { code: sent, name: "A", email: "a@example.com", ...more });
    const unknown = await start("nothing");
    expect(unknown).toMatchObject(UNKNOWN_LINK);
    const options = await start(other);
    const late = registrationOf(browser, options.json);
    const passkey = registrationOf(browser, (await start(code)).json);
    expect((await start(code, { passkey })).status).toBe(200);
    for (const answer of [
      await start(code),
      await start(other),
      await start(other, { passkey: late }),
    ])
      expect(answer.text).toBe(unknown.text);
    const expired = await server.makePlatform();
    const old = await startCodeOf(server, expired.workspaceId);
    aheadMs += 24 * HOUR;
    expect((await start(old)).text).toBe(unknown.text);
    await signIn(owner);
  });

  it("makes one owner when two browsers open it at once", async () => {
    const made = await server.makePlatform();
    const code = await startCodeOf(server, made.workspaceId);
    const browsers = [openBrowser(server), openBrowser(server)];
    const bodies = await Promise.all(
      browsers.map(async (browser, index) => {
        const body = { code, name: "A", email: `race-${index}@example.com` };
        const options = await browser.call("POST", "/start", body);
        return { ...body, passkey: registrationOf(browser, options.json) };
      }),
    );
    const answers = await Promise.all(
      browsers.map((browser, index) => browser.call("POST", "/start", bodies[index])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it.each([
    ["of another origin", { clientData: { origin: "https://evil.example" } }],
    ["for another host", { rpId: "evil.example" }],
    ["without the person verified", { flags: 0x41 }],
    ["over another challenge", { clientData: { challenge: "bm9uZQ" } }],
  ])("takes no passkey %s", async (_what, deviations) => {
    const made = await server.makePlatform();
    const browser = openBrowser(server);
    const body = {
      code: await startCodeOf(server, made.workspaceId),
      name: "A",
      email: "a@example.com",
    };
    const options = await browser.call("POST", "/start", body);
    const passkey = registrationOf(browser, options.json, deviations);
    const refused = await browser.call("POST", "/start", { ...body, passkey });
    expect(refused).toMatchObject({ status: 401, json: { code: "UNAUTHORIZED" } });
    const right = registrationOf(browser, (await browser.call("POST", "/start", body)).json);
    expect((await browser.call("POST", "/start", { ...body, passkey: right })).status).toBe(200);
  });
});

describe("a sign-in", () => {
  it("opens a session whose cookie scripts cannot read", async () => {
    const answer = await signIn(owner);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^florin-local=[A-Za-z0-9_-]{64}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect((await owner.call("GET", "/session")).json.person.email).toBe("owner@example.com");
  });

  it("counts an assertion once", async () => {
    const options = await owner.call("POST", "/sign-in/passkey", {});
    const passkey = assertionOf(owner, options.json);
    const first = await owner.call("POST", "/sign-in/passkey", { passkey });
    const second = await owner.call("POST", "/sign-in/passkey", { passkey });
    expect([first.status, second.status]).toEqual([200, 401]);
  });

  it.each([
    ["without the person verified", NOT_VERIFIED],
    ["of another origin", { clientData: { origin: "http://localhost:1" } }],
    ["for another host", { rpId: "example.com" }],
    ["over another challenge", { clientData: { challenge: "bm9uZQ" } }],
    ["with a counter that went back", { counter: 0 }],
  ])("is refused %s", async (_what, deviations) => {
    const before = owner.cookie;
    const answer = await signIn(owner, deviations);
    expect(answer).toMatchObject({ status: 401, json: { code: "UNAUTHORIZED" } });
    expect(answer.headers.get("www-authenticate")).toBe('Session realm="florin"');
    owner.cookie = before;
  });

  it("is refused with an expired challenge, and with one for something else", async () => {
    const options = await owner.call("POST", "/sign-in/passkey", {});
    const late = assertionOf(owner, options.json);
    aheadMs += 5 * MINUTE;
    expect((await owner.call("POST", "/sign-in/passkey", { passkey: late })).status).toBe(401);
    await signIn(owner);
    const other = await owner.call("POST", "/step-up", {});
    const passkey = assertionOf(owner, other.json);
    expect((await owner.call("POST", "/sign-in/passkey", { passkey })).status).toBe(401);
  });

  it("is limited by the passkey, and tells nothing about it", async () => {
    const stranger = openBrowser(server);
    stranger.personId = "AAAA";
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await signIn(stranger)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    aheadMs += 10 * MINUTE;
    await signIn(owner);
  });

  it("tells nothing about the addresses of people", async () => {
    const made = await server.makePlatform();
    const other = await makeOwner(server, made.workspaceId);
    const invited = await other.call("POST", "/workspace/invites", {
      email: "there@example.com",
      name: "There",
      roles: [],
    });
    const code = invited.json.url.split("#")[1];
    const tries = [
      [code, "nobody@example.com"],
      [code, "owner@example.com"],
      ["unknown", "there@example.com"],
    ];
    const answers = new Set<string>();
    for (const [link, email] of tries) {
      const answer = await openBrowser(server).call("POST", `/invites/${link}/accept`, { email });
      answers.add(`${answer.status} ${answer.json.code} ${answer.json.message}`);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^404 NOT_FOUND /)]);
  });
});

describe("a session", () => {
  it("ends when it was idle for twelve hours, or for thirty minutes once production was looked at", async () => {
    await signIn(owner);
    aheadMs += 31 * MINUTE;
    expect((await owner.at(story.platformId)("GET", "/config")).status).toBe(200);
    aheadMs += 31 * MINUTE;
    expect((await owner.at(production.platformId)("GET", "/config")).status).toBe(401);
    expect((await owner.at(story.platformId)("GET", "/config")).status).toBe(200);
    expect((await owner.at(production.platformId)("GET", "/config")).status).toBe(200);
    aheadMs += 29 * MINUTE;
    expect((await owner.call("GET", "/session")).status).toBe(200);
    aheadMs += 31 * MINUTE;
    expect((await owner.call("GET", "/session")).status).toBe(401);
  });

  it("is not kept alive by what a page does by itself", async () => {
    await signIn(owner);
    expect((await owner.at(production.platformId)("GET", "/config")).status).toBe(200);
    const background = { headers: { "florin-background": "1" } };
    for (const minutes of [20, 20]) {
      aheadMs += minutes * MINUTE;
      await owner.call("GET", "/session", undefined, background);
    }
    expect((await owner.call("GET", "/session")).status).toBe(401);
  });

  it("ends after twelve hours in any case", async () => {
    await signIn(owner);
    for (let hours = 0; hours < 11; hours += 1) {
      aheadMs += HOUR;
      expect((await owner.call("GET", "/session")).status).toBe(200);
    }
    aheadMs += HOUR;
    expect((await owner.call("GET", "/session")).status).toBe(401);
  });

  it("ends at a sign-out, on other servers within a second", async () => {
    await signIn(owner);
    const other = await startTestServer({ clock, beside: server });
    try {
      const elsewhere = openBrowser(other);
      elsewhere.cookie = owner.cookie;
      expect((await elsewhere.call("GET", "/session")).status).toBe(200);
      const gone = await owner.call("POST", "/sign-out");
      expect(gone.status).toBe(204);
      expect(gone.headers.get("clear-site-data")).toBe('"cache","storage"');
      expect(gone.headers.get("set-cookie")).toMatch(/^florin-local=; Max-Age=0; /);
      aheadMs += 1_000;
      expect((await elsewhere.call("GET", "/session")).status).toBe(401);
    } finally {
      await other.close();
    }
  });

  it("gets a new id at a step-up; the old one ends", async () => {
    await signIn(owner);
    const old = present(owner.cookie, "a cookie");
    const endsAt = (await owner.call("GET", "/session")).json.endsAt;
    aheadMs += 2_000;
    const answer = await stepUp(owner);
    expect(answer.status).toBe(200);
    expect(owner.cookie).not.toBe(old);
    expect(answer.json.endsAt).toBe(endsAt);
    const current = owner.cookie;
    owner.cookie = old;
    expect((await owner.call("GET", "/session")).status).toBe(401);
    owner.cookie = current;
    expect((await owner.call("GET", "/session")).status).toBe(200);
  });

  it("is never one that a browser brought along", async () => {
    await signIn(owner);
    const planted = present(owner.cookie, "a cookie").replace(/.{8}$/, "AAAAAAAA");
    owner.cookie = planted;
    expect((await owner.call("GET", "/session")).status).toBe(401);
    await signIn(owner);
    expect(owner.cookie).not.toBe(planted);
  });

  it("needs a passkey shown in the last five minutes for acts that say so", async () => {
    await signIn(owner);
    const change = (key: string) =>
      owner.at(story.platformId)("POST", "/tokens", { name: key, permissions: ["VIEW"] }, { key });
    expect((await change("a")).status).toBe(201);
    aheadMs += 5 * MINUTE;
    const refused = await change("b");
    expect(refused).toMatchObject({
      status: 403,
      json: {
        code: "FORBIDDEN",
        details: { reason: "STEP_UP_REQUIRED", capability: "tokens.write" },
      },
    });
    await stepUp(owner);
    const made = await change("b");
    expect(made.json.createdBy).toMatch(/^Person:/);
  });
});

describe("the gate", () => {
  const forbidden = { status: 403, json: { code: "FORBIDDEN" } };
  const body = { name: "sneaked in", permissions: ["VIEW"] };

  it("is entered from our own pages alone", async () => {
    await signIn(owner);
    const tries: Record<string, string | null>[] = [
      { "florin-csrf": null },
      { "florin-csrf": "0".repeat(64) },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: null },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": null, "florin-csrf": null },
    ];
    for (const headers of tries) {
      const answer = await owner.at(story.platformId)("POST", "/tokens", body, { headers });
      expect([headers, answer]).toMatchObject([headers, forbidden]);
    }
    const listed = await story.call("GET", "/tokens?name=sneaked%20in");
    expect(listed.json.data).toEqual([]);
    const reads: Record<string, string | null>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": null, "florin-csrf": null },
    ];
    for (const headers of reads)
      expect(await owner.call("GET", "/session", undefined, { headers })).toMatchObject(forbidden);
    const old = { "sec-fetch-site": null };
    expect((await owner.call("GET", "/session", undefined, { headers: old })).status).toBe(200);
    const sign = { headers: { origin: "https://evil.example" } };
    expect(await owner.call("POST", "/sign-in/passkey", {}, sign)).toMatchObject(forbidden);
  });

  it("takes no token, and the public API no session", async () => {
    const basic = { cookie: null, authorization: story.authorization };
    const answer = await owner.at(story.platformId)("GET", "/config", undefined, {
      headers: basic,
    });
    expect(answer.status).toBe(401);
    const cookie = { cookie: present(owner.cookie, "a cookie") };
    const public_ = await story.call("GET", "/config", undefined, {
      authorization: null,
      headers: cookie,
    });
    expect(public_.status).toBe(401);
    expect(public_.headers.get("set-cookie")).toBeNull();
  });

  it("runs the operation of the public API, with the key space of the person", async () => {
    await signIn(owner);
    const body = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] };
    const mine = owner.at(story.platformId);
    const first = await mine("POST", "/customers", body, { key: "k" });
    const again = await mine("POST", "/customers", body, { key: "k" });
    expect(first.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const byToken = await story.call("POST", "/customers", body, { key: "k" });
    expect(byToken.json.id).not.toBe(first.json.id);
    const shown = await story.call("GET", `/customers/${first.json.id}`);
    expect(shown.json.fullName).toBe("Ana Ruiz");
    for (const header of ["cross-origin-resource-policy", "x-frame-options", "cache-control"])
      expect(first.headers.get(header)).not.toBeNull();
  });

  it("answers another workspace's platform like one that does not exist", async () => {
    const theirs = await server.makePlatform();
    const unknown = await owner.at("019a4f00-0000-7000-8000-000000000099")("GET", "/config");
    const foreign = await owner.at(theirs.platformId)("GET", "/config");
    const malformed = await owner.call("GET", "/p/nonsense/config");
    expect(foreign).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
    expect([foreign.text, malformed.text]).toEqual([unknown.text, unknown.text]);
  });

  it("limits the calls of a person", async () => {
    await signIn(owner);
    heldAt = clock.now();
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => owner.at(story.platformId)("GET", "/config")),
    );
    heldAt = undefined;
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 429]);
  });
});

describe("a console that is off", () => {
  it("has no path, and no start link", async () => {
    const other = await startTestServer({ clock, beside: server, settings: { CONSOLE: "off" } });
    try {
      expect(other.app.startLink).toBeUndefined();
      const base = `http://localhost:${other.app.address.port}/console`;
      for (const path of ["", "/start", "/api/session", "/openapi.json"])
        expect([path, (await fetch(base + path)).status]).toEqual([path, 404]);
    } finally {
      await other.close();
    }
  });
});

describe("pages of the console", () => {
  it("say what to do at a name that is not this machine's, without a sign-in", async () => {
    const refused = await ask("florin.example", "/console");
    expect(refused.status).toBe(421);
    expect(await refused.text()).toContain("Passkeys need https, or this machine.");
    expect(refused.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect((await ask("florin.example", "/2025-10-13/config")).status).toBe(401);
  });

  /** `fetch` sends its own `Host`. */
  const ask = (host: string, path: string) =>
    new Promise<Response>((resolve, reject) => {
      const { port } = server.app.address;
      const sent = get({ host: "127.0.0.1", port, path, headers: { host } }, async (answer) => {
        let text = "";
        for await (const part of answer) text += part;
        const headers = Object.entries(answer.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        );
        resolve(new Response(text, { status: answer.statusCode ?? 0, headers }));
      });
      sent.on("error", reject);
    });

  it("are at localhost: an address of this machine leads there, API paths do not", async () => {
    const { port } = server.app.address;
    for (const host of [`127.0.0.1:${port}`]) {
      const moved = await ask(host, "/console/p/acme/payments?status=FAILED");
      expect(moved.status).toBe(302);
      expect(moved.headers.get("location")).toBe(
        `${originOf(server)}/console/p/acme/payments?status=FAILED`,
      );
      expect((await ask(host, "/console/api/session")).status).toBe(401);
      expect((await ask(host, "/2025-10-13/config")).status).toBe(401);
    }
  });
});
