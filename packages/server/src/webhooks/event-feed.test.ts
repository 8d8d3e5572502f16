import { afterAll, beforeAll, expect, it } from "vitest";
import { testSealer } from "../../test/kit/bookkeeping.ts";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { silentLog } from "../std/log.ts";
import { createEventFeed } from "./event-feed.ts";
import { createHeadWatch } from "./live/head-watch.ts";

const ONE = "018f0000-0000-7000-8000-00000000000a";
const TWO = "018f0000-0000-7000-8000-00000000000b";
const THREE = "018f0000-0000-7000-8000-00000000000c";

let place: TestDatabase;
let database: Database;
beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

it("a stream that is closed, once or twice, makes room for one other", () => {
  const { reads } = database;
  const clock = createManualClock(0);
  const limits = { streamsOfPlatform: 2, streams: 3 };
  const heads = createHeadWatch({ reads, clock, log: silentLog });
  const feed = createEventFeed({ reads, sealer: testSealer, clock, heads, limits });
  const first = feed.open(ONE, 0n);
  expect(feed.open(ONE, 0n)).toBeDefined();
  expect(feed.open(ONE, 0n)).toBeUndefined();
  expect(feed.open(TWO, 0n)).toBeDefined();
  expect(feed.open(THREE, 0n)).toBeUndefined();
  first?.close();
  first?.close();
  expect(feed.openStreams()).toBe(2);
  expect(feed.open(THREE, 0n)).toBeDefined();
  expect(feed.open(ONE, 0n)).toBeUndefined();
  expect(feed.openStreams()).toBe(3);
});
