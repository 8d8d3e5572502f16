import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../test/kit/manual-clock.ts";
import { onOne } from "../../test/kit/on-one.ts";
import { endReceivers } from "../../test/kit/receivers.ts";

import {
  about,
  addEvents,
  addPlatform,
  type DeliveryStore,
  deliveryWorker,
  openDeliveryStore,
  parkedOf,
  positionOf,
  START_MS,
  setEndpoint,
  webhookReceiver,
} from "../../test/kit/webhook-deliveries.ts";
import { shiftDeliveries } from "../domain/events/delivery.sql.ts";
import { toIso } from "../std/clock.ts";
import type { DeliveryWorker } from "./deliver-webhooks.ts";
import { type ReplayWish, replayFailed } from "./replay-failed.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

let store: DeliveryStore;
let clock: ManualClock;
let worker: DeliveryWorker;

beforeAll(async () => {
  store = await openDeliveryStore();
});

afterAll(() => store.close());

beforeEach(() => {
  clock = createManualClock(START_MS);
  worker = deliveryWorker({ clock, database: store.database });
});

afterEach(async () => {
  await endReceivers();
  await worker.stop(10 * SECOND);
  expect(worker.gauges.underway()).toBe(0);
  expect(worker.gauges.held()).toBe(0);
  expect(clock.pendingTimers).toBe(0);
  const leases = await store.sql(
    "select 1 from webhook_streams where leased_until > '2000-01-01T00:00:00Z'",
  );
  expect(leases).toEqual([]);
  await store.clear();
});

/** Moves time to the next attempt that is due and makes it. */
async function nextAttempts(platformId: string): Promise<void> {
  const parked = await parkedOf(store, platformId);
  const next = Math.min(...parked.flatMap(({ nextAt }) => nextAt ?? []));
  await clock.advance(Math.max(0, next - clock.now()));
  await worker.runOnce();
}

/** Time must not move past a lease that the worker, which waits for its database, would have renewed. */
async function leaseRenewed(platformId: string): Promise<void> {
  const until = toIso(clock.now() + 9 * SECOND);
  const statement = `select 1 from webhook_streams where platform_id = '${platformId}' and leased_until > '${until}'`;
  await expect.poll(() => store.sql(statement)).toHaveLength(1);
}

/** How many of the platform's events that were given up are due again. */
async function replay(platformId: string, which: Partial<ReplayWish> = {}): Promise<number> {
  const wish = { platformId, since: undefined, eventId: undefined, limit: 10_000, ...which };
  return (await replayFailed({ database: store.database, clock }, wish)).count;
}

