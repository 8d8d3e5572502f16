import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { proxyTo } from "../../test/kit/database-proxy.ts";
import { createManualClock, type ManualClock } from "../../test/kit/manual-clock.ts";
import { endReceivers } from "../../test/kit/receivers.ts";
import {
  addEvents,
  addPlatform,
  type DeliveryStore,
  deliveryWorker,
  openDeliveryStore,
  parkedOf,
  positionOf,
  START_MS,
  webhookReceiver,
} from "../../test/kit/webhook-deliveries.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { silentLog } from "../std/log.ts";
import type { DeliveryWorker } from "./deliver-webhooks.ts";

const SECOND = 1_000;

let store: DeliveryStore;
const workers: DeliveryWorker[] = [];
const databases: Database[] = [];

beforeAll(async () => {
  store = await openDeliveryStore();
});

afterAll(() => store.close());

afterEach(async () => {
  await endReceivers();
  for (const worker of workers.splice(0)) await worker.stop(10 * SECOND);
  for (const database of databases.splice(0)) await database.close();
  await store.clear();
});

interface Server {
  readonly worker: DeliveryWorker;
  readonly clock: ManualClock;
}

function server(database: Database = store.database): Server {
  const clock = createManualClock(START_MS);
  const worker = deliveryWorker({ clock, database });
  workers.push(worker);
  return { worker, clock };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ subject: `T:${index % 7}` }));

describe("two servers on one database", () => {
  it("never attempt an event twice, however their hints and looks fall", async () => {
    const platforms = [];
    for (let count = 0; count < 4; count++) {
      const receiver = await webhookReceiver(() => 200);
      platforms.push({ receiver, platform: await addPlatform(store, receiver.url) });
    }
    const [one, two] = [server(), server()];
    for (let round = 0; round < 12; round++) {
      for (const { platform } of platforms) {
        await addEvents(store, platform.id, numbered(5));
        one.worker.newEvents(platform.id);
        if (round % 3 > 0) two.worker.newEvents(platform.id);
      }
      if (round % 4 === 3) await Promise.all([one.worker.runOnce(), two.worker.runOnce()]);
      await Promise.all([one.clock.advance(250), two.clock.advance(250)]);
    }
    for (const { platform, receiver } of platforms) {
      await receiver.received(60);
      await one.worker.runOnce();
      await two.worker.runOnce();
      expect(receiver.sequences().toSorted((left, right) => left - right)).toEqual(
        Array.from({ length: 60 }, (_, index) => index + 1),
      );
      expect(await positionOf(store, platform.id)).toBe(60);
    }
    expect(one.worker.gauges.attempts() + two.worker.gauges.attempts()).toBe(240);
  });

  it("share parked events without sending one event twice at the same time", async () => {
    let isDown = true;
    const receiver = await webhookReceiver(() => (isDown ? 500 : 200));
    const platform = await addPlatform(store, receiver.url);
    await addEvents(
      store,
      platform.id,
      Array.from({ length: 60 }, (_, index) => ({ subject: `T:${index}` })),
    );
    const [one, two] = [server(), server()];
    await one.worker.runOnce();
    isDown = false;
    for (const { clock } of [one, two]) await clock.advance(7 * SECOND);
    await Promise.all([one.worker.runOnce(), two.worker.runOnce()]);
    expect(
      receiver
        .sequences()
        .slice(60)
        .toSorted((left, right) => left - right),
    ).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(await store.sql("select 1 from webhook_deliveries")).toEqual([]);
  });
});

describe("a server that dies", () => {
  it("after an attempt and before it is written down has it repeated, with the same id and bytes", async () => {
    const proxy = await proxyTo(store.address);
    const database = openDatabase({ address: proxy.address, log: silentLog });
    databases.push(database);
    const receiver = await webhookReceiver(() => {
      proxy.cut();
      return 200;
    });
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, [{ subject: "A" }, { subject: "A" }]);
    const [dying, heir] = [server(database), server()];
    dying.worker.newEvents(platform.id);
    await receiver.received(2);
    expect(await positionOf(store, platform.id)).toBe(0);

    await heir.clock.advance(14 * SECOND);
    expect(await heir.worker.runOnce()).toBe(0);
    await heir.clock.advance(SECOND);
    expect(await heir.worker.runOnce()).toBe(2);
    expect(receiver.sequences()).toEqual([1, 2, 1, 2]);
    const [first, , again] = receiver.delivered;
    expect(again?.body).toEqual(first?.body);
    expect(await positionOf(store, platform.id)).toBe(2);
  });

  it("while it repeats an event leaves it to another one when its claim has run out", async () => {
    let answer: 500 | "hang" = 500;
    const receiver = await webhookReceiver(() => answer);
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, [{ subject: "A" }]);
    const [frozen, heir] = [server(), server()];
    await frozen.worker.runOnce();
    answer = "hang";
    await frozen.clock.advance(6 * SECOND);
    const stuck = frozen.worker.runOnce();
    await receiver.received(2);
    answer = 500;
    await heir.clock.advance(25 * SECOND);
    expect(await heir.worker.runOnce()).toBe(0);
    await heir.clock.advance(SECOND);
    expect(await heir.worker.runOnce()).toBe(1);
    const waiting = await parkedOf(store, platform.id);
    expect(waiting).toMatchObject([{ state: "WAITING", attempts: 2, outcome: "answered 500" }]);
    await endReceivers();
    await stuck;
    expect(await parkedOf(store, platform.id)).toEqual(waiting);
  });
});

