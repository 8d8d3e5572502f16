/** Where the headers of a source may stay when its settings change. */
import { expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import type { SealedHeaders } from "./create-rate-source.ts";
import { type RateSource, rateSources } from "./rate-source.ts";
import { updateRateSource as command } from "./update-rate-source.ts";

const ID = "019a4f00-0000-7000-8000-0000000000b1";
const HERE = "https://rates.example/a";
const THERE = "https://elsewhere.example/a";

const source: RateSource = {
  id: ID,
  name: "feed",
  kind: "HTTP",
  priority: 100,
  pivots: [],
  maxAgeMinutes: 15,
  lockMinutes: 5,
  maxMovePercent: null,
  settings: { url: HERE, pairs: [{ base: "EUR", quote: "USD", pointer: "/rate" }] },
  sealId: ID,
  headersSealed: "sealed",
  headerFacts: { authorization: { setAt: "2026-11-21T10:00:00.000Z", fingerprint: "00" } },
  rates: [],
  refused: [],
  asOf: null,
  readAt: null,
  lastError: null,
  staleSince: null,
  refreshJobId: null,
  staleJobId: null,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
  deletedAt: null,
};

const anew: SealedHeaders = { sealed: "anew", fingerprints: { authorization: "01" } };

function headersAfter(
  url: string | undefined,
  headers: SealedHeaders | null | undefined,
  before: Partial<RateSource> = {},
) {
  const settings = url === undefined ? {} : { url };
  const input = { sourceId: ID, change: { priority: 1 }, settings, headers };
  const tables = [rowsOf(rateSources, { ...source, ...before })];
  const world = worldFor({ command, input, platformId: PLATFORM, tables });
  let after: RateSource | undefined;
  const refusal = refusalOf(world, () => {
    after = command.decide(world, input);
  });
  const errors = (refusal?.details?.errors ?? []) as readonly { readonly field: string }[];
  return refusal === undefined
    ? after?.headersSealed
    : `${refusal.code} ${errors.map(({ field }) => field)}`;
}

it.each([
  ["another path", `${HERE}/b?c=d`, undefined, "sealed"],
  ["no address", undefined, undefined, "sealed"],
  ["another host", THERE, undefined, "INVALID_INPUT headers"],
  ["another scheme", HERE.replace("https", "http"), undefined, "INVALID_INPUT headers"],
  ["another port", "https://rates.example:8443/a", undefined, "INVALID_INPUT headers"],
  ["another host and headers", THERE, anew, "anew"],
  ["another host and no headers any more", THERE, null, null],
] as const)("a change to %s", (_what, url, headers, expected) => {
  expect(headersAfter(url, headers)).toBe(expected);
});

it("a source without headers moves freely", () => {
  expect(headersAfter(THERE, undefined, { headersSealed: null, headerFacts: {} })).toBeNull();
});
