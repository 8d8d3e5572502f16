import { expect, it } from "vitest";
import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { advanceClock } from "./advance-clock.ts";

/** A platform at this time, and what its clock was moved by. */
function platformAt(at: number) {
  const moves: number[] = [];
  const world = { at, advanceClock: (seconds: number) => void moves.push(seconds) };
  return { moves, world: world as unknown as World };
}

it("moves the clock to the last moment there is, and no further", () => {
  const last = Date.UTC(9000, 0);
  const { moves, world } = platformAt(last - 2_000);
  expect(advanceClock.decide(world, { seconds: 2 })).toEqual({ now: last });
  expect(() => advanceClock.decide(world, { seconds: 3 })).toThrow(Refusal);
  expect(moves).toEqual([2]);
});
