/**
 * Runs the items of batches, a bounded number in a command. The command that runs items counts them in the batch, so a run that was
 * interrupted goes on where the last commit ended, and of two servers the one that comes second is refused. The job of a scheduled batch is
 * due at its time; it runs later where no server was there.
 *
 * Bounds: the items of a command, the commands of a batch that wait at a time, and the batches that run at a time, one a platform.
 */

import type { FundsNeed } from "../../domain/payments/batches/batch-funds.ts";
import { fundsNeededBy, nextItemIds } from "../../domain/payments/batches/payment-batch.sql.ts";
import {
  findPaymentBatch,
  hasEnded,
  MOST_ITEMS,
  MOST_ITEMS_AT_ONCE,
  type PaymentBatch,
} from "../../domain/payments/batches/payment-batch.ts";
import { runBatchItems } from "../../domain/payments/batches/run-batch-items.ts";
import type { RailRulesOf } from "../../domain/payments/transfers/payment-rail.port.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import { assert, present } from "../../std/assert.ts";
import type { Clock } from "../../std/clock.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobOf, JobRunners } from "../job-runners.ts";
import { CONTINUE, createSlicedRuns, LATER } from "../sliced-runs.ts";

interface BatchJobs {
  readonly engine: Pick<Engine, "submit" | "hadCallers">;
  readonly reads: Reads;
  readonly rails: RailRulesOf;
  readonly clock: Clock;
}

const BATCHES_AT_ONCE = 4;
/** A large group costs a commit less for each item; a small one holds up the payments of callers for a few milliseconds. */
const GROUP_ITEMS = 192;
const GROUP_BESIDE_CALLERS = 16;
/** Callers count as gone when this long none has called. */
const CALLERS_STAY_MS = 200;
/** While a group is committed, the next one decides. Beside callers, their commands decide meanwhile. */
const GROUPS_UNDER_WAY = 2;
const GROUPS_BESIDE_CALLERS = 1;

export function batchJobRunners(tools: BatchJobs): Pick<JobRunners, "run-payment-batch"> {
  const run = createSlicedRuns(tools.clock, BATCHES_AT_ONCE);
  return {
    "run-payment-batch": (job) => run(job, (endsAt) => runSlice(job, tools, endsAt)),
  };
}

const DONE: JobResult = { kind: "done" };

async function runSlice(
  job: JobOf<"run-payment-batch">,
  tools: BatchJobs,
  endsAt: number,
): Promise<JobResult> {
  const { platformId, payload } = job;
  const found = await findPaymentBatch(tools.reads, platformId, payload.batchId);
  const batch = present(found, "the batch of a job");
  if (hasEnded(batch)) return DONE;
  // All at once: a slice that ends with a page of items would leave the database idle until the next slice starts.
  const itemIds = await nextItemIds(tools.reads, platformId, { batch, limit: MOST_ITEMS });
  const isFirst = batch.accepted + batch.refused === 0;
  const funds =
    isFirst && batch.requiresFunds === true
      ? await fundsNeededBy(tools.reads, platformId, batch)
      : undefined;
  const ran = await runItems(job.platformId, { ...tools, batch, itemIds, funds }, endsAt);
  if (ran === undefined) return LATER;
  return batch.accepted + batch.refused + ran === batch.total ? DONE : CONTINUE;
}

interface Slice extends BatchJobs {
  readonly batch: PaymentBatch;
  readonly itemIds: readonly string[];
  /** What all items need, before the first one of a batch that requires funds. */
  readonly funds: readonly FundsNeed[] | undefined;
}

/** Runs items until the slice ends; answers their number, or undefined when another worker or a cancellation was first. */
async function runItems(
  platformId: string,
  slice: Slice,
  endsAt: number,
): Promise<number | undefined> {
  const { itemIds, clock, engine } = slice;
  const underWay: Promise<boolean>[] = [];
  let isLost = false;
  const settleFirst = async () => {
    if (!(await underWay.shift())) isLost = true;
  };
  let at = 0;
  while (at < itemIds.length && clock.now() < endsAt && !isLost) {
    const isBeside = engine.hadCallers(platformId, CALLERS_STAY_MS);
    const end = Math.min(at + groupOf(slice.batch, isBeside), itemIds.length);
    const group = runGroup(platformId, slice, { from: at, end });
    at = end;
    // The `await` below gets the rejection; until then it must not count as unhandled.
    group.catch(() => undefined);
    underWay.push(group);
    const most = isBeside ? GROUPS_BESIDE_CALLERS : GROUPS_UNDER_WAY;
    while (underWay.length >= most) await settleFirst();
  }
  while (underWay.length > 0) await settleFirst();
  return isLost ? undefined : at;
}

/** The items of a batch of all or nothing are one command. */
function groupOf({ mode }: PaymentBatch, isBeside: boolean): number {
  if (mode === "ALL_OR_NOTHING") return MOST_ITEMS_AT_ONCE;
  return isBeside ? GROUP_BESIDE_CALLERS : GROUP_ITEMS;
}

/** Whether the items were run; false when another worker, or a cancellation, was first. */
async function runGroup(
  platformId: string,
  { engine, rails, batch, itemIds, funds }: Slice,
  { from: at, end }: { readonly from: number; readonly end: number },
): Promise<boolean> {
  const { id: batchId, accepted, refused, isPerson, actorId, people } = batch;
  const { status } = await engine.submit({
    platformId,
    actor: { kind: isPerson ? "person" : "token", id: actorId, people },
    isBackground: true,
    command: runBatchItems,
    input: {
      batchId,
      from: accepted + refused + at,
      itemIds: itemIds.slice(at, end),
      ...(funds === undefined || at > 0 ? {} : { funds }),
      rails,
    },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  assert(status === 200 || status === 409, "a run of items is refused to a second worker alone");
  return status === 200;
}
