/**
 * Jobs of customers: pending verifications, pending name checks of external accounts, and new accounts after a platform
 * enabled a currency. The command that a job submits ends it; until then the job is claimed and run again.
 */

import { concludeNameCheck } from "../../domain/accounts/external/conclude-name-check.ts";
import { listWithInferredCurrencies } from "../../domain/customers/customer.sql.ts";
import { extendCurrencies } from "../../domain/customers/extend-currencies.ts";
import { decideVerification } from "../../domain/customers/verification/decide-verification.ts";
import type { ClaimedJob } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobRunners } from "../job-runners.ts";
import { type ForJob, submitForJob } from "../submit-for-job.ts";

/** Bounds the rows of one command to a few thousand, however many currencies are enabled at once. */
const CUSTOMERS_AT_ONCE = 50;

interface CustomerJobs {
  readonly engine: Engine;
  readonly reads: Reads;
}

export function customerJobRunners(
  options: CustomerJobs,
): Pick<JobRunners, "decide-verification" | "conclude-name-check" | "extend-customer-currencies"> {
  const { engine, reads } = options;
  return {
    "decide-verification": (job) => {
      const { verificationId } = job.payload;
      return submitLast(engine, job, {
        command: decideVerification,
        input: { verificationId, jobId: job.id },
      });
    },
    "conclude-name-check": (job) => {
      const { accountId } = job.payload;
      return submitLast(engine, job, {
        command: concludeNameCheck,
        input: { accountId, jobId: job.id },
      });
    },
    "extend-customer-currencies": async (job) => {
      const { after } = job.payload;
      const customerIds = await listWithInferredCurrencies(reads, job.platformId, {
        after,
        limit: CUSTOMERS_AT_ONCE,
      });
      const hasMore = customerIds.length === CUSTOMERS_AT_ONCE;
      return submitLast(engine, job, {
        command: extendCurrencies,
        input: { jobId: job.id, customerIds, hasMore },
        onceAs: job.id,
      });
    },
  };
}

async function submitLast<Input>(
  engine: Engine,
  job: ClaimedJob,
  last: ForJob<Input, void>,
): Promise<JobResult> {
  await submitForJob(engine, job, last);
  return { kind: "done" };
}
