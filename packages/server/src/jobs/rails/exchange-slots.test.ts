import { describe, expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { createExchangeSlots, type Ran } from "./exchange-slots.ts";

const LONGEST_WAIT_MS = 3_000;
const LONGEST_PREPARED_MS = 1_000;
const WAITING_OF_ONE = 256;

/** Jobs of connections, by name; a test ends their exchanges. */
function watch() {
  const clock = createManualClock(0);
  const slots = createExchangeSlots(clock);
  const ends = new Map<string, () => void>();
  const prepared: string[] = [];
  const sent: string[] = [];
  const answers = new Map<string, Ran<string>>();

  async function prepare(name: string) {
    prepared.push(name);
    return name.startsWith("skip") ? { skip: "skipped" } : { prepared: name };
  }
  function exchange(name: string): Promise<string> {
    sent.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(`${name} done`)));
  }
  return {
    clock,
    slots,
    prepared,
    sent,
    answers,
    async come(id: string, concurrency: number, ...names: readonly string[]) {
      for (const name of names) {
        const steps = { prepare: () => prepare(name), exchange };
        void slots.run({ id, concurrency }, steps).then((ran) => answers.set(name, ran));
      }
      await clock.advance(0);
    },
    async end(...names: readonly string[]) {
      for (const name of names) ends.get(name)?.();
      await clock.advance(0);
    },
  };
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${name}${n + 1}`);

describe("the slots for exchanges with connectors", () => {
  it("are as many as the connection says, and a free one goes to the job that waits longest", async () => {
    const { sent, answers, come, end } = watch();
    await come("a", 2, "a1", "a2", "a3", "a4");
    await come("b", 1, "b1");
    expect(sent).toEqual(["a1", "a2", "b1"]);
    await end("a2");
    expect(sent).toEqual(["a1", "a2", "b1", "a3"]);
    expect(answers.get("a2")).toEqual({ hasRun: true, result: "a2 done" });
  });

  it("have room while a job would begin at once, and later while it would begin soon", async () => {
    const { clock, slots, come, end } = watch();
    const hasRoom = () => slots.hasRoom({ id: "a", concurrency: 2 });
    expect(hasRoom()).toBe(true);
    await come("a", 2, ...numbered("a", 8));
    expect(hasRoom()).toBe(false);
    await clock.advance(200);
    await end("a1");
    await come("a", 2, "b1", "b2");
    expect(hasRoom()).toBe(true);
    await come("a", 2, ...numbered("c", 252));
    expect(hasRoom()).toBe(true);
    await come("a", 2, ...numbered("d", 20));
    expect(hasRoom()).toBe(false);
  });

  it("have some jobs prepared ahead, four for each", async () => {
    const { prepared, sent, come, end } = watch();
    await come("a", 2, ...numbered("a", 12));
    expect([prepared.length, sent.length]).toEqual([8, 2]);
    await end("a1");
    expect([prepared.length, sent.length]).toEqual([9, 3]);
  });

  it("have no more than 64 prepared for one connection, or as many as it has slots", async () => {
    const { prepared, sent, come } = watch();
    await come("a", 30, ...numbered("a", 200));
    expect([prepared.length, sent.length]).toEqual([64, 30]);
  });

  it("are not taken by a job that needs no exchange", async () => {
    const { sent, answers, come } = watch();
    await come("a", 1, "skip", "a1");
    expect(sent).toEqual(["a1"]);
    expect(answers.get("skip")).toEqual({ hasRun: true, result: "skipped" });
  });

  it("send away what was prepared and finds no slot soon after", async () => {
    const { clock, sent, answers, come, end } = watch();
    await come("a", 1, "a1", "a2");
    await clock.advance(LONGEST_PREPARED_MS);
    expect(answers.get("a2")).toMatchObject({ hasRun: false });
    await end("a1");
    expect(sent).toEqual(["a1"]);
  });

  it("send a job away that has waited for nearly its lease, before it was prepared", async () => {
    const { clock, prepared, answers, come } = watch();
    // Of a connection with 64 slots, each of which is taken.
    await come("a", 64, ...numbered("a", 65));
    await clock.advance(LONGEST_WAIT_MS);
    expect(answers.get("a65")).toMatchObject({ hasRun: false });
    expect(prepared).not.toContain("a65");
    await come("b", 1, "b1");
    expect(prepared).toContain("b1");
  });

  it("send jobs away when enough wait, to come back at the pace of those before them", async () => {
    const { clock, answers, come, end } = watch();
    await come("a", 64, ...numbered("early", 64 + 64));
    await clock.advance(640);
    await end(...numbered("early", 64));
    await come("a", 64, ...numbered("a", WAITING_OF_ONE), "away1", "away2");
    const [first, second] = ["away1", "away2"].map((name) => answers.get(name));
    if (first?.hasRun !== false || second?.hasRun !== false) throw new Error("not sent away");
    // A mean of nearly 640 ms in 64 places is nearly 10 ms a job, and 320 jobs are before it.
    expect(first.againInMs).toBeGreaterThan(3_000);
    expect(first.againInMs).toBeLessThan(3_300);
    expect(second.againInMs - first.againInMs).toBeCloseTo(first.againInMs / 321, 5);
  });

  it("let a connection with free places run, however many jobs of others wait", async () => {
    const { sent, answers, come } = watch();
    await come("a", 64, ...numbered("a", 64 + WAITING_OF_ONE));
    await come("b", 64, ...numbered("b", 64 + WAITING_OF_ONE));
    await come("c", 1, ...numbered("c", 5));
    expect(sent).toHaveLength(64 + 64 + 1);
    expect(answers.get("c5")).toMatchObject({ hasRun: false });
  });

  it("come free when an exchange fails", async () => {
    const clock = createManualClock(0);
    const slots = createExchangeSlots(clock);
    const one = { id: "a", concurrency: 1 };
    const steps = (exchange: () => Promise<string>) => ({
      prepare: async () => ({ prepared: "" }),
      exchange,
    });
    const failing = slots.run(
      one,
      steps(() => Promise.reject(new Error("no answer"))),
    );
    const next = slots.run(
      one,
      steps(async () => "next"),
    );
    await expect(failing).rejects.toThrow("no answer");
    expect(await next).toEqual({ hasRun: true, result: "next" });
    expect(clock.pendingTimers).toBe(0);
  });
});
