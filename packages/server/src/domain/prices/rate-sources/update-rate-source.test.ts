/** Where the headers of a source may stay when its settings change. */
import { expect, it } from "vitest";
import { refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { source } from "../../../../test/kit/rate-rows.ts";
import type { SealedHeaders } from "./create-rate-source.ts";
import { type RateSource, rateSources } from "./rate-source.ts";
import { updateRateSource as command } from "./update-rate-source.ts";

const HERE = source.settings.url ?? "";
const THERE = "https://elsewhere.example/a";

const anew: SealedHeaders = { sealed: "anew", fingerprints: { authorization: "01" } };

function headersAfter(
  url: string | undefined,
  headers: SealedHeaders | null | undefined,
  before: Partial<RateSource> = {},
) {
  const settings = url === undefined ? {} : { url };
  const input = { sourceId: source.id, change: { priority: 1 }, settings, headers };
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
