import type { Command, World } from "../../../engine/command.ts";
import { invalidFields, Refusal } from "../../../engine/refusal.ts";
import { toIso } from "../../../std/clock.ts";
import { scheduleJob } from "../../job-kinds.ts";
import {
  type HeaderFact,
  liveSources,
  MOST_SOURCES,
  type RateSource,
  rateSources,
  type SourceKind,
  type SourceSettings,
} from "./rate-source.ts";
import { settingFaults } from "./source-settings.ts";

/** Headers that the caller of the command has sealed together, with the fingerprint of each. */
export interface SealedHeaders {
  readonly sealed: string;
  readonly fingerprints: Readonly<Record<string, string>>;
}

export interface CreateRateSourceInput
  extends Pick<
    RateSource,
    "name" | "priority" | "pivots" | "maxAgeMinutes" | "lockMinutes" | "maxMovePercent" | "sealId"
  > {
  readonly kind: SourceKind;
  readonly settings: SourceSettings;
  readonly headers: SealedHeaders | null;
}

/**
 * Adds a source; the document of an `ECB` or `HTTP` source is read at once. Refuses, in this order: settings that its kind does not have,
 * or that are missing; one source more than `MOST_SOURCES`; a name that another one has.
 */
export const createRateSource: Command<CreateRateSourceInput, RateSource> = {
  name: "create-rate-source",
  needs: () => [liveSources],
  decide(world, { headers, ...input }) {
    const faults = settingFaults(input.kind, { ...input, hasHeaders: headers !== null });
    if (faults.length > 0) throw invalidFields(faults);
    const others = world.all(liveSources);
    if (others.length >= MOST_SOURCES) {
      const message = `The platform has ${MOST_SOURCES} rate sources: delete one first.`;
      throw new Refusal("CONFLICT", { limit: MOST_SOURCES }, message);
    }
    refuseTakenSourceName(others, input.name);

    const id = world.newId();
    return world.put(rateSources, {
      id,
      ...input,
      headersSealed: headers?.sealed ?? null,
      headerFacts: headerFactsOf(world, headers),
      rates: [],
      refused: [],
      asOf: null,
      readAt: null,
      lastError: null,
      staleSince: null,
      refreshJobId: input.kind === "FIXED" ? null : scheduleRefresh(world, id),
      staleJobId: null,
      createdAt: world.at,
      updatedAt: world.at,
      deletedAt: null,
    });
  },
};

export function refuseTakenSourceName(others: readonly RateSource[], name: string): void {
  if (!others.some((other) => other.name === name)) return;
  throw new Refusal(
    "CONFLICT",
    { field: "name" },
    `name: another rate source is called ${name}; choose another name.`,
  );
}

/** Schedules the job that reads the document of a source, due at once. */
export function scheduleRefresh(world: World, sourceId: string): string {
  const payload = { sourceId };
  return scheduleJob(world, { kind: "refresh-rate-source", payload, dueAt: world.at });
}

export function headerFactsOf(
  world: World,
  headers: SealedHeaders | null,
): Readonly<Record<string, HeaderFact>> {
  const setAt = toIso(world.at);
  const entries = Object.entries(headers?.fingerprints ?? {}).map(
    ([name, fingerprint]) => [name, { setAt, fingerprint }] as const,
  );
  return Object.fromEntries(entries);
}
