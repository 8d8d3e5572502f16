/** Jobs that call a payment rail: send or ask, then record what it said. The rail's answer is the only thing believed. */

import type { Transaction } from "../domain/transactions/transaction.ts";
import type { PaymentRail, RailInstruction } from "../domain/transfers/payment-rail.port.ts";
import {
  type OutcomeInput,
  recordPayoutOutcome,
} from "../domain/transfers/record-payout-outcome.ts";
import { recordPullOutcome } from "../domain/transfers/record-pull-outcome.ts";
import type { Command } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { assert } from "../std/assert.ts";
import type { JobResult, JobRunner } from "./due-jobs.ts";
import type { ClaimedJob } from "./job-store.ts";

/** How long until a rail is asked again when it did not say. */
const ASK_AGAIN_MS = 5_000;

interface RailJobs {
  readonly engine: Engine;
  readonly rail: PaymentRail;
}

export function railJobRunners(options: RailJobs): Readonly<Record<string, JobRunner>> {
  return {
    "send-payout": (job) =>
      runRailJob(job, { ...options, direction: "out", record: recordPayoutOutcome }),
    "pull-funds": (job) =>
      runRailJob(job, { ...options, direction: "in", record: recordPullOutcome }),
  };
}

interface RailJobOptions extends RailJobs {
  readonly direction: RailInstruction["direction"];
  readonly record: Command<OutcomeInput, Transaction>;
}

async function runRailJob(job: ClaimedJob, options: RailJobOptions): Promise<JobResult> {
  const { engine, rail, direction, record } = options;
  const instruction = instructionOf(job, direction);
  const answer =
    job.attempts <= 1
      ? await rail.send(instruction, job.platformTime)
      : await rail.inquire(instruction, job.platformTime);
  if (answer.kind === "unknown")
    return { kind: "again", inMs: answer.askAgainInMs ?? ASK_AGAIN_MS };
  const known =
    answer.kind === "not-received" ? await rail.send(instruction, job.platformTime) : answer;
  if (known.kind === "unknown" || known.kind === "not-received")
    return { kind: "again", inMs: ASK_AGAIN_MS };
  const answered = await engine.submit({
    platformId: job.platformId,
    actor: { kind: "worker", id: rail.name },
    command: record,
    input: { transactionId: instruction.key, jobId: job.id, answer: known },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  assert(answered.status === 200, "recording a rail's answer is never refused");
  return known.kind === "accepted" ? { kind: "again", inMs: ASK_AGAIN_MS } : { kind: "done" };
}

function instructionOf(job: ClaimedJob, direction: RailInstruction["direction"]): RailInstruction {
  const payload = job.payload as {
    readonly transactionId: string;
    readonly minor: string;
    readonly currency: string;
    readonly accountType: string;
    readonly primaryIdentifier: string;
    readonly suffix: string | null;
    readonly acceptedAt: number;
  };
  return {
    key: payload.transactionId,
    direction,
    currency: payload.currency,
    minor: BigInt(payload.minor),
    accountType: payload.accountType,
    primaryIdentifier: payload.primaryIdentifier,
    suffix: payload.suffix ?? undefined,
    acceptedAt: payload.acceptedAt,
  };
}
