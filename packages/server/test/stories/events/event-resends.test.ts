/** Events that are sent again: one, one delivery, or all that a filter selects. */
import { verifyWebhook } from "@florin/client/webhooks";
import { afterEach, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { soon } from "../../kit/soon.ts";
import { fundedCustomer, openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { advance, fund } from "../../kit/story-money.ts";
import { announce, umaStage } from "../../kit/story-uma.ts";
import { setEndpoint } from "../../kit/story-webhooks.ts";
import { type Delivered, webhookReceiver } from "../../kit/webhook-deliveries.ts";

const DAY = 86_400;
const UNKNOWN = "019a4f00-0000-7000-8000-0000000000ff";

const server = await sharedServer();
afterEach(() => endReceivers());

interface Shown {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
}

async function eventsOf(story: Story, query = ""): Promise<readonly Shown[]> {
  return (await story.call("GET", `/events?sortOrder=asc&limit=100${query}`)).json.data;
}

async function receiving(story: Story, status: () => number = () => 200) {
  const receiver = await webhookReceiver(() => status());
  await setEndpoint(story, receiver.url);
  return receiver;
}

const isAgain = ({ headers }: Delivered) => headers["x-redelivery"] === "true";
const defaultEndpoint = ({ platformId }: Story) => `WebhookEndpoint:${platformId}`;

async function refused(call: Promise<RawAnswer>): Promise<readonly unknown[]> {
  const { status, json } = await call;
  return [status, json.code];
}

/** Waits until an order has ended. */
async function ended(story: Story, id: string): Promise<RawAnswer["json"]> {
  return soon(async () => {
    const { json } = await story.call("GET", `/event-resends/${id}`);
    expect(json.state).not.toBe("RUNNING");
    return json;
  });
}

/** A platform whose endpoint has failed the events of a customer, which wait for their next attempt. */
async function failedStory() {
  const story = await openStory(server);
  const { accountId } = await fundedCustomer(story, 0);
  const receiving200 = { status: 500 };
  const receiver = await receiving(story, () => receiving200.status);
  for (let amount = 1; amount <= 3; amount++) await fund(story, accountId, amount);
  await server.app.deliveries.settled(story.platformId);
  const deliver = () => {
    receiving200.status = 200;
  };
  return { story, accountId, receiver, deliver };
}

describe("an event that is sent again", () => {
  it("is the same id and bytes, marked, and signed, at each endpoint that gets its type", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 0);
    const receiver = await receiving(story);
    const other = await webhookReceiver(() => 200);
    const deaf = await webhookReceiver(() => 200);
    const added = await story.call("POST", "/webhook-endpoints", { url: other.url });
    await story.call("POST", "/webhook-endpoints", { url: deaf.url, events: ["CUSTOMER.*"] });
    await fund(story, accountId, 1);
    await Promise.all([receiver.received(3), other.received(2)]);
    const [event] = await eventsOf(story, "&type=INCOMING_PAYMENT.COMPLETED");
    const { id, sequence } = present(event, "an event");
    const { status, json } = await story.call("POST", `/events/${id}/resend`);
    expect(status).toBe(202);
    expect(json.deliveries).toEqual(
      [defaultEndpoint(story), added.json.id].map((endpointId) => ({
        id: `WebhookDelivery:${endpointId.split(":")[1]}.${id.split(":")[1]}`,
        eventId: id,
        eventSequence: sequence,
        eventType: "INCOMING_PAYMENT.COMPLETED",
        resourceId: expect.stringMatching(/^Transaction:/),
        endpointId,
        state: "DELIVERED",
      })),
    );
    await Promise.all([receiver.received(4), other.received(3)]);
    for (const { delivered } of [receiver, other]) {
      const [first, again] = delivered.filter((one) => one.sequence === sequence);
      expect(again?.body).toEqual(first?.body);
      expect([first, again].map((one) => one && isAgain(one))).toEqual([false, true]);
    }
    const { body, headers } = present(receiver.delivered.at(-1), "a delivery");
    const header = String(headers["x-service-signature"]);
    expect(verifyWebhook({ body, header, publicKey: story.webhookPublicKey })).toBe(true);
    expect(headers["x-event-sequence"]).toBe(String(sequence));
    expect(deaf.delivered).toEqual([]);
  });

  it("goes to one endpoint alone when it is named, also a year later", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 0);
    const receiver = await receiving(story);
    const other = await webhookReceiver(() => 200);
    const added = await story.call("POST", "/webhook-endpoints", { url: other.url });
    await fund(story, accountId, 1);
    await Promise.all([receiver.received(3), other.received(2)]);
    await advance(story, 366 * DAY);
    const [event] = await eventsOf(story, "&type=INCOMING_PAYMENT.COMPLETED");
    const body = { endpointId: added.json.id };
    const again = await story.call("POST", `/events/${event?.id}/resend`, body);
    expect(again.json.deliveries).toMatchObject([{ endpointId: added.json.id }]);
    await other.received(3);
    expect(other.delivered.filter(isAgain)).toHaveLength(1);
    expect(receiver.delivered.filter(isAgain)).toEqual([]);
  });

  it("is replayed under its key, and then sent once", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 0);
    const receiver = await receiving(story);
    await fund(story, accountId, 1);
    await receiver.received(3);
    const [event] = await eventsOf(story, "&type=INCOMING_PAYMENT.COMPLETED");
    const call = () =>
      story.call("POST", `/events/${event?.id}/resend`, undefined, { key: "resend-1" });
    const answers = [await call(), await call()];
    expect(answers[1]?.text).toBe(answers[0]?.text);
    await receiver.received(4);
    await story.settle();
    expect(receiver.delivered.filter(isAgain)).toHaveLength(1);
  });

  it("is refused: unknown, another platform's, no endpoint, TEST, a type that is not for it", async () => {
    const [story, stranger] = [await openStory(server), await openStory(server)];
    const { accountId } = await fundedCustomer(story, 0);
    await fund(story, accountId, 1);
    const [event] = await eventsOf(story, "&type=INCOMING_PAYMENT.COMPLETED");
    const resend = (id: string | undefined, body?: unknown) =>
      refused(story.call("POST", `/events/${id}/resend`, body));
    expect(await resend(`Webhook:${UNKNOWN}`)).toEqual([404, "EVENT_NOT_FOUND"]);
    const theirs = stranger.call("POST", `/events/${event?.id}/resend`);
    expect(await refused(theirs)).toEqual([404, "EVENT_NOT_FOUND"]);
    expect(await resend(event?.id)).toEqual([400, "WEBHOOK_ENDPOINT_NOT_SET"]);
    const unset = { endpointId: defaultEndpoint(story) };
    expect(await resend(event?.id, unset)).toEqual([400, "WEBHOOK_ENDPOINT_NOT_SET"]);
    await receiving(story);
    const unknown = { endpointId: `WebhookEndpoint:${UNKNOWN}` };
    expect(await resend(event?.id, unknown)).toEqual([404, "WEBHOOK_ENDPOINT_NOT_FOUND"]);
    expect(await resend(event?.id, { endpointId: 1 })).toEqual([400, "INVALID_INPUT"]);
    const [test] = await eventsOf(story, "&type=TEST");
    expect(await resend(test?.id)).toEqual([409, "CONFLICT"]);
    const url = "https://platform.example/hook";
    const narrow = { url, events: ["CUSTOMER.*"] };
    const { json } = await story.call("POST", "/webhook-endpoints", narrow);
    expect(await resend(event?.id, { endpointId: json.id })).toEqual([409, "CONFLICT"]);
    await story.call("PATCH", `/webhook-endpoints/${json.id}`, { isDisabled: true });
    const disabled = await resend(event?.id, { endpointId: json.id });
    expect(disabled).toEqual([400, "WEBHOOK_ENDPOINT_NOT_SET"]);
  });

  it("is no question whether to take a payment", async () => {
    const stage = await umaStage(server, () => 200);
    const { story } = stage;
    await announce(stage);
    await story.settle();
    const [question] = await eventsOf(story, "&type=INCOMING_PAYMENT.PENDING");
    const call = story.call("POST", `/events/${question?.id}/resend`);
    expect(await refused(call)).toEqual([409, "CONFLICT"]);
  });
});

