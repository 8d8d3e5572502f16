/**
 * `npm run record -- <file>` writes what the program answers (answers.ts). `npm run record -- <file> <before>` compares that with an
 * earlier file as well, and fails for each difference.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { type Recorded, recordAnswers } from "./answers.ts";
import { common, differences } from "./steady.ts";

const SHOWN = 50;

function linesOf(file: string): readonly Recorded[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

it("records twice, and keeps what both have", async () => {
  const file = present(process.env.RECORD_TO, "RECORD_TO, the file to write");
  const [one, other] = [await recordAnswers(), await recordAnswers()];
  expect(other.map(({ what }) => what)).toEqual(one.map(({ what }) => what));
  const lines = one.map(({ what, answer }, index) => {
    const steady = common(answer, present(other[index], "the same answer").answer);
    return JSON.stringify({ what, answer: steady });
  });
  writeFileSync(file, `${lines.join("\n")}\n`);
  const before = process.env.RECORD_AGAINST;
  if (before === undefined) return;
  const [now, then] = [linesOf(file), linesOf(before)];
  expect(now.map(({ what }) => what)).toEqual(then.map(({ what }) => what));
  const found = now.flatMap(({ what, answer }, index) =>
    differences(present(then[index], "the same answer").answer, answer).map(
      (line) => `${what}: ${line.slice(0, 500)}`,
    ),
  );
  expect(found.slice(0, SHOWN)).toEqual([]);
}, 1_800_000);
