/** Two identities of one human do not decide about each other's orders, and people who have lost their roles do not count. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import { openBrowser, signIn } from "../../kit/console.ts";
import {
  accept,
  type InvitedPerson,
  makeOwner,
  makePerson,
  separate,
} from "../../kit/console-people.ts";
import { setSso, walk } from "../../kit/console-sso.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { type SignInIssuer, startSignInIssuer } from "../../kit/sign-in-issuer.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { agree, shownTo, verdictOf } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { adjustmentOf } from "../../kit/valid-approval-calls.ts";

const DAY = 24 * 3_600_000;
const SAME_HUMAN = [403, "APPROVAL_NOT_YOURS", "SAME_HUMAN"];

let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
let server: TestServer;
let issuer: SignInIssuer;
let workspaceId: string;
let story: Story;
let accountId: string;
let owner: InvitedPerson;

beforeAll(async () => {
  server = await startTestServer({ clock, settings: { OUTBOUND_ALLOW_LOOPBACK: "all" } });
  issuer = await startSignInIssuer();
  issuer.now = clock.now;
});
beforeEach(async () => {
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  const browser = await makeOwner(server, workspaceId);
  const { person } = (await browser.call("GET", "/session")).json;
  owner = { browser, id: person.id };
  const sandbox = await openStory(server, { workspaceId });
  ({ accountId } = await fundedCustomer(sandbox, 0));
  const customer = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] };
  const { id } = expectStatus(201, await story.call("POST", "/customers", customer)).json;
  const accounts = await story.call("GET", `/customers/internal-accounts?customerId=${id}`);
  accountId = accounts.json.data[0].id;
});
afterAll(async () => {
  await server.close();
  await endReceivers();
});

const ask = ({ browser }: InvitedPerson): Promise<RawAnswer> =>
  browser.at(story.platformId)("POST", "/adjustments", adjustmentOf(accountId));
const asked = async (by: InvitedPerson): Promise<string> =>
  expectStatus(202, await ask(by)).json.id;
const decided = async (by: InvitedPerson, id: string) => verdictOf(await agree(by.browser, id));
const inSession = async (...people: readonly InvitedPerson[]) => {
  for (const { browser } of people) expectStatus(200, await signIn(browser));
};
const rolesOf = (...roles: readonly string[]) => [{ platformId: null, roles }];

describe("an identity that a person has made", () => {
  it("does not agree to their order, nor they to its, for thirty days", async () => {
    const second = await makePerson(owner.browser, ["FINANCE", "APPROVER"], { isNew: true });
    const own = await asked(owner);
    expect(await decided(second, own)).toEqual(SAME_HUMAN);
    expect(await decided(owner, await asked(second))).toEqual(SAME_HUMAN);
    expect(await shownTo(second.browser, "?shown=MINE_TO_DECIDE")).toEqual([]);
    expect((await story.call("GET", `/approvals/${own}`)).json.blockedBecause).toBe(
      "NO_ELIGIBLE_APPROVER",
    );
    aheadMs += 30 * DAY;
    await inSession(owner, second);
    expect(await decided(second, await asked(owner))).toEqual([200]);
    expect(await decided(owner, await asked(second))).toEqual([200]);
  });

  it("does not agree to the order of another one that they, or the first one, have made", async () => {
    const [one, sister] = [
      await makePerson(owner.browser, ["ADMIN"], { isNew: true }),
      await makePerson(owner.browser, ["APPROVER"], { isNew: true }),
    ];
    const ofFirst = await makePerson(one.browser, ["SUPPORT"], { isNew: true });
    const path = `/workspace/people/${one.id}`;
    expectStatus(200, await owner.browser.call("PATCH", path, { roles: rolesOf("FINANCE") }));
    await inSession(one);
    const id = await asked(one);
    expect(await decided(sister, id)).toEqual(SAME_HUMAN);
    expect(ofFirst.id).not.toBe(one.id);
  });

  it("is another human's once the time is over, and one human's again when its roles are changed", async () => {
    const other = await makePerson(owner.browser, ["APPROVER"]);
    expect(await decided(other, await asked(owner))).toEqual([200]);
    const path = `/workspace/people/${other.id}`;
    const waiting = await asked(owner);
    const roles = rolesOf("APPROVER", "SUPPORT");
    expectStatus(200, await owner.browser.call("PATCH", path, { roles }));
    await inSession(other);
    expect(await decided(other, waiting)).toEqual(SAME_HUMAN);
    await separate(other.browser, { workspaceId, personId: other.id });
    expect(await decided(other, waiting)).toEqual([200]);
  });
});

it("counts who signs in by an issuer as the person who set it", async () => {
  const other = await makePerson(owner.browser, ["FINANCE"]);
  const { email } = (await other.browser.call("GET", "/me")).json;
  const [issuerId = ""] = await setSso(owner.browser, [issuer], { names: [`n-${workspaceId}`] });
  const toSignIn = { workspace: `n-${workspaceId}`, issuer: issuerId };
  issuer.subject = { sub: workspaceId, email, email_verified: true };
  issuer.authTime = clock.now() / 1_000;
  const id = await asked(other);
  const browser = openBrowser(server);
  expect((await walk(browser, toSignIn)).to).toBe("/console");
  expect(await decided(owner, id)).toEqual(SAME_HUMAN);
  aheadMs += 30 * DAY;
  await inSession(owner, other);
  expect(await decided(owner, await asked(other))).toEqual([200]);
});

describe("when an order is carried out", () => {
  const twoNeeded = () =>
    owner.browser.call("PUT", "/workspace/policies", {
      platformId: `PlatformConfig:${story.platformId}`,
      rules: { ADJUSTMENT: { twoAbove: { USD: 0 } } },
    });

  it("the agreement of a person who was demoted or suspended meanwhile does not count", async () => {
    const [finance, first, second, third] = [
      await makePerson(owner.browser, ["FINANCE"]),
      await makePerson(owner.browser, ["APPROVER"]),
      await makePerson(owner.browser, ["APPROVER"]),
      await makePerson(owner.browser, ["APPROVER"]),
    ];
    expectStatus(200, await twoNeeded());
    const id = await asked(finance);
    expect((await agree(first.browser, id)).json.state).toBe("PENDING");
    const path = `/workspace/people/${first.id}`;
    expectStatus(200, await owner.browser.call("PATCH", path, { roles: rolesOf("VIEWER") }));
    expect((await agree(second.browser, id)).json.state).toBe("PENDING");
    expect((await agree(third.browser, id)).json.state).toBe("DONE");
  });

  it("the person who asked must still be one who may ask", async () => {
    const [finance, approver] = [
      await makePerson(owner.browser, ["FINANCE"]),
      await makePerson(owner.browser, ["APPROVER"]),
    ];
    for (const change of [{ roles: rolesOf("VIEWER") }, { isSuspended: true }]) {
      const person = `/workspace/people/${finance.id}`;
      expectStatus(200, await owner.browser.call("PATCH", person, { roles: rolesOf("FINANCE") }));
      await inSession(finance);
      await separate(finance.browser, { workspaceId, personId: finance.id });
      const id = await asked(finance);
      expectStatus(200, await owner.browser.call("PATCH", person, change));
      const { state, failure } = (await agree(approver.browser, id)).json;
      expect([state, failure.code, failure.details.rule]).toEqual([
        "FAILED",
        "FORBIDDEN",
        "REQUESTER",
      ]);
    }
  });
});

it("counts who is shown the link of an invitation as the invited person", async () => {
  const other = await makePerson(owner.browser, ["OWNER"]);
  const email = "hired@example.com";
  const wish = { email, name: "Hired", roles: rolesOf("APPROVER") };
  const held = await other.browser.call("POST", "/workspace/invites", wish);
  const agreed = (await agree(owner.browser, expectStatus(202, held).json.id)).json;
  const hired = { browser: await accept(server, agreed.issued.url, email), id: agreed.resultId };
  expect(await decided(hired, await asked(owner))).toEqual(SAME_HUMAN);
  expect(await decided(hired, await asked(other))).toEqual(SAME_HUMAN);
});