describe("a delivery that is retried", () => {
  const deliveryOf = (story: Story, { id }: Shown) =>
    `WebhookDelivery:${story.platformId}.${id.split(":")[1]}`;
  const retry = (story: Story, event: Shown | undefined) =>
    story.call(
      "POST",
      `/webhook-deliveries/${deliveryOf(story, present(event, "an event"))}/retry`,
    );

  it("is attempted now when it waits, and what stood behind it follows in order", async () => {
    const { story, accountId, receiver, deliver } = await failedStory();
    const balances = await eventsOf(story, `&resourceId=${accountId}`);
    deliver();
    const { status, json } = await retry(story, balances[0]);
    expect(status).toBe(202);
    expect(json.deliveries).toMatchObject([{ state: "WAITING", eventId: balances[0]?.id }]);
    const taken = () =>
      receiver.delivered
        .slice(1)
        .filter(({ sequence }) => balances.some((event) => event.sequence === sequence))
        .map(({ sequence }) => sequence);
    await soon(() => expect(taken().slice(-3)).toEqual(balances.map((event) => event.sequence)));
  });

  it("behind an earlier event lets that one go first", async () => {
    const { story, accountId, receiver, deliver } = await failedStory();
    const balances = await eventsOf(story, `&resourceId=${accountId}`);
    deliver();
    const { json } = await retry(story, balances[2]);
    expect(json.deliveries).toMatchObject([{ state: "BEHIND" }]);
    const sequences = balances.map((event) => event.sequence);
    const taken = () => receiver.sequences().filter((sequence) => sequences.includes(sequence));
    await soon(() => expect(taken().slice(-3)).toEqual(sequences));
  });

  it("is one more attempt when it was taken, and is given up still when it fails again", async () => {
    const { story, receiver, deliver } = await failedStory();
    for (let days = 0; days < 9; days++) {
      await advance(story, DAY);
      await server.app.deliveries.runOnce();
    }
    const [event] = await eventsOf(story, "&type=INCOMING_PAYMENT.COMPLETED");
    const before = receiver.delivered.length;
    expect((await retry(story, event)).json.deliveries).toMatchObject([{ state: "FAILED" }]);
    await receiver.received(before + 1);
    await story.settle();
    deliver();
    expect((await retry(story, event)).json.deliveries).toMatchObject([{ state: "FAILED" }]);
    await receiver.received(before + 2);
    await story.settle();
    expect((await retry(story, event)).json.deliveries).toMatchObject([{ state: "DELIVERED" }]);
    await receiver.received(before + 3);
    expect(receiver.delivered.slice(before).every(isAgain)).toBe(true);
  });

  it.each(["nothing", `WebhookDelivery:${UNKNOWN}`, `WebhookDelivery:${UNKNOWN}.${UNKNOWN}`])(
    "is refused: %s",
    async (id) => {
      const story = await openStory(server);
      const call = story.call("POST", `/webhook-deliveries/${id}/retry`);
      expect(await refused(call)).toEqual([404, "REFERENCE_NOT_FOUND"]);
    },
  );
});

