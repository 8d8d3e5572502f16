import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { silentLog } from "../../std/log.ts";
import { createLanes, type Place } from "./lanes.ts";

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

it("a lane that was given back is taken again, unless it broke meanwhile", async () => {
  const lanes = createLanes({ database, count: 1 });
  const first = await lanes.take();
  lanes.giveBack(first);
  expect(await lanes.take()).toBe(first);
  lanes.giveBack(first);
  await first.close();
  const second = await lanes.take();
  expect(second).not.toBe(first);
  expect(second.broken()).toBe(false);
  lanes.giveBack(second);
  await lanes.close();
  expect(second.broken()).toBe(true);
});

it("has as many regular places as lanes, and as many aside", () => {
  const lanes = createLanes({ database, count: 2 });
  const moving: { place: Place } = { place: "regular" };
  lanes.reserve(moving);
  lanes.reserve({ place: "regular" });
  expect([lanes.isFree("regular"), lanes.isFree("aside")]).toEqual([false, true]);
  moving.place = "aside";
  expect([lanes.isFree("regular"), lanes.isFree("aside")]).toEqual([true, true]);
  lanes.reserve({ place: "aside" });
  expect([lanes.isFree("regular"), lanes.isFree("aside")]).toEqual([true, false]);
  lanes.release(moving);
  lanes.release(moving);
  expect([lanes.isFree("regular"), lanes.isFree("aside")]).toEqual([true, true]);
});
