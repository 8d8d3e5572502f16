/** Verifications that a platform leaves to operators: their queue, their cases and documents, and who is refused. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setOperator } from "../../../src/domain/people/set-operator.ts";
import type { Reviewers } from "../../../src/domain/platform.ts";
import { setReviewers } from "../../../src/domain/platforms/set-reviewers.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { PDF, passportForm } from "../../kit/forms.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { begun, newBusiness } from "../../kit/story-verifications.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const NOBODYS = "019a4f00-0000-7000-8000-000000000099";

let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
/** Of another workspace than the operators. */
let story: Story;
let second: Story;
/** A platform whose workspace decides. */
let own: Story;
let owner: ConsoleBrowser;
let ada: ConsoleBrowser;
let adaId: string;
let ben: InvitedPerson;

beforeAll(async () => {
  server = await startTestServer({ clock });
  const { workspaceId: operators } = await server.makePlatform();
  ada = await makeOwner(server, operators);
  adaId = (await ada.call("GET", "/session")).json.person.id;
  ben = await makePerson(ada, ["ADMIN"]);
  await server.app.engine.submit({
    platformId: operators,
    actor: { kind: "operator", id: "shell" },
    command: setOperator,
    input: { personId: ben.id.slice("Person:".length), isOperator: true },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  const { workspaceId } = await server.makePlatform();
  const wish = { workspaceId, environment: "PRODUCTION" } as const;
  story = await openStory(server, { ...wish, name: "lind-boats" });
  second = await openStory(server, { ...wish, name: "lind-cars" });
  own = await openStory(server, wish);
  await leaveTo(own, "WORKSPACE");
  owner = await makeOwner(server, workspaceId, "lina@example.com");
});
afterAll(() => server.close());

function leaveTo({ platformId }: Story, reviewers: Reviewers) {
  return server.app.engine.submit({
    platformId,
    actor: { kind: "operator", id: "shell" },
    command: setReviewers,
    input: { reviewers },
    toAnswer: () => ({ status: 200, body: "" }),
  });
}

interface OpenCase {
  readonly id: string;
  readonly customerId: string;
  readonly documentId: string;
  /** Of the operators' operations about it. */
  readonly root: string;
}

async function openCase(on: Story): Promise<OpenCase> {
  const customerId = await newBusiness(on);
  const file = await on.call(
    "POST",
    "/documents",
    passportForm(customerId, { file: { bytes: PDF } }),
  );
  const id = await begun(on, customerId, "PENDING_MANUAL_REVIEW");
  return { id, customerId, documentId: file.json.id, root: rootOf(on, id) };
}

const rootOf = ({ platformId }: Story, id: string) =>
  `/system/platforms/PlatformConfig:${platformId}/verifications/${id}`;
const take = (browser: ConsoleBrowser, { root }: OpenCase) => browser.call("POST", `${root}/take`);
const approve = (browser: ConsoleBrowser, { root }: OpenCase, key?: string) =>
  browser.call(
    "POST",
    `${root}/decide`,
    { outcome: "APPROVED", note: "papers match" },
    key === undefined ? {} : { key },
  );
const ids = (data: readonly { readonly id: string }[]) => data.map(({ id }) => id);
const queue = async (browser: ConsoleBrowser, query = "") =>
  (await browser.call("GET", `/system/verifications?limit=100${query}`)).json.data;

async function entriesOf(on: Story, targetId: string) {
  return (await on.call("GET", `/audit-entries?targetId=${targetId}`)).json.data;
}

async function ownEntries(browser: ConsoleBrowser, targetId: string) {
  return (await browser.call("GET", `/workspace/audit?targetId=${targetId}`)).json.data;
}

describe("the queue of the operators", () => {
  it("has the open cases of all platforms that leave them to operators, the oldest first", async () => {
    const first = await openCase(story);
    aheadMs += 1_000;
    const other = await openCase(second);
    aheadMs += 1_000;
    const last = await openCase(story);
    const hidden = await openCase(own);
    const shown = await queue(ada);
    const known = [first.id, other.id, last.id];
    expect(ids(shown).filter((id) => known.includes(id))).toEqual(known);
    expect(ids(shown)).not.toContain(hidden.id);
    expect(shown.find(({ id }: { readonly id: string }) => id === other.id)).toMatchObject({
      customerName: "Lind Boats LLC",
      verificationStatus: "PENDING_MANUAL_REVIEW",
      platform: {
        id: `PlatformConfig:${second.platformId}`,
        name: "lind-cars",
        environment: "PRODUCTION",
      },
    });
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await ada.call("GET", `/system/verifications?limit=1${cursor}`);
      seen.push(...ids(page.json.data));
      if (!page.json.hasMore) break;
      cursor = `&cursor=${encodeURIComponent(page.json.nextCursor)}`;
    }
    expect(seen).toEqual(ids(await queue(ada)));
  });

  it("is narrowed to what a person has taken, and to what no person has", async () => {
    const [mine, free] = [await openCase(story), await openCase(second)];
    expect((await take(ada, mine)).status).toBe(200);
    expect(ids(await queue(ada, "&assigned=MINE"))).toEqual([mine.id]);
    expect(await queue(ben.browser, "&assigned=MINE")).toEqual([]);
    const untaken = ids(await queue(ben.browser, "&assigned=NONE"));
    expect(untaken).toContain(free.id);
    expect(untaken).not.toContain(mine.id);
    aheadMs += 601_000;
    expect(await queue(ada, "&assigned=MINE")).toEqual([]);
    expect(ids(await queue(ben.browser, "&assigned=NONE"))).toContain(mine.id);
  });

  it("leaves out what is decided, and customers that are deleted", async () => {
    const [decided, deleted] = [await openCase(story), await openCase(story)];
    await approve(ada, decided);
    await story.call("DELETE", `/customers/${deleted.customerId}`);
    const shown = ids(await queue(ada));
    expect(shown).not.toContain(decided.id);
    expect(shown).not.toContain(deleted.id);
    expect(await take(ada, deleted)).toMatchObject({
      status: 410,
      json: { code: "CUSTOMER_DELETED" },
    });
  });

  it.each(["assigned=ALL", "customerType=BUSINESS", "limit=0", "limit=x", "cursor=x"])(
    "refuses %s",
    async (query) => {
      const answer = await ada.call("GET", `/system/verifications?${query}`);
      expect(answer).toMatchObject({ status: 400, json: { code: "INVALID_INPUT" } });
    },
  );
});

describe("a case of the operators", () => {
  it("is decided by an operator alone, and is in the logs of the platform and of the operator", async () => {
    const one = await openCase(story);
    const outcome = { outcome: "APPROVED" };
    const path = `/verifications/${one.id}/decide`;
    const byToken = await story.call("POST", path, outcome);
    const byOwner = await owner.at(story.platformId)("POST", path, outcome);
    const taken = await owner.at(story.platformId)("POST", `/verifications/${one.id}/take`);
    for (const answer of [byToken, byOwner, taken])
      expect(answer).toMatchObject({
        status: 403,
        json: { code: "FORBIDDEN", details: { reviewers: "OPERATOR" } },
      });
    expect((await take(ada, one)).json.takenBy.id).toBe(adaId);
    const decided = await approve(ada, one, "decision-1");
    expect(decided).toMatchObject({
      status: 200,
      json: { id: one.id, verificationStatus: "APPROVED" },
    });
    expect((await approve(ada, one, "decision-1")).text).toBe(decided.text);
    const shown = await story.call("GET", `/customers/${one.customerId}`);
    expect(shown.json.kybStatus).toBe("APPROVED");
    const entries = await entriesOf(story, one.id);
    const acts = entries.map(({ act }: { readonly act: string }) => act);
    expect(acts.slice(0, 2)).toEqual(["review-verification", "take-verification"]);
    expect(entries[0].actor).toMatchObject({
      kind: "person",
      id: adaId,
      name: "Olga Owner",
    });
    const mine = await ownEntries(ada, one.id);
    expect(mine).toHaveLength(1);
    expect(mine[0]).toMatchObject({
      act: "order-verification-decision",
      actor: { id: adaId },
      requestId: entries[0].requestId,
    });
    const after = await ada.call("GET", `${one.root}/case`);
    expect(after.json).toMatchObject({ decision: { by: adaId, note: "papers match" } });
  });

  it("is one operator's for ten minutes, and the other one is told whose", async () => {
    const one = await openCase(second);
    const answers = await Promise.all([take(ada, one), take(ben.browser, one)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [holder, other] = answers[0]?.status === 200 ? [ada, ben.browser] : [ben.browser, ada];
    const { json } = await holder.call("GET", `${one.root}/case`);
    for (const answer of [await take(other, one), await approve(other, one)]) {
      expect(answer).toMatchObject({
        status: 409,
        json: { code: "CONFLICT", details: { takenBy: json.takenBy.id } },
      });
      expect(answer.json.message).toContain(json.takenBy.name);
    }
    // A refused decision is in no log.
    expect(await ownEntries(other, one.id)).toEqual([]);
    aheadMs += 601_000;
    expect((await take(other, one)).status).toBe(200);
    expect((await approve(holder, one)).status).toBe(409);
    expect((await approve(other, one)).status).toBe(200);
    for (const answer of [await take(holder, one), await approve(holder, one)])
      expect(answer).toMatchObject({ status: 409, json: { details: { status: "APPROVED" } } });
  });

  it("is rejected, and sent back with what is to be mended", async () => {
    const [bad, poor] = [await openCase(story), await openCase(story)];
    const decide = ({ root }: OpenCase, body: object) => ada.call("POST", `${root}/decide`, body);
    expect(
      (await decide(bad, { outcome: "REJECTED", reasonCode: "APPLICANT_FRAUD" })).json,
    ).toMatchObject({ verificationStatus: "REJECTED" });
    expect(await approve(ada, bad)).toMatchObject({
      status: 409,
      json: { details: { status: "REJECTED" } },
    });
    const error = { type: "POOR_QUALITY_DOCUMENT", reason: "too dark" };
    const foreign = { ...error, resourceId: bad.documentId };
    expect(await decide(poor, { outcome: "RESOLVE_ERRORS", errors: [foreign] })).toMatchObject({
      status: 400,
      json: { details: { field: "errors.0.resourceId" } },
    });
    const mended = { ...error, resourceId: poor.documentId };
    expect(
      (await decide(poor, { outcome: "RESOLVE_ERRORS", errors: [mended] })).json,
    ).toMatchObject({ verificationStatus: "RESOLVE_ERRORS", errors: [mended] });
    const { json } = await story.call("GET", `/verifications/${poor.id}`);
    expect(json.errors).toEqual([mended]);
  });

  it.each([
    [{}, "outcome"],
    [{ outcome: "MAYBE" }, "outcome"],
    [{ outcome: 5 }, "outcome"],
    [{ outcome: "RESOLVE_ERRORS" }, "errors"],
    [{ outcome: "RESOLVE_ERRORS", errors: [] }, "errors"],
    [{ outcome: "APPROVED", errors: [{ type: "INVALID_FIELD", reason: "x" }] }, "errors"],
    [{ outcome: "APPROVED", reasonCode: "APPLICANT_FRAUD" }, "reasonCode"],
    [{ outcome: "APPROVED", note: "x".repeat(501) }, "note"],
  ])("is not decided by %j", async (body, field) => {
    const { root } = await openCase(story);
    expect(await ada.call("POST", `${root}/decide`, body)).toMatchObject({
      status: 400,
      json: { details: { field } },
    });
  });

  it("has its data and its documents, and each read of a file is in both logs", async () => {
    const one = await openCase(story);
    const { json } = await ada.call("GET", `${one.root}/case`);
    expect(json).toMatchObject({
      customerId: one.customerId,
      platform: { name: "lind-boats" },
      current: { data: { businessInfo: { legalName: "Lind Boats LLC" }, owners: [] } },
    });
    expect(json.unmet.length).toBeGreaterThan(0);
    const listed = await ada.call("GET", `${one.root}/documents`);
    expect(ids(listed.json.data)).toEqual([one.documentId]);
    const file = await ada.call("GET", `${one.root}/documents/${one.documentId}/content`);
    expect([file.status, file.text.startsWith("%PDF-")]).toEqual([200, true]);
    expect(file.headers.get("content-disposition")).toMatch(/^attachment;/);
    const [there] = await entriesOf(story, one.documentId);
    const [here] = await ownEntries(ada, one.documentId);
    expect(there).toMatchObject({ act: "getDocumentContent", actor: { id: adaId } });
    expect(here).toMatchObject({ act: "getSystemDocumentContent", actor: { id: adaId } });
    expect(here.requestId).toBe(there.requestId);
  });

  it("opens no document of another case, nor one of the platform itself", async () => {
    const [one, other] = [await openCase(story), await openCase(story)];
    const logo = await story.call("POST", "/documents", passportForm(undefined));
    const theirs = await openCase(second);
    const reads = async () =>
      (await story.call("GET", "/audit-entries?act=getDocumentContent&limit=100")).json.data;
    const before = await reads();
    for (const id of [
      other.documentId,
      theirs.documentId,
      logo.json?.id ?? `Document:${NOBODYS}`,
      `Document:${NOBODYS}`,
      one.id,
      "x",
    ]) {
      const answer = await ada.call("GET", `${one.root}/documents/${id}/content`);
      expect([id, answer.status, answer.json.code]).toEqual([id, 404, "REFERENCE_NOT_FOUND"]);
    }
    expect(await reads()).toEqual(before);
  });

  it("is answered like an unknown one where the workspace decides, and at another platform", async () => {
    const [kept, one] = [await openCase(own), await openCase(story)];
    for (const root of [
      kept.root,
      rootOf(second, one.id),
      rootOf(story, `Verification:${NOBODYS}`),
      rootOf(story, one.customerId),
      rootOf(story, "x"),
      `/system/platforms/PlatformConfig:${NOBODYS}/verifications/${one.id}`,
      `/system/platforms/x/verifications/${one.id}`,
    ]) {
      const answers = [
        await ada.call("GET", `${root}/case`),
        await ada.call("POST", `${root}/take`),
        await ada.call("POST", `${root}/decide`, { outcome: "APPROVED" }),
        await ada.call("GET", `${root}/documents`),
        await ada.call("GET", `${root}/documents/${one.documentId}/content`),
      ];
      for (const { status, json } of answers)
        expect([root, status, json.code]).toEqual([root, 404, "REFERENCE_NOT_FOUND"]);
    }
    await leaveTo(own, "OPERATOR");
    expect((await take(ada, kept)).status).toBe(200);
    await leaveTo(own, "WORKSPACE");
    expect((await approve(ada, kept)).status).toBe(404);
    // The workspace decides when the lease of the operator is over.
    aheadMs += 601_000;
    const path = `/verifications/${kept.id}/decide`;
    expect((await own.call("POST", path, { outcome: "APPROVED" })).status).toBe(200);
  });

  it("is refused to people who are no operators, and to those without a session", async () => {
    const one = await openCase(story);
    const calls = (browser: ConsoleBrowser) =>
      Promise.all([
        browser.call("GET", "/system/verifications"),
        browser.call("GET", `${one.root}/case`),
        take(browser, one),
        approve(browser, one),
        browser.call("GET", `${one.root}/documents`),
        browser.call("GET", `${one.root}/documents/${one.documentId}/content`),
      ]);
    for (const answer of await calls(owner))
      expect(answer).toMatchObject({
        status: 403,
        json: { code: "FORBIDDEN", details: { capability: "system.verifications" } },
      });
    for (const { status } of await calls(openBrowser(server))) expect(status).toBe(401);
    expect(await entriesOf(story, one.documentId)).toEqual([]);
  });

  it("gives operators nothing else of the platform", async () => {
    const one = await openCase(story);
    for (const path of [`/customers/${one.customerId}`, `/verifications/${one.id}`, "/documents"])
      expect((await ada.at(story.platformId)("GET", path)).status).toBe(404);
  });
});