describe("an event that is not taken", () => {
  it("lets other subjects pass, holds back its own, and is repeated with the same id and bytes", async () => {
    let isDown = true;
    const receiver = await webhookReceiver(({ sequence }) =>
      isDown && sequence === 2 ? 500 : 200,
    );
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "A", "B", "A", "A", "B"));
    expect(await worker.runOnce()).toBe(4);
    expect(receiver.sequences().toSorted()).toEqual([1, 2, 3, 6]);
    expect(await positionOf(store, platform.id)).toBe(6);
    expect(await parkedOf(store, platform.id)).toMatchObject([
      { seq: 2, state: "WAITING", attempts: 1, outcome: "answered 500" },
      { seq: 4, state: "BEHIND", attempts: 0 },
      { seq: 5, state: "BEHIND", attempts: 0 },
    ]);

    await addEvents(store, platform.id, about("A", "B"));
    expect(await worker.runOnce()).toBe(1);
    isDown = false;
    await nextAttempts(platform.id);
    expect(receiver.sequences().slice(-4)).toEqual([2, 4, 5, 7]);
    expect(await parkedOf(store, platform.id)).toEqual([]);
    const digests = receiver.delivered
      .filter(({ sequence }) => sequence === 2)
      .map(({ body }) => createHash("sha256").update(body).digest("hex"));
    expect(digests).toHaveLength(2);
    expect(new Set(digests).size).toBe(1);
  });

  onOne(
    "is on the disk when it counts as written down: PostgreSQL can crash under a worker that goes on",
    async () => {
      const { sql } = store;
      await sql("create table seen (event_seq int8, setting text)");
      await sql(
        "create function see() returns trigger language plpgsql as $$ begin " +
          "insert into seen values (new.event_seq, current_setting('synchronous_commit')); return new; end $$",
      );
      await sql(
        "create trigger see after insert on webhook_deliveries for each row execute function see()",
      );
      const receiver = await webhookReceiver(({ sequence }) => (sequence === 1 ? 500 : 200));
      const platform = await addPlatform(store, receiver.url);
      await addEvents(store, platform.id, about("A", "A", "B"));
      await worker.runOnce();
      await sql("drop trigger see on webhook_deliveries");
      expect(await sql("select * from seen order by event_seq")).toEqual([
        ["1", "on"],
        ["2", "on"],
      ]);
    },
  );

  it("lets the next one of its subject pass after four attempts", async () => {
    const receiver = await webhookReceiver(({ sequence }) => (sequence === 1 ? 500 : 200));
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "A", "A"));
    await worker.runOnce();
    for (let attempts = 2; attempts <= 3; attempts++) {
      await nextAttempts(platform.id);
      expect(await parkedOf(store, platform.id)).toMatchObject([
        { seq: 1, attempts },
        { seq: 2, state: "BEHIND" },
        { seq: 3, state: "BEHIND" },
      ]);
    }
    await nextAttempts(platform.id);
    expect(receiver.sequences()).toEqual([1, 1, 1, 1, 2, 3]);
    expect(await parkedOf(store, platform.id)).toMatchObject([{ seq: 1, attempts: 4 }]);
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    expect(receiver.sequences().slice(-1)).toEqual([4]);
  });

  it("is repeated on the schedule for seven days, then given up, and sent again by hand", async () => {
    let status = 503;
    const attemptedAt: number[] = [];
    const receiver = await webhookReceiver(() => {
      attemptedAt.push(clock.now());
      return status;
    });
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    for (let count = 1; count < 9; count++) await nextAttempts(platform.id);
    const waits = attemptedAt.slice(1).map((at, index) => at - (attemptedAt[index] ?? 0));
    const table = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE];
    for (const [index, wait] of waits.entries()) {
      const delayMs = table[index] ?? 30 * MINUTE;
      expect(wait).toBeGreaterThanOrEqual(delayMs * 0.8);
      expect(wait).toBeLessThanOrEqual(delayMs * 1.2);
    }
    // Nobody looked for most of the week; it goes on as if somebody had.
    await clock.advance(START_MS + 7 * DAY - 200 * MINUTE - clock.now());
    await worker.runOnce();
    for (let left = 20; left > 0; left--) {
      const [first] = await parkedOf(store, platform.id);
      if (first?.state !== "WAITING") break;
      await nextAttempts(platform.id);
    }
    const lastMs = (attemptedAt.at(-1) ?? 0) - START_MS;
    expect(attemptedAt.length).toBeGreaterThan(9 + 4);
    expect(lastMs).toBeLessThanOrEqual(7 * DAY);
    expect(lastMs).toBeGreaterThan(7 * DAY - 40 * MINUTE);
    expect(await parkedOf(store, platform.id)).toMatchObject([
      { seq: 1, state: "FAILED", outcome: "answered 503", attempts: attemptedAt.length },
    ]);

    await clock.advance(60 * MINUTE);
    expect(await replay(platform.id)).toBe(1);
    await worker.runOnce();
    expect(await parkedOf(store, platform.id)).toMatchObject([{ seq: 1, state: "FAILED" }]);
    status = 200;
    expect(await replay(platform.id)).toBe(1);
    expect(await replay(platform.id)).toBe(0);
    await worker.runOnce();
    expect(await parkedOf(store, platform.id)).toEqual([]);
    expect(await replay(platform.id)).toBe(0);
  });

  it("waits longer when the receiver asks for it, but not twice as long", async () => {
    const receiver = await webhookReceiver(({ sequence }) => ({
      status: 429,
      headers: { "retry-after": sequence === 1 ? "7" : "86400" },
    }));
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "B"));
    await worker.runOnce();
    const [first, second] = await parkedOf(store, platform.id);
    expect((first?.nextAt ?? 0) - clock.now()).toBe(7 * SECOND);
    expect((second?.nextAt ?? 0) - clock.now()).toBeGreaterThanOrEqual(8 * SECOND);
    expect((second?.nextAt ?? 0) - clock.now()).toBeLessThanOrEqual(12 * SECOND);
  });

  it("is sent to the endpoint that is set by then", async () => {
    const old = await webhookReceiver(() => 500);
    const fresh = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, old.url);
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    await setEndpoint(store, platform.id, fresh.url);
    await nextAttempts(platform.id);
    expect(old.sequences()).toEqual([1]);
    expect(fresh.sequences()).toEqual([1]);
    expect(await parkedOf(store, platform.id)).toEqual([]);
  });

  it("is not repeated when it is a TEST", async () => {
    const receiver = await webhookReceiver(() => 500);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, [{ subject: "P", type: "TEST" }, { subject: "P" }]);
    await worker.runOnce();
    expect(receiver.sequences()).toEqual([1, 2]);
    expect(await parkedOf(store, platform.id)).toMatchObject([
      { seq: 1, state: "FAILED", outcome: "answered 500" },
      { seq: 2, state: "WAITING" },
    ]);
  });

  it("is due sooner when the platform's clock moves on", async () => {
    let isDown = true;
    const receiver = await webhookReceiver(() => (isDown ? 500 : 200));
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "A"));
    await worker.runOnce();
    isDown = false;
    expect(await worker.runOnce()).toBe(0);
    await store.sql(shiftDeliveries.text, [platform.id, 6 * SECOND]);
    expect(await worker.runOnce()).toBe(2);
  });

  it("is given up by the platform's time, not the host's", async () => {
    const receiver = await webhookReceiver(() => 500);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    await store.sql("update platform_heads set clock_offset_ms = $2 where platform_id = $1", [
      platform.id,
      7 * DAY,
    ]);
    await worker.runOnce();
    expect(await parkedOf(store, platform.id)).toMatchObject([{ seq: 1, state: "FAILED" }]);
  });
});

