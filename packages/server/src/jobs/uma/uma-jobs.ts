/** Jobs of incoming UMA payments: asking the platform, and crediting a payment that settles late. */
import { creditUmaPayment } from "../../domain/uma/credit-payment.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";
import type { ApprovalCalls } from "./approval-calls.ts";

export function umaJobRunners({
  engine,
  approvals,
}: {
  readonly engine: Engine;
  readonly approvals: ApprovalCalls;
}): Pick<JobRunners, "ask-approval" | "credit-uma-payment"> {
  return {
    "ask-approval": (job) => approvals.run(job),
    async "credit-uma-payment"(job) {
      const { transactionId } = job.payload;
      const input = { transactionId, jobId: job.id };
      await submitForJob(engine, job, { command: creditUmaPayment, input });
      return { kind: "done" };
    },
  };
}
