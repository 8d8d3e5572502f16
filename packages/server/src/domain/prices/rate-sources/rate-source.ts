/**
 * A rate source: where a platform takes its exchange rates from. `FIXED`: a table that the platform sets; `ECB`: the daily reference rates
 * of the European Central Bank; `HTTP`: values of a JSON document. The row has the current rates, so a quote reads no other.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import {
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";

export const sourceKinds = ["FIXED", "ECB", "HTTP"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** A rate is the number of units of `quote` for one unit of `base`: a plain decimal, kept as text so that it stays exact. */
export type SourceRate = {
  readonly base: string;
  readonly quote: string;
  readonly rate: string;
  /** The time for which the source states the value. */
  readonly asOf: string;
  /** The opening rates that limit the move of a new value; absent before the first move is checked. Not in the API. */
  readonly day?: RateDay;
};

/** What the rate was at the beginning of a day and of the day before. */
export type RateDay = {
  /** `YYYY-MM-DD` of the platform, in UTC: when the rate was last taken. */
  readonly on: string;
  readonly open: string;
  readonly openBefore: string;
};

export function shownRate({ base, quote, rate, asOf }: SourceRate): SourceRate {
  return { base, quote, rate, asOf };
}

export const refusedReasons = ["MISSING", "NOT_A_RATE", "MOVED"] as const;
export type RefusedReason = (typeof refusedReasons)[number];

/** A value that was refused; the previous rate stays in use and grows older. */
export type RefusedRate = {
  readonly base: string;
  readonly quote: string;
  /** As it was read, cut at 64 characters; absent when there was none. */
  readonly value?: string;
  readonly reason: RefusedReason;
};

/** Where a value is in the document of an `HTTP` source. */
export type PointedPair = {
  readonly base: string;
  readonly quote: string;
  readonly pointer: string;
  /** The value is the number of units of `base` for one of `quote`. */
  readonly invert?: boolean;
};

/** The settings of every kind; `source-settings.ts` says which kind has which. */
export type SourceSettings = {
  readonly url?: string;
  /** The platform confirms that it has read the terms under which the bank publishes its rates. */
  readonly acknowledged?: boolean;
  readonly everySeconds?: number;
  readonly pairs?: readonly PointedPair[];
  readonly asOfPointer?: string;
};

export type HeaderFact = { readonly setAt: string; readonly fingerprint: string };

export type SourceError = {
  readonly code: string;
  readonly message: string;
  readonly at: string;
};

const rateSourceColumns = {
  id: fixed("uuid"),
  name: mutable("text"),
  kind: fixed<SourceKind>("text"),
  priority: mutable("int4"),
  /** Currencies through which the rate of a missing pair is computed. */
  pivots: mutable<readonly string[]>("json"),
  maxAgeMinutes: mutable("int4"),
  /** How long a quote at its rates may hold. */
  lockMinutes: mutable("int4"),
  /** Null: a value may move by any amount. */
  maxMovePercent: mutable<number | null>("int4"),
  settings: mutable<SourceSettings>("json"),
  /** Part of the associated data of the sealed headers. */
  sealId: fixed("text"),
  /** A JSON object of names and values; null without any. */
  headersSealed: mutable<string | null>("text"),
  headerFacts: mutable<Readonly<Record<string, HeaderFact>>>("json"),
  rates: mutable<readonly SourceRate[]>("json"),
  /** Values of the last document that were refused. */
  refused: mutable<readonly RefusedRate[]>("json"),
  /** The time that the last document states; null before the first one. */
  asOf: mutable<number | null>("time"),
  /** When a document was last accepted, or found to be no newer. */
  readAt: mutable<number | null>("time"),
  lastError: mutable<SourceError | null>("json"),
  /** When its oldest rate was found to be older than `maxAgeMinutes`; null while it is not. */
  staleSince: mutable<number | null>("time"),
  refreshJobId: mutable<string | null>("uuid"),
  staleJobId: mutable<string | null>("uuid"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable<number | null>("time"),
};

export interface RateSource extends RowOf<typeof rateSourceColumns> {}

export const rateSources = defineTable<RateSource>("rate_sources", rateSourceColumns);

export const liveSources = defineSelection(rateSources, {
  name: "live",
  sql: "t.deleted_at is null",
  holds: ({ deletedAt }) => deletedAt === null,
});

export const MOST_SOURCES = 20;
/** The most rates of one source. */
export const MOST_RATES = 200;

/** The sources in the order in which a rate is looked up. */
export function byPriority(sources: readonly RateSource[]): readonly RateSource[] {
  return sources.toSorted(
    (one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1),
  );
}

export function headersIdentity(platformId: string, sealId: string): string {
  return `rate_sources.headers ${platformId} ${sealId}`;
}

export function toSourceId(id: string): string {
  return toWireId("RateSource", id);
}

export function requireSource(world: Loaded, id: string): RateSource {
  const source = world.find(rateSources.ref(id));
  if (source === undefined || source.deletedAt !== null) throw new Refusal("REFERENCE_NOT_FOUND");
  return source;
}

export function putSource(world: World, source: RateSource): RateSource {
  return world.put(rateSources, { ...source, updatedAt: world.at });
}

export interface SourceSubject {
  readonly kind: "RateSource";
  readonly id: string;
  readonly source: RateSource;
}

export function sourceSubject(source: RateSource): SourceSubject {
  return { kind: "RateSource", id: toSourceId(source.id), source };
}

export const observationOrigins = ["PUT", "UPLOAD", "FETCH"] as const;
export type ObservationOrigin = (typeof observationOrigins)[number];

const rateObservationColumns = {
  id: fixed("uuid"),
  sourceId: fixed("uuid"),
  origin: fixed<ObservationOrigin>("text"),
  asOf: fixed("time"),
  /** Digest of the document, or of the request that set the rates. */
  digest: fixed("text"),
  rates: fixed<readonly SourceRate[]>("json"),
  refused: fixed<readonly RefusedRate[]>("json"),
  createdAt: fixed("time"),
};

/** The rates of a source, stored whenever they changed. */
export interface RateObservation extends RowOf<typeof rateObservationColumns> {}

export const rateObservations = defineTable<RateObservation>(
  "rate_observations",
  rateObservationColumns,
  { isFinal: () => true },
);
