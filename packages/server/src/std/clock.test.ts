import { expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { pause, systemClock, toIso, within } from "./clock.ts";

it("returns the host's time", () => {
  const before = Date.now();
  const reported = systemClock.now();
  expect(reported).toBeGreaterThanOrEqual(before);
  expect(reported).toBeLessThanOrEqual(Date.now());
});

it("runs a task once after a while, and not when it was cancelled", async () => {
  const ran: string[] = [];
  const cancel = systemClock.after(0, () => ran.push("cancelled"));
  systemClock.after(0, () => ran.push("kept"));
  cancel();
  await new Promise<void>((resolve) => systemClock.after(1, resolve));
  expect(ran).toEqual(["kept"]);
});

it("pauses on the given clock", async () => {
  const clock = createManualClock(0);
  let isOver = false;
  void pause(clock, 1_000).then(() => {
    isOver = true;
  });
  await clock.advance(999);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(isOver).toBe(true);
});

it("waits for work up to a time limit", async () => {
  const clock = createManualClock(0);
  const late = () => "too late";
  const limit = { clock, limitMs: 1_000, late };
  expect(await within(Promise.resolve("done"), limit)).toBe("done");
  await expect(within(Promise.reject(new Error("failed")), limit)).rejects.toThrow("failed");
  expect(clock.pendingTimers).toBe(0);
  const waited = within(new Promise<string>(() => undefined), limit);
  await clock.advance(1_000);
  expect(await waited).toBe("too late");
});

it("writes times in UTC with milliseconds, one after another", () => {
  const times = [0, 0, 1_760_313_600_123, 0, -1, 1_024, 0];
  expect(times.map(toIso)).toEqual([
    "1970-01-01T00:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
    "2025-10-13T00:00:00.123Z",
    "1970-01-01T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z",
    "1970-01-01T00:00:01.024Z",
    "1970-01-01T00:00:00.000Z",
  ]);
});
