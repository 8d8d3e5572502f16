/** What operators see of the deployment and do about it: servers, the database, checks of the books, new workspaces and platforms. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleOperations } from "../../../src/http/console/console-routes.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { type ConsoleBrowser, openBrowser, registrationOf, stepUp } from "../../kit/console.ts";
import { makeOwner, makePerson } from "../../kit/console-people.ts";
import { soon } from "../../kit/soon.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const UNKNOWN = "019a4f00-0000-7000-8000-000000000099";

let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let server: TestServer;
let workspaceId: string;
let story: Story;
/** The first owner of a deployment is its operator. */
let operator: ConsoleBrowser;
let admin: ConsoleBrowser;
/** The owner of another workspace. */
let stranger: ConsoleBrowser;

beforeAll(async () => {
  server = await startTestServer({ clock });
  ({ workspaceId } = await server.makePlatform());
  story = await openStory(server, { workspaceId });
  operator = await makeOwner(server, workspaceId);
  admin = (await makePerson(operator, ["ADMIN"])).browser;
  const other = await server.makePlatform();
  stranger = await makeOwner(server, other.workspaceId, "stranger@example.com");
});
afterAll(() => server.close());

const get = async (path: string) => {
  const answer = await operator.call("GET", path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json;
};

async function auditOf(browser: ConsoleBrowser, act: string) {
  return (await browser.call("GET", `/workspace/audit?act=${act}`)).json.data;
}

/** With ids that no object has. */
const placed = (path: string) =>
  path.replaceAll(/\{(\w+)Id\}/g, (_, name: string) => {
    const kind = name === "platform" ? "platformConfig" : name === "run" ? "verifyRun" : name;
    return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}:${UNKNOWN}`;
  });

const ofOperators = consoleOperations.filter(({ capability }) => capability?.startsWith("system."));

describe("the operations of operators", () => {
  it.each(ofOperators)(
    "$method $path is refused to everyone else",
    async ({ method, path, body }) => {
      const here = placed(path);
      for (const browser of [admin, stranger]) {
        const answer = await browser.call(method, here, body === undefined ? undefined : {});
        expect(answer).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
        expect(answer.json.details.capability).toMatch(/^system\./);
        expect(answer.json.message).toContain("Operators of the deployment");
      }
      expect((await openBrowser(server).call(method, here)).status).toBe(401);
    },
  );

  it("that change something need a passkey shown lately", async () => {
    aheadMs += 6 * 60_000;
    const changing = ofOperators.filter(
      ({ method, capability }) => method !== "GET" && capability === "system.write",
    );
    expect(changing.length).toBeGreaterThan(3);
    for (const { method, path, body } of changing) {
      const here = placed(path);
      const answer = await operator.call(method, here, body === undefined ? undefined : {});
      expect(answer).toMatchObject({
        status: 403,
        json: { details: { reason: "STEP_UP_REQUIRED" } },
      });
    }
    await stepUp(operator);
    await stepUp(stranger);
  });

  it("are in the session of an operator, for no platform", async () => {
    const { json } = await operator.call("GET", "/session");
    expect(json.capabilities).toEqual(
      expect.arrayContaining(["system.read", "system.write", "system.verifications"]),
    );
    for (const { capabilities } of json.platforms)
      expect(capabilities).not.toContain("system.read");
    const other = await stranger.call("GET", "/session");
    expect(other.json.capabilities).not.toContain("system.read");
  });
});

describe("the deployment", () => {
  it("lists every server with its figures, and a silent one as such", async () => {
    const second = await startTestServer({ clock, beside: server });
    await server.app.system.notes.note();
    await second.app.system.notes.note();
    const { data } = await get("/system/servers");
    expect(data).toHaveLength(2);
    expect(data.filter(({ isThis }: { readonly isThis: boolean }) => isThis)).toHaveLength(1);
    for (const one of data)
      expect(one).toMatchObject({ isReady: true, isSilent: false, lanes: 2, queued: 0 });
    const own = data.find(({ isThis }: { readonly isThis: boolean }) => isThis);
    expect(own.commits.count).toBeGreaterThan(0);
    expect(own.connections).toBeGreaterThan(0);
    await second.close();
    expect((await get("/system/servers")).data).toHaveLength(1);
    aheadMs += 31_000;
    expect((await get("/system/servers")).data[0].isSilent).toBe(true);
    await server.app.system.notes.note();
    expect((await get("/system/servers")).data[0].isSilent).toBe(false);
  });

  it("shows the database, its keys and its migrations", async () => {
    const found = await get("/system/database");
    expect(found.bytes).toBeGreaterThan(1_000_000);
    expect(found.startRefusals).toEqual([]);
    expect(found.migrations.length).toBeGreaterThan(60);
    expect(found.keys.masterKeyId).toBe(server.app.store.masterKeyId);
    expect(found.keys.otherMasterKeyId).toBeUndefined();
  });

  it("says for what a start would be refused", async () => {
    const { database } = server.app.store;
    const alter = (how: string) =>
      database.withClient((client) =>
        client.query(`alter table events ${how} trigger events_append_only`),
      );
    await alter("disable");
    aheadMs += 61_000;
    const broken = await get("/system/database");
    await alter("enable");
    expect(broken.startRefusals.join()).toContain("events_append_only");
    expect((await get("/system/database")).startRefusals).toEqual(broken.startRefusals);
    aheadMs += 61_000;
    expect((await get("/system/database")).startRefusals).toEqual([]);
  });

  it("counts jobs by kind", async () => {
    await story.call("POST", "/sandbox/clock/advance", { seconds: 1 });
    const { data, isComplete } = await get("/system/jobs");
    expect(isComplete).toBe(true);
    for (const one of data) expect(one.count).toBeGreaterThanOrEqual(one.due);
  });

  it("tells of a job that fails again and again, which does not hold up the sandbox clock", async () => {
    const other = await openStory(server);
    const made = await other.call("POST", "/exports", { kind: "LEDGER", format: "JSONL" });
    expect(made.status).toBe(202);
    await other.settle();
    const rename = (from: string, to: string) =>
      server.database.asSuperuser((client) =>
        client.query("update jobs set kind = $3 where platform_id = $1 and kind = $2", [
          other.platformId,
          from,
          to,
        ]),
      );
    const advance = async (seconds: number) => {
      const { status } = await other.call("POST", "/sandbox/clock/advance", { seconds });
      expect(status).toBe(200);
    };
    const failing = async () => {
      await server.app.system.notes.note();
      const { data } = await get("/system/servers");
      return data.flatMap((each: { readonly failingJobs: readonly unknown[] }) => each.failingJobs);
    };
    // Nothing runs jobs of that kind.
    await rename("drop-export", "of-old");
    await advance(7 * 86_400);
    expect(await failing()).toEqual([]);
    await soon(async () => {
      await advance(61);
      const error = expect.stringContaining("of-old");
      expect(await failing()).toMatchObject([
        { platformId: other.platformId, kind: "of-old", error },
      ]);
    });
    await rename("of-old", "drop-export");
    await advance(61);
    await soon(async () => expect(await failing()).toEqual([]));
  });

  it("lists settings without a secret", async () => {
    const { data } = await get("/system/settings");
    const names = data.map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["MASTER_KEY", "DATABASE_URL", "PORT"]));
    const text = JSON.stringify(data);
    expect(text).not.toContain("0123456789abcdef");
    expect(text).not.toMatch(/postgres(ql)?:\/\//);
  });

  it("lists workspaces and platforms by their sizes, page by page", async () => {
    const workspaces = await get("/system/workspaces?limit=100");
    const own = workspaces.data.find(({ id }: { readonly id: string }) => id.endsWith(workspaceId));
    expect(own).toMatchObject({ hasOwner: true, platforms: 2 });
    const seen: string[] = [];
    for (let query = "?limit=1"; ; ) {
      const page = await get(`/system/platforms${query}`);
      seen.push(...page.data.map(({ id }: { readonly id: string }) => id));
      if (!page.hasMore) break;
      query = `?limit=1&cursor=${encodeURIComponent(page.nextCursor)}`;
    }
    const all = await get("/system/platforms?limit=100");
    expect(seen).toEqual(all.data.map(({ id }: { readonly id: string }) => id));
    const mine = all.data.find(({ id }: { readonly id: string }) => id.endsWith(story.platformId));
    expect(mine).toMatchObject({ environment: "SANDBOX", reviewers: "WORKSPACE" });
    expect(mine.commands).toBeGreaterThan(0);
    expect((await operator.call("GET", "/system/platforms?limit=x")).status).toBe(400);
    expect((await operator.call("GET", "/system/platforms?cursor=x")).status).toBe(400);
  });
});

describe("a check of the books", () => {
  const runs = async () => (await get("/system/verify")).data;
  const ended = async () => {
    await server.app.system.verify.runOnce();
    await expect.poll(async () => (await runs())[0].state).not.toBe("RUNNING");
    return (await runs())[0];
  };

  it("is carried out once for a key, is kept, and has an audit entry", async () => {
    const first = await operator.call("POST", "/system/verify", undefined, { key: "verify-1" });
    expect(first).toMatchObject({ status: 202, json: { state: "RUNNING", done: 0 } });
    const again = await operator.call("POST", "/system/verify", undefined, { key: "verify-1" });
    expect(again.json.id).toBe(first.json.id);
    const run = await ended();
    expect(run).toMatchObject({ id: first.json.id, state: "DONE", ok: true, problems: [] });
    expect(run.done).toBeGreaterThanOrEqual(run.total);
    expect(run.counts.platforms).toBeGreaterThan(2);
    expect(run.counts.commands).toBe(run.done);
    const entries = await auditOf(operator, "start-verify");
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ target: { id: run.id }, actor: { kind: "person" } });
  });

  it("is one at a time over all servers, and goes on after a kill behind what was checked", async () => {
    const { database } = server.app.store;
    const { json: held } = await operator.call("POST", "/system/verify");
    await ended();
    // As a server leaves it that was killed behind the last platform, with another count than that of a run from the beginning.
    const change = (how: string) =>
      database.withClient((client) =>
        client.query(`update verify_runs set ${how} where id = $1`, [held.id.split(":")[1]]),
      );
    await change(
      "state = 'RUNNING', ended_at = null, leased_until = now() + interval '1 hour', " +
        "counts = jsonb_set(counts::jsonb, '{commands}', '7')::json",
    );
    expect(await operator.call("POST", "/system/verify")).toMatchObject({
      status: 409,
      json: { code: "CONFLICT", details: { runId: held.id } },
    });
    await server.app.system.verify.runOnce();
    expect((await runs())[0].state).toBe("RUNNING");
    await change("leased_until = '-infinity'");
    expect(await ended()).toMatchObject({ id: held.id, state: "DONE", counts: { commands: 7 } });
  });

  it("is cancelled while it is under way, and ends when it fails again and again", async () => {
    const { database } = server.app.store;
    const change = (how: string) =>
      database.withClient((client) =>
        client.query(
          `update verify_runs set ${how} where id = (select max(id::text)::uuid from verify_runs)`,
        ),
      );
    const { json: held } = await operator.call("POST", "/system/verify");
    await ended();
    await change("state = 'RUNNING', ended_at = null, leased_until = now() + interval '1 hour'");
    const path = `/system/verify/${held.id}/cancel`;
    expect(await operator.call("POST", path)).toMatchObject({
      status: 200,
      json: { state: "CANCELLED" },
    });
    expect(await operator.call("POST", path)).toMatchObject({
      status: 409,
      json: { details: { state: "CANCELLED" } },
    });
    expect((await auditOf(operator, "cancel-verify"))[0].target.id).toBe(held.id);
    for (const id of [
      `VerifyRun:${UNKNOWN}`,
      "VerifyRun:x",
      held.id.replace("VerifyRun", "Person"),
    ])
      expect((await operator.call("POST", `/system/verify/${id}/cancel`)).status).toBe(404);
    await change("state = 'RUNNING', ended_at = null, attempts = 5, leased_until = '-infinity'");
    expect(await ended()).toMatchObject({ state: "FAILED", failure: expect.any(String) });
  });

  it("names where something does not add up, and not what", async () => {
    const { database } = server.app.store;
    const change = (how: string) =>
      database.withClient((client) =>
        client.query(
          `update platform_heads set event_seq = event_seq ${how} where platform_id = $1`,
          [story.platformId],
        ),
      );
    await change("+ 1");
    await operator.call("POST", "/system/verify");
    const run = await ended();
    await change("- 1");
    expect(run).toMatchObject({ state: "DONE", ok: false });
    expect(run.problemCount).toBeGreaterThan(0);
    expect(run.problems[0]).toEqual({
      platformId: `PlatformConfig:${story.platformId}`,
      table: expect.any(String),
      row: expect.any(String),
    });
  });
});

describe("new tenants", () => {
  it("a workspace is made once for a key, and its first owner comes in by the link", async () => {
    const make = () =>
      operator.call("POST", "/system/workspaces", { name: "Lind Boats" }, { key: "workspace-1" });
    const made = await make();
    expect(made).toMatchObject({ status: 201, json: { name: "Lind Boats" } });
    expect((await make()).text).toBe(made.text);
    const { data } = await get("/system/workspaces?limit=100");
    expect(data.filter(({ name }: { readonly name: string }) => name === "Lind Boats")).toEqual([
      expect.objectContaining({ id: made.json.id, hasOwner: false, platforms: 0 }),
    ]);
    const owner = openBrowser(server);
    const code = made.json.startUrl.split("#")[1];
    const body = { code, name: "Lina Lind", email: "lina@example.com" };
    const options = await owner.call("POST", "/start", body);
    const passkey = registrationOf(owner, options.json);
    const opened = await owner.call("POST", "/start", { ...body, passkey });
    expect(opened).toMatchObject({ status: 200, json: { person: { isOperator: false } } });
    expect((await auditOf(operator, "create-workspace"))[0].target.id).toBe(made.json.id);
    const [own] = await auditOf(owner, "create-workspace");
    expect(own.actor.name).toBe("Olga Owner");
    expect((await operator.call("POST", "/system/workspaces", { name: " " })).status).toBe(400);
  });

  it("a platform is made in any workspace, with a token that works", async () => {
    const order = {
      workspaceId: `Workspace:${workspaceId}`,
      environment: "PRODUCTION",
      name: "live",
      umaDomain: "Live.Example",
    };
    const make = () => operator.call("POST", "/system/platforms", order, { key: "platform-1" });
    const made = await make();
    expect(made).toMatchObject({
      status: 201,
      json: { environment: "PRODUCTION", umaDomain: "live.example" },
    });
    expect((await make()).text).toBe(made.text);
    const { clientId, clientSecret, id } = made.json;
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const config = await fetch(`${server.baseUrl}/config`, { headers: { authorization } });
    expect([config.status, (await config.json()).id]).toEqual([200, id]);
    const { data } = await get("/system/platforms?limit=100");
    const listed = data.filter((one: { readonly id: string }) => one.id === id);
    expect(listed).toEqual([expect.objectContaining({ reviewers: "OPERATOR", name: "live" })]);
    const [entry] = await auditOf(operator, "create-platform");
    expect(entry.target.id).toBe(id);
    expect(JSON.stringify(entry)).not.toContain(clientSecret);
  });

  it.each([
    [{ umaDomain: "live.example" }, 409, "umaDomain"],
    [{ umaDomain: "below.live.example" }, 409, "umaDomain"],
    [{ umaDomain: "localhost" }, 400, "umaDomain"],
    [{ umaDomain: "no domain" }, 400, "umaDomain"],
    [{ workspaceId: `Workspace:${UNKNOWN}` }, 404, "workspaceId"],
    [{ workspaceId: `Person:${UNKNOWN}` }, 400, "workspaceId"],
    [{ environment: "TEST" }, 400, "environment"],
    [{ name: "" }, 400, "name"],
  ])("a platform with %j is refused with %s", async (change, status, field) => {
    const before = (await get("/system/platforms?limit=100")).data.length;
    const order = {
      workspaceId: `Workspace:${workspaceId}`,
      environment: "PRODUCTION",
      name: "other",
      umaDomain: "other.example",
      ...change,
    };
    const answer = await operator.call("POST", "/system/platforms", order);
    expect([answer.status, answer.text.includes(field)]).toEqual([status, true]);
    expect((await get("/system/platforms?limit=100")).data).toHaveLength(before);
  });

  it("an owner makes sandboxes in the own workspace, up to the most that it may have", async () => {
    const make = (umaDomain: string) =>
      stranger.call("POST", "/workspace/platforms", { name: "trial", umaDomain });
    const made = await make("trial.example");
    expect(made).toMatchObject({ status: 201, json: { environment: "SANDBOX" } });
    const { json } = await stranger.call("GET", "/session");
    expect(json.platforms.map(({ id }: { readonly id: string }) => id)).toContain(made.json.id);
    expect(made.json.workspaceId).toBe(json.workspace.id);
    expect((await make("trial.example")).status).toBe(409);
    expect((await make("sandbox.trial.example")).status).toBe(409);
    const refused = await admin.call("POST", "/workspace/platforms", {
      name: "a",
      umaDomain: "a.test",
    });
    expect(refused).toMatchObject({
      status: 403,
      json: { details: { capability: "workspace.write" } },
    });
    for (let count = json.platforms.length; count < 20; count += 1)
      expect((await make(`trial-${count}.example`)).status).toBe(201);
    expect(await make("one-too-many.example")).toMatchObject({
      status: 409,
      json: { code: "CONFLICT" },
    });
  });
});
