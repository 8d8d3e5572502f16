/** Tells an agent's action that its transaction has failed, or that nobody has decided about it in time. */
import { EXPIRE_ACTION, expireAction } from "../domain/agents/expire-action.ts";
import { failAction } from "../domain/agents/fail-action.ts";
import { FAIL_AGENT_ACTION } from "../domain/transactions/failure-notice.ts";
import type { Engine } from "../engine/engine.ts";
import { assert } from "../std/assert.ts";
import type { JobRunner } from "./due-jobs.ts";

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
      const answered = await engine.submit({
        platformId: job.platformId,
        actor: { kind: "worker", id: "agents" },
        command: expireAction,
        input: { actionId, jobId: job.id },
        toAnswer: ({ status }) => ({ status: 200, body: status }),
      });
      assert(answered.status === 200, "the end of an action is never refused");
      const isEarly = answered.body === "PENDING_APPROVAL";
      return isEarly ? { kind: "again", inMs: TOO_EARLY_MS } : { kind: "done" };
    },
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
