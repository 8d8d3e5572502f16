/** Jobs of agents' actions: an action follows its payment, and expires when it is not decided in time. */
import { expireAction } from "../../domain/agents/actions/expire-action.ts";
import { followPayment } from "../../domain/agents/actions/follow-payment.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

/** The delay before another try when an action has not expired yet, because the clocks of hosts differ. */
const TOO_EARLY_MS = 100;

export function agentJobRunners({
  engine,
}: {
  readonly engine: Engine;
}): Pick<JobRunners, "follow-agent-payment" | "expire-agent-action"> {
  return {
    "expire-agent-action": async (job) => {
      const { actionId } = job.payload;
      const status = await submitForJob(engine, job, {
        command: expireAction,
        input: { actionId, jobId: job.id },
        tell: (action) => action.status,
      });
      const isEarly = status === "PENDING_APPROVAL";
      return isEarly ? { kind: "again", inMs: TOO_EARLY_MS } : { kind: "done" };
    },
    "follow-agent-payment": async (job) => {
      const { transactionId } = job.payload;
      const input = { transactionId, jobId: job.id };
      await submitForJob(engine, job, { command: followPayment, input });
      return { kind: "done" };
    },
  };
}
