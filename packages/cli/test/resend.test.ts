/** Events and deliveries that are sent again from the command line. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { endReceivers } from "../../server/test/kit/receivers.ts";
import { sharedServer } from "../../server/test/kit/shared-server.ts";
import { fundedCustomer, openStory, type Story } from "../../server/test/kit/story.ts";
import { setEndpoint } from "../../server/test/kit/story-webhooks.ts";
import { type WebhookReceiver, webhookReceiver } from "../../server/test/kit/webhook-deliveries.ts";
import { openShell, type Shell } from "./kit/shell.ts";

const server = await sharedServer();
let story: Story;
let shell: Shell;
let receiver: WebhookReceiver;
beforeAll(async () => {
  story = await openStory(server);
  receiver = await webhookReceiver(() => 200);
  await setEndpoint(story, receiver.url);
  await fundedCustomer(story, 1);
  await server.app.deliveries.settled(story.platformId);
  shell = openShell({
    FLORIN_URL: server.baseUrl,
    FLORIN_CLIENT_ID: story.clientId,
    FLORIN_CLIENT_SECRET: story.clientSecret,
  });
});
afterAll(async () => {
  shell.remove();
  await endReceivers();
});

const again = () => receiver.delivered.filter(({ headers }) => headers["x-redelivery"] === "true");

it("sends one event, retries a delivery, and orders those that the flags select", async () => {
  const listed = await story.call("GET", "/events?type=INCOMING_PAYMENT.COMPLETED");
  const id: string = listed.json.data[0].id;
  const one = await shell.run(["events", "resend", id, "--json"]);
  expect(one.code).toBe(0);
  const [delivery] = JSON.parse(one.out).deliveries;
  expect(delivery).toMatchObject({ eventId: id, state: "DELIVERED" });
  await expect.poll(() => again().length).toBe(1);
  expect((await shell.run(["deliveries", "retry", delivery.id])).code).toBe(0);
  await expect.poll(() => again().length).toBe(2);

  const words = ["events", "resend", "--since", "2001-01-01T00:00:00Z"];
  const type = ["--type", "INCOMING_PAYMENT.*,CUSTOMER.*"];
  const dry = await shell.run([...words, ...type, "--dry-run", "--json"]);
  expect(JSON.parse(dry.out)).toMatchObject({ dryRun: true });
  expect(JSON.parse(dry.out).filter.type).toEqual(["INCOMING_PAYMENT.*", "CUSTOMER.*"]);
  const endpoint = ["--endpoint", `WebhookEndpoint:${story.platformId}`];
  const failed = await shell.run([...words, "--failed", ...endpoint, "--json"]);
  expect(JSON.parse(failed.out)).toMatchObject({ matched: 0, state: "COMPLETED" });
  const many = await shell.run([...words, "--type", "INCOMING_PAYMENT.*", "--json"]);
  expect(JSON.parse(many.out)).toMatchObject({ matched: 1 });
  await expect.poll(() => again().length).toBe(3);
  const read = await shell.run(["event-resends", "get", JSON.parse(many.out).id, "--json"]);
  expect(JSON.parse(read.out)).toMatchObject({ matched: 1 });
});

it.each([
  ["neither an event nor a filter", ["events", "resend"], 2],
  ["an event with a filter", ["events", "resend", "Webhook:x", "--failed"], 2],
  ["a sequence that is none", ["events", "resend", "--after", "x"], 2],
  ["an unknown event", ["events", "resend", "Webhook:x"], 1],
])("ends as it should with %s", async (_what, words, code) => {
  expect((await shell.run(words)).code).toBe(code);
});
