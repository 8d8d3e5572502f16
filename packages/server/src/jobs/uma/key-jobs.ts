/** The job of a UMA key. What it does is due by the host's clock; see tend-uma-key.ts. */
import { findPlatform } from "../../domain/platform.sql.ts";
import type { UmaKeyTools } from "../../domain/uma/keys/key-tools.port.ts";
import { needsCertificate, tendUmaKey } from "../../domain/uma/keys/tend-uma-key.ts";
import { findUmaKey } from "../../domain/uma/keys/uma-key.sql.ts";
import { certifiedDomains } from "../../domain/uma/keys/uma-key.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import { present } from "../../std/assert.ts";
import type { Clock } from "../../std/clock.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

interface UmaKeyJobs {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly clock: Clock;
  readonly umaKeys: UmaKeyTools;
}

export function umaKeyJobRunners({
  engine,
  reads,
  clock,
  umaKeys,
}: UmaKeyJobs): Pick<JobRunners, "tend-uma-key"> {
  async function dueCertificate(platformId: string, keyId: string, now: number) {
    const key = await findUmaKey(reads, platformId, keyId);
    if (key === undefined || !needsCertificate(key, now)) return undefined;
    const platform = present(await findPlatform(reads, platformId), "the platform of a key");
    return umaKeys.certify(platformId, key, { names: certifiedDomains(platform), now });
  }

  return {
    async "tend-uma-key"(job) {
      const { keyId } = job.payload;
      const now = clock.now();
      const certificate = await dueCertificate(job.platformId, keyId, now);
      const inMs = await submitForJob(engine, job, {
        command: tendUmaKey,
        input: { keyId, jobId: job.id, certificate, now },
        tell: (ms) => (ms === undefined ? "" : String(ms)),
      });
      return inMs === "" ? { kind: "done" } : { kind: "again", inMs: Number(inMs) };
    },
  };
}
