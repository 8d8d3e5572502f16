/** Positions and limits on the wire. */
import Type from "typebox";
import type { FxStanding } from "../../domain/prices/fx-positions/fx-position.sql.ts";
import type { FxPosition } from "../../domain/prices/fx-positions/fx-position.ts";
import { getCurrency } from "../../money/currency.ts";
import { MAX_AMOUNT, printAmount } from "../../money/money.ts";
import { type Ratio, rateToNumber } from "../../money/ratio.ts";
import { mulDiv } from "../../money/rounding.ts";
import { toIso } from "../../std/clock.ts";
import { refusalKeyword } from "../../validation/schema.ts";
import { currencyField, DateTimeSchema, optional } from "../fields.ts";
import { listedText } from "../value-lists.ts";

const limit = Type.Union([
  Type.Integer({ minimum: 0, maximum: MAX_AMOUNT, [refusalKeyword]: "INVALID_AMOUNT" }),
  Type.Null(),
]);

export const limitsBody = Type.Object({
  limits: Type.Array(
    Type.Object({
      currency: currencyField(),
      maxLong: Type.Optional(limit),
      maxShort: Type.Optional(limit),
    }),
    { maxItems: 200, description: "Whole numbers of the smallest unit; null or absent: no limit." },
  ),
});

const LimitSchema = Type.Object(
  { maxLong: Type.Optional(Type.Integer()), maxShort: Type.Optional(Type.Integer()) },
  { $id: "FxLimit" },
);

export const LimitsSchema = Type.Object(
  {
    limits: Type.Array(
      Type.Object({
        currency: listedText("CurrencyCode"),
        maxLong: Type.Optional(Type.Integer()),
        maxShort: Type.Optional(Type.Integer()),
      }),
    ),
  },
  { $id: "FxLimits" },
);

export function limitsJson(positions: readonly FxPosition[]): string {
  const limits = positions.map(({ currency, ...limit }) => ({ currency, ...limitOf(limit) }));
  return JSON.stringify({ limits });
}

function limitOf({ maxLong, maxShort }: Pick<FxPosition, "maxLong" | "maxShort">) {
  return {
    ...optional("maxLong", maxLong === null ? null : printAmount(maxLong)),
    ...optional("maxShort", maxShort === null ? null : printAmount(maxShort)),
  };
}

export const limitsExample = {
  limits: [{ currency: "USD", maxLong: 5_000_000, maxShort: 1_000_000 }],
};

const sum = (description: string) =>
  Type.String({
    pattern: "^-?[0-9]+$",
    description: `${description} Text, because sums may be beyond what a JSON number holds.`,
    examples: ["1250000"],
  });

const PositionSchema = Type.Object(
  {
    currency: listedText("CurrencyCode"),
    balance: sum(
      "What was exchanged: positive when the platform holds the currency, negative when it owes it.",
    ),
    committed: sum("What quotes that are executed and not over will add."),
    net: sum("Both together, which the limits are about."),
    limit: LimitSchema,
    valueIn: Type.Optional(
      Type.Object(
        { currency: Type.String(), amount: sum("In its smallest unit, rounded half up.") },
        { description: "What `net` is worth at the rate below; absent without a rate." },
      ),
    ),
    mid: Type.Optional(
      Type.Number({
        description: "Units of the currency of `valueIn` for one unit, without a spread.",
      }),
    ),
    asOf: Type.Optional(DateTimeSchema),
  },
  { $id: "FxPosition" },
);

export const PositionsSchema = Type.Object({ data: Type.Array(PositionSchema) });

/** A rate into the currency that positions are valued in. */
export interface Valuation {
  readonly currency: string;
  readonly mid: Ratio;
  readonly asOf: number;
}

export function positionsJson(
  standings: readonly FxStanding[],
  valuationOf: (currency: string) => Valuation | undefined,
): string {
  return JSON.stringify({
    data: standings.map((standing) => positionOf(standing, valuationOf(standing.currency))),
  });
}

function positionOf(standing: FxStanding, valuation: Valuation | undefined) {
  const { currency, balanceMinor, committedMinor } = standing;
  const netMinor = balanceMinor + committedMinor;
  return {
    currency,
    balance: balanceMinor.toString(),
    committed: committedMinor.toString(),
    net: netMinor.toString(),
    limit: limitOf(standing),
    ...(valuation === undefined ? {} : valuedAt(valuation, { currency, netMinor })),
  };
}

function valuedAt(
  { currency, mid, asOf }: Valuation,
  net: { readonly currency: string; readonly netMinor: bigint },
) {
  const unit = 10n ** BigInt(getCurrency(currency).decimals);
  const whole = 10n ** BigInt(getCurrency(net.currency).decimals);
  const minor = mulDiv(net.netMinor, mid.numerator * unit, mid.denominator * whole, "half-up");
  return {
    valueIn: { currency, amount: minor.toString() },
    mid: rateToNumber(mid),
    asOf: toIso(asOf),
  };
}

export const positionsExample = {
  data: [
    {
      currency: "USD",
      balance: "1250000",
      committed: "40000",
      net: "1290000",
      limit: { maxLong: 5_000_000 },
      valueIn: { currency: "USD", amount: "1290000" },
      mid: 1,
      asOf: "2026-11-21T10:00:00.000Z",
    },
  ],
};
