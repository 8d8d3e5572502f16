/** Each entry is applied once, wherever it comes from: the commits of this server, or the log. */
import { expect, it } from "vitest";
import type { SerialLane } from "../postgres/serial-lane.ts";
import { present } from "../std/assert.ts";
import { FedEntries } from "./fed-entries.ts";
import type { Follower, Stretch } from "./follower.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const OTHER = "018f0000-0000-7000-8000-00000000000b";
const lane = {} as SerialLane;
const READ_AT_ONCE = 7n;

interface Commit extends Stretch {
  readonly isPartial?: boolean;
}

const numbers = (after: bigint, upTo: bigint) =>
  Array.from({ length: Number(upTo - after) }, (_, index) => after + BigInt(index) + 1n);

/** A log that holds the numbers up to `head`, and a note of each read. */
function numbersTo(log: { head: bigint }) {
  const reads: (readonly [bigint, bigint])[] = [];
  const follower: Follower<bigint | "building", bigint[], Commit> = {
    name: "numbers",
    positions: {} as Follower<bigint | "building", bigint[]>["positions"],
    async read(_lane, _platformId, position, upTo = log.head) {
      const from = position === "building" ? 0n : position;
      const end = from + READ_AT_ONCE < upTo ? from + READ_AT_ONCE : upTo;
      reads.push([from, end]);
      if (end <= from) return undefined;
      return { entries: numbers(from, end), next: end, hasMore: end < log.head };
    },
    feed: {
      open: () => [],
      add(entries, { after, upTo, isPartial = false }) {
        entries.push(...numbers(after, upTo));
        return !isPartial;
      },
      placeOf: (position) => (position === "building" ? undefined : position),
      batchOf: async (_lane, { upTo }, entries) => ({ entries, next: upTo, hasMore: false }),
    },
    apply: () => [],
  };
  return { reads, fed: new FedEntries(follower) };
}

const commit = (after: bigint, upTo: bigint): Commit => ({ platformId: PLATFORM, after, upTo });

it("reads nothing while all commits are told of", async () => {
  const { reads, fed } = numbersTo({ head: 9n });
  expect(fed.add(commit(0n, 4n))).toBe(4);
  expect(fed.add(commit(4n, 9n))).toBe(9);
  const batch = await fed.batch(lane, PLATFORM, 0n);
  expect(batch).toEqual({ entries: numbers(0n, 9n), next: 9n, hasMore: false });
  expect(reads).toEqual([]);
});

it("reads what another server wrote in between, up to its own commit", async () => {
  const { reads, fed } = numbersTo({ head: 9n });
  fed.add(commit(0n, 3n));
  fed.add(commit(5n, 9n));
  const read = await fed.batch(lane, PLATFORM, 0n);
  expect(read).toMatchObject({ entries: numbers(0n, 5n), hasMore: true });
  const next = await fed.batch(lane, PLATFORM, 5n);
  expect(next?.entries).toEqual(numbers(5n, 9n));
  expect(reads).toEqual([[0n, 5n]]);
});

it("reads again what a batch held that was not applied", async () => {
  const { reads, fed } = numbersTo({ head: 4n });
  fed.add(commit(0n, 4n));
  await fed.batch(lane, PLATFORM, 0n);
  const again = await fed.batch(lane, PLATFORM, 0n);
  expect(again?.entries).toEqual(numbers(0n, 4n));
  expect(reads).toEqual([[0n, 4n]]);
});

it("ends at the last commit that was told of when the log was read into a stretch", async () => {
  const { reads, fed } = numbersTo({ head: 6n });
  fed.add(commit(2n, 5n));
  const read = await fed.batch(lane, PLATFORM, 3n);
  expect(read?.entries).toEqual([4n, 5n]);
  fed.add(commit(5n, 6n));
  const next = await fed.batch(lane, PLATFORM, 5n);
  expect(next?.entries).toEqual([6n]);
  expect(reads).toEqual([[3n, 5n]]);
});

it("does not go back when the position is beyond all that was told of", async () => {
  const { reads, fed } = numbersTo({ head: 8n });
  fed.add(commit(2n, 5n));
  expect(await fed.batch(lane, PLATFORM, 8n)).toBeUndefined();
  expect(reads).toEqual([[8n, 8n]]);
});

it("keeps a stretch while the position is not told by the log", async () => {
  const { fed } = numbersTo({ head: 5n });
  fed.add(commit(0n, 5n));
  expect((await fed.batch(lane, PLATFORM, "building"))?.next).toBe(5n);
  expect((await fed.batch(lane, PLATFORM, 0n))?.entries).toEqual(numbers(0n, 5n));
});

it("drops the stretch of a commit that does not hold all of its entries", async () => {
  const { reads, fed } = numbersTo({ head: 5n });
  fed.add(commit(0n, 2n));
  expect(fed.add({ ...commit(2n, 5n), isPartial: true })).toBe(0);
  expect((await fed.batch(lane, PLATFORM, 0n))?.entries).toEqual(numbers(0n, 5n));
  expect(reads).toEqual([[0n, 5n]]);
});

it("holds a bounded number of entries of a platform, and of all", async () => {
  const { fed } = numbersTo({ head: 0n });
  let last = 0n;
  for (; last < 50_000n; last += 1_000n)
    expect(fed.add(commit(last, last + 1_000n))).toBeLessThanOrEqual(20_000);
  const others = Array.from({ length: 6 }, (_, index) => OTHER.slice(0, -1) + index);
  const kept = others.map((platformId) => fed.add({ platformId, after: 0n, upTo: 20_000n }));
  expect(kept).toEqual([20_000, 20_000, 20_000, 20_000, 0, 0]);
  fed.forget(present(others[0], "the first of them"));
  expect(fed.add({ platformId: PLATFORM, after: 0n, upTo: 20_000n })).toBe(20_000);
});

it("applies each entry once, in any order of commits of two servers, of batches and failures", async () => {
  for (let seed = 1; seed <= 300; seed++) {
    let state = seed * 2_654_435_761;
    const chance = (of: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * of);
    };
    const log = { head: 0n };
    const { fed } = numbersTo(log);
    const untold: Commit[] = [];
    const applied: bigint[] = [];
    let position = 0n;
    const applyNext = async (fails: boolean) => {
      const batch = await fed.batch(lane, PLATFORM, position);
      if (batch === undefined || fails) return;
      applied.push(...batch.entries);
      position = batch.next as bigint;
    };
    for (let step = 0; step < 60; step++) {
      const what = chance(8);
      if (what < 4) {
        const after = log.head;
        log.head += BigInt(1 + chance(4));
        // Half of the commits are another server's; one of this server is told of some steps after it is in the log.
        if (what < 2) untold.push(commit(after, log.head));
      } else if (what < 6) {
        const told = untold.shift();
        if (told !== undefined) fed.add(told);
      } else await applyNext(what === 7 && chance(3) === 0);
    }
    for (const told of untold) fed.add(told);
    for (let left = 0; position < log.head && left < 200; left++) {
      // The scan finds a platform whose entries were not told of, when nothing waits for it.
      await applyNext(false);
    }
    expect(applied, `seed ${seed}`).toEqual(numbers(0n, log.head));
  }
});
