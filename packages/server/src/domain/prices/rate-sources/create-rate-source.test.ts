/** Which sources a platform may add, and in which order the others are refused. */
import { expect, it } from "vitest";
import { rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named } from "../../../../test/kit/decided.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { source } from "../../../../test/kit/rate-rows.ts";
import {
  type CreateRateSourceInput,
  createRateSource as command,
  type SealedHeaders,
} from "./create-rate-source.ts";
import { MOST_SOURCES, type RateSource, rateSources } from "./rate-source.ts";

const { kind, priority, pivots, maxAgeMinutes, lockMinutes, maxMovePercent, settings } = source;
const sealed: SealedHeaders = { sealed: "s", fingerprints: { authorization: "00" } };

const pair = { base: "EUR", quote: "USD", pointer: "/rate" };
const reversed = { base: "USD", quote: "EUR" };

interface State {
  readonly input?: Partial<CreateRateSourceInput>;
  /** So many other sources. */
  readonly others?: number;
  readonly other?: Partial<RateSource>;
}

function created({ input: change = {}, others = 1, other = {} }: State) {
  const terms = { priority, pivots, maxAgeMinutes, lockMinutes, maxMovePercent };
  const own = { name: "mine", kind, settings, headers: null, sealId: "s" };
  const input: CreateRateSourceInput = { ...terms, ...own, ...change };
  const rows = Array.from({ length: others }, (_, n) => {
    const digits = n.toString(16).padStart(12, "0");
    return { ...source, id: `019a4f00-0000-7000-8000-${digits}`, name: `other ${n}`, ...other };
  });
  const tables = [rowsOf(rateSources, ...rows)];
  return decided({ command, input, platformId: PLATFORM, tables });
}

it.each(
  inOrder<State>([
    ["INVALID_INPUT settings.acknowledged", { input: { kind: "ECB", settings: {} } }],
    [`CONFLICT ${MOST_SOURCES}`, { others: MOST_SOURCES }],
    ["CONFLICT name", { other: { name: "mine" } }],
  ]),
)("is refused with %s, %s", (expected, _how, state) => {
  expect(named(created(state).refusal, "limit", "field")).toBe(expected);
});

it.each<readonly [string, Partial<CreateRateSourceInput>]>([
  ["settings.url", { kind: "FIXED" }],
  ["headers", { kind: "FIXED", settings: {}, headers: sealed }],
  ["headers", { kind: "ECB", settings: { acknowledged: true }, headers: sealed }],
  ["settings.pairs", { kind: "ECB", settings: { acknowledged: true, pairs: [] } }],
  ["settings.url", { settings: {} }],
  ["settings.pairs", { settings: { url: "https://rates.example/a" } }],
  ["settings.pairs.1", { settings: { ...settings, pairs: [pair, pair] } }],
  ["settings.pairs.1", { settings: { ...settings, pairs: [pair, { ...pair, ...reversed }] } }],
  ["settings.pairs.0", { settings: { ...settings, pairs: [{ ...pair, quote: "EUR" }] } }],
])("is refused for %s: %o", (field, input) => {
  expect(named(created({ input }).refusal, "field")).toBe(`INVALID_INPUT ${field}`);
});

it.each<readonly [Partial<CreateRateSourceInput>, readonly string[]]>([
  [{}, ["refresh-rate-source"]],
  [{ headers: sealed }, ["refresh-rate-source"]],
  [{ kind: "ECB", settings: { acknowledged: true } }, ["refresh-rate-source"]],
  [{ kind: "FIXED", settings: {} }, []],
])("is made, and read at once where there is something to read: %o", (input, jobs) => {
  const { output, world } = created({ input, others: MOST_SOURCES - 1 });
  expect(output).toMatchObject({ name: "mine", rates: [], asOf: null });
  expect(world.jobs.map((job) => job.kind)).toEqual(jobs);
});

it("a name is free again once its source is deleted, and so is its place", () => {
  const other = { name: "mine", deletedAt: 1 };
  expect(created({ others: MOST_SOURCES, other }).refusal).toBeUndefined();
});
