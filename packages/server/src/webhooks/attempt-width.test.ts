import { expect, it } from "vitest";
import { AttemptWidth } from "./attempt-width.ts";

it("grows by one up to the most, gives way by one, and falls by half down to the least", () => {
  const width = new AttemptWidth({ least: 4, most: 11 });
  const seen = [width.now];
  for (let n = 0; n < 8; n += 1) {
    width.grow();
    seen.push(width.now);
  }
  expect(seen).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 11]);
  width.yield();
  expect(width.now).toBe(10);
  const fallen = [1, 2, 3].map(() => {
    width.shrink();
    return width.now;
  });
  expect(fallen).toEqual([5, 4, 4]);
  width.yield();
  expect(width.now).toBe(4);
});
