import { describe, expect, it } from "vitest";
import type { Actor } from "../command.ts";
import type { Pending } from "../decide.ts";
import { CommandQueue } from "./command-queue.ts";

const pending = (kind: Actor["kind"], id: number, command: object = {}) =>
  ({ submission: { actor: { kind, id: String(id) }, command } }) as Pending;

function queueOf(callers: number, workers: number): CommandQueue {
  const queue = new CommandQueue();
  for (let n = 0; n < workers; n += 1) queue.push(pending("worker", n));
  for (let n = 0; n < callers; n += 1) queue.push(pending("token", n));
  return queue;
}

const take = (queue: CommandQueue, most: number) =>
  queue.take(most).map(({ submission: { actor } }) => `${actor.kind} ${actor.id}`);

describe("a batch", () => {
  it("takes half from each queue while both have commands, in order", () => {
    const queue = queueOf(10, 1_000);
    expect(take(queue, 4)).toEqual(["token 0", "token 1", "worker 0", "worker 1"]);
    expect(take(queue, 4)).toEqual(["token 2", "token 3", "worker 2", "worker 3"]);
    expect(queue.length).toBe(1_002);
  });

  it.each([
    [1, 10, 4, ["token 0", "worker 0", "worker 1", "worker 2"]],
    [10, 1, 4, ["token 0", "token 1", "token 2", "worker 0"]],
    [0, 10, 2, ["worker 0", "worker 1"]],
    [10, 0, 2, ["token 0", "token 1"]],
    [1, 1, 64, ["token 0", "worker 0"]],
    [0, 0, 64, []],
  ])("of %i callers and %i workers takes, of %i at most, %j", (callers, workers, most, taken) => {
    expect(take(queueOf(callers, workers), most)).toEqual(taken);
  });

  it("of one alternates between callers and workers", () => {
    const queue = queueOf(2, 2);
    const taken = [1, 1, 1, 1].flatMap((most) => take(queue, most));
    expect(taken).toEqual(["token 0", "worker 0", "token 1", "worker 1"]);
  });
});

it("a background command of a caller joins the queue of the workers", () => {
  const queue = queueOf(2, 0);
  const row = { actor: { kind: "token", id: "row" }, command: {}, isBackground: true };
  queue.push({ submission: row } as Pending);
  queue.push(pending("token", 2));
  expect(take(queue, 64)).toEqual(["token 0", "token 1", "token 2", "token row"]);
});

it("notes when a caller last submitted a command, and not a worker", () => {
  const queue = new CommandQueue();
  const at = (enqueuedAt: number, kind: Actor["kind"], more: object = {}) => {
    const submission = { actor: { kind, id: "x" }, command: {}, ...more };
    queue.push({ enqueuedAt, submission } as unknown as Pending);
    return queue.lastCallAt;
  };
  expect(queue.lastCallAt).toBe(Number.NEGATIVE_INFINITY);
  expect(at(1, "worker")).toBe(Number.NEGATIVE_INFINITY);
  expect(at(2, "token")).toBe(2);
  expect(at(3, "token", { isBackground: true })).toBe(2);
  expect(at(4, "person")).toBe(4);
});

describe("a call is expected by commands of workers", () => {
  /** Calls that were taken, and commands of workers that wait, at these times. */
  function isExpected(calls: readonly number[], workers: readonly number[], areTaken = true) {
    const queue = new CommandQueue();
    const push = (kind: Actor["kind"], enqueuedAt: number) =>
      queue.push({ ...pending(kind, enqueuedAt), enqueuedAt } as Pending);
    for (const at of calls) push("token", at);
    if (areTaken) queue.take(64);
    for (const at of workers) push("worker", at);
    return queue.isCallExpected;
  }

  it.each([
    ["after two calls in quick succession", [0, 5], [6, 7], true],
    ["after the slowest calls that count as frequent", [0, 10], [20], true],
    ["not after rare calls", [0, 11], [12], false],
    ["not after the first call", [5], [6], false],
    ["not without a call", [], [6], false],
    ["not long after the last call", [0, 5], [16], false],
    ["not when none waits", [0, 5], [], false],
    ["while they are few", [0, 5], [6, 6, 6, 6, 6, 6, 6], true],
    ["not when they are many", [0, 5], [6, 6, 6, 6, 6, 6, 6, 6], false],
  ])("%s", (_, calls, workers, expected) => {
    expect(isExpected(calls, workers)).toBe(expected);
  });

  it("not when one waits already", () => {
    expect(isExpected([0, 5], [6], false)).toBe(false);
  });
});

it("dropped commands leave both queues, and the others stay in order", () => {
  const queue = queueOf(3, 3);
  const dropped = queue.drop(({ submission: { actor } }) => actor.id === "1");
  expect(dropped.map(({ submission: { actor } }) => actor.kind)).toEqual(["token", "worker"]);
  expect(take(queue, 64)).toEqual(["token 0", "token 2", "worker 0", "worker 2"]);
});

describe("a large command", () => {
  const large = (kind: Actor["kind"], id: number) => pending(kind, id, { isLarge: true });

  it("is the only one of its batch, and no command overtakes another of its queue", () => {
    const queue = new CommandQueue();
    for (const each of [large("worker", 0), pending("worker", 1), large("worker", 2)]) {
      queue.push(each);
    }
    queue.push(pending("token", 0));
    queue.push(pending("worker", 3));
    expect(take(queue, 64)).toEqual(["token 0", "worker 0", "worker 1"]);
    expect(take(queue, 64)).toEqual(["worker 2", "worker 3"]);
    expect(queue.length).toBe(0);
  });

  it("of callers and one of workers get every other batch", () => {
    const queue = new CommandQueue();
    for (let id = 0; id < 3; id += 1) {
      queue.push(large("token", id));
      queue.push(large("worker", id));
    }
    const taken = Array.from({ length: 6 }, () => take(queue, 64));
    const ids = ["token 0", "worker 0", "token 1", "worker 1", "token 2", "worker 2"];
    expect(taken).toEqual(ids.map((id) => [id]));
  });

  it("leaves room for the others of its batch", () => {
    const queue = queueOf(3, 1);
    queue.push(large("worker", 9));
    queue.push(large("worker", 10));
    expect(take(queue, 64)).toEqual(["token 0", "token 1", "token 2", "worker 0", "worker 9"]);
  });
});
