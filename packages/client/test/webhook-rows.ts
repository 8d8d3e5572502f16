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
    "webhooks.rotateKey",
    (c) => c.webhooks.rotateKey({ overlapHours: 48 }),
    "POST /webhooks/public-key/rotate",
  ],
  [
    "webhooks.retryDelivery",
    (c) => c.webhooks.retryDelivery("WebhookDelivery:1.2"),
    "POST /webhook-deliveries/WebhookDelivery%3A1.2/retry",
  ],
  [
    "events.resend",
    (c) => c.events.resend("Webhook:1", { endpointId: "WebhookEndpoint:1" }),
    "POST /events/Webhook%3A1/resend",
  ],
  [
    "events.resendMany",
    (c) => c.events.resendMany({ filter: { failed: true }, dryRun: true }),
    "POST /events/resend",
  ],
  [
    "events.getResend",
    (c) => c.events.getResend("EventResend:1"),
    "GET /event-resends/EventResend%3A1",
  ],
  [
    "events.cancelResend",
    (c) => c.events.cancelResend("EventResend:1"),
    "DELETE /event-resends/EventResend%3A1",
  ],
  [
    "webhooks.testEndpoint",
    (c) => c.webhooks.testEndpoint("WebhookEndpoint:1"),
    "POST /webhook-endpoints/WebhookEndpoint%3A1/test",
  ],
];
