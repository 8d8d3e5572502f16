/** The audit log: one entry for each act of a person, and for those acts of tokens that change configuration. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyPlatforms } from "../../../src/audit/verify-platform.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { type ConsoleBrowser, NOT_VERIFIED, signIn } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let workspaceId: string;
let story: Story;
let owner: ConsoleBrowser;
let ownerId: string;

beforeAll(async () => {
  server = await startTestServer({ clock: systemClock });
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId, name: "Audited" });
  owner = await makeOwner(server, workspaceId);
  ownerId = (await owner.call("GET", "/me")).json.id;
});
afterAll(() => server.close());

interface Entry {
  readonly seq: number;
  readonly act: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name?: string };
  readonly target?: { readonly id: string; readonly label?: string };
  readonly reason?: string;
  readonly changes: readonly {
    readonly field: string;
    readonly before: unknown;
    readonly after: unknown;
  }[];
  readonly source?: {
    readonly address: string;
    readonly userAgent: string;
    readonly sessionId?: string;
  };
  readonly requestId?: string;
}

async function entriesOf(query = ""): Promise<readonly Entry[]> {
  const listed = await story.call("GET", `/audit-entries?limit=100${query}`);
  expect(listed.status).toBe(200);
  return listed.json.data;
}

/** The entries that this work adds, oldest first. */
async function during(work: () => Promise<unknown>): Promise<readonly Entry[]> {
  const last = (await entriesOf())[0]?.seq ?? 0;
  await work();
  return (await entriesOf()).filter(({ seq }) => seq > last).toReversed();
}

describe("an act of a token", () => {
  it("that creates the platform is the operator's", async () => {
    const all = await entriesOf();
    expect(all.at(-1)).toMatchObject({
      act: "create-platform",
      actor: { kind: "operator", id: "bootstrap" },
      target: { id: `PlatformConfig:${story.platformId}`, label: "Audited" },
    });
  });

  it("that changes configuration has one entry, with what changed", async () => {
    const headers = { "user-agent": "acme/1", "x-request-id": "change-1" };
    const entries = await during(async () => {
      await story.call("PATCH", "/config", { statementTimeZone: "Europe/Madrid" }, { headers });
    });
    expect(entries).toMatchObject([
      {
        act: "update-config",
        actor: { kind: "token", name: "first token" },
        target: { id: `PlatformConfig:${story.platformId}` },
        changes: [{ field: "statementTimeZone", before: "UTC", after: "Europe/Madrid" }],
        source: { address: "127.0.0.1", userAgent: "acme/1" },
        requestId: "change-1",
      },
    ]);
  });

  it("about tokens, webhooks, freezes and agents has one; a payment and a refusal have none", async () => {
    const { customerId, accountId } = await fundedCustomer(story);
    const acts = await during(async () => {
      const { json: token } = await story.call("POST", "/tokens", {
        name: "t",
        permissions: ["VIEW"],
      });
      await story.call("DELETE", `/tokens/${token.id}`);
      await story.call("DELETE", "/tokens/Token:019a4f00-0000-7000-8000-000000000099");
      await story.call("POST", `/customers/${customerId}/freeze`, {
        reason: "SUSPECTED_FRAUD",
        note: "two cards",
      });
      await story.call("POST", `/customers/${customerId}/unfreeze`);
      await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100 });
      await story.call("POST", "/customers", {
        customerType: "INDIVIDUAL",
        fullName: "B",
        currencies: ["USD"],
      });
    });
    expect(acts.map(({ act }) => act)).toEqual([
      "create-token",
      "delete-token",
      "freeze-customer",
      "unfreeze-customer",
    ]);
    expect(acts[2]).toMatchObject({ target: { id: customerId }, reason: "SUSPECTED_FRAUD" });
    expect(acts[0]?.changes.map(({ field }) => field)).not.toContain("secretHash");
  });
});

