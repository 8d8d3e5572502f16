/** Batches of payments whose items run from a time on: by the platform's clock, once, or not at all. */
import { describe, expect, it } from "vitest";
import { eventsOf } from "../../kit/platform-rows.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { soon } from "../../kit/soon.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  batchCsv,
  batchForm,
  bookItem,
  idOfBatch,
  payersOf,
  sendBatch,
} from "../../kit/story-batches.ts";
import { holdingsOf, rowCounts } from "../../kit/story-money.ts";

const server = await sharedServer();
const HOUR_S = 3_600;

async function nowOf(story: Story): Promise<number> {
  return Date.parse((await story.call("GET", "/sandbox/clock")).json.now);
}

async function inHours(story: Story, hours: number): Promise<string> {
  return new Date((await nowOf(story)) + hours * HOUR_S * 1_000).toISOString();
}

const advance = (story: Story, seconds: number) =>
  story.call("POST", "/sandbox/clock/advance", { seconds });

const batchAt = async (story: Story, id: string) =>
  (await story.call("GET", `/payment-batches/${id}`)).json;

function ended(story: Story, id: string) {
  return soon(async () => {
    const batch = await batchAt(story, id);
    expect(batch.completedAt).toBeDefined();
    return batch;
  });
}

describe("a scheduled batch", () => {
  it("waits until its time, and pays then", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story, 0);
    const scheduledFor = await inHours(story, 2);
    const items = [bookItem(payers), bookItem(payers, { reference: "two", amount: 99_999 })];
    const sent = await sendBatch(story, items, { scheduledFor });
    expect([sent.status, sent.json.status]).toEqual([202, "PENDING"]);
    expect(sent.json).toMatchObject({ scheduledFor, counts: { waiting: 2 } });
    const id = idOfBatch(sent);
    await advance(story, HOUR_S);
    await story.settle();
    expect(await batchAt(story, id)).toEqual(sent.json);
    await story.call("POST", `/sandbox/internal-accounts/${payers.from}/fund`, { amount: 500 });
    await advance(story, HOUR_S);
    expect(await ended(story, id)).toMatchObject({
      status: "COMPLETED",
      counts: { accepted: 1, refused: 1 },
    });
    expect((await holdingsOf(story, payers.to)).available).toBe(100);
  });

  it("is taken from a file, with its time as a field of the form", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    const file = batchCsv([bookItem(payers)]);
    const scheduledFor = await inHours(story, 1);
    const send = (fields: Readonly<Record<string, string>>) =>
      story.call("POST", "/payment-batches/csv", batchForm(file, fields));
    const sent = await send({ scheduledFor });
    expect([sent.status, sent.json.scheduledFor]).toEqual([202, scheduledFor]);
    const past = await send({ scheduledFor: "2020-01-01T00:00:00Z" });
    expect([past.status, past.json.details.field]).toEqual([400, "scheduledFor"]);
    expect((await send({ scheduledFor: "tomorrow" })).status).toBe(400);
  });

  it("is refused for a time that is past, too far or no time, and nothing is stored", async () => {
    const story = await openStory(server);
    const items = [bookItem(await payersOf(story))];
    const before = await rowCounts(story);
    const tooFar = await inHours(story, 24 * 366 + 1);
    for (const scheduledFor of [await inHours(story, -1), tooFar, "soon", 7, null, {}]) {
      const { status, json } = await sendBatch(story, items, { scheduledFor });
      expect([scheduledFor, status, json.code]).toEqual([scheduledFor, 400, "INVALID_INPUT"]);
      expect(json.details.errors[0].field).toBe("scheduledFor");
    }
    expect(await rowCounts(story)).toEqual(before);
  });

  it("is cancelled before its time, and never runs", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    const scheduledFor = await inHours(story, 1);
    const id = idOfBatch(await sendBatch(story, [bookItem(payers)], { scheduledFor }));
    const { json } = await story.call("POST", `/payment-batches/${id}/cancel`);
    expect(json).toMatchObject({ status: "CANCELLED", counts: { cancelled: 1 } });
    await advance(story, 2 * HOUR_S);
    await story.settle();
    expect(await batchAt(story, id)).toEqual(json);
    expect((await holdingsOf(story, payers.to)).available).toBe(0);
  });

  it.each([
    [{ mode: "INDEPENDENT", requireFunds: true }, undefined],
    [{ mode: "ALL_OR_NOTHING" }, 1],
  ] as const)(
    "of %o that its balance does not carry is cancelled with its error",
    async (how, index) => {
      const story = await openStory(server);
      const payers = await payersOf(story, 150);
      const items = ["a", "b"].map((reference) => bookItem(payers, { reference }));
      const sent = await sendBatch(story, items, { ...how, scheduledFor: await inHours(story, 1) });
      expect(sent.status).toBe(202);
      const id = idOfBatch(sent);
      await advance(story, HOUR_S);
      const batch = await ended(story, id);
      expect(batch).toMatchObject({
        status: "CANCELLED",
        counts: { accepted: 0, refused: 0, cancelled: 2 },
        error: { code: "INSUFFICIENT_BALANCE", details: index === undefined ? {} : { index } },
      });
      expect((await holdingsOf(story, payers.to)).available).toBe(0);
      const told = (await eventsOf(story)).filter(({ type }) => type === "PAYMENT_BATCH.COMPLETED");
      expect(told.map(({ body }) => (body as { data: object }).data)).toEqual([batch]);
    },
  );

  it("of all or nothing pays all of its items in one commit", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story, 200);
    const items = ["a", "b"].map((reference) => bookItem(payers, { reference }));
    const scheduledFor = await inHours(story, 1);
    const sent = await sendBatch(story, items, { mode: "ALL_OR_NOTHING", scheduledFor });
    await advance(story, HOUR_S);
    const batch = await ended(story, idOfBatch(sent));
    expect(batch).toMatchObject({ status: "COMPLETED", counts: { accepted: 2, completed: 2 } });
    expect((await holdingsOf(story, payers.to)).available).toBe(200);
  });

  it("whose job is lost is found by the check of the books", async () => {
    const story = await openStory(server);
    const scheduledFor = await inHours(story, 1);
    const items = [bookItem(await payersOf(story))];
    const id = idOfBatch(await sendBatch(story, items, { scheduledFor }));
    const lost = "delete from jobs where platform_id = $1 and kind = 'run-payment-batch'";
    const found = await foundAfter({ server, story }, lost, [story.platformId]);
    expect(found).toEqual([`payment_batches | ${id.split(":")[1]} | no job runs it`]);
  });
});
