/** The request log over HTTP: what is kept of a call, who may read it, filters, pages, limits. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic } from "../../kit/basic.ts";
import { makeOwner } from "../../kit/console-people.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;

beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
});
afterAll(() => server.close());

const written = (on: TestServer = server) => on.app.requestLog?.flush();

async function list(query: string, of: Story = story) {
  await written(of.server);
  return of.call("GET", `/request-logs?${query}`);
}

async function tokenWith(permissions: readonly string[]): Promise<string> {
  const { json } = await story.call("POST", "/tokens", { name: "reader", permissions });
  return basic(json.clientId, json.clientSecret);
}

it("has a call with its times, sizes, caller, address and answer", async () => {
  const body = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] };
  const options = { key: "key-of-ana", headers: { "x-request-id": "request-of-ana" } };
  const answer = await story.call("POST", "/customers", body, options);
  const { json } = await list("requestId=request-of-ana");
  expect(json).toEqual({
    data: [
      {
        id: expect.stringMatching(/^RequestLog:/),
        createdAt: expect.any(String),
        method: "POST",
        path: "/customers",
        operationId: "createCustomer",
        status: 201,
        durationMs: expect.any(Number),
        requestBytes: JSON.stringify(body).length,
        responseBytes: answer.text.length,
        tokenId: expect.stringMatching(/^Token:/),
        address: "127.0.0.1",
        requestId: "request-of-ana",
        replayed: false,
        sampledOneIn: 1,
      },
    ],
    hasMore: false,
  });
  const detail = await story.call("GET", `/request-logs/${json.data[0].id}`);
  expect(detail.json).toMatchObject({
    ...json.data[0],
    idempotencyKey: "key-of-ana",
    headers: { "content-type": "application/json" },
    requestBody: { ...body, fullName: "A. R." },
    responseBody: { id: answer.json.id, fullName: "A. R." },
  });
  expect(detail.json.headers).not.toHaveProperty("authorization");
});

it("shows parameters and bodies to tokens with MANAGE alone", async () => {
  await story.call(
    "POST",
    "/transfers",
    { amount: 1 },
    { headers: { "x-request-id": "r-bodies" } },
  );
  const { json } = await list("requestId=r-bodies");
  const path = `/request-logs/${json.data[0].id}`;
  const authorization = await tokenWith(["VIEW"]);
  const viewed = await story.call("GET", path, undefined, { authorization });
  expect(viewed.status).toBe(200);
  expect(viewed.json.headers["content-type"]).toBe("application/json");
  for (const name of ["query", "requestBody", "responseBody"]) {
    expect(viewed.json).not.toHaveProperty(name);
  }
  const managing = await tokenWith(["VIEW", "MANAGE"]);
  const managed = await story.call("GET", path, undefined, { authorization: managing });
  expect(managed.json).toMatchObject({ requestBody: { amount: 1 }, responseBody: { status: 400 } });
  const blind = await tokenWith(["TRANSACT"]);
  const refused = await story.call("GET", path, undefined, { authorization: blind });
  expect(refused.json).toMatchObject({ status: 403, code: "FORBIDDEN" });
});

it("keeps no body of a read, of a form, and none beyond 16 kB", async () => {
  const named = (id: string) => ({ headers: { "x-request-id": id } });
  await story.call("GET", "/customers?limit=3", undefined, named("r-read"));
  await story.call("POST", "/customers", { fullName: "x".repeat(16_400) }, named("r-long"));
  await story.call("POST", "/customers/bulk/csv", new FormData(), named("r-form"));
  const bodies = async (id: string) => {
    const { json } = await list(`requestId=${id}`);
    const detail = await story.call("GET", `/request-logs/${json.data[0].id}`);
    return [detail.json.query, detail.json.requestBody, typeof detail.json.responseBody];
  };
  expect(await bodies("r-read")).toMatchObject([{ limit: 3 }, undefined, "undefined"]);
  expect(await bodies("r-long")).toEqual([undefined, "[omitted]", "object"]);
  expect(await bodies("r-form")).toEqual([undefined, "[omitted]", "object"]);
});

it("names the agent of an agent's call, and has no call without credentials", async () => {
  const { agentId, bearer } = await connectedAgent(story, { funds: 0 });
  const options = { authorization: bearer, headers: { "x-request-id": "r-agent" } };
  await story.call("GET", "/agents/me", undefined, options);
  const { json } = await list("requestId=r-agent");
  expect(json.data).toMatchObject([{ agentId, operationId: "agentMe" }]);
  expect(json.data[0]).not.toHaveProperty("tokenId");
  const headers = { "x-request-id": "r-stranger" };
  const unknown = basic("0".repeat(32), "nothing");
  await story.call("GET", "/config", undefined, { authorization: unknown, headers });
  expect((await list("requestId=r-stranger")).json.data).toEqual([]);
  const { rows } = await server.database.asSuperuser((client) =>
    client.query("select 1 from request_logs where request_id = 'r-stranger'"),
  );
  expect(rows).toEqual([]);
});

describe("each filter", () => {
  let own: Story;
  let accountId: string;
  beforeAll(async () => {
    own = await openStory(server);
    ({ accountId } = await fundedCustomer(own, 0));
    const fund = `/sandbox/internal-accounts/${accountId}/fund`;
    await own.call("POST", fund, { amount: 5 }, { key: "key-1" });
    await own.call("POST", fund, { amount: 5 }, { key: "key-1" });
    await own.call("POST", fund, { amount: -1 }, { headers: { "x-request-id": "r-1" } });
    await own.call("GET", "/config");
  });

  it.each([
    ["method=GET", ["getConfig", "listCustomerInternalAccounts"]],
    ["path=/config", ["getConfig"]],
    ["operationId=createCustomer", ["createCustomer"]],
    ["status=400", ["fundInternalAccount"]],
    ["status=201", ["createCustomer"]],
    ["statusClass=4xx", ["fundInternalAccount"]],
    ["statusClass=5xx", []],
    ["errorCode=INVALID_AMOUNT", ["fundInternalAccount"]],
    ["errorCode=CONFLICT", []],
    ["idempotencyKey=key-1", ["fundInternalAccount", "fundInternalAccount"]],
    ["idempotencyKey=key-2", []],
    ["requestId=r-1", ["fundInternalAccount"]],
    ["replayed=true", ["fundInternalAccount"]],
    ["minLatencyMs=600000", []],
    ["since=2100-01-01T00:00:00Z", []],
    ["until=2000-01-01T00:00:00Z", []],
  ])("%s", async (query, operationIds) => {
    // The reads of the log are in it as well.
    const { json } = await list(query, own);
    const found = json.data
      .map(({ operationId }: { operationId: string }) => operationId)
      .filter((id: string) => id !== "listRequestLogs");
    expect(found).toEqual(operationIds);
  });

  it("resourceId and tokenId", async () => {
    expect((await list(`resourceId=${accountId}`, own)).json.data).toHaveLength(3);
    const { json } = await list("operationId=getConfig", own);
    const { tokenId } = json.data[0];
    expect((await list(`tokenId=${tokenId}&operationId=getConfig`, own)).json.data).toHaveLength(1);
    const wrong = await list("resourceId=canary", own);
    expect(wrong.json).toMatchObject({ status: 400, code: "INVALID_INPUT" });
  });

  it("pages by a cursor, newest first, which no other list takes", async () => {
    const first = await list("limit=2&method=POST", own);
    expect(first.json).toMatchObject({ hasMore: true, data: [{ requestId: "r-1" }, {}] });
    const cursor = encodeURIComponent(first.json.nextCursor);
    const second = await list(`limit=2&method=POST&cursor=${cursor}`, own);
    expect(second.json).toMatchObject({ hasMore: false, data: [{}, { path: "/customers" }] });
    const foreign = await list(`limit=2&method=GET&cursor=${cursor}`, own);
    expect(foreign.json).toMatchObject({ status: 400, code: "INVALID_INPUT" });
  });

  it("another platform finds none of it, neither by a filter nor by its id", async () => {
    const { json } = await list("requestId=r-1", own);
    const { id } = json.data[0];
    const foreign = await story.call("GET", `/request-logs/${id}`);
    expect(foreign.json).toMatchObject({ status: 404, code: "REQUEST_LOG_NOT_FOUND" });
    for (const query of ["requestId=r-1", `resourceId=${accountId}`, "idempotencyKey=key-1"]) {
      expect((await list(query)).json).toEqual({ data: [], hasMore: false });
    }
  });
});

describe("calls in the console", () => {
  let own: Story;
  beforeAll(async () => {
    const { workspaceId } = await server.makePlatform();
    own = await openStory(server, { workspaceId });
    const owner = await makeOwner(server, workspaceId);
    const at = owner.at(own.platformId);
    await at("GET", "/customers");
    const customer = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz" };
    expect((await at("POST", "/customers", customer)).status).toBe(201);
    await own.call("GET", "/config");
  });

  it.each([
    ["", ["getConfig", "createCustomer"]],
    ["source=API", ["getConfig"]],
    ["source=CONSOLE", ["createCustomer", "listCustomers"]],
    ["source=CONSOLE&method=GET", ["listCustomers"]],
  ])("by %j", async (query, operationIds) => {
    const { json } = await list(query, own);
    const ids = json.data.map(({ operationId }: { operationId: string }) => operationId);
    expect(ids.filter((id: string) => id !== "listRequestLogs")).toEqual(operationIds);
  });

  it("names the person, and refuses another source", async () => {
    const { json } = await list("source=CONSOLE", own);
    expect(json.data[0]).toMatchObject({ personId: expect.stringMatching(/^Person:/) });
    expect((await list("source=BROWSER", own)).json).toMatchObject({ code: "INVALID_INPUT" });
  });
});

it("keeps the calls of a server that stops", async () => {
  const other = await startTestServer({ beside: server });
  const there = await openStory(other, { umaDomain: "kept.test" });
  await there.call("GET", "/config");
  await other.close();
  const call = () =>
    story.call("GET", "/request-logs?operationId=getConfig", undefined, {
      authorization: there.authorization,
    });
  expect((await call()).json.data).toHaveLength(1);
});

it("writes nothing when it is switched off", async () => {
  const off = await startTestServer({ settings: { REQUEST_LOG_DAYS: "0" } });
  const there = await openStory(off);
  await there.call("GET", "/config");
  expect(off.app.requestLog).toBeUndefined();
  expect((await there.call("GET", "/request-logs")).json).toEqual({ data: [], hasMore: false });
  await off.close();
});
