/** Which settings each kind of source has, their defaults and their rules. */
import type { FieldError } from "../../../engine/refusal.ts";
import {
  type PointedPair,
  type SourceKind,
  type SourceSettings,
  sourceKinds,
} from "./rate-source.ts";

const OF_KIND: Readonly<Record<SourceKind, readonly (keyof SourceSettings)[]>> = {
  FIXED: [],
  ECB: ["url", "acknowledged"],
  HTTP: ["url", "everySeconds", "pairs", "asOfPointer"],
};

export const ECB_URL = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml";
export const EVERY_SECONDS = 60;

/** The default. Reference rates last over a weekend and Easter: five days. */
export const MAX_AGE_MINUTES: Readonly<Record<SourceKind, number>> = {
  FIXED: 1_440,
  ECB: 7_200,
  HTTP: 15,
};

export const SOURCE_DEFAULTS = {
  priority: 100,
  pivots: ["EUR", "USD"],
  lockMinutes: 5,
  maxMovePercent: 20,
} as const;

/** Every fault of the settings of a source as a whole. */
export function settingFaults(
  kind: SourceKind,
  { settings, hasHeaders }: { readonly settings: SourceSettings; readonly hasHeaders: boolean },
): readonly FieldError[] {
  const faults: FieldError[] = Object.keys(settings)
    .filter((name) => !OF_KIND[kind].includes(name as keyof SourceSettings))
    .map((name) => ({ field: `settings.${name}`, message: foreign(name, kind) }));
  if (hasHeaders && kind !== "HTTP")
    faults.push({ field: "headers", message: foreign("headers", kind) });
  if (kind === "ECB" && settings.acknowledged !== true) {
    const message =
      "must be true: the bank publishes its rates for information and discourages their use for transactions";
    faults.push({ field: "settings.acknowledged", message });
  }
  if (kind !== "HTTP") return faults;
  if (settings.url === undefined) faults.push({ field: "settings.url", message: "is required" });
  if (settings.pairs === undefined)
    faults.push({ field: "settings.pairs", message: "is required" });
  return [...faults, ...pairFaults(settings.pairs ?? [])];
}

function foreign(name: string, kind: SourceKind): string {
  const kinds = sourceKinds.filter((other) =>
    name === "headers" ? other === "HTTP" : OF_KIND[other].includes(name as keyof SourceSettings),
  );
  return `is a setting of ${kinds.join(" and ")}, not of ${kind}`;
}

/** Refuses a pair that is named twice, in either direction, because it would have two rates. */
function pairFaults(pairs: readonly PointedPair[]): readonly FieldError[] {
  return duplicatePairs(pairs).map((index) => ({
    field: `settings.pairs.${index}`,
    message: "names a pair that is there already, in this direction or the other",
  }));
}

/** The indexes of pairs that repeat an earlier one in either direction, or that name one currency twice. */
export function duplicatePairs(
  pairs: readonly { readonly base: string; readonly quote: string }[],
): readonly number[] {
  const seen = new Set<string>();
  return pairs.flatMap(({ base, quote }, index) => {
    const pair = [base, quote].sort().join(" ");
    if (seen.has(pair) || base === quote) return [index];
    seen.add(pair);
    return [];
  });
}
