/** What the log says about calls: which one, how it ended, who asked; never what was in it. */
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { basic } from "../../kit/basic.ts";
import { type LogLine, recordingLog } from "../../kit/http-shell.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const CANARIES = ["Canary Person", "987654321", "4711000815", "canary-note", "canary-secret"];

let server: TestServer;
let story: Story;
const lines: LogLine[] = [];

beforeAll(async () => {
  const log = recordingLog(lines);
  server = await startTestServer({ log, settings: { LOG_REQUESTS: "all" } });
  story = await openStory(server);
});
beforeEach(() => lines.splice(0));
afterAll(() => server.close());

const lineOf = (requestId: string | null) => lines.filter((line) => line.requestId === requestId);

it("a refused call is found by its request id, with its code and the token that asked", async () => {
  const headers = { "x-request-id": "canary-request-1" };
  await story.call("GET", "/customers/Customer:nobody", undefined, { headers });
  expect(lineOf("canary-request-1")).toEqual([
    {
      requestId: "canary-request-1",
      operationId: "getCustomer",
      status: 404,
      code: "USER_NOT_FOUND",
      platformId: story.platformId,
      level: "info",
      message: "a call was refused",
      tokenId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      durationMs: expect.any(Number),
    },
  ]);
});

it("a call without valid credentials, an unknown path and what is not HTTP have a line without a token", async () => {
  const authorization = basic("stranger", "canary-secret");
  const refused = await story.call("GET", "/config", undefined, { authorization });
  expect(lineOf(refused.headers.get("x-request-id"))).toMatchObject([
    { operationId: "getConfig", status: 401, code: "UNAUTHORIZED" },
  ]);
  const unknown = await fetch(`${server.baseUrl}/canary-secret`);
  expect(lineOf(unknown.headers.get("x-request-id"))).toMatchObject([
    { operationId: "unrouted", status: 404, code: "NOT_FOUND" },
  ]);
  const garbled = await answerTo("canary-secret\r\n\r\n");
  const [, id = ""] = /X-Request-Id: (\S+)/.exec(garbled) ?? [];
  expect(lineOf(id)).toMatchObject([{ status: 400, code: "INVALID_REQUEST_FORMAT" }]);
  for (const line of lines) expect(line).not.toHaveProperty("tokenId");
  refuseCanaries();
});

it("no body, name, amount, note or secret is in any line", async () => {
  const customer = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Canary Person",
    currencies: ["USD"],
  });
  expect(customer.status).toBe(201);
  await story.call("POST", "/customers", { customerType: "canary-note", fullName: 987_654_321 });
  const accounts = await story.call("GET", "/customers/internal-accounts?currency=USD");
  const { id } = accounts.json.data[0];
  const funded = `/sandbox/internal-accounts/${id}/fund`;
  await story.call("POST", funded, { amount: 987_654_321 });
  await story.call("POST", "/customers/external-accounts", {
    customerId: customer.json.id,
    currency: "USD",
    accountInfo: { accountType: "USD_ACCOUNT", accountNumber: "4711000815", routingNumber: "x" },
  });
  await story.call("POST", "/transfer-out", {
    source: { accountId: id },
    destination: { accountId: "ExternalAccount:canary-note" },
    amount: 987_654_321,
  });
  await fetch(`${server.baseUrl}/customers?fullName=Canary%20Person&x=canary-note`, {
    headers: { authorization: story.authorization },
  });
  expect(lines.length).toBeGreaterThan(6);
  refuseCanaries();
});

it("each call has one line, also when it succeeds", async () => {
  const answer = await story.call("GET", "/config");
  expect(lineOf(answer.headers.get("x-request-id"))).toMatchObject([
    { operationId: "getConfig", status: 200, message: "a call was answered" },
  ]);
  expect(lines).toHaveLength(1);
});

function refuseCanaries(): void {
  const text = JSON.stringify(lines);
  for (const canary of CANARIES) expect(text).not.toContain(canary);
}

function answerTo(bytes: string): Promise<string> {
  const { port } = new URL(server.baseUrl);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    socket.on("close", () => resolve(text));
  });
}
