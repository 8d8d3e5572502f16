/** Jobs of agents' actions: they follow their payments, and expire when they are not decided in time. */
import { EXPIRE_ACTION, expireAction } from "../domain/agents/expire-action.ts";
import { followPayment } from "../domain/agents/follow-payment.ts";
import { FOLLOW_AGENT_PAYMENT } from "../domain/transactions/agent-notice.ts";
import type { Engine } from "../engine/engine.ts";
import type { JobRunner } from "./due-jobs.ts";
import { submitForJob } from "./submit-for-job.ts";

/** The kind under which servers before migration 0022 scheduled the same job; one may still be due after an upgrade. */
const FORMER_FOLLOW_KIND = "fail-agent-action";

/** How long until an action is looked at again whose time was not over yet. */
const TOO_EARLY_MS = 100;

export function agentJobRunners({
  engine,
}: {
  readonly engine: Engine;
}): Readonly<Record<string, JobRunner>> {
  const follow: JobRunner = async (job) => {
    const { transactionId } = job.payload as { readonly transactionId: string };
    const input = { transactionId, jobId: job.id };
    await submitForJob(engine, job, { command: followPayment, input });
    return { kind: "done" };
  };
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
    [FOLLOW_AGENT_PAYMENT]: follow,
    [FORMER_FOLLOW_KIND]: follow,
  };
}
