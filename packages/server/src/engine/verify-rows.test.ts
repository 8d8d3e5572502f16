import fc from "fast-check";
import { expect, it } from "vitest";
import { type Reader, takeWhile, type Walk, walk } from "./verify-rows.ts";

/** A table that holds the numbers from 1 up, and grows. */
class GrowingTable implements Reader {
  length = 0;

  async query(text: string, [, after = "0"]: readonly string[] = []) {
    const limit = Number(/limit (\d+)$/.exec(text)?.[1]);
    const rest = Math.max(this.length - Number(after), 0);
    return Array.from({ length: Math.min(rest, limit) }, (_, n) => [String(Number(after) + n + 1)]);
  }
}

function numbers(pageRows: number): Walk<number> {
  const decode = ([cell]: readonly (string | null)[]) => Number(cell);
  return { table: "t", columns: "n", key: ["n"], keyTypes: ["int8"], pageRows, decode };
}

const acts = fc.array(fc.record({ grow: fc.nat(9), take: fc.nat(9), readsOn: fc.boolean() }), {
  minLength: 1,
  maxLength: 12,
});

it("a walk that reads on sees each row once, in order, and all that were there when it read on", async () => {
  const walks = fc.asyncProperty(fc.integer({ min: 1, max: 5 }), acts, async (pageRows, steps) => {
    const table = new GrowingTable();
    const rows = walk(table, "platform", numbers(pageRows));
    const seen: number[] = [];
    for (const { grow, take, readsOn } of steps) {
      table.length += grow;
      if (readsOn) rows.readOn();
      let left = take;
      await takeWhile(
        rows,
        () => left-- > 0,
        (row) => seen.push(row),
      );
    }
    const there = table.length;
    rows.readOn();
    await takeWhile(
      rows,
      () => true,
      (row) => seen.push(row),
    );
    expect(seen).toEqual(Array.from({ length: there }, (_, n) => n + 1));
  });
  await fc.assert(walks, { numRuns: 300 });
});

it("a walk does not read before it is told to, nor past a short page until it is told again", async () => {
  const table = new GrowingTable();
  const rows = walk(table, "platform", numbers(4));
  const take = async () => {
    const seen: number[] = [];
    await takeWhile(
      rows,
      () => true,
      (row) => seen.push(row),
    );
    return seen;
  };
  table.length = 2;
  expect(await take()).toEqual([]);
  rows.readOn();
  expect(await take()).toEqual([1, 2]);
  table.length = 3;
  expect(await take()).toEqual([]);
  rows.readOn();
  expect(await take()).toEqual([3]);
});
