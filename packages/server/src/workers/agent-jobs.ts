/** Tells an agent's action that its transaction has failed. */
import { failAction } from "../domain/agents/fail-action.ts";
import { FAIL_AGENT_ACTION } from "../domain/transactions/failure-notice.ts";
import type { Engine } from "../engine/engine.ts";
import { assert } from "../std/assert.ts";
import type { JobRunner } from "./due-jobs.ts";

export function agentJobRunners({
  engine,
}: {
  readonly engine: Engine;
}): Readonly<Record<string, JobRunner>> {
  return {
    [FAIL_AGENT_ACTION]: async (job) => {
      const { transactionId } = job.payload as { readonly transactionId: string };
      const answered = await engine.submit({
        platformId: job.platformId,
        actor: { kind: "worker", id: "agents" },
        command: failAction,
        input: { transactionId, jobId: job.id },
        toAnswer: () => ({ status: 200, body: "" }),
      });
      assert(answered.status === 200, "failing an action is never refused");
      return { kind: "done" };
    },
  };
}
