/** A server that is told to stop: all of it within ten seconds, whatever is under way, and nothing acknowledged is lost. */
import { connect } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { OtpMail, OtpMailer } from "../../../src/domain/wallets/credentials/otp-mail.port.ts";
import { systemClock } from "../../../src/std/clock.ts";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { soon } from "../../kit/soon.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { connectedAgent } from "../../kit/story-agents.ts";
import { newWallet } from "../../kit/story-wallets.ts";
import { openReceiver } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const STOP_LIMIT_MS = 10_000;

let clock: ManualClock;
let server: TestServer;
let story: Story;
const mails: OtpMail[] = [];
beforeEach(async () => {
  clock = createManualClock(systemClock.now());
  const mailer: OtpMailer = {
    canSend: true,
    isAddress: () => true,
    send(mail: OtpMail) {
      mails.push(mail);
      return new Promise<never>(() => undefined);
    },
  };
  server = await startTestServer({ clock, wallets: { mailer } });
  story = await openStory(server);
});
afterEach(async () => {
  await server.database.drop();
  await endReceivers();
});

/** A request whose body is still to come. */
async function begunRequest(
  path: string,
  body: string,
  { authorization = story.authorization, accept = "*/*" } = {},
) {
  const { port } = server.app.address;
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: florin\r\nAuthorization: ${authorization}\r\n` +
      `Accept: ${accept}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await soon(() => expect(answer).toContain("100 Continue"));
  return { send: () => socket.write(body), answer: () => answer };
}

async function toldTo(status: "silence" | 200) {
  const receiver = await openReceiver(story, () => status);
  const set = await story.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  expect(set.status).toBe(200);
  return receiver;
}

it("ends in time when requests, deliveries and jobs do not", async () => {
  const receiver = await toldTo("silence");
  await fundedCustomer(story);
  await soon(() => expect(receiver.deliveries).not.toEqual([]));
  const production = await openStory(server, { environment: "PRODUCTION" });
  const { accountId } = await newWallet(production);
  const credential = { type: "EMAIL_OTP", accountId, email: "ana@example.com" };
  expect((await production.call("POST", "/auth/credentials", credential)).status).toBe(201);
  await soon(() => expect(mails).toHaveLength(1));
  await begunRequest("/2025-10-13/customers", "{}");
  let isClosed = false;
  const closed = server.app.close().then(() => {
    isClosed = true;
  });
  for (let passedMs = 0; passedMs < STOP_LIMIT_MS && !isClosed; passedMs += 100) {
    await clock.advance(100);
  }
  await soon(() => expect(isClosed).toBe(true));
  await closed;
});

it("answers the earlier requests, and neither starts nor announces new work", async () => {
  const receiver = await toldTo(200);
  const { accountId } = await fundedCustomer(story);
  await story.settle();
  await server.app.deliveries.settled(story.platformId);
  const reported = receiver.deliveries.length;
  const path = `/2025-10-13/sandbox/internal-accounts/${accountId}/fund`;
  const request = await begunRequest(path, '{"amount":7}');
  const closed = server.app.close();
  request.send();
  await closed;
  expect(request.answer()).toContain("HTTP/1.1 200 OK");
  expect(receiver.deliveries).toHaveLength(reported);
  server = await startTestServer({ beside: server });
  await receiver.received(reported + 1);
  expect(receiver.forged).toEqual([]);
  await server.close();
});

it("answers a call over MCP that had begun", async () => {
  const { bearer: authorization } = await connectedAgent(story);
  const params = { name: "agentMe", arguments: {} };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const accept = "application/json, text/event-stream";
  const request = await begunRequest("/mcp", body, { authorization, accept });
  const closed = server.app.close();
  request.send();
  await closed;
  expect(request.answer()).toContain('"structuredContent":{"id":"Agent:');
});

it("creates the link of an invitation that was begun before", async () => {
  const inviter = await story.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "Ana Ruiz",
    currencies: ["USD"],
  });
  const body = JSON.stringify({ inviterUma: inviter.json.umaAddress });
  const request = await begunRequest("/2025-10-13/invitations", body);
  const { origin } = new URL(server.app.baseUrl);
  const closed = server.app.close();
  request.send();
  await closed;
  expect(request.answer()).toContain("HTTP/1.1 201 Created");
  expect(request.answer()).toContain(`"url":"${origin}/`);
});
