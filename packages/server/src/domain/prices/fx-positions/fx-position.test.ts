/** The limits of positions, at each side of each bound, and what sets them. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { ledgerAccounts, newSystemAccount } from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import { platforms } from "../../platform.ts";
import {
  commitExchange,
  currencyNeeds,
  type Exchange,
  type FxPosition,
  fxPositions,
  positionId,
  positionRef,
  refuseBeyondLimits,
  releaseExchange,
} from "./fx-position.ts";
import { type FxLimit, setFxLimits } from "./set-fx-limits.ts";

const production = { ...platform, environment: "PRODUCTION" } as const;

const positionIn = (currency: string, change: Partial<FxPosition> = {}): FxPosition => ({
  id: positionId(currency),
  currency,
  committedMinor: 0n,
  maxLong: null,
  maxShort: null,
  updatedAt: 0,
  ...change,
});

const fxIn = (currency: string, balanceMinor: bigint) => ({
  ...newSystemAccount({ system: "fx", currency }, DECIDED_AT),
  balanceMinor,
});

/** A customer sells 100 USD and gets 90 EUR. */
const exchange: Exchange = {
  sendingCurrency: "USD",
  receivingCurrency: "EUR",
  convertedMinor: 100n,
  receivingMinor: 90n,
};

interface Books {
  readonly usd?: Partial<FxPosition>;
  readonly eur?: Partial<FxPosition>;
  readonly usdFx?: bigint;
  readonly eurFx?: bigint;
}

function worldWith(
  { usd, eur, usdFx = 0n, eurFx = 0n }: Books,
  { of = exchange, at = production }: { of?: Exchange; at?: typeof platform } = {},
) {
  const positions = [
    ...(usd === undefined ? [] : [positionIn("USD", usd)]),
    ...(eur === undefined ? [] : [positionIn("EUR", eur)]),
  ];
  const { sendingCurrency, receivingCurrency } = of;
  return worldFor({
    command: { needs: (world) => currencyNeeds(world, sendingCurrency, receivingCurrency) },
    input: undefined,
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, at),
      rowsOf(fxPositions, ...positions),
      rowsOf(ledgerAccounts, fxIn("USD", usdFx), fxIn("EUR", eurFx)),
    ],
  });
}

function refusalWith(books: Books, of = exchange) {
  const world = worldWith(books, { of });
  return refusalOf(world, () => refuseBeyondLimits(world, of));
}

describe("an exchange that makes a position long in USD and short in EUR", () => {
  it.each<readonly [what: string, books: Books, code: string | undefined]>([
    ["no position is known", {}, undefined],
    ["no limit is set", { usd: {}, eur: {} }, undefined],
    ["it comes up to maxLong", { usd: { maxLong: 100n } }, undefined],
    ["it goes past maxLong by one", { usd: { maxLong: 99n } }, "FX_LIMIT"],
    ["maxLong is 0", { usd: { maxLong: 0n } }, "FX_LIMIT"],
    ["it comes up to maxShort", { eur: { maxShort: 90n } }, undefined],
    ["it goes past maxShort by one", { eur: { maxShort: 89n } }, "FX_LIMIT"],
    ["maxShort is 0", { eur: { maxShort: 0n } }, "FX_LIMIT"],
    [
      "the limits are of the other sides",
      { usd: { maxShort: 0n }, eur: { maxLong: 0n } },
      undefined,
    ],
    [
      "what is committed fills maxLong",
      { usd: { maxLong: 150n, committedMinor: 51n } },
      "FX_LIMIT",
    ],
    ["what is committed leaves room", { usd: { maxLong: 150n, committedMinor: 50n } }, undefined],
    ["the balance fills maxLong", { usd: { maxLong: 150n }, usdFx: 51n }, "FX_LIMIT"],
    ["the balance leaves room", { usd: { maxLong: 150n }, usdFx: 50n }, undefined],
    [
      "both fill it together",
      { usd: { maxLong: 150n, committedMinor: 26n }, usdFx: 25n },
      "FX_LIMIT",
    ],
    [
      "one takes back the other",
      { usd: { maxLong: 150n, committedMinor: 150n }, usdFx: -100n },
      undefined,
    ],
    ["it closes a short position", { usd: { maxLong: 0n }, usdFx: -100n }, undefined],
    ["it closes a long position", { eur: { maxShort: 0n }, eurFx: 90n }, undefined],
    [
      "it makes more of a long one than it closes",
      { eur: { maxShort: 0n }, eurFx: 89n },
      "FX_LIMIT",
    ],
    // A limit that was lowered below the position stops what goes further alone.
    ["a position is past a lowered maxLong", { usd: { maxLong: 10n }, usdFx: 20n }, "FX_LIMIT"],
    [
      "a position past a lowered maxShort is made smaller",
      { usd: { maxShort: 10n }, usdFx: -200n },
      undefined,
    ],
  ])("when %s", (_what, books, code) => {
    expect(refusalWith(books)?.code).toBe(code);
  });

  it.each<readonly [side: string, books: Books, details: object, message: string]>([
    [
      "maxLong",
      { usd: { maxLong: 150n, committedMinor: 30n }, usdFx: 40n },
      { currency: "USD", maxLong: 150, net: "170" },
      "The position in USD would be 170, past its limit maxLong of 150;",
    ],
    [
      "maxShort",
      { eur: { maxShort: 50n } },
      { currency: "EUR", maxShort: 50, net: "-90" },
      "The position in EUR would be -90, past its limit maxShort of 50;",
    ],
    [
      "what is sold first",
      { usd: { maxLong: 1n }, eur: { maxShort: 1n } },
      { currency: "USD", maxLong: 1, net: "100" },
      "The position in USD would be 100, past its limit maxLong of 1;",
    ],
  ])("names %s, the limit and what the position would be", (_side, books, details, message) => {
    const refusal = refusalWith(books);
    expect(refusal?.details).toEqual(details);
    expect(refusal?.message.startsWith(message)).toBe(true);
  });

  const half = INT8_MAX / 2n;

  it.each<readonly [what: string, books: Books, code: string | undefined]>([
    ["up to half of what the column holds", { usd: { committedMinor: half - 100n } }, undefined],
    ["past it", { usd: { committedMinor: half - 99n } }, "AMOUNT_OUT_OF_RANGE"],
    ["down to minus half", { eur: { committedMinor: 90n - half } }, undefined],
    ["below that", { eur: { committedMinor: 89n - half } }, "AMOUNT_OUT_OF_RANGE"],
    [
      "past it and past the limit",
      { usd: { committedMinor: half, maxLong: 0n } },
      "AMOUNT_OUT_OF_RANGE",
    ],
  ])("is counted %s", (_what, books, code) => {
    expect(refusalWith(books)?.code).toBe(code);
  });
});

