/** What an import takes at a time: turns, groups of rows, and places in the queues that it shares with callers. */
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../test/kit/manual-clock.ts";
import { platform } from "../../test/kit/payment-rows.ts";
import { type BulkJob, bulkJobs } from "../domain/customers/bulk-jobs/bulk-job.ts";
import type { ClaimedJob, Submission } from "../engine/command.ts";
import type { JobOf } from "../jobs/job-runners.ts";
import { silentLog } from "../std/log.ts";
import { type ImportTools, importJobRunners } from "./import-customers.ts";

const TURN_MS = 3_000;
const LINE = "a".repeat(20_000);

interface Counts {
  readonly successful?: number;
}

interface Submitted {
  readonly name: string;
  readonly isBackground: boolean;
  readonly input: Counts;
  readonly key: string | undefined;
}

const bulkJob: BulkJob = {
  id: "018f0000-0000-7000-8000-0000000000b1",
  tokenId: "018f0000-0000-7000-8000-0000000000b2",
  isPerson: false,
  status: "PROCESSING",
  fileId: "018f0000-0000-7000-8000-0000000000b3",
  total: 0,
  processed: 0,
  successful: 0,
  failed: 0,
  position: 0,
  listedErrors: 0,
  createdAt: 0,
  updatedAt: 0,
  completedAt: null,
};

const jobOf = (platformId: string): ClaimedJob => ({
  platformId,
  id: "018f0000-0000-7000-8000-0000000000b4",
  kind: "import-customers",
  payload: { bulkJobId: bulkJob.id },
  attempts: 1,
  platformTime: 0,
  leasedUntil: 10_000,
});

/** Imports of a file with these lines; the import is found when `found` says so. */
function imports(lines: readonly string[], found: (platformId: string) => Promise<void>) {
  const clock = createManualClock(0);
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const submitted: Submitted[] = [];
  const begun: string[] = [];
  const tools = {
    clock,
    log: silentLog,
    reads: {
      async rows(table: unknown, _statement: unknown, [platformId]: readonly string[]) {
        if (table !== bulkJobs) return [{ ...platform, supportedCurrencies: [] }];
        begun.push(String(platformId));
        await found(String(platformId));
        return [{ ...bulkJob, total: lines.length }];
      },
    },
    files: {
      read: async ({ at }: { readonly at: number }) => text.subarray(at, at + 65_536),
    },
    checkRow: () => ({ kind: "sound", correlationId: "row", input: {} }),
    engine: {
      async submit({
        command: { name },
        isBackground = false,
        input,
        idempotency,
      }: Submission<Counts, unknown>) {
        submitted.push({ name, isBackground, input, key: idempotency?.key });
        return { status: name === "create-customer" ? 201 : 200, body: "" };
      },
    },
  } as unknown as ImportTools;
  const { "import-customers": run } = importJobRunners(tools);
  const runAt = (platformId: string, attempts = 1) =>
    run({ ...jobOf(platformId), attempts } as JobOf<"import-customers">);
  return { clock, submitted, begun, run: runAt };
}

const atOnce = () => Promise.resolve();
const never = () => new Promise<void>(() => undefined);

describe("imports", () => {
  it("run two at a time, and one of a platform; the others continue in a later run", async () => {
    const { clock, begun, run } = imports([], never);
    const [, second, , fourth] = ["a", "a", "b", "c"].map((platformId) => run(platformId));
    await clock.advance(TURN_MS - 1);
    expect(begun).toEqual(["a", "b"]);
    await clock.advance(1);
    expect(await Promise.all([second, fourth])).toEqual([
      { kind: "again", inMs: 0 },
      { kind: "again", inMs: 0 },
    ]);
  });

  it("leave their place to the next when they have ended", async () => {
    const ends: (() => void)[] = [];
    const { clock, begun, run } = imports([], () => new Promise((resolve) => ends.push(resolve)));
    for (const platformId of ["a", "b", "c"]) run(platformId);
    await clock.advance(1);
    expect(begun).toEqual(["a", "b"]);
    ends[0]?.();
    await clock.advance(1);
    expect(begun).toEqual(["a", "b", "c"]);
  });
});

describe("an import", () => {
  async function groups(lines: readonly string[]): Promise<readonly number[]> {
    const { run, submitted } = imports(lines, atOnce);
    expect(await run("a")).toEqual({ kind: "done" });
    return submitted
      .filter(({ name }) => name === "record-bulk-progress")
      .map(({ input: { successful = 0 } }) => successful);
  }

  it("takes rows in groups, of so many or of so much text", async () => {
    expect(await groups(Array.from({ length: 600 }, () => "a"))).toEqual([256, 256, 88]);
    const long = await groups(Array.from({ length: 60 }, () => LINE));
    expect(long).toEqual([27, 27, 6]);
  });

  it("queues its rows with the workers, where they delay no caller", async () => {
    const { run, submitted } = imports(["a", "b", "c"], atOnce);
    await run("a");
    const rows = submitted.filter(({ name }) => name === "create-customer");
    expect(rows.map(({ isBackground }) => isBackground)).toEqual([true, true, true]);
  });

  it("that is resumed submits each row under the same key", async () => {
    const { run, submitted } = imports(["a", "b"], atOnce);
    await run("a");
    await run("a", 2);
    const rows = submitted.filter(({ name }) => name === "create-customer");
    expect(rows.map(({ key }) => key)).toEqual(["1", "2", "1", "2"]);
  });
});
