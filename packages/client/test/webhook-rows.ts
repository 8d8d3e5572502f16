import type { Client } from "../src/client.ts";

/** Calls on webhook endpoints: the function, a call of it, and the request that it sends. */
export const webhookRows: readonly [string, (client: Client) => Promise<unknown>, string][] = [
  [
    "webhooks.listEndpoints",
    (c) => c.webhooks.listEndpoints({ state: "FAILING" }),
    "GET /webhook-endpoints?state=FAILING",
  ],
  [
    "webhooks.createEndpoint",
    (c) => c.webhooks.createEndpoint({ url: "https://platform.example/hook" }),
    "POST /webhook-endpoints",
  ],
  [
    "webhooks.getEndpoint",
    (c) => c.webhooks.getEndpoint("WebhookEndpoint:1"),
    "GET /webhook-endpoints/WebhookEndpoint%3A1",
  ],
  [
    "webhooks.updateEndpoint",
    (c) => c.webhooks.updateEndpoint("WebhookEndpoint:1", { isDisabled: true }),
    "PATCH /webhook-endpoints/WebhookEndpoint%3A1",
  ],
  [
    "webhooks.deleteEndpoint",
    (c) => c.webhooks.deleteEndpoint("WebhookEndpoint:1"),
    "DELETE /webhook-endpoints/WebhookEndpoint%3A1",
  ],
  [
    "webhooks.rotateEndpointKey",
    (c) => c.webhooks.rotateEndpointKey("WebhookEndpoint:1", { overlapHours: 48 }),
    "POST /webhook-endpoints/WebhookEndpoint%3A1/rotate-key",
  ],
  [
    "webhooks.testEndpoint",
    (c) => c.webhooks.testEndpoint("WebhookEndpoint:1"),
    "POST /webhook-endpoints/WebhookEndpoint%3A1/test",
  ],
];
