/** What the console shows a person about an approval: the order, and what this person may do about it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleBrowser, openBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { agree } from "../../kit/story-approvals.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { adjustmentOf } from "../../kit/valid-approval-calls.ts";

let server: TestServer;
let story: Story;
let owner: ConsoleBrowser;
let stranger: ConsoleBrowser;
let finance: InvitedPerson;
let approver: InvitedPerson;
let id: string;

beforeAll(async () => {
  server = await startTestServer({});
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  finance = await makePerson(owner, ["FINANCE"]);
  approver = await makePerson(owner, ["APPROVER"]);
  stranger = await makeOwner(server, (await server.makePlatform()).workspaceId);
  const { accountId } = await fundedCustomer(story, 1_000);
  const asked = await finance.browser.at(story.platformId)(
    "POST",
    "/adjustments",
    adjustmentOf(accountId),
  );
  ({ id } = expectStatus(202, asked).json);
});
afterAll(() => server.close());

const shownTo = (browser: ConsoleBrowser, one = id) =>
  browser.call("GET", `/workspace/approvals/${one}`);

describe("an approval in the console", () => {
  it("says what each person may do about it, and why not", async () => {
    const { json } = expectStatus(200, await shownTo(finance.browser));
    expect(json).toMatchObject({ id, mayDecide: false, rule: "CAPABILITY", mayCancel: true });
    const open = expectStatus(200, await shownTo(approver.browser)).json;
    expect(open).toMatchObject({ id, mayDecide: true, mayCancel: false });
    expect(open).not.toHaveProperty("rule");
    const listed = await approver.browser.call("GET", "/workspace/approvals?shown=MINE_TO_DECIDE");
    const { shown, comments, mayComment, ...inList } = open;
    expect([shown.title, comments, mayComment]).toEqual(["Adjustment of a balance", [], true]);
    expect(listed.json.data).toEqual([{ ...inList, parties: expect.any(Object) }]);
  });

  it("is unknown to other workspaces, as an id that does not exist", async () => {
    const unknown = await shownTo(stranger, "Approval:00000000-0000-7000-8000-000000000000");
    const foreign = await shownTo(stranger);
    expect([foreign.status, foreign.json.code]).toEqual([404, "APPROVAL_NOT_FOUND"]);
    expect([unknown.status, unknown.json]).toEqual([404, foreign.json]);
    expect((await shownTo(approver.browser, "nothing")).status).toBe(404);
    expect((await shownTo(openBrowser(server))).status).toBe(401);
  });

  it("has no rule and no acts once it has ended", async () => {
    expectStatus(200, await agree(approver.browser, id));
    for (const { browser } of [finance, approver]) {
      const { json } = expectStatus(200, await shownTo(browser));
      expect(json).toMatchObject({ state: "DONE", mayDecide: false, mayCancel: false });
      expect(json).not.toHaveProperty("rule");
    }
  });
});
