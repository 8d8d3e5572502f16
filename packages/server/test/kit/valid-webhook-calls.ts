/** A valid call of each operation on webhooks. */

import { present } from "../../src/std/assert.ts";
import type { Make } from "./made-objects.ts";
import { soon } from "./soon.ts";
import { fundedCustomer, type Story } from "./story.ts";
import { openReceiver } from "./story-webhooks.ts";

/** The id of an endpoint that was added. */
export async function webhookEndpoint(story: Story): Promise<string> {
  const { url } = await openReceiver(story);
  const added = await story.call("POST", "/webhook-endpoints", { url });
  if (added.status !== 201) throw new Error(`no endpoint was added: ${added.text}`);
  return added.json.id;
}

/** The same endpoint for all calls: a platform has few. */
async function sharedEndpoint(story: Story, description: string, url?: string): Promise<string> {
  const { json } = await story.call("GET", "/webhook-endpoints");
  const found = (json.data as { id: string; description?: string }[]).find(
    (endpoint) => endpoint.description === description,
  );
  if (found !== undefined) return found.id;
  const body = { url: url ?? (await openReceiver(story)).url, description };
  return (await story.call("POST", "/webhook-endpoints", body)).json.id;
}

async function accountEvent(story: Story): Promise<string> {
  const { accountId } = await fundedCustomer(story, 1);
  const { json } = await story.call("GET", `/events?resourceId=${accountId}`);
  return present(json.data[0]?.id as string | undefined, "an event of an account");
}

const FUTURE = { since: "2099-01-01T00:00:00Z" };

/** An order that selects nothing. */
async function emptyOrder(story: Story) {
  return { filter: { ...FUTURE }, endpointId: await sharedEndpoint(story, "takes all") };
}

/** The id of an order that has ended. */
async function endedResend(story: Story): Promise<string> {
  return (await story.call("POST", "/events/resend", await emptyOrder(story))).json.id;
}

/** The id of an order that runs: its endpoint is down, so it waits. */
async function runningResend(story: Story): Promise<string> {
  const endpointId = await sharedEndpoint(story, "is down", "http://127.0.0.1:1/hook");
  for (let amount = 1; amount <= 3; amount++) await fundedCustomer(story, amount);
  await soon(async () => {
    const { json } = await story.call("GET", `/webhook-endpoints/${endpointId}`);
    if (json.state !== "FAILING") throw new Error(`the endpoint is ${json.state}`);
  });
  return (await story.call("POST", "/events/resend", { filter: {}, endpointId })).json.id;
}

async function delivery(story: Story): Promise<string> {
  const [, endpoint] = (await sharedEndpoint(story, "takes all")).split(":");
  const [, event] = (await accountEvent(story)).split(":");
  return `WebhookDelivery:${endpoint}.${event}`;
}

export const webhookObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  WebhookEndpoint: webhookEndpoint,
  WebhookDelivery: delivery,
  EventResend: endedResend,
};

export const webhookCalls: Readonly<Record<string, Make>> = {
  rotateWebhookKey: () => ({ path: "/webhooks/public-key/rotate", body: { overlapHours: 0 } }),
  resendEvent: async (story) => ({
    path: `/events/${await accountEvent(story)}/resend`,
    body: { endpointId: await sharedEndpoint(story, "takes all") },
  }),
  resendEvents: async (story) => ({ path: "/events/resend", body: await emptyOrder(story) }),
  getEventResend: async (story) => ({ path: `/event-resends/${await endedResend(story)}` }),
  cancelEventResend: async (story) => ({ path: `/event-resends/${await runningResend(story)}` }),
  retryWebhookDelivery: async (story) => ({
    path: `/webhook-deliveries/${await delivery(story)}/retry`,
  }),
  createWebhookEndpoint: () => ({
    path: "/webhook-endpoints",
    body: { url: "https://platform.example/events", events: ["OUTGOING_PAYMENT.*"] },
  }),
  getWebhookEndpoint: async (story) => ({
    path: `/webhook-endpoints/${await webhookEndpoint(story)}`,
  }),
  updateWebhookEndpoint: async (story) => ({
    path: `/webhook-endpoints/${await webhookEndpoint(story)}`,
    body: { description: "for the warehouse" },
  }),
  deleteWebhookEndpoint: async (story) => ({
    path: `/webhook-endpoints/${await webhookEndpoint(story)}`,
  }),
  rotateWebhookEndpointKey: async (story) => ({
    path: `/webhook-endpoints/${await webhookEndpoint(story)}/rotate-key`,
    body: { overlapHours: 1 },
  }),
  testWebhookEndpoint: async (story) => ({
    path: `/webhook-endpoints/${await webhookEndpoint(story)}/test`,
  }),
  getWebhookDelivery: async (story) => ({
    path: `/webhook-deliveries/${await delivery(story)}`,
  }),
  listDeliveryAttempts: async (story) => ({
    path: `/webhook-deliveries/${await delivery(story)}/attempts`,
  }),
};
