/** The tools of agents, called with the protocol's own client. */
import { execFile } from "node:child_process";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../../src/http/operations/routes.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { connectedAgent, decide, type StoryAgent } from "../../kit/story-agents.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
let endpoint: URL;
const open: Client[] = [];
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  endpoint = new URL("/mcp", server.baseUrl);
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
  await server.close();
});

async function clientOf({ bearer }: Pick<StoryAgent, "bearer">): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: bearer } };
  await client.connect(
    // The transport's own type leaves a member out that its interface has.
    new StreamableHTTPClientTransport(endpoint, { requestInit }) as Parameters<
      Client["connect"]
    >[0],
  );
  open.push(client);
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads results of every shape
type Result = any;

async function call(client: Client, name: string, given: object = {}): Promise<Result> {
  return client.callTool({ name, arguments: { ...given } });
}

function payment({ accountId, payeeId }: StoryAgent, amount: number) {
  return { source: { accountId }, destination: { accountId: payeeId }, amount };
}

describe("the tools", () => {
  it("are the operations of agents, each with the fields that it takes", async () => {
    const client = await clientOf(await connectedAgent(story));
    const { tools } = await client.listTools();
    const forAgents = operations.filter(({ access }) => access === "AGENT");
    expect(tools.map(({ name }) => name).sort()).toEqual(forAgents.map(({ id }) => id).sort());
    const transfer = tools.find(({ name }) => name === "agentTransferOut");
    expect(Object.keys(transfer?.inputSchema.properties ?? {})).toEqual([
      "dryRun",
      "source",
      "destination",
      "amount",
      "metadata",
      "idempotencyKey",
    ]);
    expect(transfer?.inputSchema.required).toEqual(["source", "destination", "amount"]);
    const execute = tools.find(({ name }) => name === "agentExecuteQuote");
    expect(execute?.inputSchema.required).toEqual(["quoteId"]);
    expect(execute?.inputSchema.properties).toHaveProperty("serviceWalletSignature");
    expect(JSON.stringify(tools)).not.toMatch(/"x-|\$id/);
    const strict = new Ajv2020({ strict: true, validateFormats: false });
    for (const { inputSchema } of tools) expect(strict.compile(inputSchema)).toBeTypeOf("function");
  });
});

describe("a call", () => {
  it("does what the operation does", async () => {
    const agent = await connectedAgent(story);
    const client = await clientOf(agent);
    const me = await call(client, "agentMe");
    expect(me.structuredContent).toEqual((await agent.call("GET", "")).json);
    const paid = await call(client, "agentTransferOut", payment(agent, 700));
    expect(paid.isError).toBeUndefined();
    expect(paid.structuredContent).toMatchObject({ status: "APPROVED", type: "TRANSFER_OUT" });
    const actionId = paid.structuredContent.id;
    const read = await call(client, "agentGetAction", { actionId });
    expect(JSON.parse(read.content[0].text)).toMatchObject({ id: actionId });
    const list = await call(client, "agentListActions", { status: "APPROVED", limit: 1 });
    expect(list.structuredContent.totalCount).toBe(1);
    const removed = await call(client, "agentDeleteExternalAccount", {
      externalAccountId: agent.payeeId,
    });
    expect(removed.content).toEqual([{ type: "text", text: "Done." }]);
  });

  it("that needs approval returns that, with the action's id", async () => {
    const agent = await connectedAgent(story, {
      policy: { approvalThresholds: { currency: "USD", amount: 500 } },
    });
    const client = await clientOf(agent);
    const waiting = await call(client, "agentTransferOut", payment(agent, 501));
    const { id, status } = waiting.structuredContent;
    expect(status).toBe("PENDING_APPROVAL");
    expect(waiting.content[0].text).toContain(id);
    expect(waiting.content[0].text).toMatch(/waited for the platform's approval/);
    await decide(story, { agentId: agent.agentId, id }, { word: "approve" });
    const read = await call(client, "agentGetAction", { actionId: id });
    expect(read.structuredContent.status).toBe("APPROVED");
  });

  it("runs a quote from asking to paying", async () => {
    const agent = await connectedAgent(story);
    const client = await clientOf(agent);
    const { id: quoteId } = (await agent.quote(1_000)).json;
    expect((await call(client, "agentGetQuote", { quoteId })).structuredContent.id).toBe(quoteId);
    const done = await call(client, "agentExecuteQuote", { quoteId });
    expect(done.structuredContent).toMatchObject({ type: "EXECUTE_QUOTE", status: "APPROVED" });
  });

  it("under one key is done once", async () => {
    const agent = await connectedAgent(story);
    const client = await clientOf(agent);
    const given = { ...payment(agent, 10), idempotencyKey: "bill-7" };
    const [first, second] = [
      await call(client, "agentTransferOut", given),
      await call(client, "agentTransferOut", given),
    ];
    expect(second.content).toEqual(first.content);
    expect((await agent.call("GET", "/actions")).json.totalCount).toBe(1);
  });

  it("that is refused says why, and the agent may go on", async () => {
    const agent = await connectedAgent(story);
    const client = await clientOf(agent);
    const above = await call(client, "agentTransferOut", payment(agent, 100_001));
    expect(above.isError).toBe(true);
    expect(above.structuredContent.details.rule).toBe("PER_TRANSACTION_LIMIT");
    const empty = await call(client, "agentTransferOut", {});
    expect(empty.structuredContent.details.errors.map((one: Result) => one.field)).toEqual([
      "source",
      "destination",
      "amount",
    ]);
    const many = await call(client, "agentListActions", { limit: 1_000 });
    expect(many.structuredContent.details.errors[0].field).toBe("limit");
    for (const [tool, given, fault] of [
      ["agentGetAction", {}, "actionId is missing"],
      ["agentGetAction", { actionId: "" }, "actionId is missing"],
      ["agentGetAction", { actionId: 7 }, "actionId must be text"],
      ["agentTransferOut", { idempotencyKey: null }, "idempotencyKey must be text"],
      [
        "agentExecuteQuote",
        { quoteId: "q", serviceWalletSignature: null },
        "serviceWalletSignature must be text",
      ],
      ["agentGetAction", { actionId: ".." }, "actionId is not an id"],
      ["agentExecuteQuote", { quoteId: "." }, "quoteId is not an id"],
      ["agentListInternalAccounts", { currency: null }, "currency must be text"],
      ["agentListTransactions", { reference: 123 }, "reference must be text"],
      ["agentListActions", { limit: "2" }, "limit must be a number"],
    ] as const) {
      const reported = (await call(client, tool, given)).content[0].text;
      expect(reported).toBe(`The arguments do not fit: ${fault}.`);
    }
    for (const actionId of ["../../../config", "AgentAction:x", "x/approve", "%2e%2e"]) {
      expect((await call(client, "agentGetAction", { actionId })).isError).toBe(true);
    }
    const key = await call(client, "agentTransferOut", {
      ...payment(agent, 1),
      idempotencyKey: "a\r\nb",
    });
    expect(key.structuredContent.details.errors[0].field).toBe("Idempotency-Key");
    expect((await call(client, "createToken", { name: "x" })).isError).toBe(true);
    expect((await call(client, "agentTransferOut", payment(agent, 1))).isError).toBeUndefined();
  });
});

describe("the door", () => {
  const send = (body: string, headers: Readonly<Record<string, string>>, method = "POST") =>
    fetch(endpoint, { method, headers, ...(method === "POST" ? { body } : {}) });
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const accept = "application/json, text/event-stream";

  it("is closed to everybody but agents", async () => {
    const agent = await connectedAgent(story);
    const headers = { "content-type": "application/json", accept };
    const wrong = [
      {},
      { authorization: story.authorization },
      { authorization: `${agent.bearer}0` },
    ];
    for (const credentials of wrong) {
      const answer = await send(ping, { ...headers, ...credentials });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="florin"');
    }
    const right = await send(ping, { ...headers, authorization: agent.bearer });
    expect(await right.json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    await story.call("DELETE", `/agents/${agent.agentId}`);
    expect((await send(ping, { ...headers, authorization: agent.bearer })).status).toBe(401);
  });

  it("refuses pages of other sites, also after DNS rebinding", async () => {
    const agent = await connectedAgent(story);
    const headers = { "content-type": "application/json", accept, authorization: agent.bearer };
    const { host, port } = endpoint;
    const statusFor = async (origin: string, more = {}) =>
      (await send(ping, { ...headers, ...more, origin })).status;
    for (const origin of [`http://${host}`, `http://localhost:${port}`, "http://localhost:5173"]) {
      expect([origin, await statusFor(origin)]).toEqual([origin, 200]);
    }
    const evil = `http://evil.test:${port}`;
    for (const origin of [evil, "https://pay.example", "null", "", `http://${host}, ${evil}`]) {
      expect([origin, await statusFor(origin)]).toEqual([origin, 403]);
    }
    const rebound = await postAs(`evil.test:${port}`, { ...headers, origin: evil });
    expect(rebound.status).toBe(403);
    expect(JSON.parse(rebound.text)).toMatchObject({
      code: "FORBIDDEN",
      details: { header: "Origin" },
    });
    expect(await statusFor(evil, { authorization: "Bearer nobody" })).toBe(403);
  });

  /** `fetch` lets nobody choose the host. */
  function postAs(host: string, headers: Readonly<Record<string, string>>) {
    return new Promise<{ readonly status: number | undefined; readonly text: string }>(
      (resolve, reject) => {
        const sent = request(endpoint, { method: "POST", headers: { ...headers, host } });
        sent.on("error", reject).on("response", (answer) => {
          text(answer).then((read) => resolve({ status: answer.statusCode, text: read }), reject);
        });
        sent.end(ping);
      },
    );
  }

  it("answers a message with params of another method that the params are invalid", async () => {
    const { bearer: authorization } = await connectedAgent(story);
    const headers = { "content-type": "application/json", accept, authorization };
    for (const [method, params] of [
      ["tools/call", undefined],
      ["tools/call", { name: 5 }],
      ["tools/call", { name: "agentMe", arguments: [] }],
      ["initialize", {}],
    ] as const) {
      const answer = await send(JSON.stringify({ jsonrpc: "2.0", id: 3, method, params }), headers);
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { jsonrpc: "2.0", id: 3, error: { code: -32602 } },
      ]);
    }
    const unknown = JSON.stringify({ jsonrpc: "2.0", id: 3, method: "constructor" });
    expect(await (await send(unknown, headers)).json()).toMatchObject({ error: { code: -32601 } });
  });

  it.each(["1e2", "100.0", "100.00000000000000001"])(
    "takes no amount spelled %s",
    async (spelling) => {
      const agent = await connectedAgent(story);
      const headers = {
        "content-type": "application/json",
        accept,
        authorization: agent.bearer,
      };
      const { amount: _, ...given } = payment(agent, 1);
      const params = JSON.stringify({ name: "agentTransferOut", arguments: given });
      const spelled = params.replace('"destination"', `"amount":${spelling},"destination"`);
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${spelled}}`;
      const { result } = (await (await send(body, headers)).json()) as Result;
      expect(result.isError).toBe(true);
      expect(result.structuredContent.code).toBe("INVALID_AMOUNT");
    },
  );

  it("accepts one JSON message per request, by POST", async () => {
    const { bearer: authorization } = await connectedAgent(story);
    const headers = { "content-type": "application/json", accept, authorization };
    const statuses = async (bodies: readonly string[]) =>
      Promise.all(bodies.map(async (body) => (await send(body, headers)).status));
    const bad = ["", "{", "null", "7", `[${ping}]`, "{}", '{"jsonrpc":"1.0"}', "[".repeat(5_000)];
    for (const status of await statuses(bad)) expect(status).toBe(400);
    expect(await statuses([`{"a":"${"x".repeat(300_000)}"}`])).toEqual([413]);
    expect((await send(ping, { ...headers, "content-type": "text/plain" })).status).toBe(415);
    expect((await send(ping, { ...headers, accept: "text/html" })).status).toBe(406);
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await send("", headers, method);
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
  });

  it("answers an agent that exceeds its rate with a Retry-After, before any tool is called", async () => {
    const settings = { RATE_LIMIT_PER_SECOND: "1" };
    const slow = await startTestServer({ beside: server, settings });
    try {
      const { bearer: authorization } = await connectedAgent(story);
      const headers = { "content-type": "application/json", accept, authorization };
      const init = { method: "POST", headers, body: ping };
      const ask = () => fetch(new URL("/mcp", slow.baseUrl), init);
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      const refused = answers.find(({ status }) => status !== 200);
      expect([refused?.status, refused?.headers.get("retry-after")]).toEqual([429, "1"]);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
    } finally {
      await slow.close();
    }
  });
});

describe("the example", () => {
  it("runs", async () => {
    const script = fileURLToPath(
      new URL("../../../../../examples/mcp/pay-a-bill.mjs", import.meta.url),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [script], {
      env: {
        ...process.env,
        FLORIN_URL: new URL(server.baseUrl).origin,
        CLIENT_ID: story.clientId,
        CLIENT_SECRET: story.clientSecret,
      },
    });
    expect(stdout).toMatch(/small bill: APPROVED/);
    expect(stdout).toMatch(/large bill: PENDING_APPROVAL/);
    expect(stdout).toMatch(/after approval: APPROVED/);
  });
});