describe("an exchange under way", () => {
  const committed = (world: ReturnType<typeof worldWith>) =>
    ["USD", "EUR"].map((currency) => world.find(positionRef(currency))?.committedMinor);

  it("is committed at both sides, and taken back as a whole", () => {
    const world = worldWith({ usd: { committedMinor: 7n, maxLong: 900n } });
    commitExchange(world, exchange);
    expect(committed(world)).toEqual([107n, -90n]);
    expect(world.find(positionRef("USD"))).toMatchObject({ maxLong: 900n, updatedAt: DECIDED_AT });
    releaseExchange(world, exchange);
    expect(committed(world)).toEqual([7n, 0n]);
  });

  it.each([
    ["a sandbox", exchange, platform],
    ["one currency", { ...exchange, receivingCurrency: "USD" }, production],
  ])("of %s is not counted, and meets no limit", (_what, of, at) => {
    const world = worldWith({ usd: { maxLong: 0n, maxShort: 0n } }, { of, at });
    refuseBeyondLimits(world, of);
    commitExchange(world, of);
    releaseExchange(world, of);
    expect(world.isEmpty).toBe(true);
  });
});

describe("limits", () => {
  function set(limits: readonly FxLimit[], positions: readonly FxPosition[]) {
    const input = { limits };
    const tables = [rowsOf(fxPositions, ...positions)];
    const world = worldFor({ command: setFxLimits, input, platformId: PLATFORM, tables });
    const refusal = refusalOf(world, () => setFxLimits.decide(world, input));
    return { world, refusal, of: (currency: string) => world.find(positionRef(currency)) };
  }
  const limit = (currency: string, maxLong: bigint | null, maxShort: bigint | null) => ({
    currency,
    maxLong,
    maxShort,
  });

  it("are replaced as a whole, and what is committed stays", () => {
    const before = [
      positionIn("USD", { committedMinor: 5n, maxLong: 1n }),
      positionIn("EUR", { committedMinor: -4n, maxShort: 2n }),
    ];
    const { of } = set([limit("USD", null, 9n), limit("BRL", 0n, null)], before);
    expect(of("USD")).toMatchObject({ committedMinor: 5n, maxLong: null, maxShort: 9n });
    expect(of("EUR")).toMatchObject({ committedMinor: -4n, maxLong: null, maxShort: null });
    expect(of("BRL")).toMatchObject({ committedMinor: 0n, maxLong: 0n, maxShort: null });
  });

  it("that are none leave a position without limits as it was written", () => {
    const before = positionIn("EUR", { committedMinor: 3n });
    const { world, of } = set([], [before]);
    expect(of("EUR")).toEqual(before);
    expect(world.isEmpty).toBe(true);
  });

  it("are refused for each currency that is named again", () => {
    const limits = [
      limit("USD", 1n, 1n),
      limit("EUR", 1n, 1n),
      limit("USD", 2n, 2n),
      limit("EUR", 3n, 3n),
    ];
    const { refusal } = set(limits, []);
    expect(refusal).toMatchObject({
      code: "INVALID_INPUT",
      details: {
        errors: [
          { field: "limits.2.currency", message: "is there twice: USD" },
          { field: "limits.3.currency", message: "is there twice: EUR" },
        ],
      },
    });
  });
});
