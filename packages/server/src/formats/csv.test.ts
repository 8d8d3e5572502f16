import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CsvRecord, createCsvReader } from "./csv.ts";

const MAX = 1_000;
const MAX_CELLS = 40;

/** Reads the bytes in pieces of these sizes, the last of them again and again. */
function read(bytes: Buffer, sizes: readonly number[] = [bytes.length || 1]): readonly CsvRecord[] {
  const reader = createCsvReader({ at: 0, maxRecordBytes: MAX, maxCells: MAX_CELLS });
  const records: CsvRecord[] = [];
  for (let from = 0, piece = 0; from < bytes.length; piece += 1) {
    const size = sizes[Math.min(piece, sizes.length - 1)] ?? 1;
    records.push(...reader.take(bytes.subarray(from, from + size)));
    from += size;
  }
  return [...records, ...reader.finish()];
}

const cellsOf = (text: string) => read(Buffer.from(text)).map(({ cells }) => cells);

describe("records", () => {
  it.each([
    [
      "a,b\nc,d\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,b\r\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["\uFEFFa,b\n", [["a", "b"]]],
    [
      "a,\n,b\n",
      [
        ["a", ""],
        ["", "b"],
      ],
    ],
    ['"a,b",c\n', [["a,b", "c"]]],
    ['"a\r\nb","c"\n', [["a\r\nb", "c"]]],
    ['"a ""b"" c",""\n', [['a "b" c', ""]]],
    ['"a",\n', [["a", ""]]],
    ["\n\r\na\n\n", [["a"]]],
    ['""\n', [[""]]],
    [" a , b \n", [[" a ", " b "]]],
    ["=1+1,@x,-1,+1\n", [["=1+1", "@x", "-1", "+1"]]],
    ["", []],
  ])("of %j are %j", (text, cells) => {
    expect(cellsOf(text)).toEqual(cells);
  });

  it("are the cells that were written, wherever the bytes are cut", () => {
    const cell = fc.string({ unit: "grapheme", maxLength: 12 });
    const row = fc.array(fc.oneof(cell, fc.constantFrom('"', ",", "\r\n", "\n", "é", "🙂")), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (rows, sizes) => {
          const text = rows
            .map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(","))
            .join("\r\n");
          const records = read(Buffer.from(text), sizes);
          expect(records.map(({ cells }) => cells)).toEqual(rows);
          expect(records.every(({ problem }) => problem === undefined)).toBe(true);
        },
      ),
    );
  });

  it("can be read on from the end of any of them", () => {
    const bytes = Buffer.from('\uFEFFa,b\r\n\n"c\n",d\ne,f');
    const whole = read(bytes);
    for (const [index, { end }] of whole.entries()) {
      const reader = createCsvReader({ at: end, maxRecordBytes: MAX, maxCells: MAX_CELLS });
      const rest = [...reader.take(bytes.subarray(end)), ...reader.finish()];
      expect(rest).toEqual(whole.slice(index + 1));
    }
  });
});

describe("a problem", () => {
  it.each([
    ["bytes that are not UTF-8", Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a]), "not-utf8"],
    ["a cut character", Buffer.from([0xf0, 0x9f, 0x99, 0x0a, 0x62, 0x0a]), "not-utf8"],
    ["a quote inside a cell", Buffer.from('a"b"\nb\n'), "bad-quotes"],
    ["a quote behind a cell", Buffer.from('"a" "b"\nb\n'), "bad-quotes"],
  ])("is %s, and the next record is read", (_name, bytes, problem) => {
    const [first, second] = read(bytes);
    expect(first).toMatchObject({ cells: [], problem });
    expect(second).toMatchObject({ cells: ["b"], problem: undefined });
  });

  it("is a quote that is never closed", () => {
    expect(read(Buffer.from('a\n"b\nc\n')).map(({ problem }) => problem)).toEqual([
      undefined,
      "bad-quotes",
    ]);
  });

  it("is a record that is too long, and nothing is read behind it", () => {
    for (const text of [
      `${"x".repeat(MAX + 1)}\nb\n`,
      `"${"x\n".repeat(MAX)}\nb\n`,
      "x".repeat(2 * MAX),
    ]) {
      for (const sizes of [[text.length], [100]]) {
        const records = read(Buffer.from(text), sizes);
        expect(records.map(({ problem }) => problem)).toEqual(["too-long"]);
      }
    }
  });

  it("is all that any bytes can lead to", () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (array, sizes) => {
          const whole = read(Buffer.from(array));
          expect(read(Buffer.from(array), sizes)).toEqual(whole);
          for (const { cells, problem } of whole)
            expect(cells.length === 0).toBe(problem !== undefined);
        },
      ),
    );
  });
});

describe("the cells of a record", () => {
  it.each([
    ["bare", `${"a,".repeat(99)}a\n`],
    ["quoted", `${'"a,",'.repeat(99)}"a,"\n`],
  ])("beyond so many are counted and not kept: %s", (_how, text) => {
    const [record] = read(Buffer.from(text));
    expect(record).toMatchObject({ width: 100, problem: undefined, end: text.length });
    expect(record?.cells).toHaveLength(MAX_CELLS);
  });

  it("are as many as are kept where there are no more", () => {
    for (const { cells, width } of read(Buffer.from('a,b\n"",""\nc\n')))
      expect(width).toBe(cells.length);
  });
});
