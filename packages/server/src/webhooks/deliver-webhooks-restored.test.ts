/** A database that is taken back to an earlier state while a worker has events in memory: a restore, a standby that was behind. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
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
  positionOf,
  START_MS,
  type WebhookReceiver,
  webhookReceiver,
} from "../../test/kit/webhook-deliveries.ts";
import type { DeliveryWorker } from "./deliver-webhooks.ts";

const SECOND = 1_000;

let store: DeliveryStore;
const workers: DeliveryWorker[] = [];

beforeAll(async () => {
  store = await openDeliveryStore();
});

afterAll(() => store.close());

afterEach(async () => {
  await endReceivers();
  for (const worker of workers.splice(0)) await worker.stop(10 * SECOND);
  await store.clear();
});

/** As an older backup has it: nothing behind this event. */
async function takeBack(platformId: string, seq: number): Promise<void> {
  await store.asSuperuser(async (client) => {
    await client.query("begin");
    await client.query("set local citus.propagate_set_commands = local");
    await client.query("set local session_replication_role = replica");
    for (const statement of [
      "delete from events where platform_id = $1 and seq > $2",
      "delete from webhook_deliveries where platform_id = $1 and event_seq > $2",
      "update platform_heads set event_seq = $2 where platform_id = $1",
      "update webhook_streams set position = least(position, $2) where platform_id = $1",
    ])
      await client.query(statement, [platformId, seq]);
    await client.query("commit");
  });
}

const toldBy = (receiver: WebhookReceiver) =>
  new Set(receiver.delivered.map(({ body }) => body.toString("utf8")));

describe("a database that is restored while events are delivered", () => {
  it("passes over none of the events that come under their numbers", async () => {
    const clock = createManualClock(START_MS);
    const worker = deliveryWorker({ clock, database: store.database });
    workers.push(worker);
    let bodies: readonly string[] = [];
    const receiver = await webhookReceiver(async ({ sequence }) => {
      if (sequence === 6 && bodies.length === 0) {
        await takeBack(platform.id, 3);
        bodies = await addEvents(store, platform.id, about("G", "H", "I"));
      }
      return 200;
    });
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "B", "C"));
    await worker.runOnce();
    await addEvents(store, platform.id, about("D", "E", "F"));
    await worker.runOnce();
    await worker.runOnce();
    for (const body of bodies) expect(toldBy(receiver)).toContain(body);
    expect(bodies).toHaveLength(3);
    expect(await positionOf(store, platform.id)).toBe(6);
  });

  it("parks nothing for an event that is not there any more", async () => {
    const clock = createManualClock(START_MS);
    const worker = deliveryWorker({ clock, database: store.database });
    workers.push(worker);
    let isDown = true;
    const receiver = await webhookReceiver(async ({ sequence }) => {
      if (isDown && sequence === 2) await takeBack(platform.id, 1);
      return isDown && sequence === 2 ? 500 : 200;
    });
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A", "B"));
    await worker.runOnce();
    expect(await parkedOf(store, platform.id)).toEqual([]);
    expect(await positionOf(store, platform.id)).toBe(1);
    isDown = false;
    const [body] = await addEvents(store, platform.id, about("C"));
    await worker.runOnce();
    expect(toldBy(receiver)).toContain(body);
  });

  it("goes on with parked events, also when another event has the same number now", async () => {
    const clock = createManualClock(START_MS);
    const worker = deliveryWorker({ clock, database: store.database });
    workers.push(worker);
    const answers = [500, 200, 500];
    const replaced: string[] = [];
    const receiver = await webhookReceiver(async () => {
      const answer = answers[receiver.delivered.length - 1] ?? 200;
      if (receiver.delivered.length > 1 && answers[receiver.delivered.length - 1] !== undefined) {
        await takeBack(platform.id, 0);
        replaced.push(...(await addEvents(store, platform.id, about("B"))));
        await store.sql(
          "insert into webhook_deliveries (platform_id, event_seq, subject, state, attempts, next_at, parked_at) " +
            "values ($1, 1, 'B', 'WAITING', $2, $3, $3)",
          [platform.id, receiver.delivered.length - 1, new Date(clock.now() + 60 * SECOND)],
        );
        await store.sql("update webhook_streams set position = 1 where platform_id = $1", [
          platform.id,
        ]);
      }
      return answer;
    });
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, about("A"));
    await worker.runOnce();
    for (const attempts of [1, 2]) {
      await clock.advance(61 * SECOND);
      await worker.runOnce();
      expect(await parkedOf(store, platform.id)).toMatchObject([{ seq: 1, attempts }]);
    }
    await clock.advance(61 * SECOND);
    await worker.runOnce();
    expect(receiver.delivered.at(-1)?.body.toString("utf8")).toBe(replaced.at(-1));
    expect(await parkedOf(store, platform.id)).toEqual([]);
  });
});
