import { describe, expect, it } from "vitest";
import { CsvFault, csvLine, recordsOf } from "./csv-records.ts";

/** Hands the file out in pieces of this size. */
function inPieces(bytes: Uint8Array, size: number): Blob {
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>]);
  const stream = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.subarray(at, at + size));
        controller.close();
      },
    });
  return Object.assign(blob, { stream });
}

async function read(text: string | Uint8Array, size = 7): Promise<readonly (readonly string[])[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const records: (readonly string[])[] = [];
  for await (const cells of recordsOf(inPieces(bytes, size))) records.push(cells);
  return records;
}

async function faultOf(text: string | Uint8Array): Promise<string> {
  const error = await read(text, 65_536).catch((thrown: unknown) => thrown);
  return error instanceof CsvFault ? error.says : `no fault: ${JSON.stringify(error)}`;
}

describe("the records of a file", () => {
  const text =
    '\uFEFFname,note\r\n\r\n"Ruiz, Ana","says ""hi""\nand more"\nBo Lind,\n"",für ☂ 🏦\nlast,one';
  const records = [
    ["name", "note"],
    ["Ruiz, Ana", 'says "hi"\nand more'],
    ["Bo Lind", ""],
    ["", "für ☂ 🏦"],
    ["last", "one"],
  ];

  it.each([1, 2, 3, 7, 1_000])(
    "are the same when the file comes in pieces of %i bytes",
    async (size) => {
      expect(await read(text, size)).toEqual(records);
    },
  );

  it("are none in a file without text", async () => {
    expect(await read("")).toEqual([]);
    expect(await read("\r\n\n")).toEqual([]);
  });
});

describe("a file that is no table", () => {
  it("is told by its fault", async () => {
    expect(await faultOf(new Uint8Array([0x61, 0xff, 0x0a]))).toBe("import.csv.notUtf8");
    expect(await faultOf(new Uint8Array([0x61, 0xe2, 0x82]))).toBe("import.csv.notUtf8");
    expect(await faultOf('a,b"c\n')).toBe("import.csv.badQuotes");
    expect(await faultOf(`a\n"${"x".repeat(300_000)}`)).toBe("import.csv.tooLong");
  });
});

it("writes cells that a spreadsheet would run as text, and reads back what it has written", async () => {
  const cells = ["=1+1", "-5", "-a", "+1", "@x", 'a "b", c', "two\nlines", "$ana@x.test"];
  const line = csvLine(cells);
  expect(line).toBe(`'=1+1,-5,'-a,'+1,'@x,"a ""b"", c","two\nlines",$ana@x.test\r\n`);
  expect(await read(line)).toEqual([["'=1+1", "-5", "'-a", "'+1", "'@x", ...cells.slice(5)]]);
});
