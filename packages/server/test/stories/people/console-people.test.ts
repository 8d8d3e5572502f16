/** Invitations, roles, suspension, removal, re-enrolment, and what people may do with their own passkeys and sessions. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { passkeysLeftBehind } from "../../../src/boot/people/passkey-hosts.ts";
import { present } from "../../../src/std/assert.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser, registrationOf, signIn } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { createSoftAuthenticator } from "../../kit/soft-authenticator.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { agree } from "../../kit/story-approvals.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const HOUR = 3_600_000;

let server: TestServer;
let workspaceId: string;
let sandbox: Story;
let production: Story;
let owner: ConsoleBrowser;

beforeAll(async () => {
  server = await startTestServer({ clock });
  ({ workspaceId } = await server.makePlatform());
  sandbox = await openStory(server, { workspaceId });
  production = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  owner = await makeOwner(server, workspaceId);
});
afterAll(() => server.close());

const codeOf = ({ json }: RawAnswer) => present(json.url.split("#")[1] as string, "a code");
let addresses = 0;
const newAddress = () => `new-${++addresses}@example.com`;
const everywhere = (...roles: string[]) => [{ platformId: null, roles }];

async function invite(roles: readonly object[], email = newAddress(), by = owner) {
  return by.call("POST", "/workspace/invites", { email, name: "New Person", roles });
}

describe("an invitation", () => {
  it("brings a person in with the roles that it grants, per platform", async () => {
    const email = newAddress();
    const invited = await invite(
      [
        { platformId: `PlatformConfig:${sandbox.platformId}`, roles: ["DEVELOPER"] },
        { platformId: `PlatformConfig:${production.platformId}`, roles: ["VIEWER"] },
      ],
      email.toUpperCase(),
    );
    expect(invited.status).toBe(201);
    expect(invited.json.person).toMatchObject({ email, state: "INVITED", passkeys: [] });
    const browser = openBrowser(server);
    const path = `/invites/${codeOf(invited)}/accept`;
    const options = await browser.call("POST", path, { email });
    const passkey = registrationOf(browser, options.json);
    const accepted = await browser.call("POST", path, { email, passkey });
    expect(accepted.json.platforms.map((one: { roles: string[] }) => one.roles)).toEqual([
      ["DEVELOPER"],
      ["VIEWER"],
    ]);
    expect((await signIn(browser)).status).toBe(200);
    const again = await browser.call("POST", path, { email });
    expect(again).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
  });

  it("is for one address, for seven days", async () => {
    const email = newAddress();
    const path = `/invites/${codeOf(await invite(everywhere("VIEWER"), email))}/accept`;
    const browser = openBrowser(server);
    const unknown = await browser.call("POST", "/invites/none/accept", { email });
    const other = await browser.call("POST", path, { email: "somebody@example.com" });
    expect([other.status, other.text]).toEqual([404, unknown.text]);
    const asReEnrolment = await browser.call("POST", path.replace("invites", "re-enrolments"), {
      email,
    });
    expect(asReEnrolment.text).toBe(unknown.text);
    expect((await browser.call("POST", path, { email })).status).toBe(200);
    aheadMs += 7 * 24 * HOUR;
    expect((await browser.call("POST", path, { email })).text).toBe(unknown.text);
    await signIn(owner);
  });

  it("is refused for an address that a person has, and for platforms of others", async () => {
    const email = newAddress();
    expect((await invite(everywhere("VIEWER"), email)).status).toBe(201);
    expect(await invite(everywhere("VIEWER"), email)).toMatchObject({
      status: 409,
      json: { code: "CONFLICT", details: { field: "email" } },
    });
    const theirs = await server.makePlatform();
    for (const id of [theirs.platformId, "019a4f00-0000-7000-8000-000000000099"]) {
      const refused = await invite([{ platformId: `PlatformConfig:${id}`, roles: ["VIEWER"] }]);
      expect(refused.json.details.errors[0].field).toBe("roles.0.platformId");
    }
    const single = await invite([
      { platformId: `PlatformConfig:${sandbox.platformId}`, roles: ["OWNER"] },
    ]);
    expect(single).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
  });

  it("is one person when it is sent twice under a key, and is replaced by a new one", async () => {
    const email = newAddress();
    const body = { email, name: "A", roles: everywhere("VIEWER") };
    const [first, second] = [
      await owner.call("POST", "/workspace/invites", body, { key: "one" }),
      await owner.call("POST", "/workspace/invites", body, { key: "one" }),
    ];
    expect(second.text).toBe(first.text);
    const next = await owner.call("POST", `/workspace/people/${first.json.person.id}/re-enrol`);
    expect(next.json.url).toContain("/console/invite#");
    const browser = openBrowser(server);
    const accept = (code: string) => browser.call("POST", `/invites/${code}/accept`, { email });
    expect((await accept(codeOf(first))).status).toBe(404);
    expect((await accept(codeOf(next))).status).toBe(200);
  });
});

describe("granting", () => {
  it("is for owners; an admin grants what needs no owner", async () => {
    const admin = await makePerson(owner, ["ADMIN"]);
    const allowed = ["DEVELOPER", "SUPPORT", "VIEWER"];
    for (const role of [
      "OWNER",
      "ADMIN",
      "DEVELOPER",
      "FINANCE",
      "APPROVER",
      "COMPLIANCE",
      "SUPPORT",
      "VIEWER",
    ]) {
      const { status } = await invite(everywhere(role), newAddress(), admin.browser);
      expect([role, status]).toEqual([role, allowed.includes(role) ? 201 : 403]);
    }
    const finance = await makePerson(owner, ["FINANCE"]);
    const at = `/workspace/people/${finance.id}`;
    const { call } = admin.browser;
    const tries = [
      await call("PATCH", at, { roles: everywhere("VIEWER") }),
      await call("PATCH", at, { isSuspended: true }),
      await call("DELETE", at),
      await call("POST", `${at}/re-enrol`),
      await call("DELETE", `${at}/sessions`),
    ];
    expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 403));
    const support = await makePerson(owner, ["SUPPORT"]);
    const mine = `/workspace/people/${support.id}`;
    expect((await call("PATCH", mine, { roles: everywhere("VIEWER") })).status).toBe(200);
    expect((await call("PATCH", mine, { roles: everywhere("OWNER") })).status).toBe(403);
    const self = await call("PATCH", `/workspace/people/${admin.id}`, {
      roles: everywhere("OWNER"),
    });
    expect(self.status).toBe(403);
  });

  it("of an admin of one platform ends there", async () => {
    const platformId = `PlatformConfig:${sandbox.platformId}`;
    const admin = await makePerson(owner, ["ADMIN"], { platformId });
    const { browser } = admin;
    const there = await invite([{ platformId, roles: ["VIEWER"] }], newAddress(), browser);
    const elsewhere = await invite(everywhere("VIEWER"), newAddress(), browser);
    expect([there.status, elsewhere.status]).toEqual([201, 403]);
    expect((await browser.at(production.platformId)("GET", "/config")).status).toBe(404);
  });
});

describe("the last owner", () => {
  it("stays one", async () => {
    const { json } = await owner.call("GET", "/me");
    const at = `/workspace/people/${json.id}`;
    const tries = [
      await owner.call("PATCH", at, { roles: everywhere("VIEWER") }),
      await owner.call("PATCH", at, { isSuspended: true }),
      await owner.call("DELETE", at),
    ];
    for (const refused of tries)
      expect(refused).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
    const [passkey] = json.passkeys;
    const last = await owner.call("DELETE", `/me/passkeys/${passkey.id}`);
    expect(last).toMatchObject({ status: 409, json: { code: "CONFLICT" } });
  });

  it("is one of two, of whom one may go", async () => {
    const second = await makePerson(owner, ["OWNER"]);
    const path = `/workspace/people/${second.id}`;
    const asked = await owner.call("PATCH", path, { roles: everywhere("VIEWER") });
    expect(asked).toMatchObject({ status: 202, json: { kind: "OWNER_CHANGE" } });
    expect((await agree(second.browser, asked.json.id)).json.state).toBe("DONE");
    const me = await second.browser.call("GET", "/me");
    expect(me.status).toBe(401);
  });
});

describe("two owners", () => {
  it("who remove each other at once leave one", async () => {
    const made = await server.makePlatform();
    const first = await makeOwner(server, made.workspaceId, "one@example.com");
    const second = await makePerson(first, ["OWNER"]);
    const { json } = await first.call("GET", "/me");
    const answers = await Promise.all([
      first.call("DELETE", `/workspace/people/${second.id}`),
      second.browser.call("DELETE", `/workspace/people/${json.id}`),
    ]);
    const removed = answers.filter(({ status }) => status === 204);
    expect(removed).toHaveLength(1);
    const stays = answers[0]?.status === 204 ? first : second.browser;
    expect((await stays.call("GET", "/workspace/people")).json.totalCount).toBe(1);
  });
});

describe("a person", () => {
  it("whose roles change, who is suspended or removed, is signed out", async () => {
    const person = await makePerson(owner, ["SUPPORT"]);
    const at = `/workspace/people/${person.id}`;
    const isIn = async () => (await person.browser.call("GET", "/session")).status;
    await owner.call("PATCH", at, { roles: everywhere("VIEWER") });
    expect(await isIn()).toBe(401);
    expect((await signIn(person.browser)).json.platforms[0].roles).toEqual(["VIEWER"]);
    await owner.call("PATCH", at, { isSuspended: true });
    expect([await isIn(), (await signIn(person.browser)).status]).toEqual([401, 401]);
    await owner.call("PATCH", at, { isSuspended: false });
    expect((await signIn(person.browser)).status).toBe(200);
    expect((await owner.call("DELETE", at)).status).toBe(204);
    expect([await isIn(), (await signIn(person.browser)).status]).toEqual([401, 401]);
    expect((await owner.call("PATCH", at, { isSuspended: false })).status).toBe(404);
    const removed = await owner.call("GET", "/workspace/people?state=REMOVED");
    expect(removed.json.data[0]).toMatchObject({
      id: person.id,
      name: expect.any(String),
      roles: [],
    });
  });

  it("who lost the passkeys makes a new one, and approves nothing for a day", async () => {
    const person = await makePerson(owner, ["APPROVER"]);
    const { json } = await person.browser.call("GET", "/me");
    const link = await owner.call("POST", `/workspace/people/${person.id}/re-enrol`);
    expect(link.json.url).toContain("/console/re-enrol#");
    const fresh = openBrowser(server);
    const path = `/re-enrolments/${codeOf(link)}/accept`;
    const options = await fresh.call("POST", path, { email: json.email });
    const passkey = registrationOf(fresh, options.json);
    expect((await fresh.call("POST", path, { email: json.email, passkey })).status).toBe(200);
    expect((await person.browser.call("GET", "/session")).status).toBe(401);
    expect((await signIn(person.browser)).status).toBe(401);
    const can = async () =>
      (await fresh.call("GET", "/session")).json.platforms[0].capabilities.includes(
        "payments.approve",
      );
    expect(await can()).toBe(false);
    aheadMs += 24 * HOUR;
    await signIn(fresh);
    expect(await can()).toBe(true);
    await signIn(owner);
  });

  it("changes name, language and zone, and has several passkeys", async () => {
    const person = await makePerson(owner, ["VIEWER"]);
    const { browser } = person;
    const changed = await browser.call("PATCH", "/me", { name: "Zoë", timeZone: "Asia/Kathmandu" });
    expect(changed.json).toMatchObject({ name: "Zoë", timeZone: "Asia/Kathmandu" });
    const second = openBrowser(server);
    const options = await browser.call("POST", "/me/passkeys", { nickname: "Key" });
    expect(options.json.excludeCredentials).toHaveLength(1);
    const passkey = registrationOf(second, options.json);
    const made = await browser.call("POST", "/me/passkeys", { nickname: "Key", passkey });
    expect(made).toMatchObject({ status: 201, json: { nickname: "Key" } });
    expect((await signIn(second)).status).toBe(200);
    expect((await browser.call("DELETE", `/me/passkeys/${made.json.id}`)).status).toBe(204);
    expect((await signIn(second)).status).toBe(401);
    aheadMs += 5 * 60_000;
    const late = await browser.call("POST", "/me/passkeys", {});
    expect(late.json.details).toEqual({ reason: "STEP_UP_REQUIRED" });
    await signIn(owner);
  });

  it("is asked for a second passkey until it is put off, in every browser", async () => {
    const person = await makePerson(owner, ["VIEWER"]);
    const { browser } = person;
    expect((await browser.call("GET", "/me")).json).not.toHaveProperty("passkeyPutOffAt");
    const put = await browser.call("PATCH", "/me", { isPuttingOffPasskey: true });
    expect(put).toMatchObject({ status: 200, json: { passkeyPutOffAt: expect.any(String) } });
    const { passkeyPutOffAt } = put.json;
    aheadMs += 60_000;
    const again = await browser.call("PATCH", "/me", { isPuttingOffPasskey: true });
    expect(again.json).toMatchObject({ passkeyPutOffAt });
    const renamed = await browser.call("PATCH", "/me", { name: "Zoë" });
    expect(renamed.json).toMatchObject({ name: "Zoë", passkeyPutOffAt });
    await signIn(browser);
    const session = await browser.call("GET", "/session");
    expect(session.json.person).toMatchObject({
      passkeyPutOffAt,
      passkeys: [{ isSynced: false, host: "localhost" }],
    });
    for (const isPuttingOffPasskey of [false, null, "true", 1]) {
      const refused = await browser.call("PATCH", "/me", { isPuttingOffPasskey });
      expect(refused).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    }
  });

  it("keeps passkeys of an earlier host name, of which a start says how to get new ones", async () => {
    const { reads } = server.app.store.database;
    expect(await passkeysLeftBehind(reads, "http://127.0.0.1:8080")).toEqual([]);
    const lines = await passkeysLeftBehind(reads, "https://pay.example.com");
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d+ passkeys were made for localhost and cannot be shown at pay\.example\.com\. .*florin people recover/,
      ),
    ]);
  });

  it("registers no passkey that is registered already, also after it was deleted", async () => {
    const person = await makePerson(owner, ["VIEWER"]);
    const register = async (authenticator = person.browser.authenticator) => {
      const options = await person.browser.call("POST", "/me/passkeys", {});
      const passkey = registrationOf({ ...person.browser, authenticator }, options.json);
      return person.browser.call("POST", "/me/passkeys", { passkey });
    };
    expect((await register()).status).toBe(401);
    const other = createSoftAuthenticator();
    const { json } = await register(other);
    expect((await person.browser.call("DELETE", `/me/passkeys/${json.id}`)).status).toBe(204);
    expect((await register(other)).status).toBe(401);
  });

  it("registers one passkey once when two people of a workspace send it at once", async () => {
    const authenticator = createSoftAuthenticator();
    const two = [await makePerson(owner, ["VIEWER"]), await makePerson(owner, ["VIEWER"])];
    const bodies = await Promise.all(
      two.map(async ({ browser }) => {
        const { json } = await browser.call("POST", "/me/passkeys", {});
        return { passkey: registrationOf({ ...browser, authenticator }, json) };
      }),
    );
    const answers = await Promise.all(
      two.map(({ browser }, index) => browser.call("POST", "/me/passkeys", bodies[index])),
    );
    const [won, lost] = answers.map(({ status }) => status).toSorted();
    expect(won).toBe(201);
    expect([401, 409]).toContain(lost);
  });

  it("sees their sessions, and ends one or all", async () => {
    const person = await makePerson(owner, ["VIEWER"]);
    const { browser } = person;
    const first = browser.cookie;
    await signIn(browser);
    const { json } = await browser.call("GET", "/me/sessions");
    expect(json.data.map((one: { isCurrent: boolean }) => one.isCurrent)).toEqual([true, false]);
    const shown = await owner.call("GET", `/workspace/people/${person.id}/sessions`);
    expect(shown.json.data).toHaveLength(2);
    const current = browser.cookie;
    expect((await browser.call("DELETE", `/me/sessions/${json.data[1].id}`)).status).toBe(204);
    browser.cookie = first;
    expect((await browser.call("GET", "/session")).status).toBe(401);
    browser.cookie = current;
    expect((await browser.call("DELETE", "/me/sessions")).status).toBe(204);
    expect((await browser.call("GET", "/session")).status).toBe(401);
  });
});

describe("another workspace", () => {
  it("has people whom nobody else reaches", async () => {
    const other = await server.makePlatform();
    const stranger = await makeOwner(server, other.workspaceId, "owner@example.com");
    const { json } = await owner.call("GET", "/me");
    const unknown = "Person:019a4f00-0000-7000-8000-000000000099";
    const calls = (id: string) => [
      stranger.call("PATCH", `/workspace/people/${id}`, { isSuspended: true }),
      stranger.call("DELETE", `/workspace/people/${id}`),
      stranger.call("POST", `/workspace/people/${id}/re-enrol`),
      stranger.call("GET", `/workspace/people/${id}/sessions`),
      stranger.call("DELETE", `/workspace/people/${id}/sessions`),
    ];
    const foreign = await Promise.all(calls(json.id));
    const none = await Promise.all(calls(unknown));
    expect(foreign.map(({ status, text }) => [status, text])).toEqual(
      none.map(({ text }) => [404, text]),
    );
    const listed = await stranger.call("GET", "/workspace/people");
    expect(listed.json).toMatchObject({ totalCount: 1, data: [{ email: "owner@example.com" }] });
    expect((await owner.call("GET", "/session")).status).toBe(200);
  });
});
