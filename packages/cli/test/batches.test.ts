/** A spreadsheet of payments that is sent from the command line and followed. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedServer } from "../../server/test/kit/shared-server.ts";
import { openStory, type Story } from "../../server/test/kit/story.ts";
import { batchCsv, bookItem, type Payers, payersOf } from "../../server/test/kit/story-batches.ts";
import { createProgress, lineOf, summaryOf } from "../src/batches/progress.ts";
import { openShell, type Shell } from "./kit/shell.ts";

const server = await sharedServer();
const directory = mkdtempSync(join(tmpdir(), "florin-batches-"));
let story: Story;
let payers: Payers;
let shell: Shell;
beforeAll(async () => {
  story = await openStory(server);
  payers = await payersOf(story, 10_000);
  shell = openShell({
    FLORIN_URL: server.baseUrl,
    FLORIN_CLIENT_ID: story.clientId,
    FLORIN_CLIENT_SECRET: story.clientSecret,
  });
});
afterAll(() => {
  shell.remove();
  rmSync(directory, { recursive: true });
});

function fileOf(name: string, amounts: readonly number[]): string {
  const items = amounts.map((amount, at) => bookItem(payers, { reference: `r-${at}`, amount }));
  const path = join(directory, name);
  writeFileSync(path, batchCsv(items));
  return path;
}

describe("florin batches create", () => {
  it("follows the batch to its end, and names it by its file", async () => {
    const file = fileOf("november.csv", [100, 200]);
    const { code, out, errors } = await shell.run(["batches", "create", file]);
    expect([code, errors]).toEqual([0, expect.stringMatching(/100 %\s+2 of 2\n$/)]);
    const [id, summary] = out.split("\n");
    expect(summary).toBe("2 paid or under way (2 completed, 0 failed), 0 refused");
    const { json } = await story.call("GET", `/payment-batches/${id}`);
    expect(json).toMatchObject({ name: "november", status: "COMPLETED" });
  });

  it("ends with the refused rows and 1, and writes over one line on a terminal", async () => {
    const file = fileOf("much.csv", [100, 999_999]);
    const words = ["batches", "create", file, "--name", "Salaries"];
    const { code, out, errors } = await shell.run(words, { rewritesLines: true });
    expect(code).toBe(1);
    expect(out).toMatch(/1 paid or under way .*, 1 refused\nrow 3 {2}r-1 {2}INSUFFICIENT_BALANCE/);
    expect(errors).toMatch(/\r\[#{24}\] 100 % {2}2 of 2 {2}1 refused\s*\n/);
    expect(errors).toContain("items.csv PaymentBatch:");
    expect(errors).toContain("florin: not every row was made a payment");
  });

  it("ends when a batch for later is stored, with --no-wait, and with --json", async () => {
    const clock = await story.call("GET", "/sandbox/clock");
    const time = new Date(Date.parse(clock.json.now) + 3_600_000).toISOString();
    const file = fileOf("later.csv", [100]);
    const later = await shell.run(["batches", "create", file, "--scheduled-for", time]);
    expect([later.code, later.errors]).toEqual([0, expect.stringContaining(`runs at ${time}`)]);
    const stored = await story.call("GET", `/payment-batches/${later.out.trim()}`);
    expect(stored.json).toMatchObject({ status: "PENDING", scheduledFor: time });
    const now = await shell.run(["batches", "create", file, "--no-wait"]);
    expect([now.code, now.out]).toEqual([0, expect.stringMatching(/^PaymentBatch:\S+\n$/)]);
    const raw = await shell.run(["batches", "create", file, "--json", "--require-funds"]);
    expect([raw.code, JSON.parse(raw.out).name]).toEqual([0, "later"]);
  });

  it.each([
    ["no file", ["batches", "create"], 2, "missing required argument"],
    ["a file that is not there", ["batches", "create", "/nowhere.csv"], 2, "cannot be read"],
    ["another mode", ["batches", "create", "x.csv", "--mode", "BOTH"], 2, "Allowed choices"],
  ])("is a wrong command line with %s", async (_what, words, code, told) => {
    const ended = await shell.run(words);
    expect([ended.code, ended.errors]).toEqual([code, expect.stringContaining(told)]);
  });

  it("tells the faults of a file by row and column, and a time that is past", async () => {
    const path = join(directory, "wrong.csv");
    writeFileSync(path, batchCsv([bookItem(payers)]).replace(",100\r\n", ",1.00\r\n"));
    const wrong = await shell.run(["batches", "create", path]);
    expect([wrong.code, wrong.errors]).toEqual([
      1,
      expect.stringContaining("row 2, column amount: is 1.00"),
    ]);
    const past = ["--scheduled-for", "2020-01-01T00:00:00Z"];
    const late = await shell.run(["batches", "create", fileOf("past.csv", [1]), ...past]);
    expect([late.code, late.errors]).toEqual([1, expect.stringContaining("scheduledFor")]);
  });
});

const counts = { total: 10_000, accepted: 0, refused: 0, completed: 0, failed: 0, cancelled: 0 };

describe("the progress of a batch", () => {
  it("has a bar, a share and the counts", () => {
    expect(lineOf({ ...counts, waiting: 10_000 })).toBe(
      `[${" ".repeat(24)}]   0 %  0 of 10,000  waiting`,
    );
    expect(lineOf({ ...counts, accepted: 2_400, refused: 100, waiting: 7_500 })).toBe(
      `[######${" ".repeat(18)}]  25 %  2,500 of 10,000  100 refused`,
    );
    const cancelled = { ...counts, accepted: 4_000, completed: 3_999, failed: 1, cancelled: 6_000 };
    expect(summaryOf({ ...cancelled, waiting: 0 })).toBe(
      "4,000 paid or under way (3,999 completed, 1 failed), 0 refused, 6,000 not run\n",
    );
  });

  it("is a line every five seconds where lines stay, and the last one in any case", () => {
    let now = 0;
    const told: string[] = [];
    const progress = createProgress({
      rewritesLines: false,
      now: () => now,
      writeError: (text) => void told.push(text),
    });
    for (let ran = 0; ran < 20; ran += 1) {
      progress.show({ ...counts, accepted: ran * 500, waiting: 10_000 - ran * 500 });
      now += 500;
    }
    progress.show({ ...counts, accepted: 10_000, waiting: 0 });
    progress.end();
    expect(told.map((line) => /(\S+) of/.exec(line)?.[1])).toEqual(["0", "5,000", "10,000"]);
  });
});