describe("an act of a person", () => {
  it("at a platform has one entry, payments included, and none when it is repeated under a key", async () => {
    const { accountId } = await fundedCustomer(story);
    const at = owner.at(story.platformId);
    const path = `/sandbox/internal-accounts/${accountId}/fund`;
    const entries = await during(async () => {
      await at("POST", path, { amount: 5 }, { key: "once" });
      await at("POST", path, { amount: 5 }, { key: "once" });
      await at("POST", path, { amount: 0 });
    });
    expect(entries).toMatchObject([
      {
        act: "fund-internal-account",
        actor: { kind: "person", id: ownerId, name: "Olga Owner" },
        target: { id: accountId },
        source: { sessionId: expect.stringMatching(/^PersonSession:/) },
      },
    ]);
  });

  it("that reads bodies of logged calls, or a document, has one", async () => {
    const at = owner.at(story.platformId);
    const logged = await at("GET", "/request-logs?limit=1");
    const [call] = logged.json.data;
    const entries = await during(async () => {
      if (call !== undefined) await at("GET", `/request-logs/${call.id}`);
      await at("GET", "/documents/Document:019a4f00-0000-7000-8000-000000000099");
    });
    expect(entries.map(({ act }) => act)).toContain("getDocument");
  });

  it("about people is in the log of the workspace, with what changed", async () => {
    const person = await makePerson(owner, ["SUPPORT"]);
    const at = `/workspace/people/${person.id}`;
    await owner.call("PATCH", at, { isSuspended: true, reason: "left the team" });
    const listed = await owner.call("GET", `/workspace/audit?targetId=${person.id}`);
    const [change] = listed.json.data;
    expect(change).toMatchObject({
      act: "change-person",
      actor: { kind: "person", id: ownerId },
      reason: "left the team",
    });
    expect(change.changes[0]).toEqual({ field: "state", before: "ACTIVE", after: "SUSPENDED" });
    const acts = (await owner.call("GET", "/workspace/audit?limit=100")).json.data.map(
      ({ act }: Entry) => act,
    );
    expect(acts).toEqual(
      expect.arrayContaining([
        "invite-person",
        "accept-link",
        "claim-start",
        "issue-start-link",
        "create-workspace",
      ]),
    );
  });

  it("that signs in has one, good or bad", async () => {
    await signIn(owner, NOT_VERIFIED);
    await signIn(owner);
    await signIn(owner, { counter: 1 });
    await signIn(owner);
    const { json } = await owner.call("GET", `/workspace/audit?actorId=${ownerId}&limit=4`);
    expect(json.data.map(({ act }: Entry) => act)).toEqual([
      "sign-in",
      "passkey-counter-went-back",
      "sign-in",
      "sign-in-refused",
    ]);
    expect(JSON.stringify(json)).not.toContain("secretHash");
  });
});

describe("the list", () => {
  it("is filtered by actor, act, target and time, and paged", async () => {
    const all = await entriesOf();
    const acts = await entriesOf("&act=create-token");
    expect(acts.length).toBeGreaterThan(0);
    expect(acts.every(({ act }) => act === "create-token")).toBe(true);
    const mine = await entriesOf(`&actorId=${ownerId}`);
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.every(({ actor }) => actor.id === ownerId)).toBe(true);
    const first = all.at(-1) as Entry & { readonly at: string };
    const early = await entriesOf(`&until=${first.at}`);
    expect(early.at(-1)?.seq).toBe(first.seq);
    expect(await entriesOf("&since=2100-01-01T00:00:00Z")).toEqual([]);
    const page = await story.call("GET", "/audit-entries?limit=2");
    const next = await story.call("GET", `/audit-entries?limit=2&cursor=${page.json.nextCursor}`);
    expect([...page.json.data, ...next.json.data].map(({ seq }) => seq)).toEqual(
      all.slice(0, 4).map(({ seq }) => seq),
    );
  });

  it("names people to a platform's tokens", async () => {
    const { json } = await story.call("GET", "/people");
    expect(json.data).toEqual(
      expect.arrayContaining([{ id: ownerId, name: "Olga Owner", state: "ACTIVE" }]),
    );
    expect(JSON.stringify(json)).not.toContain("@");
  });
});

describe("an entry", () => {
  it("cannot be changed or deleted, and a change behind our back is found", async () => {
    const { database } = server.app.store;
    await database.withClient(async (client) => {
      await expect(client.query("update audit_entries set act = 'x'")).rejects.toThrow();
      await expect(client.query("delete from audit_entries")).rejects.toThrow();
    });
    const verify = () => database.withClient((client) => verifyPlatforms({ client }));
    expect((await verify()).ok).toBe(true);
    await server.database.asSuperuser(async (client) => {
      await client.query("set session_replication_role = replica");
      await client.query("create table kept_entries as table audit_entries");
      for (const change of [
        "update audit_entries set reason = 'another' where act = 'change-person'",
        "update audit_entries set changes = '[]' where act = 'update-config'",
        "delete from audit_entries where act = 'sign-in'",
        "update audit_entries set command_seq = command_seq + 100000 where act = 'create-token'",
      ]) {
        await client.query(change);
        const report = await verify();
        expect([change, report.ok]).toEqual([change, false]);
        expect(report.problems[0]?.row).toMatch(/command \d+/);
        await client.query("truncate audit_entries");
        await client.query("insert into audit_entries select * from kept_entries");
      }
      await client.query("drop table kept_entries");
    });
    expect((await verify()).ok).toBe(true);
  });
});
