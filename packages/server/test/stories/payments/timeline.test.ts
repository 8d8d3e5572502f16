/** The timeline of a transaction: what its events, the books and the log say about it, in one list. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { endReceivers } from "../../kit/receivers.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { listenTo } from "../../kit/story-webhooks.ts";

const server = await sharedServer();
let story: Story;
beforeAll(async () => {
  story = await openStory(server);
});
afterAll(async () => {
  await endReceivers();
});

interface Entry {
  readonly at: string;
  readonly kind: string;
  readonly commandSeq?: number;
  readonly actor?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly eventId?: string;
  readonly eventType?: string;
  readonly deliveryId?: string;
  readonly posting?: string;
  readonly legs?: readonly unknown[];
}

async function timelineOf(id: string): Promise<readonly Entry[]> {
  const { status, json } = await story.call("GET", `/transactions/${id}/timeline`);
  expect([status, json.isComplete]).toEqual([200, true]);
  return json.entries;
}

async function pay(suffix: string): Promise<string> {
  const { customerId, accountId } = await fundedCustomer(story, 10_000);
  const paid = await story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: await bankAccount(story, { customerId, suffix }) },
    amount: 1_500,
  });
  await story.settle();
  return paid.json.id;
}

const briefly = ({ kind, status, reason, eventType }: Entry) =>
  [kind, status ?? eventType ?? (kind === "POSTING" ? reason : "")].join(" ").trim();

it("tells of a payment from its order to its end, the oldest first", async () => {
  const id = await pay("789");
  const entries = await timelineOf(id);
  expect(entries.map(briefly)).toEqual([
    "CREATED",
    "POSTING payout.hold",
    "STATUS PENDING",
    "EVENT OUTGOING_PAYMENT.PENDING",
    "JOB",
    "POSTING payout.settle",
    "STATUS PROCESSING",
    "EVENT OUTGOING_PAYMENT.PROCESSING",
    "STATUS COMPLETED",
    "EVENT OUTGOING_PAYMENT.COMPLETED",
  ]);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
  expect(entries[0]?.actor).toMatch(/^token/);
});

it("leads on to the posting and to the event", async () => {
  const entries = await timelineOf(await pay("789"));
  for (const { posting, legs, commandSeq } of entries.filter(({ kind }) => kind === "POSTING")) {
    const found = await story.call("GET", `/ledger/postings/${posting}`);
    expect(found.json.commandSeq).toBe(commandSeq);
    expect(found.json.legs).toHaveLength(legs?.length ?? 0);
  }
  for (const { eventId, eventType } of entries.filter(({ kind }) => kind === "EVENT")) {
    expect((await story.call("GET", `/events/${eventId}`)).json.type).toBe(eventType);
  }
});

it("says why a payment failed, and that its money is back", async () => {
  const entries = await timelineOf(await pay("004"));
  const told = entries.map(briefly);
  expect(told).toContain("STATUS FAILED");
  expect(told).toContain("POSTING payout.release");
});

it("shows events that the endpoint has not taken", async () => {
  const receiver = await listenTo(story, () => 500);
  const id = await pay("789");
  await receiver.received(1);
  await server.app.deliveries.settled(story.platformId);
  const waiting = (await timelineOf(id)).filter(({ kind }) => kind === "DELIVERY");
  expect(waiting.length).toBeGreaterThan(0);
  expect(waiting[0]).toMatchObject({ status: expect.stringMatching(/WAITING|BEHIND|FAILED/) });
});

it("shows the last attempt of each event, which leads on to the delivery", async () => {
  const receiver = await listenTo(story);
  const id = await pay("789");
  await receiver.events();
  await server.app.attemptLog.flush();
  const entries = await timelineOf(id);
  const events = entries.filter(({ kind }) => kind === "EVENT");
  const deliveries = entries.filter(({ kind }) => kind === "DELIVERY");
  expect(deliveries).toEqual(
    events.map(({ eventId, eventType }) =>
      expect.objectContaining({ eventId, eventType, status: "DELIVERED", attempts: 1 }),
    ),
  );
  for (const { deliveryId, at } of deliveries) {
    const { json } = await story.call("GET", `/webhook-deliveries/${deliveryId}`);
    expect(json.lastAttemptAt).toBe(at);
  }
});

it("is found for transactions of the platform alone", async () => {
  const id = await pay("789");
  const other = await openStory(server, { environment: "PRODUCTION" });
  for (const wanted of [id, "Transaction:7", "x"]) {
    const { status, json } = await other.call("GET", `/transactions/${wanted}/timeline`);
    expect([status, json.code]).toEqual([404, "TRANSACTION_NOT_FOUND"]);
  }
});
