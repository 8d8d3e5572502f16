import type { KeyObject } from "node:crypto";
import { expect, it } from "vitest";
import { createManualClock } from "../../../../test/kit/manual-clock.ts";
import { createVerifications, VerificationsBusy } from "./verifications.ts";

const key = {} as KeyObject;
const turn = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  const clock = createManualClock(0);
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const verifications = createVerifications(clock, (text) => {
    begun.push(text);
    return new Promise((resolve) => ends.push(() => resolve(true)));
  });
  const ask = (caller: string, text = caller) =>
    verifications
      .of(caller)(text, "", key)
      .catch((error: unknown) => error);
  return { clock, ends, begun, ask };
}

it("32 run at a time, and others wait for a second", async () => {
  const { clock, ends, begun, ask } = start();
  const running = Array.from({ length: 32 }, () => ask("flood"));
  const waiting = ask("late");
  await turn();
  expect(begun).toHaveLength(32);
  await clock.advance(999);
  await turn();
  await clock.advance(1);
  expect(await waiting).toBeInstanceOf(VerificationsBusy);
  for (const end of ends) end();
  expect(await Promise.all(running)).toEqual(Array(32).fill(true));
  const again = ask("late");
  await turn();
  ends.at(-1)?.();
  expect(await again).toBe(true);
});

it("a caller that sends many delays another by one", async () => {
  const { ends, begun, ask } = start();
  const all = Array.from({ length: 100 }, (_, index) => ask("flood", `flood ${index}`));
  await turn();
  const other = ask("honest");
  ends[0]?.();
  ends[1]?.();
  await turn();
  await turn();
  expect(begun.slice(32)).toContain("honest");
  expect(begun).toHaveLength(34);
  for (let index = 2; index < 101; index += 1) {
    ends[index]?.();
    await turn();
  }
  expect(await other).toBe(true);
  expect(await Promise.all(all)).toEqual(Array(100).fill(true));
});

it("one that has started is not sent away, however long it takes", async () => {
  const { clock, ends, ask } = start();
  const slow = ask("slow");
  await turn();
  await clock.advance(10_000);
  ends[0]?.();
  expect(await slow).toBe(true);
});
