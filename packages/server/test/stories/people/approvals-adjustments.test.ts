/** Adjustments, which always wait for another person, and the decisions about what waits. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import {
  type ConsoleBrowser,
  openBrowser,
  registrationOf,
  signIn,
  stepUp,
} from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import {
  agree,
  reject,
  sealedFor,
  shownTo,
  takeBack,
  verdictOf,
} from "../../kit/story-approvals.ts";
import { balanceOf, expectStatus } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { adjustmentOf } from "../../kit/valid-approval-calls.ts";

let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const DAY = 24 * 3_600_000;

let server: TestServer;
let workspaceId: string;
let story: Story;
let owner: ConsoleBrowser;
let finance: InvitedPerson;
let approver: InvitedPerson;
let second: InvitedPerson;
let viewer: InvitedPerson;
let accountId: string;

beforeAll(async () => {
  server = await startTestServer({ clock });
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId });
  owner = await makeOwner(server, workspaceId);
  finance = await makePerson(owner, ["FINANCE"]);
  approver = await makePerson(owner, ["APPROVER"]);
  second = await makePerson(owner, ["APPROVER"]);
  viewer = await makePerson(owner, ["VIEWER"]);
  ({ accountId } = await fundedCustomer(story, 1_000));
});
afterAll(() => server.close());

/** The platform's call of a person. */
const at = (browser: ConsoleBrowser) => browser.at(story.platformId);
const ask = async (more: object = {}, by = finance.browser) =>
  expectStatus(202, await at(by)("POST", "/adjustments", adjustmentOf(accountId, more))).json;
const got = async (id: string) => (await story.call("GET", `/approvals/${id}`)).json;
const balance = () => balanceOf(story, accountId);

