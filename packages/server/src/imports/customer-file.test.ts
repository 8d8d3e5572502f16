import { describe, expect, it } from "vitest";
import type { SealedFiles } from "../secrets/sealed-files.ts";
import { columnsOfEveryFile } from "../wire/customers/customer-columns.ts";
import { type CustomerFile, rowsLeft, validateFile } from "./customer-file.ts";

const HEADER = `${columnsOfEveryFile.join(",")}\n`;
const CHUNK_BYTES = 256 * 1024;

/** A file of chunks as they are stored; reading is the only thing that is done with it. */
function fileOf(text: string): CustomerFile {
  const content = Buffer.from(text);
  const read: SealedFiles["read"] = async ({ at }) => {
    if (at >= content.length) return undefined;
    const end = (Math.floor(at / CHUNK_BYTES) + 1) * CHUNK_BYTES;
    return content.subarray(at, Math.min(end, content.length));
  };
  return { files: { read } as SealedFiles, platformId: "platform", fileId: "file" };
}

/** How many turns the event loop makes while this is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

describe("a file of customers", () => {
  const rows = 120_000;
  const file = fileOf(HEADER + "a,b\n".repeat(rows));

  it("leaves the thread to others at least once per 32 kB", async () => {
    const slices = (HEADER.length + 4 * rows) / (32 * 1024);
    const turns = await turnsDuring(async () => {
      expect(await validateFile(file)).toEqual({
        kind: "table",
        total: rows,
        position: HEADER.length,
      });
    });
    expect(turns).toBeGreaterThanOrEqual(Math.floor(slices));
  });

  it("has each row once and knows where the next one begins, across slices and chunks", async () => {
    const long = `INDIVIDUAL,"${"x".repeat(70_000)}\n"`;
    const lines = [long, "a,1", long, long, long, long, "a,2"];
    const mixed = fileOf(`${HEADER}${lines.join("\n")}\n`);
    const found: string[] = [];
    let end = HEADER.length;
    for await (const row of rowsLeft(mixed, { position: end, processed: 0 })) {
      const line = lines[found.length] ?? "";
      end += line.length + 1;
      expect([row.width, row.end]).toEqual([2, end]);
      found.push(row.cells[1] ?? "");
    }
    expect(found.map(({ length }) => length)).toEqual([
      70_001, 1, 70_001, 70_001, 70_001, 70_001, 1,
    ]);
  });
});
