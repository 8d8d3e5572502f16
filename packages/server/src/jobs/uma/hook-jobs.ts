/**
 * Tells the other institution of a payment that has settled: five tries in a day, each recorded as an exchange. Nothing about the payment
 * depends on it. If the process dies after a try and before its commit, the message is sent once more.
 */
import { findServedDomain } from "../../domain/uma/domains/served-domain.sql.ts";
import type { ExchangeLog } from "../../domain/uma/exchanges/exchange-log.port.ts";
import { findHookTarget, type HookTarget } from "../../domain/uma/hooks/hook-target.sql.ts";
import { type HookTry, isNextTry, recordHookTry } from "../../domain/uma/hooks/record-hook-try.ts";
import type { OutsideHooks } from "../../domain/uma/hooks/send-hook.port.ts";
import { findUmaHook } from "../../domain/uma/hooks/uma-hook.ts";
import { listLiveUmaKeys } from "../../domain/uma/keys/uma-key.sql.ts";
import { currentKey } from "../../domain/uma/keys/uma-key.ts";
import type { Engine } from "../../engine/engine.ts";
import { UMA_VERSION } from "../../formats/uma/version.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Clock } from "../../std/clock.ts";
import type { JobOf, JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

interface HookJobs {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly hooks: OutsideHooks;
  readonly exchanges: Pick<ExchangeLog, "record">;
}

type HookJob = JobOf<"send-uma-hook">;

export function hookJobRunners(parts: HookJobs): Pick<JobRunners, "send-uma-hook"> {
  return {
    async "send-uma-hook"(job) {
      const { engine, reads } = parts;
      const { transactionId, tries, channels } = job.payload;
      const [hook, target] = await Promise.all([
        findUmaHook(reads, job.platformId, transactionId),
        findHookTarget(reads, job.platformId, transactionId),
      ]);
      const isDue = isNextTry(hook, tries) && target !== undefined;
      const outcome = isDue ? await tried(parts, job, target) : "over";
      const input = { transactionId, jobId: job.id, tries, channels, outcome };
      await submitForJob(engine, job, { command: recordHookTry, input });
      return { kind: "done" };
    },
  };
}

async function tried(
  parts: HookJobs,
  job: HookJob,
  target: HookTarget,
): Promise<HookTry["outcome"]> {
  const { clock, exchanges } = parts;
  const { platformId } = job;
  const { transactionId } = job.payload;
  const { vaspDomain } = target;
  const beganAt = clock.now();
  const outcome = await told(parts, job, target);
  exchanges.record({
    ...{ platformId, vaspDomain, transactionId, outcome },
    ...{ direction: "OUT", kind: "HOOK", umaVersion: UMA_VERSION },
    ms: clock.now() - beganAt,
  });
  return outcome === "OK" ? "sent" : "failed";
}

/** `OK`, or why nothing was sent, or was not taken. */
async function told(
  { reads, clock, hooks }: HookJobs,
  { platformId, payload }: HookJob,
  target: HookTarget,
): Promise<string> {
  const served = await findServedDomain(reads, target.ownDomain);
  // A domain that was released may be another platform's by now.
  if (served?.platformId !== platformId) return "UMA_DOMAIN_NOT_ACTIVE";
  const key = currentKey(await listLiveUmaKeys(reads, platformId), "SIGNING");
  if (key === undefined || key.notAfter <= clock.now()) return "UMA_KEY_EXPIRED";
  return hooks.tell({ platformId, key, utxos: payload.channels ?? [], ...target });
}
