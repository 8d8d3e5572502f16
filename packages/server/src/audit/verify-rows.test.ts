import fc from "fast-check";
import { expect, it } from "vitest";
import { type Cells, type Reader, readEnd, takeWhile, type Walk, walk } from "./verify-rows.ts";

/** A table that holds the numbers from 1 up, and grows with everything that is asked. */
class GrowingTable implements Reader {
  #length: number;
  readonly #grows: number;

  constructor(length: number, grows: number) {
    this.#length = length;
    this.#grows = grows;
  }

  async query(text: string, [, end, after = "0"]: readonly string[] = []): Promise<Cells[]> {
    const last = this.#length;
    this.#length += this.#grows;
    if (end === undefined) return last === 0 ? [] : [[String(last)]];
    const limit = Number(/limit (\d+)$/.exec(text)?.[1]);
    const rest = Math.max(Math.min(last, Number(end)) - Number(after), 0);
    return Array.from({ length: Math.min(rest, limit) }, (_, n) => [String(Number(after) + n + 1)]);
  }
}

function numbers(pageRows: number): Walk<number> {
  const decode = ([cell]: Cells) => Number(cell);
  return { table: "t", columns: "n", key: ["n"], keyTypes: ["int8"], pageRows, decode };
}

it("a walk sees each row once, in order, up to the one that was the last, while others are added", async () => {
  const sizes = { length: fc.nat(12), grows: fc.nat(3), pageRows: fc.integer({ min: 1, max: 6 }) };
  const walks = fc.asyncProperty(fc.record(sizes), async ({ length, grows, pageRows }) => {
    const table = new GrowingTable(length, grows);
    const of = numbers(pageRows);
    const rows = walk(table, { platformId: "p", of, end: await readEnd(table, "p", of) });
    const seen: number[] = [];
    await takeWhile(
      rows,
      () => true,
      (row) => seen.push(row),
    );
    expect(seen).toEqual(Array.from({ length }, (_, n) => n + 1));
  });
  await fc.assert(walks, { numRuns: 300 });
});
