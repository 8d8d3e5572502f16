import { expect, it } from "vitest";
import { eachAtOnce } from "./each-at-once.ts";

it("runs no more at a time than it may, and answers in order", async () => {
  let running = 0;
  let most = 0;
  const results = await eachAtOnce([5, 1, 4, 2, 3, 0], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    running -= 1;
    return item * 10;
  });
  expect([most, results]).toEqual([2, [50, 10, 40, 20, 30, 0]]);
});

it("answers nothing for nothing", async () => {
  expect(await eachAtOnce([], 3, async () => 1)).toEqual([]);
});

it("begins nothing after a failure", async () => {
  const begun: number[] = [];
  const running = eachAtOnce([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 2) throw new Error("two");
  });
  await expect(running).rejects.toThrow("two");
  expect(begun.length).toBeLessThan(5);
});
