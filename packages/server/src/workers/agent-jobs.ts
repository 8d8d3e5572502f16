/** Tells an agent's action that its transaction has failed, or that nobody has decided about it in time. */
import { EXPIRE_ACTION, expireAction } from "../domain/agents/expire-action.ts";
import { failAction } from "../domain/agents/fail-action.ts";
import { FAIL_AGENT_ACTION } from "../domain/transactions/failure-notice.ts";
import type { Engine } from "../engine/engine.ts";
import type { JobRunner } from "./due-jobs.ts";
import { submitForJob } from "./submit-for-job.ts";

/** How long until an action is looked at again whose time was not over yet. */
const TOO_EARLY_MS = 100;

export function agentJobRunners({
  engine,
}: {
  readonly engine: Engine;
}): Readonly<Record<string, JobRunner>> {
  return {
    [EXPIRE_ACTION]: async (job) => {
      const { actionId } = job.payload as { readonly actionId: string };
      const status = await submitForJob(engine, job, {
        command: expireAction,
        input: { actionId, jobId: job.id },
        tell: (action) => action.status,
      });
      const isEarly = status === "PENDING_APPROVAL";
      return isEarly ? { kind: "again", inMs: TOO_EARLY_MS } : { kind: "done" };
    },
    [FAIL_AGENT_ACTION]: async (job) => {
      const { transactionId } = job.payload as { readonly transactionId: string };
      const input = { transactionId, jobId: job.id };
      await submitForJob(engine, job, { command: failAction, input });
      return { kind: "done" };
    },
  };
}
