import { expect, it } from "vitest";
import type { World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { advanceClock } from "./advance-clock.ts";

const LAST = Date.UTC(9000, 0);

function platformAt(at: number): World {
  let now = at;
  const world = {
    advanceClock: (seconds: number) => {
      now += seconds * 1000;
      return now;
    },
  };
  return world as unknown as World;
}

it("moves the clock to the last moment there is, and no further", () => {
  const world = platformAt(LAST - 3_000);
  expect(advanceClock.decide(world, { seconds: 1 })).toEqual({ now: LAST - 2_000 });
  expect(advanceClock.decide(world, { seconds: 2 })).toEqual({ now: LAST });
  expect(() => advanceClock.decide(world, { seconds: 1 })).toThrow(Refusal);
});
