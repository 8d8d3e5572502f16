/** A connector that does not answer until the time of a call is over, which really passes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { bankAccount, fundedCustomer, openStory } from "../../kit/story.ts";
import {
  activeConnection,
  balanceOf,
  expectStatus,
  httpConnection,
  paymentOf,
  routeTo,
  transactionOf,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
beforeAll(async () => {
  connector = await openConnector();
  connector.environment = "SANDBOX";
  const settings = { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  server = await startTestServer({ settings });
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

it("holds the money after no answer in time, and asks again", async () => {
  const story = await openStory(server);
  const { accountId, customerId } = await fundedCustomer(story, 10_000);
  const payeeId = await bankAccount(story, { customerId });
  await routeTo(story, await activeConnection(story, httpConnection(connector)));
  connector.reply = ({ path }) => (path === "/florin-rail" ? undefined : "hang");
  const body = { source: { accountId }, destination: { accountId: payeeId }, amount: 700 };
  const { id } = expectStatus(201, await story.call("POST", "/transfer-out", body)).json;
  await story.settle();
  expect(await paymentOf(story, id)).toMatchObject({ state: "SENDING" });
  expect(await balanceOf(story, accountId)).toBe(9_300);
  connector.reply = () => undefined;
  connector.report = () => ({ status: "settled" });
  expectStatus(200, await story.call("POST", "/sandbox/clock/advance", { seconds: 30 }));
  expect((await transactionOf(story, id)).status).toBe("COMPLETED");
});
