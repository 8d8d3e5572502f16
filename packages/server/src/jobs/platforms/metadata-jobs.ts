/**
 * Adds the objects that are older than a choice of keys to the index of metadata, a page a job. A page that is added twice changes nothing, so
 * a kill in between is repeated.
 */
import { addTermsStep, dropTermsStep } from "../../domain/platforms/metadata-terms.sql.ts";
import {
  findMetadataSettings,
  type MetadataBuild,
  type MetadataSettings,
  moveMetadataBuild,
  searchableLists,
} from "../../domain/platforms/searchable-metadata.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { SerialLane } from "../../postgres/serial-lane.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

const PAGE = 2_000;

interface MetadataJobs {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly lane: Pick<SerialLane, "run">;
}

export function metadataJobRunners({
  engine,
  reads,
  lane,
}: MetadataJobs): Pick<JobRunners, "index-metadata"> {
  return {
    async "index-metadata"(job) {
      const { platformId, payload, id: jobId } = job;
      const settings = await findMetadataSettings(reads, platformId);
      const from = settings?.build ?? null;
      if (settings === undefined || from === null || from.since !== payload.since)
        return { kind: "done" };
      const to = await afterPage(lane, { platformId, settings, from });
      const input = { jobId, from, to };
      await submitForJob(engine, job, { command: moveMetadataBuild, input });
      return { kind: "done" };
    },
  };
}

async function afterPage(
  lane: Pick<SerialLane, "run">,
  {
    platformId,
    settings: { keys },
    from,
  }: {
    readonly platformId: string;
    readonly settings: MetadataSettings;
    readonly from: MetadataBuild;
  },
): Promise<MetadataBuild | null> {
  const { since, list, after } = from;
  const page = { since, keys, limit: PAGE };
  if (list === null) {
    const { count } = await lane.run(dropTermsStep(platformId, page));
    if (count === PAGE) return from;
    return keys.length === 0 ? null : { ...from, list: searchableLists[0] };
  }
  const { rows } = await lane.run(addTermsStep(platformId, { ...page, list, after }));
  const [count, last = null] = rows[0] ?? [];
  if (Number(count) === PAGE) return { ...from, after: last };
  const next = searchableLists[searchableLists.indexOf(list) + 1];
  return next === undefined ? null : { ...from, list: next, after: null };
}
