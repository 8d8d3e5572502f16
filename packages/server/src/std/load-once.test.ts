import { expect, it } from "vitest";
import { loadOnce } from "./load-once.ts";

it("loads once, for callers at the same time as well", async () => {
  let loads = 0;
  const get = loadOnce(async () => ++loads);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

it("loads again after a failure", async () => {
  let loads = 0;
  const get = loadOnce(async () => {
    if (++loads === 1) throw new Error("no file descriptor left");
    return loads;
  });
  const failures = await Promise.allSettled([get(), get()]);
  expect(failures.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await get()).toBe(2);
});