describe("a server that was frozen beyond its lease", () => {
  /** One server with four attempts under way whose lease has run out, and another that told everything since. */
  async function overtaken() {
    const open: (() => void)[] = [];
    let isHolding = true;
    const receiver = await webhookReceiver(() =>
      isHolding ? new Promise<500>((resolve) => open.push(() => resolve(500))) : 200,
    );
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, numbered(6));
    const [frozen, heir] = [server(), server()];
    frozen.worker.newEvents(platform.id);
    await receiver.received(4);
    isHolding = false;
    await heir.clock.advance(16 * SECOND);
    expect(await heir.worker.runOnce()).toBe(6);
    await addEvents(store, platform.id, numbered(1));
    expect(await heir.worker.runOnce()).toBe(1);
    return { frozen, receiver, platform, open };
  }

  it("starts no attempt once it finds out", async () => {
    const { frozen, receiver, platform, open } = await overtaken();
    await frozen.clock.advance(16 * SECOND);
    for (const answer of open) answer();
    await frozen.worker.runOnce();
    expect(receiver.delivered.length).toBe(4 + 6 + 1);
    expect(await positionOf(store, platform.id)).toBe(7);
    expect(await store.sql("select 1 from webhook_deliveries")).toEqual([]);
  });

  it("writes nothing down over the one that took over", async () => {
    const { frozen, platform, open } = await overtaken();
    for (const answer of open) answer();
    await frozen.worker.runOnce();
    expect(await positionOf(store, platform.id)).toBe(7);
    expect(await store.sql("select 1 from webhook_deliveries")).toEqual([]);
    const [[lease] = []] = await store.sql("select leased_until from webhook_streams");
    expect(lease).toContain("2000-01-01");
  });
});

describe("a server whose connection breaks while it works", () => {
  it("goes on delivering, and records the deliveries once it is connected again", async () => {
    const receiver = await webhookReceiver(async ({ sequence }) => {
      if (sequence !== 5) return 200;
      await store.sql(
        "select pg_terminate_backend(pid) from pg_stat_activity " +
          "where application_name = 'florin webhooks' and datname = current_database()",
      );
      return 500;
    });
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, numbered(40));
    const { worker, clock } = server();
    worker.newEvents(platform.id);
    await receiver.received(35);
    const reached = async () => {
      await clock.advance(SECOND / 2);
      return positionOf(store, platform.id);
    };
    await expect.poll(reached).toBe(40);
    const told = new Set(receiver.sequences());
    const waiting = (await store.sql("select event_seq from webhook_deliveries")).map(Number);
    for (let seq = 1; seq <= 40; seq++) expect(told.has(seq) || waiting.includes(seq)).toBe(true);
    expect(waiting).toContain(5);
  });
});

describe("a server that works for long", () => {
  it("renews its lease, so that no other server takes over", async () => {
    const receiver = await webhookReceiver(() => "hang");
    const platform = await addPlatform(store, receiver.url);
    await addEvents(store, platform.id, [{ subject: "A" }]);
    const [busy, other] = [server(), server()];
    busy.worker.newEvents(platform.id);
    await receiver.received(1);
    const leasedUntil = async () => {
      const [[until] = []] = await store.sql(
        "select (extract(epoch from leased_until) * 1000)::int8 from webhook_streams",
      );
      return Number(until) - START_MS;
    };
    expect(await leasedUntil()).toBe(15 * SECOND);
    await busy.clock.advance(6 * SECOND);
    await expect.poll(leasedUntil).toBe(20 * SECOND);
    await other.clock.advance(16 * SECOND);
    expect(await other.worker.runOnce()).toBe(0);
  });
});
