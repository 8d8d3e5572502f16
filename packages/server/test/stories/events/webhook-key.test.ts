/** The key of the default endpoint and its rotation, and which event types that endpoint gets. */
import { readWebhook, verifyWebhook } from "@florin/client/webhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { soon } from "../../kit/soon.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { advance, fund } from "../../kit/story-money.ts";
import { listenTo, setEndpoint } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { type Delivered, webhookReceiver } from "../../kit/webhook-deliveries.ts";

const HOUR = 3_600;

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({ beside: server });
});
afterEach(() => endReceivers());
afterAll(async () => {
  await other.close();
  await server.close();
});

const rotate = (story: Story, body?: unknown) =>
  story.call("POST", "/webhooks/public-key/rotate", body);
const shownKey = async (story: Story) => (await story.call("GET", "/webhooks/public-key")).json;

function signedBy({ body, headers }: Delivered, publicKey: string, header = "x-service-signature") {
  return verifyWebhook({ body, header: String(headers[header]), publicKey });
}

/** The same platform at the other server. */
const atOther = (story: Story): Story => ({
  ...story,
  call: (method, path, body) =>
    fetch(`${other.baseUrl}${path}`, {
      method,
      headers: { authorization: story.authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then(async (response) => {
      const text = await response.text();
      const json = text === "" ? undefined : JSON.parse(text);
      return { status: response.status, headers: response.headers, text, json };
    }),
});

describe("a rotation", () => {
  it("keeps a receiver that knows only the old key content until the overlap ends, at two servers", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 0);
    const receiver = await webhookReceiver(() => 200);
    await setEndpoint(story, receiver.url);
    await receiver.received(1);
    expect(receiver.delivered[0]?.headers).not.toHaveProperty("x-service-key-id");
    const before = await shownKey(story);
    expect(before).toEqual({
      publicKey: story.webhookPublicKey,
      keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    const { status, json } = await rotate(story, { overlapHours: 2 });
    expect(status).toBe(200);
    expect(json).toEqual({
      ...before,
      next: {
        publicKey: expect.stringContaining("BEGIN PUBLIC KEY"),
        keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
        from: expect.stringMatching(/Z$/),
      },
    });
    expect(await shownKey(story)).toEqual(json);
    for (let round = 0; round < 4; round++) {
      await fund(round % 2 === 0 ? story : atOther(story), accountId, round + 1);
      await receiver.received(1 + 2 * (round + 1));
      await advance(story, 0.4 * HOUR);
    }
    const during = receiver.delivered.slice(1);
    expect(during).toHaveLength(8);
    for (const one of during) {
      expect(signedBy(one, before.publicKey)).toBe(true);
      expect(signedBy(one, json.next.publicKey)).toBe(false);
      expect(signedBy(one, json.next.publicKey, "x-service-signature-next")).toBe(true);
      expect(one.headers["x-service-key-id"]).toBe(before.keyId);
      const { body, headers } = one;
      const header = String(headers["x-service-signature"]);
      const keys = [json.next.publicKey, before.publicKey];
      expect(readWebhook({ body, header, publicKey: keys }).id).toMatch(/^Webhook:/);
    }

    await advance(story, HOUR);
    const { publicKey, keyId } = json.next;
    expect(await shownKey(story)).toEqual({ publicKey, keyId });
    const endpoint = `/webhook-endpoints/WebhookEndpoint:${story.platformId}`;
    expect((await story.call("GET", endpoint)).json).toMatchObject({ publicKey, keyId });
    for (const at of [story, atOther(story)]) await fund(at, accountId, 9);
    await receiver.received(1 + 8 + 4);
    for (const one of receiver.delivered.slice(9)) {
      expect(signedBy(one, publicKey)).toBe(true);
      expect(one.headers["x-service-key-id"]).toBe(keyId);
      expect(one.headers).not.toHaveProperty("x-service-signature-next");
    }
    expect((await rotate(story)).json).toMatchObject({ publicKey, keyId, next: {} });
  });

  it("takes over at once without an overlap, also in the stream of events", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 1);
    await fund(story, accountId, 1);
    const { json } = await rotate(story, { overlapHours: 0 });
    expect(json).not.toHaveProperty("next");
    expect(json.publicKey).not.toBe(story.webhookPublicKey);
    const response = await fetch(`${server.baseUrl}/events/stream?after=0`, {
      headers: { authorization: story.authorization },
    });
    const reader = present(response.body, "a stream").getReader();
    let text = "";
    while (!/\n\n$/.test(text) || !text.includes("data: ")) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    await reader.cancel();
    const header = present(/: sig (.+)/.exec(text)?.[1], "a signature");
    const body = present(/data: (.+)/.exec(text)?.[1], "an event");
    expect(verifyWebhook({ body, header, publicKey: json.publicKey })).toBe(true);
    const again = await rotate(story, { overlapHours: 1 });
    expect(again.json).toMatchObject({ publicKey: json.publicKey, keyId: json.keyId, next: {} });
  });

  it("is refused while one is under way, with its end, and replayed under its key", async () => {
    const story = await openStory(server);
    const key = "rotate-1";
    const call = () =>
      story.call("POST", "/webhooks/public-key/rotate", { overlapHours: 1 }, { key });
    const answers = [await call(), await call()];
    expect(answers[1]?.text).toBe(answers[0]?.text);
    const { status, json } = await rotate(story);
    expect([status, json.code]).toEqual([409, "CONFLICT"]);
    expect(json.details.until).toBe(answers[0]?.json.next.from);
    expect(json.message).toContain(json.details.until);
    const restarted = await startTestServer({ beside: server });
    await restarted.close();
  });

  it.each([-1, 169, 1.5, "1"])("is refused an overlap of %j hours", async (overlapHours) => {
    const story = await openStory(server);
    const { status, json } = await rotate(story, { overlapHours });
    expect([status, json.code, json.details.errors[0].field]).toEqual([
      400,
      "INVALID_INPUT",
      "overlapHours",
    ]);
  });
});

describe("webhookEvents", () => {
  it("sends types that were added later to the default endpoint with ALL alone", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 0);
    const receiver = await listenTo(story);
    const toggle = async () => {
      const path = `/internal-accounts/${accountId}`;
      const frozen = await story.call("POST", `${path}/freeze`, { reason: "LEGAL_ORDER" });
      const thawed = await story.call("POST", `${path}/unfreeze`, {});
      expect([frozen.status, thawed.status]).toEqual([200, 200]);
    };
    const types = async () => (await receiver.events()).map(({ type }) => type);
    await toggle();
    expect(await types()).toEqual(["TEST"]);
    expect((await story.call("GET", "/config")).json.webhookEvents).toBe("STANDARD");
    const all = await story.call("PATCH", "/config", { webhookEvents: "ALL" });
    expect(all.json.webhookEvents).toBe("ALL");
    await toggle();
    const added = ["INTERNAL_ACCOUNT.FROZEN", "INTERNAL_ACCOUNT.UNFROZEN"];
    await soon(async () => expect(await types()).toEqual(["TEST", ...added]));
    await story.call("PATCH", "/config", { webhookEvents: "STANDARD" });
    await toggle();
    await fund(story, accountId, 1);
    expect((await types()).slice(3)).toEqual([
      "INCOMING_PAYMENT.COMPLETED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ]);
  });

  it.each(["SOME", null, 1])("is refused: %j", async (webhookEvents) => {
    const story = await openStory(server);
    const { status, json } = await story.call("PATCH", "/config", { webhookEvents });
    expect([status, json.code, json.details.errors[0].field]).toEqual([
      400,
      "INVALID_INPUT",
      "webhookEvents",
    ]);
  });
});
