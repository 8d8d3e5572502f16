/** Jobs of incoming UMA payments: asking the platform, and crediting what takes long. */
import { creditUmaPayment } from "../domain/uma/credit-uma-payment.ts";
import type { Engine } from "../engine/engine.ts";
import { assert } from "../std/assert.ts";
import type { ApprovalCalls } from "./approval-calls.ts";
import type { JobRunner } from "./due-jobs.ts";

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
      const answered = await engine.submit({
        platformId: job.platformId,
        actor: { kind: "worker", id: "uma" },
        command: creditUmaPayment,
        input: { transactionId, jobId: job.id },
        toAnswer: () => ({ status: 200, body: "" }),
      });
      assert(answered.status === 200, "crediting an approved payment is never refused");
      return { kind: "done" };
    },
  };
}
