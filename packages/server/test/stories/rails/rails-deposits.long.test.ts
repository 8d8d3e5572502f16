/** A connector that fails is asked again after ten seconds, which really pass. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openConnector, type TestConnector } from "../../kit/rail-connector.ts";
import { openStory } from "../../kit/story.ts";
import { instructionsOf } from "../../kit/story-funding.ts";
import { internalAccount } from "../../kit/story-money.ts";
import { activeConnection, httpConnection, routeTo } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
beforeAll(async () => {
  connector = await openConnector();
  const settings = { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` };
  server = await startTestServer({ settings });
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

it("the payer of an account is told what a connector says once it answers, under one id", async () => {
  const story = await openStory(server, { environment: "PRODUCTION" });
  const accountId = await internalAccount(story, { currency: "USD" });
  const instructions = [
    { accountType: "USD_ACCOUNT", accountNumber: "55", routingNumber: "021000021" },
  ];
  let isUp = false;
  connector.reply = ({ path }) => {
    if (!path.startsWith("/instructions/")) return undefined;
    const told = instructions.map((each) => ({ ...each, paymentRails: ["ACH"], branch: 12 }));
    return isUp ? { status: 200, body: { instructions: told } } : { status: 500, body: {} };
  };
  const bank = await activeConnection(story, {
    ...httpConnection(connector),
    funding: { mode: "CONNECTOR" },
  });
  await routeTo(story, bank, { direction: "FUNDING" });
  expect(await instructionsOf(story, accountId)).toEqual([]);
  await story.settle();
  expect(await instructionsOf(story, accountId)).toEqual([]);
  isUp = true;
  await expect
    .poll(() => instructionsOf(story, accountId), { interval: 200 })
    .toEqual([expect.objectContaining({ accountOrWalletInfo: instructions[0] })]);
  const asked = connector.calls.filter(({ path }) => path.startsWith("/instructions/"));
  expect(asked.length).toBeGreaterThan(1);
  expect(new Set(asked.map(({ body }) => body.id)).size).toBe(1);
  await instructionsOf(story, accountId);
  await story.settle();
  const later = connector.calls.filter(({ path }) => path.startsWith("/instructions/"));
  expect(later).toHaveLength(asked.length);
});
