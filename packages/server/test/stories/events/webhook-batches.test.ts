/** Endpoints that take several events in a request, over HTTP. How batches form and repeat: `src/webhooks/deliver-webhooks-batches.test.ts`. */
import { createHmac } from "node:crypto";
import { readWebhooks, verifyWebhook } from "@florin/client/webhooks";
import { afterEach, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { advance, fund } from "../../kit/story-money.ts";
import { listenTo } from "../../kit/story-webhooks.ts";
import { type WebhookReceiver, webhookReceiver } from "../../kit/webhook-deliveries.ts";

const server = await sharedServer();
afterEach(() => endReceivers());

const PATH = "/webhook-endpoints";
const add = (story: Story, body: Readonly<Record<string, unknown>>): Promise<RawAnswer> =>
  story.call("POST", PATH, body);

async function refused(call: Promise<RawAnswer>): Promise<readonly unknown[]> {
  const { status, json } = await call;
  return [status, json.code, json.details?.errors?.[0]?.field];
}

const told = ({ delivered }: WebhookReceiver) => delivered.flatMap(({ batch }) => batch);
const inTime = { timeout: 10_000 };

describe("an endpoint with a delivery setting", () => {
  it("gets the events of the default endpoint, byte for byte, several in a request", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const byDefault = await listenTo(story);
    const receiver = await webhookReceiver(() => 200);
    const delivery = { maxEvents: 100, maxWaitMs: 1_000 };
    const { status, json: added } = await add(story, { url: receiver.url, delivery });
    expect([status, added.delivery]).toEqual([201, delivery]);
    expect((await story.call("GET", `${PATH}/${added.id}`)).json.delivery).toEqual(delivery);
    for (const amount of [1, 2, 3]) await fund(story, accountId, amount);
    await expect.poll(() => told(receiver).length, inTime).toBe(6);
    const single = new Map((await byDefault.events()).map(({ id, body }) => [id, body]));
    for (const { body, headers, batch } of receiver.delivered) {
      const header = String(headers["x-service-signature"]);
      const events = readWebhooks({ body, header, publicKey: added.publicKey });
      expect(events).toHaveLength(batch.length);
      const bodies = events.map(({ id }) => single.get(id));
      expect(body.toString("utf8")).toBe(`{"events":[${bodies.join(",")}]}`);
    }
    expect(receiver.delivered.length).toBeLessThan(6);

    const [first] = receiver.delivered;
    const eventId = JSON.parse(String(first?.body)).events[0].id;
    const log = `/webhook-deliveries?endpointId=${added.id}&eventId=${eventId}`;
    const [{ id }] = (await story.call("GET", log)).json.data;
    const attempts = async () =>
      (await story.call("GET", `/webhook-deliveries/${id}/attempts`)).json.data;
    await expect.poll(async () => (await attempts()).length, inTime).toBe(1);
    const [{ requestHeaders }] = await attempts();
    expect(requestHeaders).toMatchObject({
      "X-Event-Sequence": `${first?.batch[0]}`,
      "X-Event-Count": `${first?.batch.length}`,
    });
  });

  it("gets a failed batch again, and what it asks for with X-Redelivery", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    let status = 500;
    const receiver = await webhookReceiver(() => status);
    const delivery = { maxEvents: 10, maxWaitMs: 0 };
    const { json: added } = await add(story, { url: receiver.url, delivery });
    await fund(story, accountId, 1);
    await expect.poll(() => told(receiver).length, inTime).toBe(2);
    const read = async () => (await story.call("GET", `${PATH}/${added.id}`)).json.stats;
    await expect.poll(async () => (await read()).retrying, inTime).toBe(2);
    status = 200;
    const again = async () => {
      await advance(story, 3);
      return (await read()).retrying;
    };
    await expect.poll(again, inTime).toBe(0);
    const sequences = [...new Set(told(receiver))];
    expect(told(receiver).length).toBe(4);

    const count = receiver.delivered.length;
    const order = { filter: {}, endpointId: added.id };
    expect((await story.call("POST", "/events/resend", order)).status).toBe(202);
    const resent = () => receiver.delivered.slice(count).flatMap(({ batch }) => batch);
    await expect.poll(() => sequences.every((one) => resent().includes(one)), inTime).toBe(true);
    for (const { headers, body } of receiver.delivered.slice(count)) {
      expect(headers["x-redelivery"]).toBe("true");
      expect(body.toString("utf8")).toMatch(/^\{"events":\[/);
    }
  });

  it("gets a TEST alone, and one event a request again once it asks for that", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const receiver = await webhookReceiver(() => 200);
    const { json: added } = await add(story, { url: receiver.url, delivery: { maxEvents: 5 } });
    expect(added.delivery).toEqual({ maxEvents: 5, maxWaitMs: 0 });
    const path = `${PATH}/${added.id}`;
    await story.call("POST", `${path}/test`);
    expect(JSON.parse(String(receiver.delivered[0]?.body))).toMatchObject({ type: "TEST" });
    const changed = await story.call("PATCH", path, { delivery: { maxEvents: 1, maxWaitMs: 1 } });
    expect(changed.json.delivery).toEqual({ maxEvents: 1, maxWaitMs: 1 });
    const kept = await story.call("PATCH", path, { description: "x" });
    expect(kept.json.delivery).toEqual({ maxEvents: 1, maxWaitMs: 1 });
    const single = await story.call("PATCH", path, { delivery: null });
    expect(single.json).not.toHaveProperty("delivery");
    await fund(story, accountId, 1);
    await receiver.received(3);
    for (const { body, headers } of receiver.delivered.slice(1)) {
      const header = String(headers["x-service-signature"]);
      expect(verifyWebhook({ body, header, publicKey: added.publicKey })).toBe(true);
      expect(JSON.parse(String(body))).toHaveProperty("type");
      expect(headers).not.toHaveProperty("x-event-count");
    }
  });

  it("with Standard Webhooks has one signature by each secret, and an id of the batch", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    let status = 500;
    const receiver = await webhookReceiver(() => status);
    const { json: added } = await add(story, {
      url: receiver.url,
      signature: "STANDARD_WEBHOOKS",
      delivery: { maxEvents: 2, maxWaitMs: 1_000 },
    });
    const { json: next } = await story.call("POST", `${PATH}/${added.id}/rotate-key`);
    await fund(story, accountId, 1);
    await receiver.received(1);
    status = 200;
    const again = async () => {
      await advance(story, 3);
      return receiver.delivered.length;
    };
    await expect.poll(again, inTime).toBe(2);
    const [first, second] = receiver.delivered;
    expect(second?.body).toEqual(first?.body);
    expect(first?.headers["webhook-id"]).toMatch(/^WebhookBatch:[0-9a-f]{32}$/);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    for (const { body, headers } of receiver.delivered) {
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
      const macs = [added.secret, next.secret].map((secret: string) => {
        const key = Buffer.from(secret.slice("whsec_".length), "base64");
        return `v1,${createHmac("sha256", key).update(signed).update(body).digest("base64")}`;
      });
      expect(headers["webhook-signature"]).toBe(macs.join(" "));
    }
  });
});

