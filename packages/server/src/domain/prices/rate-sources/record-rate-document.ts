import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { dayOf, toIso } from "../../../std/clock.ts";
import { nextEcbReading } from "./ecb-days.ts";
import { keepRates } from "./keep-rates.ts";
import { takeRates } from "./observed-rates.ts";
import type { ReadDocument } from "./rate-documents.port.ts";
import {
  type ObservationOrigin,
  putSource,
  type RateSource,
  rateSources,
  requireSource,
  sourceSubject,
} from "./rate-source.ts";
import { EVERY_SECONDS } from "./source-settings.ts";

export interface RecordRateDocumentInput {
  readonly sourceId: string;
  /** The job that has read the document; undefined when a caller asked for the reading. */
  readonly jobId: string | undefined;
  readonly origin: ObservationOrigin;
  readonly read: ReadDocument;
}

export interface RecordedDocument {
  readonly source: RateSource;
  /** When the job reads again; undefined for a job that is over. */
  readonly againInMs: number | undefined;
}

/** Tolerance for the clocks of other hosts that run ahead. */
const AHEAD_MS = 60_000;

/**
 * Stores the rates of a source's document. A document that is older than the last one changes no rates; a refused value leaves the previous
 * rate in use. A document that could not be read is noted, and the rates grow older. Refuses, in this order, when a caller asked: an
 * unknown source, a `FIXED` one, which has no document.
 */
export const recordRateDocument: Command<RecordRateDocumentInput, RecordedDocument> = {
  name: "record-rate-document",
  needs: (_world, { sourceId }) => [rateSources.ref(sourceId)],
  decide(world, { sourceId, jobId, origin, read }) {
    if (jobId !== undefined) {
      const source = world.get(rateSources.ref(sourceId));
      if (source.refreshJobId !== jobId) {
        world.cancel(jobId);
        return { source, againInMs: undefined };
      }
      const recorded = record(world, source, { origin, read });
      return { source: recorded, againInMs: nextReading(source, world.at) - world.at };
    }
    const source = requireSource(world, sourceId);
    refuseWithoutDocument(source);
    return { source: record(world, source, { origin, read }), againInMs: undefined };
  },
};

export function refuseWithoutDocument({ kind }: RateSource): void {
  if (kind !== "FIXED") return;
  const message =
    "The source is FIXED and has no document; PUT /rates/sources/{id}/rates sets its rates.";
  throw new Refusal("CONFLICT", { kind }, message);
}

function record(
  world: World,
  source: RateSource,
  { origin, read }: Pick<RecordRateDocumentInput, "origin" | "read">,
): RateSource {
  if (read.kind === "failed") return noteFailure(world, source, read);
  const said = read.asOf ?? world.at;
  // The ECB publishes a table a few minutes before the time that it states, so only HTTP is checked.
  if (source.kind === "HTTP" && said > world.at + AHEAD_MS) {
    const message = `The document is of ${toIso(said)}, which lies in the future.`;
    return noteFailure(world, source, { code: "AS_OF", message });
  }
  const asOf = Math.min(said, world.at);
  if (source.asOf !== null && asOf < source.asOf) {
    return putSource(world, { ...source, readAt: world.at, lastError: null });
  }
  const { maxMovePercent } = source;
  const rule = { asOf: toIso(asOf), day: dayOf(world.at), maxMovePercent };
  const taken = takeRates(source.rates, read.values, rule);
  const kept = keepRates(world, source, { ...taken, origin, asOf, digest: read.digest });
  const isNew = JSON.stringify(taken.refused) !== JSON.stringify(source.refused);
  if (taken.refused.length > 0 && isNew) world.emit("RATE_SOURCE.REFUSED", sourceSubject(kept));
  return kept;
}

function noteFailure(
  world: World,
  source: RateSource,
  { code, message }: { readonly code: string; readonly message: string },
): RateSource {
  return putSource(world, { ...source, lastError: { code, message, at: toIso(world.at) } });
}

function nextReading({ kind, settings }: RateSource, at: number): number {
  return kind === "ECB"
    ? nextEcbReading(at)
    : at + (settings.everySeconds ?? EVERY_SECONDS) * 1_000;
}
