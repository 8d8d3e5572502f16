/** The ways round four eyes that lead over another owner: their identity, their standing, and the links of those who agree. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser, stepUp } from "../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../kit/console-people.ts";
import { walk } from "../kit/console-sso.ts";
import { endReceivers } from "../kit/receivers.ts";
import { type SignInIssuer, startSignInIssuer } from "../kit/sign-in-issuer.ts";
import { openStory } from "../kit/story.ts";
import { agree, reject, verdictOf } from "../kit/story-approvals.ts";
import { expectStatus } from "../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

let aheadMs = 0;
let counted = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let workspaceId: string;
let owner: ConsoleBrowser;
let second: InvitedPerson;

beforeAll(async () => {
  server = await startTestServer({ clock, settings: { OUTBOUND_ALLOW_LOOPBACK: "all" } });
});
afterAll(async () => {
  await endReceivers();
  await server.close();
});

/** A workspace in production with two owners. */
beforeEach(async () => {
  counted += 1;
  // Failed attempts of one address are limited.
  aheadMs += 11 * 60_000;
  ({ workspaceId } = await server.makePlatform());
  await openStory(server, { workspaceId, environment: "PRODUCTION", isRegulated: true });
  owner = await makeOwner(server, workspaceId, `owner-${counted}@example.com`);
  second = await makePerson(owner, ["OWNER"]);
});

const waiting = async (answer: Promise<{ status: number; text: string }>) =>
  expectStatus(202, (await answer) as never).json;

describe("an issuer that one of two owners sets", () => {
  let issuer: SignInIssuer;
  beforeEach(async () => {
    issuer = await startSignInIssuer();
    issuer.now = clock.now;
  });

  const put = async (by: ConsoleBrowser, more: object = {}) => {
    await stepUp(by);
    const { clientId, clientSecret } = issuer;
    const issuers = [{ name: "Own", issuer: issuer.issuer, clientId, clientSecret }];
    const body = { names: [`acme-${counted}`], isRequired: false, issuers, ...more };
    return by.call("PUT", "/workspace/sso", body);
  };
  const issuers = async () => (await owner.call("GET", "/workspace/sso")).json.issuers;

  it("vouches for nobody before the other one has agreed to it", async () => {
    const asked = await waiting(put(owner));
    expect(asked).toMatchObject({
      kind: "ISSUER",
      operation: "updateSso",
      summary: `Single sign-on that lets more people in: ${issuer.issuer}`,
    });
    expect(JSON.stringify(asked)).not.toContain(issuer.clientSecret);
    expect(await issuers()).toEqual([]);
    expect(verdictOf(await agree(owner, asked.id))).toContain("REQUESTER");
    // The owner who asked signs in as the other one, if the issuer counts.
    const { email } = (await second.browser.call("GET", "/me")).json;
    issuer.subject = { sub: "puppet", email, email_verified: true };
    const puppet = openBrowser(server);
    const missing = { workspace: `acme-${counted}`, issuer: `SsoIssuer:${workspaceId}` };
    expect((await walk(puppet, missing)).to).toMatch(/\?sso=/);

    expect((await agree(second.browser, asked.id)).json).toMatchObject({
      state: "DONE",
      resultId: `Workspace:${workspaceId}`,
    });
    const [{ id }] = await issuers();
    expect((await walk(puppet, { workspace: `acme-${counted}`, issuer: id })).to).toBe("/console");
    const { rows } = await server.app.store.database.withClient((client) =>
      client.query("select set_by from sso_issuers where platform_id = $1", [workspaceId]),
    );
    expect(`Person:${rows[0].set_by}`).toBe((await owner.call("GET", "/me")).json.id);
  });

  it("is no longer what was agreed to when something else was set meanwhile", async () => {
    const asked = await waiting(put(owner));
    expectStatus(200, await put(second.browser, { issuers: [] }));
    expect((await agree(second.browser, asked.id)).json).toMatchObject({
      state: "FAILED",
      failure: { code: "CONFLICT", details: { changed: "single sign-on" } },
    });
  });

  it("may be removed and renamed by one, and not moved to another client", async () => {
    const { id } = await waiting(put(owner));
    expectStatus(200, await agree(second.browser, id));
    const [set] = await issuers();
    const { testedAt: _, ...kept } = set;
    expectStatus(200, await put(owner, { issuers: [{ ...kept, name: "Renamed" }] }));
    const moved = await waiting(put(owner, { issuers: [{ ...kept, clientId: "other" }] }));
    await reject(second.browser, moved.id);
    expectStatus(200, await put(owner, { issuers: [] }));
    expect(await issuers()).toEqual([]);
  });
});