describe("an order of many events", () => {
  it("sends those that failed, the oldest first, and says how far it has come", async () => {
    const { story, accountId, receiver, deliver } = await failedStory();
    for (let days = 0; days < 9; days++) {
      await advance(story, DAY);
      await server.app.deliveries.runOnce();
    }
    deliver();
    await fund(story, accountId, 4);
    await server.app.deliveries.settled(story.platformId);
    const before = receiver.delivered.length;
    const filter = { failed: true };
    const dry = await story.call("POST", "/events/resend", { filter, dryRun: true });
    expect(dry.status).toBe(202);
    expect(dry.json).toMatchObject({ dryRun: true, matched: 6, sent: 0, failed: 0 });
    expect(dry.json).not.toHaveProperty("id");
    const { status, json } = await story.call("POST", "/events/resend", { filter });
    expect(status).toBe(202);
    expect(json).toMatchObject({ state: "RUNNING", matched: 6, filter, dryRun: false });
    expect(await ended(story, json.id)).toMatchObject({
      state: "COMPLETED",
      matched: 6,
      sent: 6,
      failed: 0,
      endpoints: [{ endpointId: defaultEndpoint(story), state: "COMPLETED", sent: 6 }],
    });
    const again = receiver.delivered.slice(before);
    expect(again.every(isAgain)).toBe(true);
    const balances = (await eventsOf(story, `&resourceId=${accountId}`)).slice(0, 3);
    const sequences = balances.map(({ sequence }) => sequence);
    expect(
      again.map(({ sequence }) => sequence).filter((sequence) => sequences.includes(sequence)),
    ).toEqual(sequences);
    const none = await story.call("POST", "/events/resend", { filter });
    expect(none.json).toMatchObject({ state: "COMPLETED", matched: 0, endpoints: [] });
  });

  it("takes the filters of the list, and goes to each endpoint or to one", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 0);
    const receiver = await receiving(story);
    const other = await webhookReceiver(() => 200);
    const narrow = { url: other.url, events: ["INTERNAL_ACCOUNT.*"] };
    const { json: added } = await story.call("POST", "/webhook-endpoints", narrow);
    for (let amount = 1; amount <= 3; amount++) await fund(story, accountId, amount);
    await Promise.all([receiver.received(7), other.received(3)]);
    const events = await eventsOf(story);
    const matched = async (filter: unknown, endpointId?: string) => {
      const body = { filter, dryRun: true, ...(endpointId === undefined ? {} : { endpointId }) };
      return (await story.call("POST", "/events/resend", body)).json.matched;
    };
    // Also what happened before the platform had an endpoint, but not the TEST.
    const count = events.filter(({ type }) => type !== "TEST").length;
    expect(count).toBeGreaterThan(6);
    expect(await matched({})).toBe(count + 3);
    expect(await matched({}, defaultEndpoint(story))).toBe(count);
    expect(await matched({}, added.id)).toBe(3);
    expect(await matched({ type: ["INCOMING_PAYMENT.*"] })).toBe(3);
    expect(await matched({ resourceId: accountId })).toBe(6);
    const last = present(events.at(-1), "an event").sequence;
    expect(await matched({ after: last - 2 }, defaultEndpoint(story))).toBe(2);
    expect(await matched({ after: last - 4, before: last }, defaultEndpoint(story))).toBe(3);
    expect(await matched({ since: "2099-01-01T00:00:00Z" })).toBe(0);
    expect(await matched({ until: "2001-01-01T00:00:00Z" })).toBe(0);
    expect(await matched({ failed: true })).toBe(0);
    const filter = { type: ["INTERNAL_ACCOUNT.BALANCE_UPDATED"], after: last - 4 };
    const { json } = await story.call("POST", "/events/resend", { filter });
    const done = await ended(story, json.id);
    expect(done).toMatchObject({ state: "COMPLETED", matched: 4, sent: 4 });
    expect(receiver.delivered.filter(isAgain)).toHaveLength(2);
    expect(other.delivered.filter(isAgain)).toHaveLength(2);
  });

  it("counts what is not taken again, and leaves it as it was", async () => {
    const { story, receiver } = await failedStory();
    for (let days = 0; days < 9; days++) {
      await advance(story, DAY);
      await server.app.deliveries.runOnce();
    }
    const before = receiver.delivered.length;
    const filter = { failed: true };
    const { json } = await story.call("POST", "/events/resend", { filter });
    expect(await ended(story, json.id)).toMatchObject({ matched: 6, sent: 0, failed: 6 });
    expect(receiver.delivered.length).toBe(before + 6);
    const dry = await story.call("POST", "/events/resend", { filter, dryRun: true });
    expect(dry.json.matched).toBe(6);
  });

  it("is one of four at most, waits for an endpoint that is down, and can be cancelled", async () => {
    const story = await openStory(server);
    const people = await Promise.all([1, 2, 3].map(() => fundedCustomer(story, 0)));
    await receiving(story);
    await endReceivers();
    for (const { accountId } of people) await fund(story, accountId, 1);
    const endpoint = `/webhook-endpoints/${defaultEndpoint(story)}`;
    await soon(async () => expect((await story.call("GET", endpoint)).json.state).toBe("FAILING"));
    const order = () => story.call("POST", "/events/resend", { filter: {} });
    const orders = await Promise.all([1, 2, 3, 4, 5].map(order));
    expect(orders.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 202, 409]);
    const ids = orders.flatMap(({ json }) => (json.id === undefined ? [] : [json.id as string]));
    const full = present(
      orders.find(({ status }) => status === 409),
      "a refusal",
    );
    expect(full.json.details.resendIds.toSorted()).toEqual(ids.toSorted());
    const path = `/event-resends/${ids[0]}`;
    expect((await story.call("DELETE", path)).status).toBe(204);
    expect((await story.call("GET", path)).json).toMatchObject({ state: "CANCELLED", sent: 0 });
    expect(await refused(story.call("DELETE", path))).toEqual([409, "CONFLICT"]);
    expect((await order()).status).toBe(202);
  });

  it("stops at an endpoint that is taken away", async () => {
    const { story } = await failedStory();
    const { json } = await story.call("POST", "/events/resend", { filter: { failed: true } });
    await story.call("PATCH", "/config", { webhookEndpoint: null });
    expect(await ended(story, json.id)).toMatchObject({ state: "STOPPED", matched: 6 });
    expect(await refused(story.call("POST", "/events/resend", { filter: {} }))).toEqual([
      400,
      "WEBHOOK_ENDPOINT_NOT_SET",
    ]);
  });

  it.each([
    [{}, "filter"],
    [{ filter: { type: ["NO.SUCH"] } }, "filter.type[0]"],
    [{ filter: { type: "TEST" } }, "filter.type"],
    [{ filter: { faild: true } }, "filter.faild"],
    [{ filter: { failed: "yes" } }, "filter.failed"],
    [{ filter: { since: "yesterday" } }, "filter.since"],
    [{ filter: { resourceId: "x" } }, "filter.resourceId"],
    [{ filter: {}, dryRun: 1 }, "dryRun"],
    [{ filter: {}, endpointId: 1 }, "endpointId"],
  ])("is refused: %j", async (body, field) => {
    const story = await openStory(server);
    const { status, json } = await story.call("POST", "/events/resend", body);
    expect([status, json.code, json.details.errors[0].field]).toEqual([
      400,
      "INVALID_INPUT",
      field,
    ]);
  });

  it("is unknown to another platform", async () => {
    const [story, stranger] = [await openStory(server), await openStory(server)];
    await receiving(story);
    const { json } = await story.call("POST", "/events/resend", { filter: {} });
    for (const method of ["GET", "DELETE"]) {
      const call = stranger.call(method, `/event-resends/${json.id}`);
      expect(await refused(call)).toEqual([404, "REFERENCE_NOT_FOUND"]);
    }
    for (const endpointId of [`WebhookEndpoint:${UNKNOWN}`, `Token:${UNKNOWN}`, "x"]) {
      const call = story.call("POST", "/events/resend", { endpointId, filter: {} });
      expect(await refused(call)).toEqual([404, "WEBHOOK_ENDPOINT_NOT_FOUND"]);
    }
    const theirs = await fundedCustomer(stranger, 1);
    const filter = { resourceId: theirs.accountId };
    const dry = await story.call("POST", "/events/resend", { filter, dryRun: true });
    expect(dry.json.matched).toBe(0);
  });
});