describe("an endpoint", () => {
  it("that answers 410 gets no more events until another endpoint is set", async () => {
    let status = 500;
    const old = await webhookReceiver(() => status);
    const fresh = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, old.url);
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    status = 410;
    await addEvents(store, platform.id, about("B", "C", "D", "E", "F", "G"));
    await worker.runOnce();
    const told = old.delivered.length;
    expect(told).toBeLessThanOrEqual(5);
    const stopped = await store.sql(
      "select endpoint, stopped_at is not null from webhook_streams where platform_id = $1",
      [platform.id],
    );
    expect(stopped).toEqual([[old.url, "t"]]);

    status = 200;
    await addEvents(store, platform.id, about("H"));
    await clock.advance(DAY);
    expect(await worker.runOnce()).toBe(0);
    expect(old.delivered.length).toBe(told);

    await setEndpoint(store, platform.id, fresh.url);
    await addEvents(store, platform.id, [{ subject: "P", type: "TEST" }, { subject: "H" }]);
    await worker.runOnce();
    expect(fresh.sequences().toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(old.delivered.length).toBe(told);
    expect(await parkedOf(store, platform.id)).toEqual([]);
  });

  it("is stopped by a 410 to a repeated event as well, and may be set again itself", async () => {
    let status = 500;
    const receiver = await webhookReceiver(() => status);
    const other = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    status = 410;
    await nextAttempts(platform.id);
    await addEvents(store, platform.id, about("B"));
    await clock.advance(MINUTE);
    worker.retriesDue(platform.id);
    expect(await worker.runOnce()).toBe(0);
    await setEndpoint(store, platform.id, other.url);
    await addEvents(store, platform.id, [{ subject: "P", type: "TEST" }]);
    await setEndpoint(store, platform.id, receiver.url);
    await addEvents(store, platform.id, [{ subject: "P", type: "TEST" }]);
    status = 200;
    await worker.runOnce();
    expect(receiver.sequences().slice(2).toSorted()).toEqual([1, 2, 3, 4]);
    expect(other.delivered).toEqual([]);
  });

  it("that was stopped gets all events from its position once the same endpoint is set again", async () => {
    let status = 410;
    const receiver = await webhookReceiver(() => status);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    await addEvents(store, platform.id, about("B"));
    await clock.advance(DAY);
    expect(await worker.runOnce()).toBe(0);
    const told = receiver.delivered.length;
    await setEndpoint(store, platform.id, receiver.url);
    await worker.runOnce();
    expect(receiver.delivered.length).toBeGreaterThan(told);
    await clock.advance(DAY);
    expect(await worker.runOnce()).toBe(0);

    status = 200;
    await setEndpoint(store, platform.id, receiver.url);
    const before = receiver.delivered.length;
    await worker.runOnce();
    const sequences = receiver.sequences().slice(before);
    expect(sequences.toSorted()).toEqual([1, 2]);
    expect(await parkedOf(store, platform.id)).toEqual([]);
  });

  it("that hangs delays no other platform, neither with first attempts nor with repeated ones", async () => {
    const isSlow = { now: true };
    const slow = await webhookReceiver(() => (isSlow.now ? "hang" : 500));
    const fast = await webhookReceiver(() => 200);
    const [bad, good] = [await addPlatform(store, slow.url), await addPlatform(store, fast.url)];
    isSlow.now = false;
    await addEvents(
      store,
      bad.id,
      about(...Array.from({ length: 40 }, (_, index) => `R:${index}`)),
    );
    await worker.runOnce();
    isSlow.now = true;
    await clock.advance(6 * SECOND);
    await addEvents(
      store,
      bad.id,
      about(...Array.from({ length: 40 }, (_, index) => `F:${index}`)),
    );
    const pass = worker.runOnce();
    await slow.received(40 + 4 + 16);
    expect(worker.gauges.underway()).toBe(4 + 16);

    await addEvents(store, good.id, about("A", "A", "B"));
    worker.newEvents(good.id);
    await fast.received(3);
    await worker.settled(good.id);
    expect(worker.gauges.underway()).toBe(4 + 16);
    expect(slow.delivered.length).toBe(40 + 4 + 16);
    await endReceivers();
    await pass;
  });

  it("that changes while events are in memory gets the events that were not attempted yet", async () => {
    const old = await webhookReceiver(() => "hang");
    const fresh = await webhookReceiver(() => 200);
    const platform = await addPlatform(store, old.url);
    await addEvents(store, platform.id, about("A", "B", "C", "D", "E", "F"));
    worker.newEvents(platform.id);
    await old.received(4);
    await setEndpoint(store, platform.id, fresh.url);
    await addEvents(store, platform.id, [{ subject: "P", type: "TEST" }]);
    worker.newEvents(platform.id);
    await clock.advance(100);
    for (let step = 0; step < 2; step++) {
      await clock.advance(5 * SECOND);
      await leaseRenewed(platform.id);
    }
    await clock.advance(5 * SECOND);
    let isSettled = false;
    void worker.settled(platform.id).then(() => {
      isSettled = true;
    });
    // A slow process may begin the last step after the clock has moved; that step has a timer of its own.
    await expect
      .poll(async () => {
        if (!isSettled) await clock.advance(20);
        return isSettled;
      })
      .toBe(true);
    expect(old.delivered.length).toBe(4);
    expect(fresh.sequences().toSorted()).toEqual([5, 6, 7]);
    expect((await parkedOf(store, platform.id)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    await nextAttempts(platform.id);
  });
});
