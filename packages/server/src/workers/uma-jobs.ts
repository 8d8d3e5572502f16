/** Jobs of incoming UMA payments: asking the platform, and crediting what takes long. */
import { creditUmaPayment } from "../domain/uma/credit-uma-payment.ts";
import type { Engine } from "../engine/engine.ts";
import type { ApprovalCalls } from "./approval-calls.ts";
import type { JobRunner } from "./due-jobs.ts";
import { submitForJob } from "./submit-for-job.ts";

export function umaJobRunners({
  engine,
  approvals,
}: {
  readonly engine: Engine;
  readonly approvals: ApprovalCalls;
}): Readonly<Record<string, JobRunner>> {
  return {
    "ask-approval": (job) => approvals.run(job),
    async "credit-uma-payment"(job) {
      const { transactionId } = job.payload as { readonly transactionId: string };
      const input = { transactionId, jobId: job.id };
      await submitForJob(engine, job, { command: creditUmaPayment, input });
      return { kind: "done" };
    },
  };
}
