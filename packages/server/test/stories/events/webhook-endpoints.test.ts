import { createHmac } from "node:crypto";
import { verifyWebhook } from "@florin/client/webhooks";
import { afterEach, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { advance, fund } from "../../kit/story-money.ts";
import { listenTo } from "../../kit/story-webhooks.ts";
import { type Delivered, webhookReceiver } from "../../kit/webhook-deliveries.ts";

const DAY = 86_400;

const server = await sharedServer();
afterEach(() => endReceivers());

const typeOf = ({ body }: Delivered): string => JSON.parse(body.toString("utf8")).type;

function add(story: Story, body: Readonly<Record<string, unknown>>): Promise<RawAnswer> {
  return story.call("POST", "/webhook-endpoints", body);
}

async function refused(call: Promise<RawAnswer>): Promise<readonly unknown[]> {
  const { status, json } = await call;
  return [status, json.code, json.details?.errors?.[0]?.field];
}

describe("an endpoint that is added", () => {
  it("gets the types it asked for from then on, signed with its own key, beside the default one", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const byDefault = await listenTo(story);
    const receiver = await webhookReceiver(() => 200);
    const added = await add(story, {
      url: receiver.url,
      description: "balances",
      events: ["INTERNAL_ACCOUNT.*"],
    });
    expect(added.status).toBe(201);
    expect(added.json).toEqual({
      id: expect.stringMatching(/^WebhookEndpoint:[0-9a-f-]{36}$/),
      url: receiver.url,
      description: "balances",
      events: ["INTERNAL_ACCOUNT.*"],
      isDefault: false,
      state: "ACTIVE",
      signature: "P256",
      publicKey: expect.stringContaining("BEGIN PUBLIC KEY"),
      keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
      createdAt: expect.any(String),
      updatedAt: added.json.createdAt,
    });
    await fund(story, accountId, 1);
    await fund(story, accountId, 2);
    await receiver.received(2);
    const told = await byDefault.events();
    expect(receiver.delivered.map(typeOf)).toEqual(
      Array(2).fill("INTERNAL_ACCOUNT.BALANCE_UPDATED"),
    );
    for (const { body, headers, sequence } of receiver.delivered) {
      const header = String(headers["x-service-signature"]);
      expect(verifyWebhook({ body, header, publicKey: added.json.publicKey })).toBe(true);
      expect(verifyWebhook({ body, header, publicKey: story.webhookPublicKey })).toBe(false);
      expect(headers["x-service-key-id"]).toBe(added.json.keyId);
      expect(told.find((event) => event.sequence === sequence)?.body).toBe(body.toString("utf8"));
    }
    expect(byDefault.forged).toEqual([]);
    expect(told).toHaveLength(1 + 4);
  });

  it("with Standard Webhooks carries its three headers, under a secret that is shown once", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const receiver = await webhookReceiver(() => 200);
    const { json } = await add(story, { url: receiver.url, signature: "STANDARD_WEBHOOKS" });
    expect(json.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(json.publicKey).toBeUndefined();
    const read = await story.call("GET", `/webhook-endpoints/${json.id}`);
    expect(read.text).not.toContain("whsec_");
    await fund(story, accountId, 1);
    await receiver.received(2);
    for (const { body, headers } of receiver.delivered) {
      const id = JSON.parse(body.toString("utf8")).id;
      expect(headers["webhook-id"]).toBe(id);
      const at = Number(headers["webhook-timestamp"]);
      expect(Math.abs(at * 1_000 - Date.now())).toBeLessThan(60_000);
      const key = Buffer.from(json.secret.slice("whsec_".length), "base64");
      const mac = createHmac("sha256", key).update(`${id}.${at}.`).update(body).digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${mac}`);
      expect(headers["x-service-signature"]).toBeUndefined();
    }
  });

  it("gets what happened from a sequence on, but not the TEST of the default endpoint", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 0);
    await listenTo(story);
    await fund(story, accountId, 1);
    const receiver = await webhookReceiver(() => 200);
    const added = await add(story, { url: receiver.url, fromSequence: 1 });
    expect(added.status).toBe(201);
    const last = async () => {
      const { json } = await story.call("GET", `/webhook-endpoints/${added.json.id}`);
      return json.stats.waiting;
    };
    await expect.poll(last, { timeout: 10_000 }).toBe(0);
    expect(receiver.sequences()[0]).toBe(1);
    expect(receiver.delivered.map(typeOf)).not.toContain("TEST");
    expect(receiver.delivered.map(typeOf)).toContain("INCOMING_PAYMENT.COMPLETED");
    const { json } = await story.call("GET", `/webhook-endpoints/${added.json.id}`);
    const next = json.stats.position + 1;
    const beyond = add(story, { url: receiver.url, fromSequence: next + 1 });
    expect(await refused(beyond)).toEqual([400, "INVALID_INPUT", "fromSequence"]);
  });

  it("that hangs or fails delays no other, and retries on its own", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const byDefault = await listenTo(story);
    const hanging = await webhookReceiver(() => "hang");
    let status = 500;
    const failing = await webhookReceiver(() => status);
    await add(story, { url: hanging.url });
    await add(story, { url: failing.url, events: ["INCOMING_PAYMENT.COMPLETED"] });
    await fund(story, accountId, 1);
    expect(await byDefault.events()).toHaveLength(3);
    await hanging.received(1);
    await failing.received(1);
    status = 200;
    await expect
      .poll(
        async () => {
          await advance(story, 3);
          return failing.delivered.length;
        },
        { timeout: 10_000 },
      )
      .toBe(2);
    const [first, again] = failing.delivered;
    expect(again?.body).toEqual(first?.body);
    expect(byDefault.deliveries).toHaveLength(3);
  });

  it.each([
    [{ url: "http://example.com/hook" }, "url"],
    [{ url: "https://10.0.0.1/hook" }, "url"],
    [{}, "url"],
    [{ url: "https://example.com/h", events: ["NO.SUCH"] }, "events[0]"],
    [{ url: "https://example.com/h", events: ["TEST", "PAYMENT.*"] }, "events[1]"],
    [{ url: "https://example.com/h", events: "TEST" }, "events"],
    [{ url: "https://example.com/h", signature: "RSA" }, "signature"],
    [{ url: "https://example.com/h", fromSequence: 0 }, "fromSequence"],
  ])("is refused: %j", async (body, field) => {
    const story = await openStory(server);
    expect(await refused(add(story, body))).toEqual([400, "INVALID_INPUT", field]);
  });

  it("is one of fifteen at most", async () => {
    const story = await openStory(server);
    const url = "https://platform.example/hook";
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(story, { url })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(15);
    expect(await refused(add(story, { url }))).toEqual([409, "CONFLICT", undefined]);
    const id = answers.find(({ status }) => status === 201)?.json.id;
    await story.call("DELETE", `/webhook-endpoints/${id}`);
    expect((await add(story, { url })).status).toBe(201);
  });
});

describe("a key that is rotated", () => {
  const signedBy = ({ body, headers }: Delivered, header: string, publicKey: string) =>
    verifyWebhook({ body, header: String(headers[header]), publicKey });

  it("signs beside the old one during the overlap, and alone from its end", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const receiver = await webhookReceiver(() => 200);
    const { json: before } = await add(story, {
      url: receiver.url,
      events: ["INCOMING_PAYMENT.*"],
    });
    const path = `/webhook-endpoints/${before.id}`;
    const rotated = await story.call("POST", `${path}/rotate-key`, { overlapHours: 2 });
    expect(rotated.status).toBe(200);
    const { next } = rotated.json;
    expect(rotated.json).toMatchObject({ publicKey: before.publicKey, keyId: before.keyId });
    expect(next.keyId).not.toBe(before.keyId);
    expect(await refused(story.call("POST", `${path}/rotate-key`))).toEqual([
      409,
      "CONFLICT",
      undefined,
    ]);

    await fund(story, accountId, 1);
    await receiver.received(1);
    await advance(story, 2 * 3_600);
    expect((await story.call("GET", path)).json).toMatchObject({
      publicKey: next.publicKey,
      keyId: next.keyId,
    });
    await fund(story, accountId, 2);
    await receiver.received(2);
    const [during, after] = receiver.delivered as [Delivered, Delivered];
    expect(during.headers["x-service-key-id"]).toBe(before.keyId);
    expect(signedBy(during, "x-service-signature", before.publicKey)).toBe(true);
    expect(signedBy(during, "x-service-signature-next", next.publicKey)).toBe(true);
    expect(after.headers["x-service-key-id"]).toBe(next.keyId);
    expect(signedBy(after, "x-service-signature", next.publicKey)).toBe(true);
    expect(after.headers).not.toHaveProperty("x-service-signature-next");
    expect((await story.call("POST", `${path}/rotate-key`)).status).toBe(200);
  });

  it("takes over at once without an overlap, and is a new secret with Standard Webhooks", async () => {
    const story = await openStory(server);
    const receiver = await webhookReceiver(() => 200);
    const { json: before } = await add(story, {
      url: receiver.url,
      signature: "STANDARD_WEBHOOKS",
    });
    const path = `/webhook-endpoints/${before.id}`;
    const { json } = await story.call("POST", `${path}/rotate-key`, { overlapHours: 0 });
    expect(json).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    expect([json.secret === before.secret, json.keyId === before.keyId]).toEqual([false, false]);
    expect(json).not.toHaveProperty("next");
    await story.call("POST", `${path}/test`);
    const { json: again } = await story.call("POST", `${path}/rotate-key`);
    await story.call("POST", `${path}/test`);
    const signatures = receiver.delivered.map(({ headers }) =>
      String(headers["webhook-signature"]).split(" "),
    );
    const [first, second] = receiver.delivered as [Delivered, Delivered];
    const macOf = ({ body, headers }: Delivered, secret: string) => {
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
      return `v1,${createHmac("sha256", key).update(signed).update(body).digest("base64")}`;
    };
    expect(signatures[0]).toEqual([macOf(first, json.secret)]);
    expect(signatures[1]).toEqual([macOf(second, json.secret), macOf(second, again.secret)]);
  });

  it.each([-1, 169, 1.5, "1"])("is refused an overlap of %j hours", async (overlapHours) => {
    const story = await openStory(server);
    const { json } = await add(story, { url: "https://platform.example/hook" });
    const call = story.call("POST", `/webhook-endpoints/${json.id}/rotate-key`, { overlapHours });
    expect(await refused(call)).toEqual([400, "INVALID_INPUT", "overlapHours"]);
  });
});

describe("endpoints", () => {
  it("are listed with the default one first, and their state", async () => {
    const story = await openStory(server);
    expect((await story.call("GET", "/webhook-endpoints")).json.data).toEqual([]);
    const { url } = await listenTo(story);
    const { json: added } = await add(story, { url: "https://platform.example/hook" });
    const { json } = await story.call("GET", "/webhook-endpoints");
    expect(json).toMatchObject({ hasMore: false, totalCount: 2 });
    expect(json.data).toMatchObject([
      {
        id: expect.stringContaining(story.platformId),
        url,
        isDefault: true,
        state: "ACTIVE",
        publicKey: story.webhookPublicKey,
      },
      { id: added.id, isDefault: false },
    ]);
  });

  it("say since when they are down and how many events wait", async () => {
    const story = await openStory(server);
    const people = await Promise.all([1, 2, 3].map(() => fundedCustomer(story)));
    const receiver = await webhookReceiver(() => 200);
    const { json: added } = await add(story, { url: receiver.url });
    await endReceivers();
    for (const { accountId } of people) await fund(story, accountId, 1);
    const read = async () => (await story.call("GET", `/webhook-endpoints/${added.id}`)).json;
    await expect.poll(async () => (await read()).state, { timeout: 10_000 }).toBe("FAILING");
    const { outage, stats } = await read();
    expect(outage).toEqual({
      since: expect.stringMatching(/Z$/),
      reason: expect.stringContaining("connect"),
      nextProbeAt: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(outage.nextProbeAt)).toBeGreaterThan(Date.parse(outage.since));
    expect(stats.waiting).toBeGreaterThanOrEqual(1);
    expect(stats.retrying).toBeLessThanOrEqual(2);
    const failing = await story.call("GET", "/webhook-endpoints?state=FAILING");
    expect(failing.json.data.map(({ id }: { id: string }) => id)).toEqual([added.id]);
    const active = await story.call("GET", "/webhook-endpoints?state=ACTIVE");
    expect(active.json.data).toEqual([]);
    const tested = story.call("POST", `/webhook-endpoints/${added.id}/test`);
    expect(await refused(tested)).toEqual([400, "WEBHOOK_DELIVERY_ERROR", undefined]);
  });

  it("are stopped by a 410, disabled by the platform, and go on where they stood once set again", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    let status = 410;
    const receiver = await webhookReceiver(() => status);
    const { json: added } = await add(story, { url: receiver.url, events: ["INCOMING_PAYMENT.*"] });
    const path = `/webhook-endpoints/${added.id}`;
    const state = async () => (await story.call("GET", path)).json.state;
    await fund(story, accountId, 1);
    await expect.poll(state, { timeout: 10_000 }).toBe("STOPPED");
    status = 200;
    const off = await story.call("PATCH", path, { isDisabled: true });
    expect(off.json).toMatchObject({ id: added.id, state: "DISABLED" });
    expect(await state()).toBe("DISABLED");
    await fund(story, accountId, 2);
    const tested = story.call("POST", `${path}/test`);
    expect(await refused(tested)).toEqual([400, "WEBHOOK_ENDPOINT_NOT_SET", undefined]);
    await story.call("PATCH", path, { isDisabled: false, events: [] });
    await expect.poll(() => new Set(receiver.sequences()).size, { timeout: 10_000 }).toBe(3);
    expect(await state()).toBe("ACTIVE");
  });

  it("answer a TEST on demand", async () => {
    const story = await openStory(server);
    const receiver = await webhookReceiver(() => 418);
    const { json: added } = await add(story, { url: receiver.url });
    const tested = await story.call("POST", `/webhook-endpoints/${added.id}/test`);
    expect(tested.json).toEqual({
      url: receiver.url,
      responseStatus: 418,
      responseBody: "thanks",
      latencyMs: expect.any(Number),
    });
    const [delivered] = receiver.delivered;
    expect(delivered?.headers["x-service-key-id"]).toBe(added.keyId);
    const { url } = await listenTo(story);
    const byDefault = `/webhook-endpoints/WebhookEndpoint:${story.platformId}/test`;
    expect((await story.call("POST", byDefault)).json).toMatchObject({ url, responseStatus: 200 });
  });

  it("that are deleted get nothing more, and are not found", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const receiver = await webhookReceiver(() => 200);
    const { json: added } = await add(story, { url: receiver.url });
    await fund(story, accountId, 1);
    await receiver.received(2);
    const path = `/webhook-endpoints/${added.id}`;
    expect((await story.call("DELETE", path)).status).toBe(204);
    const byDefault = await listenTo(story);
    await fund(story, accountId, 1);
    await byDefault.events();
    await advance(story, DAY);
    expect(receiver.delivered).toHaveLength(2);
    for (const [method, tail, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { description: "x" }],
      ["DELETE", "", undefined],
      ["POST", "/test", undefined],
    ] as const) {
      const call = story.call(method, path + tail, body);
      expect(await refused(call)).toEqual([404, "WEBHOOK_ENDPOINT_NOT_FOUND", undefined]);
    }
  });

  it("of the configuration are changed there alone", async () => {
    const story = await openStory(server);
    await listenTo(story);
    const path = `/webhook-endpoints/WebhookEndpoint:${story.platformId}`;
    expect((await story.call("GET", path)).json.isDefault).toBe(true);
    const empty = story.call("PATCH", path, {});
    expect(await refused(empty)).toEqual([400, "INVALID_INPUT", "body"]);
    const changed = story.call("PATCH", path, { description: "x" });
    expect(await refused(changed)).toEqual([409, "CONFLICT", undefined]);
    expect(await refused(story.call("DELETE", path))).toEqual([409, "CONFLICT", undefined]);
  });
});
