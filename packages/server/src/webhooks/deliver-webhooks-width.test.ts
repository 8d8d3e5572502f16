/** How many events a platform is told at once: a receiver that holds every answer back until the test lets it go. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { endReceivers } from "../../test/kit/receivers.ts";
import {
  about,
  addEvents,
  addPlatform,
  type DeliveryStore,
  deliveryWorker,
  openDeliveryStore,
  parkedOf,
  START_MS,
  type WebhookReceiver,
  webhookReceiver,
} from "../../test/kit/webhook-deliveries.ts";

const LEAST = 4;
const MOST = 9;
const EVENTS = 60;

let store: DeliveryStore;
beforeAll(async () => {
  store = await openDeliveryStore();
});
afterAll(() => store.close());
afterEach(async () => {
  await endReceivers();
  await store.clear();
});

interface Stage {
  readonly receiver: WebhookReceiver;
  readonly platformId: string;
  readonly thread: { isBusy: boolean };
  /** Answers the request that is held for longest. */
  letGo(status?: number): void;
  /** Answers all that are held and all that come. */
  finish(): Promise<void>;
}

/** The events have waited this long when the first one is attempted. */
async function stage(attempts: number, waitedMs = 0): Promise<Stage> {
  const thread = { isBusy: false };
  const held: ((status: number) => void)[] = [];
  let isOpen = false;
  const receiver = await webhookReceiver(() =>
    isOpen ? 200 : new Promise<number>((resolve) => held.push(resolve)),
  );
  const platform = await addPlatform(store, receiver.url);
  const subjects = Array.from({ length: EVENTS }, (_, index) => `S:${index}`);
  await addEvents(store, platform.id, about(...subjects));
  const worker = deliveryWorker({
    clock: createManualClock(START_MS + waitedMs),
    database: store.database,
    limits: { firstAttempts: LEAST, mostFirstAttempts: MOST, attempts },
    isBusy: () => thread.isBusy,
  });
  const pass = worker.runOnce();
  await receiver.received(LEAST);
  return {
    receiver,
    platformId: platform.id,
    thread,
    letGo: (status = 200) => held.shift()?.(status),
    async finish() {
      isOpen = true;
      for (const answer of held.splice(0)) answer(200);
      await pass;
      await worker.stop(1_000);
    },
  };
}

it("is one more with each event that was taken, up to the most", async () => {
  const { receiver, letGo, finish } = await stage(1_000);
  for (let width = LEAST; width < MOST; width += 1) {
    const arrived = receiver.delivered.length;
    letGo();
    await receiver.received(arrived + 2);
  }
  for (let n = 0; n < 3; n += 1) {
    const arrived = receiver.delivered.length;
    letGo();
    await receiver.received(arrived + 1);
  }
  expect(receiver.widest()).toBe(MOST);
  await finish();
  expect(new Set(receiver.sequences()).size).toBe(EVENTS);
});

it("goes back one by one while the process has no time and events are not late, down to the least", async () => {
  const { receiver, thread, letGo, finish } = await stage(1_000, 500);
  for (let width = LEAST; width < MOST; width += 1) {
    const arrived = receiver.delivered.length;
    letGo();
    await receiver.received(arrived + 2);
  }
  thread.isBusy = true;
  const arrived = receiver.delivered.length;
  for (let width = MOST; width > LEAST; width -= 1) letGo();
  letGo();
  await receiver.received(arrived + 1);
  expect(receiver.delivered).toHaveLength(arrived + 1);
  await finish();
});

it("grows for late events although the process has no time", async () => {
  const { receiver, thread, letGo, finish } = await stage(1_000, 501);
  thread.isBusy = true;
  for (let width = LEAST; width < MOST; width += 1) {
    const arrived = receiver.delivered.length;
    letGo();
    await receiver.received(arrived + 2);
  }
  expect(receiver.widest()).toBe(MOST);
  await finish();
});

it("stays at the least for a receiver that takes nothing, and where the process has enough under way", async () => {
  const refusing = await stage(1_000);
  for (let n = 0; n < 8; n += 1) {
    const arrived = refusing.receiver.delivered.length;
    refusing.letGo(500);
    await refusing.receiver.received(arrived + 1);
  }
  expect(refusing.receiver.widest()).toBe(LEAST);
  await refusing.finish();
  expect(await parkedOf(store, refusing.platformId)).toHaveLength(8);

  const crowded = await stage(LEAST - 1);
  for (let n = 0; n < 8; n += 1) {
    const arrived = crowded.receiver.delivered.length;
    crowded.letGo();
    await crowded.receiver.received(arrived + 1);
  }
  expect(crowded.receiver.widest()).toBe(LEAST);
  await crowded.finish();
});
