import { describe, expect, it } from "vitest";
import { createFairSemaphore, type FairSemaphore, type SemaphoreTask } from "./fair-semaphore.ts";

interface Begun {
  readonly name: string;
  end(): void;
  fail(): void;
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Named tasks, recorded at their start; each ends when the test ends it. */
function watch(semaphore: FairSemaphore) {
  const begun: Begun[] = [];
  return {
    names: () => begun.map(({ name }) => name),
    take: (key: string, name: string): SemaphoreTask<string> =>
      semaphore.run(
        key,
        () =>
          new Promise((resolve, reject) =>
            begun.push({
              name,
              end: () => resolve(`${name} done`),
              fail: () => reject(new Error(`${name} failed`)),
            }),
          ),
      ),
    settle,
    end(name: string): Promise<void> {
      begun.find((read) => read.name === name)?.end();
      return settle();
    },
    fail: (name: string) => begun.find((read) => read.name === name)?.fail(),
  };
}

describe("a fair semaphore", () => {
  it("gives a key its share and no more, also while slots are free", async () => {
    const reads = watch(createFairSemaphore({ slots: 8, perKey: 2 }));
    for (const name of ["a1", "a2", "a3", "a4"]) reads.take("a", name);
    reads.take("b", "b1");
    await reads.settle();
    expect(reads.names()).toEqual(["a1", "a2", "b1"]);
    await reads.end("a2");
    expect(reads.names()).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("serves keys round-robin when all slots are taken, however long a queue is", async () => {
    const reads = watch(createFairSemaphore({ slots: 2, perKey: 2 }));
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) reads.take("a", name);
    for (const name of ["b1", "b2"]) reads.take("b", name);
    reads.take("c", "c1");
    await reads.settle();
    const order = ["a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5"];
    for (const name of order) await reads.end(name);
    expect(reads.names()).toEqual(order);
  });

  it("lets a key have a bound of its own, which may change", async () => {
    const semaphore = createFairSemaphore({ slots: 8, perKey: 8 });
    const begun: string[] = [];
    function take(name: string, perKey: number): void {
      const task = () => {
        begun.push(name);
        return new Promise<void>(() => undefined);
      };
      semaphore.run("a", task, perKey);
    }
    take("a1", 1);
    take("a2", 1);
    await settle();
    expect(begun).toEqual(["a1"]);
    take("a3", 2);
    await settle();
    expect(begun).toEqual(["a1", "a2"]);
  });

  it("does not start a cancelled task", async () => {
    const reads = watch(createFairSemaphore({ slots: 1, perKey: 1 }));
    reads.take("a", "a1");
    const left = reads.take("a", "a2");
    reads.take("a", "a3");
    await reads.settle();
    expect(left.cancel()).toBe(true);
    await reads.end("a1");
    expect(reads.names()).toEqual(["a1", "a3"]);
  });

  it("keeps the slot of a started task until it ends, also after a cancel", async () => {
    const reads = watch(createFairSemaphore({ slots: 1, perKey: 1 }));
    const left = reads.take("a", "a1");
    reads.take("a", "a2");
    await reads.settle();
    expect(left.cancel()).toBe(false);
    await reads.settle();
    expect(reads.names()).toEqual(["a1"]);
    await reads.end("a1");
    expect(reads.names()).toEqual(["a1", "a2"]);
  });

  it("frees the slot of a failed task, whose caller gets the error", async () => {
    const reads = watch(createFairSemaphore({ slots: 1, perKey: 1 }));
    const failing = reads.take("a", "a1");
    const next = reads.take("a", "a2");
    await reads.settle();
    reads.fail("a1");
    await expect(failing.result).rejects.toThrow("a1 failed");
    await reads.end("a2");
    await expect(next.result).resolves.toBe("a2 done");
  });

  it("ignores a cancel after the end of a task", async () => {
    const reads = watch(createFairSemaphore({ slots: 1, perKey: 1 }));
    const earlier = reads.take("a", "a1");
    await reads.settle();
    await reads.end("a1");
    reads.take("b", "b1");
    reads.take("a", "a2");
    await reads.settle();
    earlier.cancel();
    await reads.end("b1");
    expect(reads.names()).toEqual(["a1", "b1", "a2"]);
  });
});
