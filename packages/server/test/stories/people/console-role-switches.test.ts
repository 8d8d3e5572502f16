/** Owners let the admins of their workspace read documents: who may say so, what it opens, and whose sessions it ends. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser, signIn, stepUp } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { passportForm } from "../../kit/forms.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { newBusiness } from "../../kit/story-verifications.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let story: Story;
let owner: ConsoleBrowser;
let admin: InvitedPerson;
/** An admin of one platform alone. */
let partial: InvitedPerson;
let compliance: InvitedPerson;
/** The owner and an admin of another workspace. */
let others: { readonly owner: ConsoleBrowser; readonly admin: InvitedPerson };
let documentId: string;

beforeAll(async () => {
  server = await startTestServer({ clock });
  const { workspaceId, platformId } = await server.makePlatform();
  story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  owner = await makeOwner(server, workspaceId);
  admin = await makePerson(owner, ["ADMIN"]);
  partial = await makePerson(owner, ["ADMIN"], { platformId: `PlatformConfig:${platformId}` });
  compliance = await makePerson(owner, ["COMPLIANCE"]);
  const other = await server.makePlatform();
  const theirs = await makeOwner(server, other.workspaceId, "other@example.com");
  others = { owner: theirs, admin: await makePerson(theirs, ["ADMIN"]) };
  const file = passportForm(await newBusiness(story));
  documentId = (await story.call("POST", "/documents", file)).json.id;
});
afterAll(() => server.close());

const set = (browser: ConsoleBrowser, adminsReadDocuments: unknown) =>
  browser.call("PATCH", "/workspace/roles", { adminsReadDocuments });
const statusOf = async ({ browser }: InvitedPerson) =>
  (await browser.call("GET", "/session")).status;
const read = ({ browser }: InvitedPerson) =>
  browser.at(story.platformId)("GET", `/documents/${documentId}/content`);
const entries = async () =>
  (await owner.call("GET", "/workspace/audit?act=set-role-switches")).json.data;

describe("documents.read of admins", () => {
  it("is off until an owner switches it on, which ends the sessions of admins alone", async () => {
    expect(await read(admin)).toMatchObject({
      status: 403,
      json: { details: { capability: "documents.read" } },
    });
    const people = [admin, partial, compliance, others.admin];
    expect(await set(owner, true)).toMatchObject({
      status: 200,
      json: { adminsReadDocuments: true },
    });
    expect(await Promise.all(people.map(statusOf))).toEqual([401, 401, 200, 200]);
    await signIn(admin.browser);
    expect((await read(admin)).status).toBe(200);
    const { json } = await admin.browser.call("GET", "/session");
    for (const { capabilities } of json.platforms) expect(capabilities).toContain("documents.read");
    expect((await others.admin.browser.call("GET", "/session")).json.capabilities).not.toContain(
      "documents.read",
    );
  });

  it("is no longer there once it is switched off", async () => {
    expect((await set(owner, false)).json.adminsReadDocuments).toBe(false);
    expect(await statusOf(admin)).toBe(401);
    await signIn(admin.browser);
    expect((await read(admin)).status).toBe(403);
    expect((await owner.call("GET", "/session")).status).toBe(200);
  });

  it("has an audit entry for each change, and none for what is so already", async () => {
    const found = await entries();
    expect(found).toHaveLength(2);
    for (const [index, after] of [false, true].entries()) {
      expect(found[index]).toMatchObject({
        actor: { kind: "person" },
        target: { kind: "Workspace" },
      });
      const [first, ...rest] = found[index].changes;
      expect(first).toEqual({ field: "adminsReadDocuments", before: !after, after });
      for (const { field } of rest) expect(field).toBe("person_sessions.endedAt");
    }
    expect((await set(owner, false)).status).toBe(200);
    expect(await statusOf(admin)).toBe(200);
    expect(await entries()).toHaveLength(2);
  });

  it("leaves the session of an owner who is an admin as well", async () => {
    const both = await makePerson(owner, ["ADMIN"]);
    await owner.call("PATCH", `/workspace/people/${both.id}`, {
      roles: [{ platformId: null, roles: ["OWNER", "ADMIN"] }],
    });
    await signIn(both.browser);
    expect((await set(owner, true)).status).toBe(200);
    expect(await statusOf(both)).toBe(200);
    expect((await set(owner, false)).status).toBe(200);
  });

  it("is set by owners alone, with a passkey shown lately", async () => {
    await signIn(admin.browser);
    for (const { browser } of [admin, compliance])
      expect(await set(browser, true)).toMatchObject({
        status: 403,
        json: { details: { capability: "workspace.write" } },
      });
    expect((await set(openBrowser(server), true)).status).toBe(401);
    aheadMs += 6 * 60_000;
    expect(await set(owner, true)).toMatchObject({
      status: 403,
      json: { details: { reason: "STEP_UP_REQUIRED" } },
    });
    await stepUp(owner);
    expect(await entries()).toHaveLength(4);
  });

  it.each([undefined, null, "true", 1, [true]])("is not set to %j", async (value) => {
    expect(await set(owner, value)).toMatchObject({
      status: 400,
      json: { details: { field: "adminsReadDocuments" } },
    });
  });
});

describe("the matrix of roles", () => {
  it("is shown as it holds in the workspace, without what operators have", async () => {
    const shown = async () => {
      const { json } = await compliance.browser.call("GET", "/workspace/roles");
      const marks = new Map<string, Record<string, string>>();
      for (const row of json.capabilities)
        marks.set(
          row.capability,
          Object.fromEntries(json.roles.map((role: string, at: number) => [role, row.marks[at]])),
        );
      const switchable = json.capabilities.filter(
        (row: { readonly switchable: readonly string[] }) => row.switchable.length > 0,
      );
      return { json, marks, switchable };
    };
    const { json, marks, switchable } = await shown();
    expect(json.adminsReadDocuments).toBe(false);
    expect(marks.get("documents.read")).toMatchObject({ OWNER: "ALWAYS", ADMIN: "NEVER" });
    expect(marks.get("payments.create")).toMatchObject({ DEVELOPER: "IN_SANDBOXES" });
    expect([...marks.keys()].filter((name) => name.startsWith("system."))).toEqual([]);
    expect(switchable).toMatchObject([{ capability: "documents.read", switchable: ["ADMIN"] }]);
    await set(owner, true);
    expect((await shown()).marks.get("documents.read")).toMatchObject({ ADMIN: "ALWAYS" });
    const theirs = await others.owner.call("GET", "/workspace/roles");
    expect(theirs.json.adminsReadDocuments).toBe(false);
    await set(owner, false);
  });

  it("is refused to those who may not see the people of the workspace", async () => {
    const viewer = await makePerson(owner, ["VIEWER"]);
    expect(await viewer.browser.call("GET", "/workspace/roles")).toMatchObject({
      status: 403,
      json: { details: { capability: "people.read" } },
    });
    expect((await openBrowser(server).call("GET", "/workspace/roles")).status).toBe(401);
  });
});
