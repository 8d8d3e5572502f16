/** The ways round four eyes: tokens, roles, new passkeys, agents and marks of the person who asks. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import { basic } from "../../kit/basic.ts";
import { type ConsoleBrowser, openBrowser, signIn } from "../../kit/console.ts";
import { accept, type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { agree, reject, shownTo, verdictOf } from "../../kit/story-approvals.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  routeTo,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let workspaceId: string;
let story: Story;
let sandbox: Story;
let owner: ConsoleBrowser;
let admin: InvitedPerson;
let developer: InvitedPerson;
let approver: InvitedPerson;

beforeAll(async () => {
  server = await startTestServer({ clock });
  ({ workspaceId } = await server.makePlatform());
  // Its customers need no verification here.
  const isRegulated = true;
  story = await openStory(server, { workspaceId, environment: "PRODUCTION", isRegulated });
  sandbox = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  admin = await makePerson(owner, ["ADMIN"]);
  developer = await makePerson(owner, ["DEVELOPER"]);
  approver = await makePerson(owner, ["APPROVER"]);
});
afterAll(() => server.close());

const waiting = (answer: RawAnswer) => expectStatus(202, answer).json;
const askToken = (browser: ConsoleBrowser, permissions: readonly string[], at = story) =>
  browser.at(at.platformId)("POST", "/tokens", { name: "t", permissions });
const authorizationOf = ({ clientId, clientSecret }: Record<string, string>) =>
  basic(clientId ?? "", clientSecret ?? "");
const isLetIn = async (authorization: string) =>
  (await story.call("GET", "/config", undefined, { authorization })).status === 200;
const rolesOf = (...roles: string[]) => [{ platformId: null, roles }];

describe("a token that a person asks for", () => {
  it("waits for an owner when it opens what the person lacks, and counts from then on", async () => {
    const asked = waiting(await askToken(admin.browser, ["VIEW", "TRANSACT"]));
    expect(asked).toMatchObject({ kind: "TOKEN", summary: "An API token with VIEW, TRANSACT" });
    const authorization = authorizationOf(asked.issued);
    expect(await isLetIn(authorization)).toBe(false);
    const shown = (await story.call("GET", `/approvals/${asked.id}`)).json;
    expect(shown).not.toHaveProperty("issued");
    expect(JSON.stringify(shown)).not.toContain(asked.issued.clientSecret);
    expect(verdictOf(await agree(admin.browser, asked.id))).toContain("CAPABILITY");
    const done = (await agree(owner, asked.id)).json;
    expect(done.state).toBe("DONE");
    expect(await isLetIn(authorization)).toBe(true);
    const token = (await story.call("GET", `/tokens/${done.resultId}`)).json;
    expect(token).toMatchObject({ createdBy: admin.id, permissions: ["VIEW", "TRANSACT"] });
  });

  it("is worth nothing when it is rejected", async () => {
    const asked = waiting(await askToken(developer.browser, ["VIEW"]));
    await reject(owner, asked.id);
    expect(await isLetIn(authorizationOf(asked.issued))).toBe(false);
  });

  it("is a sole owner's own, and a reader's where the person may read", async () => {
    expectStatus(201, await askToken(owner, ["VIEW", "TRANSACT", "MANAGE"]));
    expectStatus(201, await askToken(admin.browser, ["VIEW"]));
    expectStatus(201, await askToken(developer.browser, ["TRANSACT"], sandbox));
    waiting(await askToken(admin.browser, ["TRANSACT"], sandbox));
  });
});

describe("an agent's order", () => {
  it("is not approved by the person who connected the agent, in production", async () => {
    const customer = await story.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      fullName: "Ana Ruiz",
      currencies: ["USD"],
    });
    const customerId = customer.json.id;
    const made = await owner.at(story.platformId)("POST", "/agents", {
      name: "payer",
      customerId,
      policy: {
        permissions: ["CREATE_TRANSFERS"],
        defaultExecutionMode: "APPROVAL_REQUIRED",
        spendingLimits: { currency: "USD", perTransactionLimit: 1_000 },
      },
    });
    const { id, issued } = waiting(made);
    const { resultId: agentId } = (await agree(approver.browser, id)).json;
    const { deviceCode } = issued;
    const redeemed = await story.call("POST", `/agents/device-codes/${deviceCode.code}/redeem`);
    const authorization = `Bearer ${redeemed.json.accessToken}`;
    const accounts = await story.call(
      "GET",
      `/customers/internal-accounts?customerId=${customerId}&currency=USD`,
    );
    const payee = await story.call("POST", "/customers/external-accounts", {
      customerId,
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "123456789",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
      },
    });
    const body = {
      source: { accountId: accounts.json.data[0].id },
      destination: { accountId: payee.json.id },
      amount: 5,
    };
    await routeTo(story, await activeConnection(story, manualConnection()));
    const order = await story.call("POST", "/agents/me/transfer-out", body, { authorization });
    const path = `/agents/${agentId}/actions/${expectStatus(201, order).json.id}/approve`;
    expect(verdictOf(await owner.at(story.platformId)("POST", path))).toEqual([
      403,
      "APPROVAL_NOT_YOURS",
      "REQUESTER",
    ]);
    expectStatus(200, await approver.browser.at(story.platformId)("POST", path));
  });
});

describe("a mark that one token of a person asked for", () => {
  it("is confirmed neither by another token of the same person, nor by the person", async () => {
    const connectionId = await activeConnection(story, {
      ...manualConnection(),
      name: "guarded",
      control: { approval: "FOUR_EYES" },
    });
    const [one, other] = [
      authorizationOf((await askToken(owner, ["TRANSACT", "MANAGE"])).json),
      authorizationOf((await askToken(owner, ["TRANSACT", "MANAGE"])).json),
    ];
    const entry = {
      bankReference: "M-1",
      direction: "CREDIT",
      amount: 100,
      currency: "USD",
      bookedOn: "2026-11-24",
      payer: { name: "Ana Ruiz", account: "123456789" },
    };
    const path = `/rails/connections/${connectionId}/entries`;
    const mark = waiting(await story.call("POST", path, entry, { authorization: one }));
    const confirm = `/rails/marks/${mark.id}/confirm`;
    const answers = [
      await story.call("POST", confirm, undefined, { authorization: other }),
      await owner.at(story.platformId)("POST", confirm),
    ];
    for (const answer of answers)
      expect(verdictOf(answer)).toEqual([403, "FORBIDDEN", "FOUR_EYES"]);
    expectStatus(200, await approver.browser.at(story.platformId)("POST", confirm));
  });
});

describe("roles and new passkeys, once there are two owners", () => {
  let second: InvitedPerson;
  beforeAll(async () => {
    second = await makePerson(owner, ["OWNER"]);
  });

  it("are granted by two owners, and the link is shown to the one who agrees, not to the one who asked", async () => {
    const email = "puppet@example.com";
    const invite = { email, name: "Puppet", roles: rolesOf("APPROVER") };
    const asked = waiting(await owner.call("POST", "/workspace/invites", invite));
    expect(asked).toMatchObject({ kind: "ROLE_GRANT", summary: "An invitation as APPROVER" });
    expect(JSON.stringify(asked)).not.toMatch(/issued|url|codeHash/);
    expect(verdictOf(await agree(owner, asked.id))).toContain("REQUESTER");
    const done = (await agree(second.browser, asked.id)).json;
    expect(done).toMatchObject({ state: "DONE", issued: { url: expect.stringContaining("#") } });
    const shown = await owner.call("GET", `/workspace/approvals/${asked.id}`);
    expect(shown.text).not.toMatch(/issued|#/);
    // Who asked gets no link of a second invitation either.
    const again = waiting(
      await owner.call("POST", `/workspace/people/Person:${asked.content.personId}/re-enrol`),
    );
    expect(again.summary).toMatch(/^A new invitation for Person:/);
    await reject(second.browser, again.id);
    await accept(server, done.issued.url, email);
    expect(await shownTo(approver.browser, "?kind=ROLE_GRANT")).toEqual([asked.id]);
  });

  it("are guarded where they ask for any kind or decide about it: a puppet asks for nothing that its maker agrees to", async () => {
    const email = "puppet-2@example.com";
    for (const role of ["ADMIN", "COMPLIANCE", "FINANCE", "SUPPORT", "DEVELOPER"]) {
      const invite = { email, name: "Puppet", roles: rolesOf(role) };
      const { id, summary } = waiting(await owner.call("POST", "/workspace/invites", invite));
      expect(summary).toBe(`An invitation as ${role}`);
      await reject(second.browser, id);
    }
    const invite = { email, name: "Puppet", roles: rolesOf("VIEWER") };
    expectStatus(201, await owner.call("POST", "/workspace/invites", invite));
  });

  it("are not one's own to grant, and not those that nothing depends on", async () => {
    const more = waiting(
      await owner.call("PATCH", `/workspace/people/${developer.id}`, {
        roles: rolesOf("DEVELOPER", "APPROVER"),
      }),
    );
    expect(more.summary).toBe(`APPROVER for ${developer.id}`);
    expect(verdictOf(await agree(owner, more.id))).toContain("REQUESTER");
    const again = await owner.call("PATCH", `/workspace/people/${developer.id}`, {
      roles: rolesOf("ADMIN"),
    });
    expect(again.status).toBe(409);
    await reject(second.browser, more.id);
    const path = `/workspace/people/${developer.id}`;
    expectStatus(200, await owner.call("PATCH", path, { roles: rolesOf("VIEWER") }));
    const inSandbox = [{ platformId: `PlatformConfig:${sandbox.platformId}`, roles: ["APPROVER"] }];
    expectStatus(200, await owner.call("PATCH", path, { roles: inSandbox }));
  });

  it("of who approves are replaced by two owners, neither of them who gets them", async () => {
    const path = `/workspace/people/${approver.id}/re-enrol`;
    const asked = waiting(await owner.call("POST", path));
    expect(asked).toMatchObject({ kind: "REENROLMENT", operation: "reEnrolPerson" });
    expect(asked).not.toHaveProperty("issued");
    const { email } = (await approver.browser.call("GET", "/me")).json;
    const done = (await agree(second.browser, asked.id)).json;
    const [page, code] = done.issued.url.split("#");
    expect(page).toMatch(/\/console\/re-enrol$/);
    const accepted = `/re-enrolments/${code}/accept`;
    expect((await openBrowser(server).call("POST", accepted, { email })).status).toBe(200);
    const own = waiting(await owner.call("POST", `/workspace/people/${second.id}/re-enrol`));
    expect(own.blockedBecause).toBe("NO_ELIGIBLE_APPROVER");
    expect(verdictOf(await agree(second.browser, own.id))).toContain("GAINS");
    // An admin decides about the end of freezes.
    waiting(await owner.call("POST", `/workspace/people/${admin.id}/re-enrol`));
    const viewer = await makePerson(owner, ["VIEWER"]);
    expectStatus(201, await owner.call("POST", `/workspace/people/${viewer.id}/re-enrol`));
    aheadMs += 7 * 24 * 3_600_000;
    await server.app.jobs.drain(workspaceId);
    for (const browser of [owner, second.browser]) await signIn(browser);
    expect(await shownTo(owner, "?kind=REENROLMENT&state=EXPIRED")).toContain(own.id);
  });

  it("make each token in production another owner's to agree to", async () => {
    const asked = waiting(await askToken(owner, ["TRANSACT"]));
    expect(verdictOf(await agree(owner, asked.id))).toContain("REQUESTER");
    expect((await agree(second.browser, asked.id)).json.state).toBe("DONE");
  });
});