describe("a delivery setting", () => {
  it.each<[unknown, string]>([
    [{}, "delivery.maxEvents"],
    [{ maxWaitMs: 5 }, "delivery.maxEvents"],
    [{ maxEvents: 0 }, "delivery.maxEvents"],
    [{ maxEvents: 101 }, "delivery.maxEvents"],
    [{ maxEvents: 1.5 }, "delivery.maxEvents"],
    [{ maxEvents: "5" }, "delivery.maxEvents"],
    [{ maxEvents: 5, maxWaitMs: -1 }, "delivery.maxWaitMs"],
    [{ maxEvents: 5, maxWaitMs: 1_001 }, "delivery.maxWaitMs"],
    [{ maxEvents: 5, maxWaitMs: null }, "delivery.maxWaitMs"],
    [5, "delivery"],
  ])("of %j is refused", async (delivery, field) => {
    const story = await openStory(server);
    const url = "https://platform.example/hook";
    expect(await refused(add(story, { url, delivery }))).toEqual([400, "INVALID_INPUT", field]);
    expect((await story.call("GET", PATH)).json.totalCount).toBe(0);
    const { json } = await add(story, { url });
    const changed = await refused(story.call("PATCH", `${PATH}/${json.id}`, { delivery }));
    expect(changed.slice(0, 2)).toEqual([400, "INVALID_INPUT"]);
    expect(String(changed[2])).toMatch(/^delivery/);
    expect((await story.call("GET", `${PATH}/${json.id}`)).json).not.toHaveProperty("delivery");
  });

  it("is for endpoints that were added, of the caller's own platform", async () => {
    const [story, other] = [await openStory(server), await openStory(server)];
    await listenTo(story);
    const delivery = { maxEvents: 5 };
    const byDefault = `${PATH}/WebhookEndpoint:${story.platformId}`;
    expect(await refused(story.call("PATCH", byDefault, { delivery }))).toEqual([
      409,
      "CONFLICT",
      undefined,
    ]);
    const { json } = await add(other, { url: "https://platform.example/hook" });
    expect(await refused(story.call("PATCH", `${PATH}/${json.id}`, { delivery }))).toEqual([
      404,
      "WEBHOOK_ENDPOINT_NOT_FOUND",
      undefined,
    ]);
  });
});