describe("an adjustment", () => {
  it("has no effect before another person agrees, and posts then", async () => {
    const before = await balance();
    const asked = await ask({ direction: "DEBIT", amount: 250 });
    expect(asked).toMatchObject({
      platformId: `PlatformConfig:${story.platformId}`,
      kind: "ADJUSTMENT",
      operation: "createAdjustment",
      state: "PENDING",
      requestedBy: finance.id,
      summary: `Debit of 2.50 USD from ${accountId}: GOODWILL`,
      content: adjustmentOf(accountId, { direction: "DEBIT", amount: 250 }),
      approvalsNeeded: 1,
      decisions: [],
    });
    expect(asked).not.toHaveProperty("blockedBecause");
    expect(await balance()).toBe(before);
    expect((await story.call("GET", "/adjustments")).json.data).toEqual([]);

    const done = expectStatus(200, await agree(approver.browser, asked.id, { note: "seen" })).json;
    expect(done).toMatchObject({
      id: asked.id,
      state: "DONE",
      decisions: [{ by: approver.id, outcome: "APPROVED", note: "seen" }],
    });
    expect(await balance()).toBe(before - 250);
    const { data } = (await story.call("GET", `/adjustments?accountId=${accountId}`)).json;
    expect(data).toMatchObject([
      {
        id: done.resultId,
        accountId,
        direction: "DEBIT",
        amount: { amount: 250 },
        approvalId: asked.id,
        requestedBy: finance.id,
      },
    ]);
    const {
      mayDecide: _,
      mayReject: __,
      mayCancel: ___,
      amount,
      parties,
      title: ____,
      ...listed
    } = (await approver.browser.call("GET", "/workspace/approvals?shown=DECIDED")).json.data[0];
    expect(listed).toEqual(await got(asked.id));
    expect([amount, parties.by.id, parties.from.id]).toEqual(["2.50 USD", finance.id, accountId]);
    const accounts = await story.call("GET", "/ledger/accounts?kind=adjustments");
    expect(accounts.json.data).toMatchObject([{ currency: "USD", balance: { amount: "250" } }]);
  });

  it("is in the audit log with both people, and in the events of endpoints that ask", async () => {
    const asked = await ask();
    await agree(approver.browser, asked.id);
    const entries = (await at(owner)("GET", "/audit-entries?limit=5")).json.data;
    const [decided, requested] = entries.filter(
      (entry: { readonly approvalId?: string }) => entry.approvalId === asked.id,
    );
    expect(decided).toMatchObject({
      act: "decide-approval",
      actor: { kind: "person", id: approver.id },
      target: { id: asked.id },
    });
    const changes = Object.fromEntries(
      decided.changes.map((one: { field: string; after: unknown }) => [one.field, one.after]),
    );
    expect(changes).toMatchObject({ state: "DONE", requestedBy: finance.id });
    expect(requested).toMatchObject({
      act: "request-adjustment",
      actor: { kind: "person", id: finance.id },
      target: { id: asked.id },
    });
    const events = await story.call("GET", "/events?type=APPROVAL.*&limit=2");
    expect(events.json.data.map(({ type }: { readonly type: string }) => type)).toEqual([
      "APPROVAL.DONE",
      "APPROVAL.PENDING",
    ]);
    expect(JSON.stringify(events.json)).not.toContain("for the late payout");
  });

  it("is judged again: what no longer fits fails and moves nothing", async () => {
    const now = await balance();
    const [first, other] = [
      await ask({ direction: "DEBIT", amount: now }),
      await ask({ direction: "DEBIT", amount: now }),
    ];
    expect((await agree(approver.browser, first.id)).json.state).toBe("DONE");
    const failed = expectStatus(200, await agree(approver.browser, other.id)).json;
    expect(failed).toMatchObject({
      state: "FAILED",
      failure: { code: "INSUFFICIENT_BALANCE", details: { available: 0, needed: now } },
    });
    expect(failed).not.toHaveProperty("resultId");
    expect(await balance()).toBe(0);
    const { id } = await ask({ amount: now });
    const account = `/internal-accounts/${accountId}`;
    await story.call("POST", `${account}/freeze`, { reason: "OTHER", scope: "ALL" });
    expect((await agree(approver.browser, id)).json).toMatchObject({
      state: "FAILED",
      failure: { code: "ACCOUNT_FROZEN" },
    });
    await story.call("POST", `${account}/unfreeze`);
    await agree(approver.browser, (await ask({ amount: now })).id);
    expect(await balance()).toBe(now);
  });

  it.each([
    ["of an unknown account", { accountId: "InternalAccount:none" }, 404, "REFERENCE_NOT_FOUND"],
    ["in another currency", { currency: "EUR" }, 400, "INVALID_CURRENCY"],
    ["above the balance", { direction: "DEBIT", amount: 10 ** 9 }, 400, "INSUFFICIENT_BALANCE"],
    ["of nothing", { amount: 0 }, 400, "INVALID_AMOUNT"],
    ["with a short note", { note: "short" }, 400, "INVALID_INPUT"],
    ["with an unknown reason", { reasonCode: "LUCK" }, 400, "INVALID_INPUT"],
    ["with a document of nobody", { documentId: "Document:x" }, 404, "REFERENCE_NOT_FOUND"],
    ["beyond what an account holds", { amount: 9 * 10 ** 15 }, 400, "AMOUNT_OUT_OF_RANGE"],
  ])("%s is refused and does not wait", async (_what, more, status, code) => {
    const before = await shownTo(owner);
    const body = adjustmentOf(accountId, more);
    const answer = await at(finance.browser)("POST", "/adjustments", body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(await shownTo(owner)).toEqual(before);
  });

  it("answers a repeated call under its key once", async () => {
    const body = adjustmentOf(accountId);
    const [one, other] = [
      await story.call("POST", "/adjustments", body, { key: "adjust-1" }),
      await story.call("POST", "/adjustments", body, { key: "adjust-1" }),
    ];
    expect(other.json).toEqual(one.json);
    await reject(approver.browser, one.json.id);
  });
});

describe("who decides", () => {
  it("is not who asked, by whatever way", async () => {
    const own = await ask({}, owner);
    expect(verdictOf(await agree(owner, own.id))).toEqual([403, "APPROVAL_NOT_YOURS", "REQUESTER"]);
    expect(verdictOf(await reject(owner, own.id))).toEqual([
      403,
      "APPROVAL_NOT_YOURS",
      "REQUESTER",
    ]);
    await signIn(owner);
    expect(verdictOf(await agree(owner, own.id))).toContain("REQUESTER");
    // A token of the person, and one that this token has made.
    const permissions = ["MANAGE"];
    const token = await at(owner)("POST", "/tokens", { name: "mine", permissions });
    const basicOf = ({ clientId, clientSecret }: Record<string, string>) =>
      `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const authorization = basicOf(token.json);
    const child = await story.call(
      "POST",
      "/tokens",
      { name: "of mine", permissions },
      { authorization },
    );
    for (const credentials of [authorization, basicOf(child.json)]) {
      const body = adjustmentOf(accountId);
      const asked = await story.call("POST", "/adjustments", body, { authorization: credentials });
      expect(verdictOf(await agree(owner, asked.json.id))).toContain("REQUESTER");
      expect((await takeBack(owner, asked.json.id)).json.state).toBe("CANCELLED");
    }
    expect((await agree(approver.browser, own.id)).json.state).toBe("DONE");
  });

  it("holds the capability, and is shown what is theirs", async () => {
    const asked = await ask();
    for (const { browser } of [finance, viewer]) {
      expect(await shownTo(browser)).toContain(asked.id);
      expect(await shownTo(browser, "?shown=MINE_TO_DECIDE")).toEqual([]);
    }
    expect(verdictOf(await agree(viewer.browser, asked.id))).toEqual([
      403,
      "APPROVAL_NOT_YOURS",
      "CAPABILITY",
    ]);
    expect(await shownTo(finance.browser, "?shown=MINE_REQUESTED&state=PENDING")).toEqual([
      asked.id,
    ]);
    expect(await shownTo(approver.browser, "?shown=MINE_TO_DECIDE")).toEqual([asked.id]);
    const hidden = await viewer.browser.call("GET", "/workspace/approvals?limit=1");
    expect(hidden.json.data[0].content.note).toBe("•••");
    expect(verdictOf(await takeBack(approver.browser, asked.id))).toEqual([
      403,
      "APPROVAL_NOT_YOURS",
      "NOT_REQUESTER",
    ]);
    expect((await takeBack(finance.browser, asked.id)).json.state).toBe("CANCELLED");
    expect(verdictOf(await agree(approver.browser, asked.id))).toEqual([409, "CONFLICT"]);
  });

  it("proves a passkey over exactly this content", async () => {
    const [asked, other] = [await ask(), await ask({ amount: 999 })];
    const path = `/workspace/approvals/${other.id}/decide`;
    const shown = await sealedFor(approver.browser, other.id);
    const seen = { outcome: "APPROVED", shown };
    const { challenge } = (await approver.browser.call("POST", path, seen)).json;
    const wrong = await agree(approver.browser, asked.id, { challenge });
    expect(verdictOf(wrong)).toEqual([401, "UNAUTHORIZED"]);
    expect((await got(asked.id)).decisions).toEqual([]);
    const stranger = { ...approver.browser, authenticator: second.browser.authenticator };
    expect((await agree(stranger, asked.id)).status).toBe(401);
    expect((await agree(approver.browser, asked.id)).json.state).toBe("DONE");
    await reject(approver.browser, other.id, "not this");
    expect(await got(other.id)).toMatchObject({
      state: "REJECTED",
      decisions: [{ by: approver.id, outcome: "REJECTED", note: "not this" }],
    });
  });

  it("is one of two at the same moment, and the effect is one", async () => {
    const before = await balance();
    const asked = await ask({ amount: 10 });
    const answers = await Promise.all([
      agree(approver.browser, asked.id),
      agree(second.browser, asked.id),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await balance()).toBe(before + 10);
  });

  it("has a week", async () => {
    const asked = await ask();
    aheadMs += 7 * DAY;
    await story.settle();
    expect((await got(asked.id)).state).toBe("EXPIRED");
    for (const browser of [owner, finance.browser, approver.browser, second.browser])
      await signIn(browser);
    expect(verdictOf(await agree(approver.browser, asked.id))).toEqual([409, "CONFLICT"]);
  });

  it("approves nothing for a day after a re-enrolment", async () => {
    const asked = await ask();
    await stepUp(owner);
    const link = await owner.call("POST", `/workspace/people/${second.id}/re-enrol`);
    const code = link.json.url.split("#")[1];
    const path = `/re-enrolments/${code}/accept`;
    const email = link.json.person.email;
    const fresh = openBrowser(server);
    const options = await fresh.call("POST", path, { email });
    const passkey = registrationOf(fresh, options.json);
    expectStatus(200, await fresh.call("POST", path, { email, passkey }));
    expect(verdictOf(await agree(fresh, asked.id))).toEqual([
      403,
      "APPROVAL_NOT_YOURS",
      "SUSPENDED",
    ]);
    aheadMs += DAY;
    for (const browser of [fresh, owner, finance.browser, approver.browser]) await signIn(browser);
    expect((await agree(fresh, asked.id)).json.state).toBe("DONE");
  });
});

describe("a workspace of one person", () => {
  it("agrees to its own orders in a sandbox, marked so, and to none in production", async () => {
    const alone = await server.makePlatform();
    const sandbox = await openStory(server, { workspaceId: alone.workspaceId });
    const environment = "PRODUCTION";
    const production = await openStory(server, { workspaceId: alone.workspaceId, environment });
    const person = await makeOwner(server, alone.workspaceId);
    for (const one of [sandbox, production]) {
      const accounts = await one.call("GET", "/platform/internal-accounts?currency=USD");
      const body = adjustmentOf(accounts.json.data[0].id);
      const call = person.at(one.platformId);
      const asked = expectStatus(202, await call("POST", "/adjustments", body)).json;
      const answer = await agree(person, asked.id);
      if (one === sandbox) {
        expect(answer.json).toMatchObject({ state: "DONE", decisions: [{ isOwn: true }] });
      } else {
        expect(asked.blockedBecause).toBe("NO_ELIGIBLE_APPROVER");
        expect(verdictOf(answer)).toContain("REQUESTER");
      }
    }
  });
});

describe("another workspace", () => {
  it("has the same answer for this one's approvals as for unknown ones", async () => {
    const asked = await ask();
    const elsewhere = await server.makePlatform();
    const stranger = await makeOwner(server, elsewhere.workspaceId, "other@example.com");
    const unknown = "Approval:019a4f00-0000-7000-8000-000000000041";
    for (const word of ["decide", "cancel"]) {
      const body = word === "decide" ? { outcome: "REJECTED" } : undefined;
      const [theirs, none] = [
        await stranger.call("POST", `/workspace/approvals/${asked.id}/${word}`, body),
        await stranger.call("POST", `/workspace/approvals/${unknown}/${word}`, body),
      ];
      expect([theirs.status, theirs.text.replace(asked.id, "")]).toEqual([
        404,
        none.text.replace(unknown, ""),
      ]);
    }
    expect(await shownTo(stranger)).toEqual([]);
    await takeBack(finance.browser, asked.id);
  });

  it("pages through all platforms, newest first", async () => {
    const ids: string[] = [];
    for (let cursor = ""; ; ) {
      const { json } = await owner.call("GET", `/workspace/approvals?limit=3${cursor}`);
      ids.push(...json.data.map(({ id }: { readonly id: string }) => id));
      if (!json.hasMore) break;
      cursor = `&cursor=${json.nextCursor}`;
    }
    expect(ids).toEqual(await shownTo(owner, "?limit=100"));
    expect(ids).toEqual([...ids].sort().reverse());
    expect(ids.length).toBeGreaterThan(8);
  });
});
