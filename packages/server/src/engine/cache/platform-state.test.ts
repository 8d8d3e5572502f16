import { describe, expect, it } from "vitest";
import type { Pending } from "../decide.ts";
import { PlatformState } from "./platform-state.ts";

function platformWith(waiting: number, underway = 0): PlatformState {
  const platform = new PlatformState("0198c0de-0000-7000-8000-000000000001", 100);
  const pending = { submission: { actor: { kind: "token", id: "t" } } } as unknown as Pending;
  for (let n = 0; n < waiting; n++) platform.queue.push(pending);
  platform.underway = underway;
  return platform;
}

describe("the next batch", () => {
  it.each([
    [64, 0, 32],
    [32, 32, 32],
    [3, 60, 32],
    [61, 3, 32],
    [45, 0, 23],
    [300, 64, 64],
  ])("of %i waiting commands with %i in flight takes up to %i", (waiting, underway, size) => {
    expect(platformWith(waiting, underway).batchSize(64)).toBe(size);
  });

  it("is not split below a minimum, and keeps its bound", () => {
    expect(platformWith(1).batchSize(64)).toBe(16);
    expect(platformWith(20).batchSize(64)).toBe(16);
    expect(platformWith(64).batchSize(10)).toBe(10);
    expect(platformWith(64).batchSize(1)).toBe(1);
  });

  it("is not split while another server writes, because locked batches are not pipelined", () => {
    const platform = platformWith(64);
    platform.noteConcurrentWriter();
    expect(platform.batchSize(64)).toBe(64);
    for (let n = 0; n < 32; n++) platform.countLockedBatch();
    expect(platform.batchSize(64)).toBe(32);
  });
});
