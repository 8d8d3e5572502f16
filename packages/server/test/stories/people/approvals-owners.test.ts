/** The ways round four eyes that lead over another owner: their identity, their standing, and the links of those who agree. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inviteFromShell } from "../../../src/commands/people/people.ts";
import { present } from "../../../src/std/assert.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser, signIn, stepUp } from "../../kit/console.ts";
import { accept, type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { walk } from "../../kit/console-sso.ts";
import { operatorRuns } from "../../kit/operator.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { type SignInIssuer, startSignInIssuer } from "../../kit/sign-in-issuer.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { agree, reject, verdictOf } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { adjustmentOf } from "../../kit/valid-approval-calls.ts";

let aheadMs = 0;
let counted = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let workspaceId: string;
let story: Story;
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
  story = await openStory(server, { workspaceId, environment: "PRODUCTION", isRegulated: true });
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
    issuer.authTime = Math.floor(clock.now() / 1000);
    expect((await walk(puppet, { workspace: `acme-${counted}`, issuer: id })).to).toBe("/console");
    await puppet.call("GET", "/session");
    // They are in as the other owner, and ask for nothing that waits: its passkey is wanted for that.
    const invite = (browser: ConsoleBrowser, role: string, key?: string) =>
      browser.call(
        "POST",
        "/workspace/invites",
        {
          email: `${role}-${counted}@example.com`,
          name: "P",
          roles: [{ platformId: null, roles: [role] }],
        },
        key === undefined ? {} : { key },
      );
    const refused = await invite(puppet, "FINANCE", "asked-once");
    expect(refused).toMatchObject({
      status: 403,
      json: { details: { reason: "STEP_UP_REQUIRED", proof: "PASSKEY" } },
    });
    expectStatus(201, await invite(puppet, "VIEWER"));
    const { accountId } = await fundedCustomer(story, 0);
    const adjusted = await puppet.at(story.platformId)(
      "POST",
      "/adjustments",
      adjustmentOf(accountId),
    );
    expect(adjusted).toMatchObject({ status: 403, json: { details: { proof: "PASSKEY" } } });
    // With the passkey of the person the same request is taken, under the same key.
    Object.assign(second.browser, { cookie: puppet.cookie, csrf: puppet.csrf });
    expectStatus(200, await stepUp(second.browser));
    expectStatus(202, await invite(second.browser, "FINANCE", "asked-once"));
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

describe("the loss of one of two owners", () => {
  const pathOf = ({ id }: InvitedPerson) => `/workspace/people/${id}`;
  const stateOf = async ({ id }: InvitedPerson, by = owner) =>
    (await by.call("GET", "/workspace/people")).json.data.find(
      (one: { readonly id: string }) => one.id === id,
    )?.state;
  const askToken = () =>
    owner.at(story.platformId)("POST", "/tokens", {
      name: "t",
      permissions: ["TRANSACT", "MANAGE"],
    });
  const aDayLater = async () => {
    aheadMs += 24 * 3_600_000;
    await server.app.jobs.drain(workspaceId);
    for (const browser of [owner, second.browser]) await signIn(browser);
  };

  it("leaves them an owner for a day, so that the other one is not alone", async () => {
    const asked = await waiting(owner.call("PATCH", pathOf(second), { isSuspended: true }));
    expect(asked).toMatchObject({
      kind: "OWNER_CHANGE",
      summary: `The suspension of ${second.id}, an owner`,
      approvalsNeeded: 0,
    });
    expect(asked).not.toHaveProperty("blockedBecause");
    expect(await stateOf(second)).toBe("ACTIVE");
    const token = await waiting(askToken());
    expect(verdictOf(await agree(owner, token.id))).toContain("REQUESTER");
    expect(verdictOf(await agree(owner, asked.id))).toContain("REQUESTER");
    await aDayLater();
    expect(await stateOf(second)).toBe("SUSPENDED");
    const { json } = await owner.call("GET", `/workspace/approvals/${asked.id}`);
    expect(json).toMatchObject({ state: "DONE", decisions: [] });
    // What was asked for while there were two is still not the one owner's to agree to.
    expect(verdictOf(await agree(owner, token.id))).toContain("REQUESTER");
  });

  it("is stopped by the owner whom it is about", async () => {
    const removal = await waiting(owner.call("DELETE", pathOf(second)));
    expect(removal).toMatchObject({ operation: "removePerson" });
    await signIn(second.browser);
    const mine = await second.browser.call("GET", "/workspace/approvals?shown=MINE_TO_DECIDE");
    expect(mine.json.data).toMatchObject([{ id: removal.id }]);
    expect((await reject(second.browser, removal.id)).json.state).toBe("REJECTED");
    await aDayLater();
    expect(await stateOf(second)).toBe("ACTIVE");
  });

  it("is theirs to agree to at once", async () => {
    const demotion = { roles: [{ platformId: null, roles: ["VIEWER"] }] };
    const { id } = await waiting(owner.call("PATCH", pathOf(second), demotion));
    expect((await agree(second.browser, id)).json.state).toBe("DONE");
    await signIn(second.browser);
    const { roles } = (await second.browser.call("GET", "/me")).json;
    expect(roles).toMatchObject([{ roles: ["VIEWER"] }]);
  });

  it("does not happen when the one who asked is no owner any more", async () => {
    const { id } = await waiting(owner.call("DELETE", pathOf(second)));
    const me = (await owner.call("GET", "/me")).json;
    const roles = [{ platformId: null, roles: ["VIEWER"] }];
    expectStatus(200, await owner.call("PATCH", pathOf({ ...second, id: me.id }), { roles }));
    await aDayLater();
    const ended = await second.browser.call("GET", `/workspace/approvals/${id}`);
    expect(ended.json).toMatchObject({ state: "FAILED", failure: { code: "FORBIDDEN" } });
    expect(await stateOf(second, second.browser)).toBe("ACTIVE");
  });

  it("is decided by a third owner, and neither by the one who asked nor by the one whom it is about", async () => {
    const email = `third-${counted}@example.com`;
    const said = await operatorRuns(server, inviteFromShell, {
      workspace: workspaceId,
      email,
      name: "Third",
      roles: "owner",
    });
    const url = present(/http\S+#\S+/.exec(said)?.[0], "a link");
    const third = await accept(server, url, email);
    const asked = await waiting(owner.call("DELETE", pathOf(second)));
    expect(asked).toMatchObject({ kind: "OWNER_CHANGE", approvalsNeeded: 1 });
    expect(await stateOf(second)).toBe("ACTIVE");
    expect(verdictOf(await agree(owner, asked.id))).toContain("REQUESTER");
    expect(verdictOf(await agree(second.browser, asked.id))).toContain("GAINS");
    expect((await agree(third, asked.id)).json).toMatchObject({
      state: "DONE",
      resultId: second.id,
    });
    expect(await stateOf(second)).toBeUndefined();
  });
});

it("the last other person who decides about payments leaves in a day, too", async () => {
  const workspace = (await server.makePlatform()).workspaceId;
  await openStory(server, { workspaceId: workspace, environment: "PRODUCTION", isRegulated: true });
  const sole = await makeOwner(server, workspace, `sole-${counted}@example.com`);
  const approver = await makePerson(sole, ["APPROVER"]);
  const path = `/workspace/people/${approver.id}`;
  expect(await waiting(sole.call("DELETE", path))).toMatchObject({
    kind: "OWNER_CHANGE",
    summary: `The removal of ${approver.id}, who decides about payments`,
    approvalsNeeded: 0,
  });
  expect((await signIn(approver.browser)).status).toBe(200);
});
