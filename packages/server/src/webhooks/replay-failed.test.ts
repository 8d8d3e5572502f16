import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { endReceivers } from "../../test/kit/receivers.ts";
import {
  addEvents,
  addPlatform,
  type DeliveryStore,
  deliveryWorker,
  openDeliveryStore,
  parkedOf,
  START_MS,
  setEndpoint,
  webhookReceiver,
} from "../../test/kit/webhook-deliveries.ts";
import { type Replayed, type ReplayWish, replayFailed } from "./replay-failed.ts";

const MINUTE = 60_000;
const clock = createManualClock(START_MS);
let store: DeliveryStore;

beforeAll(async () => {
  store = await openDeliveryStore();
});

afterEach(() => store.clear());
afterAll(() => store.close());

/** A platform all of whose events were given up, one a minute, of so many subjects in turn. */
async function givenUp(
  count: number,
  subjects = count,
  types: readonly string[] = [],
): Promise<{ readonly id: string; readonly eventIds: string[] }> {
  const { id } = await addPlatform(store, "https://receiver.example/");
  const bodies = await addEvents(
    store,
    id,
    Array.from({ length: count }, (_, index) => ({
      subject: `T:${index % subjects}`,
      at: START_MS + index * MINUTE,
      type: types[index] ?? "CUSTOMER.DELETED",
    })),
  );
  await store.sql(
    "insert into webhook_deliveries (platform_id, event_seq, subject, state, attempts, parked_at) " +
      "select $1, seq, subject, 'FAILED', 9, at from events where platform_id = $1",
    [id],
  );
  return { id, eventIds: bodies.map((body) => JSON.parse(body).id.slice("Webhook:".length)) };
}

function replay(platformId: string, which: Partial<ReplayWish> = {}): Promise<Replayed> {
  const wish = { platformId, since: undefined, eventId: undefined, limit: 10_000, ...which };
  return replayFailed({ database: store.database, clock }, wish);
}

async function dueOf(platformId: string): Promise<readonly number[]> {
  const parked = await parkedOf(store, platformId);
  return parked.flatMap(({ seq, state, nextAt }) =>
    state === "WAITING" && nextAt === clock.now() ? [seq] : [],
  );
}

describe("events that were given up", () => {
  it("are all due again, of one platform alone, however many batches they are", async () => {
    const [mine, theirs] = [await givenUp(1_203), await givenUp(2)];
    expect(await replay(mine.id)).toEqual({ count: 1_203, isCut: false });
    expect(await dueOf(mine.id)).toHaveLength(1_203);
    expect(await dueOf(theirs.id)).toEqual([]);
    expect(await replay(mine.id)).toEqual({ count: 0, isCut: false });
  });

  it("are due again from a moment on", async () => {
    const { id } = await givenUp(5);
    const since = START_MS + 3 * MINUTE;
    expect(await replay(id, { since })).toEqual({ count: 2, isCut: false });
    expect(await dueOf(id)).toEqual([4, 5]);
  });

  it("are due again one by one, and another platform's never", async () => {
    const [mine, theirs] = [await givenUp(3), await givenUp(1)];
    expect(await replay(mine.id, { eventId: mine.eventIds[1] })).toEqual({
      count: 1,
      isCut: false,
    });
    expect(await dueOf(mine.id)).toEqual([2]);
    expect(await replay(mine.id, { eventId: theirs.eventIds[0] })).toMatchObject({ count: 0 });
    expect(await replay(mine.id, { eventId: mine.eventIds[1] })).toMatchObject({ count: 0 });
  });

  it("are left out when their type is sent once, unless they are named", async () => {
    const { id, eventIds } = await givenUp(3, 3, ["TEST", "INCOMING_PAYMENT.PENDING"]);
    expect(await replay(id)).toEqual({ count: 1, isCut: false });
    expect(await dueOf(id)).toEqual([3]);
    expect(await replay(id, { eventId: eventIds[0] })).toMatchObject({ count: 1 });
    expect(await dueOf(id)).toEqual([1, 3]);
  });

  it("are due again up to a bound, the oldest first", async () => {
    const { id } = await givenUp(7);
    expect(await replay(id, { limit: 3 })).toEqual({ count: 3, isCut: true });
    expect(await dueOf(id)).toEqual([1, 2, 3]);
    expect(await replay(id, { limit: 600 })).toEqual({ count: 4, isCut: false });
  });

  it("are sent one after the other per resource, through all batches, also when some fail again", async () => {
    const { id } = await givenUp(1_203, 3);
    expect(await replay(id)).toEqual({ count: 1_203, isCut: false });
    expect(await dueOf(id)).toEqual([1, 2, 3]);
    const receiver = await webhookReceiver(({ sequence }) => (sequence % 100 === 0 ? 500 : 200));
    await setEndpoint(store, id, receiver.url);
    await store.sql("insert into webhook_streams (platform_id, position) values ($1, 1203)", [id]);
    const worker = deliveryWorker({ clock, database: store.database });
    await worker.runOnce();
    await worker.stop(MINUTE);
    await endReceivers();
    const told = receiver.sequences();
    for (const rest of [0, 1, 2]) {
      const ofSubject = told.filter((sequence) => sequence % 3 === rest);
      expect(ofSubject).toEqual(ofSubject.toSorted((left, right) => left - right));
    }
    expect(new Set(told).size).toBe(1_203);
    expect((await parkedOf(store, id)).map(({ seq }) => seq % 100)).toEqual(Array(12).fill(0));
  });

  it("leave alone what still waits", async () => {
    const { id } = await givenUp(2);
    await store.sql(
      "update webhook_deliveries set state = 'BEHIND' where platform_id = $1 and event_seq = 2",
      [id],
    );
    expect(await replay(id)).toEqual({ count: 1, isCut: false });
    expect(await parkedOf(store, id)).toMatchObject([{ state: "WAITING" }, { state: "BEHIND" }]);
  });
});
