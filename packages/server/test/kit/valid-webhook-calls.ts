/** A valid call of each operation on webhooks. */

import type { Make } from "./made-objects.ts";
import { fundedCustomer, type Story } from "./story.ts";
import { openReceiver } from "./story-webhooks.ts";

/** The id of an endpoint that was added. */
export async function webhookEndpoint(story: Story): Promise<string> {
  const { url } = await openReceiver(story);
  const added = await story.call("POST", "/webhook-endpoints", { url });
  if (added.status !== 201) throw new Error(`no endpoint was added: ${added.text}`);
  return added.json.id;
}

/** The id of the delivery of an event that followed. */
export async function webhookDelivery(story: Story): Promise<string> {
  const endpointId = await webhookEndpoint(story);
  await fundedCustomer(story, 5);
  const { json } = await story.call("GET", `/webhook-deliveries?endpointId=${endpointId}`);
  return json.data[0].id;
}

export const webhookCalls: Readonly<Record<string, Make>> = {
  getWebhookPublicKey: () => ({ path: "/webhooks/public-key" }),
  listWebhookEndpoints: () => ({ path: "/webhook-endpoints" }),
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
  listWebhookDeliveries: () => ({ path: "/webhook-deliveries" }),
  getWebhookDelivery: async (story) => ({
    path: `/webhook-deliveries/${await webhookDelivery(story)}`,
  }),
  listDeliveryAttempts: async (story) => ({
    path: `/webhook-deliveries/${await webhookDelivery(story)}/attempts`,
  }),
};
