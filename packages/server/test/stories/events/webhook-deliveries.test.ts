/** The deliveries of a platform's events, their attempts, and what they say about endpoints. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { advance, fund } from "../../kit/story-money.ts";
import { announce, answered, questionTo, umaStage } from "../../kit/story-uma.ts";
import { listenTo } from "../../kit/story-webhooks.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";
import { type ReceiverAnswer, webhookReceiver } from "../../kit/webhook-deliveries.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => endReceivers());
afterAll(async () => {
  await server.checkBooks();
  await server.close();
});

interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventSequence: number;
  readonly eventType: string;
  readonly endpointId: string;
  readonly state: string;
  readonly [member: string]: unknown;
}

const written = () => server.app.attemptLog.flush();

async function list(story: Story, query = ""): Promise<readonly Delivery[]> {
  const { status, json, text } = await story.call("GET", `/webhook-deliveries${query}`);
  if (status !== 200) throw new Error(text);
  return json.data;
}

const endpointOf = (story: Story) => `WebhookEndpoint:${story.platformId}`;

async function added(
  story: Story,
  answer: (attempt: { readonly sequence: number }) => ReceiverAnswer,
  more: object = {},
): Promise<{ readonly id: string; readonly url: string }> {
  const { url } = await webhookReceiver(answer);
  const made = await story.call("POST", "/webhook-endpoints", { url, ...more });
  return { id: made.json.id, url };
}

const endpoint = async (story: Story, id: string) =>
  (await story.call("GET", `/webhook-endpoints/${id}`)).json;

async function refused(call: Promise<RawAnswer>): Promise<readonly unknown[]> {
  const { status, json } = await call;
  return [status, json.code, json.details?.errors?.[0]?.field];
}

describe("a delivery", () => {
  it("to the default endpoint is listed with its attempt, read by its id, and counted in its event", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const { events } = await listenTo(story);
    await fund(story, accountId, 1);
    const told = await events();
    await expect.poll(async () => (await endpoint(story, endpointOf(story))).stats.waiting).toBe(0);
    await written();
    const deliveries = await list(story);
    expect(deliveries.map(({ eventSequence }) => eventSequence)).toEqual(
      told.map(({ sequence }) => sequence).toReversed(),
    );
    const [latest] = deliveries;
    expect(latest).toEqual({
      id: `WebhookDelivery:${story.platformId}.${told.at(-1)?.id.slice("Webhook:".length)}`,
      eventId: told.at(-1)?.id,
      eventSequence: told.at(-1)?.sequence,
      eventType: "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      resourceId: accountId,
      endpointId: endpointOf(story),
      state: "DELIVERED",
      attempts: 1,
      attemptsComplete: true,
      canResend: true,
      lastStatus: 200,
      lastLatencyMs: expect.any(Number),
      firstAttemptAt: latest?.lastAttemptAt,
      lastAttemptAt: expect.stringMatching(/Z$/),
    });
    const path = `/webhook-deliveries/${latest?.id}`;
    expect((await story.call("GET", path)).json).toEqual(latest);
    const attempts = (await story.call("GET", `${path}/attempts`)).json;
    expect(attempts).toEqual({
      data: [
        {
          number: 1,
          at: latest?.lastAttemptAt,
          isDelivered: true,
          status: 200,
          latency: expect.objectContaining({ total: latest?.lastLatencyMs }),
          requestHeaders: {
            "Content-Type": "application/json",
            "User-Agent": "Florin-Webhooks/1",
            "X-Service-Signature": expect.stringContaining('"v":"1"'),
            "X-Event-Sequence": String(latest?.eventSequence),
          },
          responseHeaders: expect.objectContaining({ connection: "keep-alive" }),
          responseBody: "thanks",
          server: expect.stringMatching(/./),
        },
      ],
      hasMore: false,
    });
    const event = (await story.call("GET", `/events/${latest?.eventId}`)).json;
    expect(event.deliveries).toEqual([latest]);
    const listed = (await story.call("GET", "/events?limit=1")).json.data[0];
    expect(listed.deliverySummary).toEqual({ endpoints: 1, delivered: 1, waiting: 0, failed: 0 });
  });

  it("that fails waits, keeps later ones of its object behind it, and is delivered with both attempts in the log", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    let status = 503;
    const { id } = await added(
      story,
      () => ({ status, headers: { "set-cookie": "session=canary", "x-told": "é" } }),
      { events: ["INTERNAL_ACCOUNT.*"] },
    );
    await fund(story, accountId, 1);
    await fund(story, accountId, 2);
    const states = async () => (await list(story, `?endpointId=${id}`)).map(({ state }) => state);
    await expect.poll(states, { timeout: 10_000 }).toEqual(["BEHIND", "WAITING"]);
    await written();
    const [behind, waiting] = await list(story, `?endpointId=${id}`);
    expect(behind).toMatchObject({ attempts: 0, attemptsComplete: true });
    expect(behind).not.toHaveProperty("lastAttemptAt");
    expect(waiting).toMatchObject({ attempts: 1, lastStatus: 503, attemptsComplete: true });
    expect(Date.parse(String(waiting?.nextAttemptAt))).toBeGreaterThan(
      Date.parse(String(waiting?.lastAttemptAt)),
    );
    expect(await list(story, "?state=WAITING")).toEqual([waiting]);
    expect(await list(story, "?state=BEHIND")).toEqual([behind]);
    expect(await list(story, "?state=NOT_ARRIVED")).toEqual([waiting]);
    expect(await list(story, "?statusClass=5xx")).toEqual([waiting]);
    expect(await list(story, "?statusClass=4xx")).toEqual([]);
    expect(await list(story, `?state=DELIVERED&endpointId=${id}`)).toEqual([]);
    const summary = async () =>
      (await story.call("GET", `/events?resourceId=${accountId}&limit=1`)).json.data[0]
        .deliverySummary;
    expect(await summary()).toEqual({ endpoints: 1, delivered: 0, waiting: 1, failed: 0 });

    status = 200;
    const delivered = async () => {
      await advance(story, 6);
      return states();
    };
    await expect.poll(delivered, { timeout: 10_000 }).toEqual(["DELIVERED", "DELIVERED"]);
    await written();
    const path = `/webhook-deliveries/${waiting?.id}`;
    expect((await story.call("GET", path)).json).toMatchObject({
      state: "DELIVERED",
      attempts: 2,
      attemptsComplete: true,
      lastStatus: 200,
    });
    const first = await story.call("GET", `${path}/attempts?limit=1`);
    expect(first.json.data.map(({ number }: { number: number }) => number)).toEqual([2]);
    const next = `${path}/attempts?limit=1&cursor=${first.json.nextCursor}`;
    const second = await story.call("GET", next);
    expect(second.json).toMatchObject({
      data: [{ number: 1, status: 503, isDelivered: false }],
      hasMore: false,
    });
    expect(second.json.data[0].responseHeaders["set-cookie"]).toBe("[hidden]");
    expect(first.text + second.text).not.toContain("canary");
    expect(await summary()).toEqual({ endpoints: 1, delivered: 1, waiting: 0, failed: 0 });
  });

  it("to an endpoint that refuses the connection says so in words, and those after it are behind", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const { id, url } = await added(story, () => 200);
    await endReceivers();
    for (let index = 0; index < 3; index++) await fund(story, accountId, 1);
    const state = async () => (await endpoint(story, id)).state;
    await expect.poll(state, { timeout: 10_000 }).toBe("FAILING");
    await written();
    const deliveries = await list(story, `?endpointId=${id}`);
    expect(deliveries).toHaveLength(6);
    expect(new Set(deliveries.map(({ state }) => state))).not.toContain("DELIVERED");
    const behind = deliveries.filter(({ state }) => state === "BEHIND");
    expect(await list(story, `?endpointId=${id}&state=BEHIND`)).toEqual(behind);
    const { host } = new URL(url);
    const words = `${host} refused the connection: nothing listens there.`;
    const attempted = deliveries.filter(({ attempts }) => attempts !== 0);
    expect(attempted.map(({ lastError }) => lastError)).toContain(words);
    const attempts = await story.call(
      "GET",
      `/webhook-deliveries/${attempted.find(({ lastError }) => lastError === words)?.id}/attempts`,
    );
    expect(attempts.json.data[0]).toMatchObject({ isDelivered: false, error: words });
    expect(attempts.json.data[0]).not.toHaveProperty("status");
    expect(attempts.json.data[0]).not.toHaveProperty("responseBody");
  });

  it("of a TEST that was not taken has failed", async () => {
    const story = await openStory(server);
    await fundedCustomer(story);
    await listenTo(story, () => 500);
    await expect
      .poll(() => list(story, "?state=FAILED"), { timeout: 10_000 })
      .toMatchObject([{ eventType: "TEST", state: "FAILED", lastStatus: 500, attempts: 1 }]);
    const [failed] = await list(story, "?state=FAILED&statusClass=5xx&eventType=TEST");
    expect(await list(story, "?state=NOT_ARRIVED&eventType=TEST")).toEqual([failed]);
    const { json } = await story.call("GET", `/events/${failed?.eventId}`);
    expect(json.deliveries).toMatchObject([{ id: failed?.id, state: "FAILED" }]);
  });

  it.each([
    [200, "DELIVERED"],
    [500, "FAILED"],
  ])("of a question that was answered with %i is %s", async (status, state) => {
    const stage = await umaStage(server, () => status);
    await announce(stage);
    await answered(stage);
    await written();
    const { story } = stage;
    const { id: eventId } = questionTo(stage);
    const attempted = { lastStatus: status, attempts: 1, attemptsComplete: true };
    const wanted = { eventId, state, ...attempted, canResend: false };
    for (const query of [`?eventId=${eventId}`, `?state=${state}&eventType=INCOMING_PAYMENT.*`]) {
      const found = await list(story, query);
      expect(found.find((delivery) => delivery.eventId === eventId)).toMatchObject(wanted);
    }
    const { json } = await story.call("GET", `/events/${eventId}`);
    expect(json.deliveries).toMatchObject([wanted]);
    // Without its attempts the decision tells.
    await server.database.asSuperuser((client) => client.query("truncate webhook_attempts"));
    const [left] = await list(story, `?eventId=${eventId}`);
    expect(left).toMatchObject({ state, attemptsComplete: false });
  });

  it("is none of an event that its endpoint did not ask for, before or after its filter changed", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const { id } = await added(story, () => 200, { events: ["INCOMING_PAYMENT.COMPLETED"] });
    await fund(story, accountId, 1);
    const types = async () =>
      (await list(story, `?endpointId=${id}&state=DELIVERED`)).map(({ eventType }) => eventType);
    await expect.poll(types, { timeout: 10_000 }).toEqual(["INCOMING_PAYMENT.COMPLETED"]);
    const caughtUp = async () => (await endpoint(story, id)).stats.waiting;
    await expect.poll(caughtUp, { timeout: 10_000 }).toBe(0);
    await written();
    const events = ["INTERNAL_ACCOUNT.BALANCE_UPDATED"];
    await story.call("PATCH", `/webhook-endpoints/${id}`, { events });
    expect(await types()).toEqual(["INCOMING_PAYMENT.COMPLETED"]);
    await fund(story, accountId, 1);
    await expect
      .poll(types, { timeout: 10_000 })
      .toEqual(["INTERNAL_ACCOUNT.BALANCE_UPDATED", "INCOMING_PAYMENT.COMPLETED"]);
    const skipped = await story.call("GET", "/events?type=INTERNAL_ACCOUNT.*");
    const [latest, before] = skipped.json.data;
    expect(latest.deliverySummary.endpoints).toBe(1);
    expect(before.deliverySummary.endpoints).toBe(0);
    const unasked = `WebhookDelivery:${id.split(":")[1]}.${before.id.split(":")[1]}`;
    expect(await refused(story.call("GET", `/webhook-deliveries/${unasked}`))).toEqual([
      404,
      "REFERENCE_NOT_FOUND",
      undefined,
    ]);
  });
});

describe("an endpoint", () => {
  it("says how its attempts went", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const { id } = await added(story, ({ sequence }) => (sequence % 2 === 0 ? 200 : 400));
    await fund(story, accountId, 1);
    const attempted = async () => {
      await written();
      return (await endpoint(story, id)).stats;
    };
    await expect.poll(attempted, { timeout: 10_000 }).toMatchObject({
      successRate: 0.5,
      p95LatencyMs: expect.any(Number),
      oldestUndeliveredAt: expect.any(String),
      lastSuccessAt: expect.any(String),
      lastFailureAt: expect.any(String),
      retrying: 1,
    });
  });

  it("with nothing but failures is failing, then disabled unless it is the default one, and goes on once it is enabled", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const told = await listenTo(story, () => 500);
    let status = 500;
    const receiver = await webhookReceiver(() => status);
    const { json: made } = await story.call("POST", "/webhook-endpoints", { url: receiver.url });
    const watching = await webhookReceiver(() => 200);
    const events = ["WEBHOOK_ENDPOINT.DISABLED"];
    await story.call("POST", "/webhook-endpoints", { url: watching.url, events });
    for (let index = 0; index < 11; index++) await fund(story, accountId, 1);
    await receiver.received(12);
    const state = async () => {
      await written();
      return (await endpoint(story, made.id)).state;
    };
    expect(await state()).toBe("ACTIVE");
    await advance(story, 16 * 60);
    await expect.poll(state, { timeout: 10_000 }).toBe("FAILING");
    await advance(story, 5 * 86_400);
    await expect.poll(state, { timeout: 10_000 }).toBe("DISABLED");
    await watching.received(1);
    const event = JSON.parse(watching.delivered[0]?.body.toString() ?? "{}");
    expect(event).toMatchObject({
      type: "WEBHOOK_ENDPOINT.DISABLED",
      data: { id: made.id, state: "DISABLED", disabledReason: expect.stringMatching(/five days/) },
    });
    expect(await endpoint(story, made.id)).toEqual(event.data);
    expect((await endpoint(story, endpointOf(story))).state).toBe("FAILING");
    expect(told.deliveries.map(({ type }) => type)).not.toContain(event.type);
    const path = `/webhook-endpoints/${made.id}`;
    const both = { state: "ACTIVE", isDisabled: true };
    expect(await refused(story.call("PATCH", path, both))).toEqual([
      400,
      "INVALID_INPUT",
      "isDisabled",
    ]);

    status = 200;
    await fund(story, accountId, 1);
    const enabled = await story.call("PATCH", path, { state: "ACTIVE" });
    expect(enabled.json).toMatchObject({ state: "ACTIVE" });
    expect(enabled.json).not.toHaveProperty("disabledReason");
    const waiting = async () => {
      await advance(story, 3_600);
      return (await list(story, `?endpointId=${made.id}&state=DELIVERED&limit=100`)).length;
    };
    // Two events of each payment, and the one that tells of the endpoint itself.
    await expect.poll(waiting, { timeout: 10_000 }).toBe(2 * 12 + 1);
  });
});

describe("the list", () => {
  it("goes on from page to page over events and endpoints, under every filter", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    const others = [await added(story, () => 200), await added(story, () => 200)];
    for (let index = 0; index < 4; index++) await fund(story, accountId, 1);
    const stats = async () => {
      const ends = await Promise.all(others.map(({ id }) => endpoint(story, id)));
      return ends.map((one) => one.stats.waiting);
    };
    await expect.poll(stats, { timeout: 10_000 }).toEqual([0, 0]);
    const all = await list(story, "?limit=100");
    expect(all).toHaveLength(2 * 8);
    const sorted = all.map(({ eventSequence, endpointId }) => [eventSequence, endpointId] as const);
    expect(sorted).toEqual(
      sorted.toSorted((one, other) => other[0] - one[0] || (one[1] < other[1] ? -1 : 1)),
    );
    async function pages(query: string): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let cursor = ""; ; ) {
        const { json } = await story.call("GET", `/webhook-deliveries?limit=3${query}${cursor}`);
        ids.push(...json.data.map(({ id }: Delivery) => id));
        if (!json.hasMore) return ids;
        cursor = `&cursor=${json.nextCursor}`;
      }
    }
    const ids = (wanted: (delivery: Delivery) => boolean) => all.filter(wanted).map(({ id }) => id);
    expect(await pages("")).toEqual(ids(() => true));
    const [one] = others;
    expect(await pages(`&endpointId=${one?.id}`)).toEqual(
      ids(({ endpointId }) => endpointId === one?.id),
    );
    expect(await pages("&eventType=INCOMING_PAYMENT.*")).toEqual(
      ids(({ eventType }) => eventType.startsWith("INCOMING_PAYMENT.")),
    );
    expect(await pages(`&resourceId=${accountId}&state=DELIVERED`)).toEqual(
      ids(({ resourceId }) => resourceId === accountId),
    );
    expect(await pages("&statusClass=2xx")).toEqual(ids(() => true));
    expect(await pages("&state=FAILED")).toEqual([]);
    expect(await pages("&since=2001-01-01T00:00:00Z")).toEqual(ids(() => true));
    expect(await pages("&until=2001-01-01T00:00:00Z")).toEqual([]);
    expect(await pages(`&eventId=${all[0]?.eventId}`)).toEqual(
      ids(({ eventId }) => eventId === all[0]?.eventId),
    );
    expect(await pages(`&eventId=${all[0]?.eventId}&eventType=TEST`)).toEqual([]);
  });

  it.each([
    ["endpointId=Webhook:019a4f00-0000-7000-8000-000000000005", "endpointId"],
    ["eventId=x", "eventId"],
    ["eventType=NO_SUCH.TYPE", "eventType"],
    ["resourceId=x", "resourceId"],
    ["state=SENT", "state"],
    ["statusClass=6xx", "statusClass"],
    ["since=yesterday", "since"],
    ["cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "cursor"],
  ])("refuses %s", async (query, field) => {
    const story = await openStory(server);
    const call = story.call("GET", `/webhook-deliveries?${query}`);
    expect(await refused(call)).toEqual([400, "INVALID_INPUT", field]);
  });

  it("is empty for a platform without endpoints, and knows no delivery of another platform", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story);
    expect(await list(story)).toEqual([]);
    const { events } = await listenTo(story);
    await fund(story, accountId, 1);
    await events();
    const [own] = await list(story);
    const other = await openStory(server);
    await fundedCustomer(other);
    await listenTo(other);
    const event = own?.eventId.split(":")[1];
    for (const id of [
      own?.id,
      `WebhookDelivery:${other.platformId}.${event}`,
      "WebhookDelivery:x",
      "x",
    ]) {
      for (const path of [`/webhook-deliveries/${id}`, `/webhook-deliveries/${id}/attempts`]) {
        expect(await refused(other.call("GET", path))).toEqual([
          404,
          "REFERENCE_NOT_FOUND",
          undefined,
        ]);
      }
    }
    expect(await list(other, `?eventId=${own?.eventId}`)).toEqual([]);
    expect(await list(other, `?endpointId=${own?.endpointId}`)).toEqual([]);
  });
});
