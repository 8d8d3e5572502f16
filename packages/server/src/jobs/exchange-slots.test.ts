import { describe, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { createExchangeSlots, type Ran } from "./exchange-slots.ts";

const LONGEST_WAIT_MS = 3_000;
const WAITING_OF_ONE = 256;
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Jobs of connections, by name; a test ends their exchanges. */
function watch() {
  const clock = createManualClock(0);
  const slots = createExchangeSlots(clock);
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const answers = new Map<string, Ran<string>>();
  return {
    clock,
    begun,
    answers,
    async come(id: string, concurrency: number, ...names: readonly string[]) {
      for (const name of names) {
        const exchange = () => {
          begun.push(name);
          return new Promise<string>((resolve) => ends.set(name, () => resolve(`${name} done`)));
        };
        void slots.run({ id, concurrency }, exchange).then((ran) => answers.set(name, ran));
      }
      await settle();
    },
    async end(...names: readonly string[]) {
      for (const name of names) ends.get(name)?.();
      await settle();
    },
  };
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}${n + 1}`);

describe("the slots for exchanges with connectors", () => {
  it("are as many as the connection says, and a free one goes to the job that waits longest", async () => {
    const { begun, answers, come, end } = watch();
    await come("a", 2, "a1", "a2", "a3", "a4");
    await come("b", 1, "b1");
    expect(begun).toEqual(["a1", "a2", "b1"]);
    await end("a2");
    expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
    expect(answers.get("a2")).toEqual({ hasRun: true, result: "a2 done" });
  });

  it("send a job away that has waited for nearly its lease, without its exchange", async () => {
    const { clock, begun, answers, come, end } = watch();
    await come("a", 1, "a1", "a2");
    await clock.advance(LONGEST_WAIT_MS);
    expect(answers.get("a2")).toMatchObject({ hasRun: false });
    await end("a1");
    expect(begun).toEqual(["a1"]);
    await come("a", 1, "a3");
    expect(begun).toEqual(["a1", "a3"]);
  });

  it("send jobs away when enough wait, to come back at the pace of the exchanges", async () => {
    const { clock, answers, come, end } = watch();
    // Sixteen exchanges of 800 ms bring the mean near that.
    await come("a", 4, ...numbered("early", 64), "last");
    for (let n = 0; n < 16; n += 1) {
      await clock.advance(100);
      await end(...numbered("early", 64).slice(n * 4, n * 4 + 4));
    }
    await come("a", 4, ...numbered("a", WAITING_OF_ONE + 3), "away1", "away2");
    const [first, second] = ["away1", "away2"].map((name) => answers.get(name));
    if (first?.hasRun !== false || second?.hasRun !== false) throw new Error("not sent away");
    // A mean of nearly 100 ms in four slots, and 260 jobs before it.
    expect(first.againInMs).toBeGreaterThan(5_000);
    expect(first.againInMs).toBeLessThan(7_000);
    expect(second.againInMs - first.againInMs).toBeCloseTo(first.againInMs / 261, 5);
  });

  it("let a connection with free slots run, however many jobs of others wait", async () => {
    const { begun, answers, come } = watch();
    await come("a", 1, ...numbered("a", WAITING_OF_ONE + 1));
    await come("b", 1, ...numbered("b", WAITING_OF_ONE + 1));
    await come("c", 1, "c1", "c2");
    expect(begun).toEqual(["a1", "b1", "c1"]);
    expect(answers.get("c2")).toMatchObject({ hasRun: false });
  });

  it("come free when an exchange fails", async () => {
    const clock = createManualClock(0);
    const slots = createExchangeSlots(clock);
    const one = { id: "a", concurrency: 1 };
    const failing = slots.run(one, () => Promise.reject(new Error("no answer")));
    const next = slots.run(one, async () => "next");
    await expect(failing).rejects.toThrow("no answer");
    expect(await next).toEqual({ hasRun: true, result: "next" });
    expect(clock.pendingTimers).toBe(0);
  });
});
