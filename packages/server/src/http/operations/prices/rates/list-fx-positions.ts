import Type from "typebox";
import { listPositions } from "../../../../domain/prices/fx-positions/fx-position.sql.ts";
import { listLiveSources } from "../../../../domain/prices/rate-sources/rate-source.sql.ts";
import { marketRate, openSources } from "../../../../domain/prices/rates/market-rate.ts";
import { invalidField } from "../../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../../money/currency.ts";
import { ratio } from "../../../../money/ratio.ts";
import { currencyCodeParameter } from "../../../../wire/fields.ts";
import {
  PositionsSchema,
  positionsExample,
  positionsJson,
  type Valuation,
} from "../../../../wire/prices/fx-position.ts";
import { defineOperation } from "../../../request/operation.ts";
import { platformTime } from "../../../request/platform-time.ts";
import type { Services } from "../../../request/services.ts";

export const listFxPositions = defineOperation({
  id: "listFxPositions",
  method: "GET",
  path: "/fx/positions",
  access: "VIEW",
  capability: "rates.read",
  tag: "Rates",
  summary: "List the positions",
  description:
    "What the platform holds of each currency because it exchanged for its customers, and what quotes under way will add. Valued at the rates of the " +
    "platform's sources, without a spread.",
  query: Type.Object({
    valueIn: currencyCodeParameter("The currency that positions are valued in; USD without it."),
  }),
  answers: {
    200: {
      description: "By currency: those that were exchanged or have a limit.",
      schema: PositionsSchema,
      example: positionsExample,
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query }, services: Services) {
    const { reads } = services;
    const { valueIn = "USD" } = query;
    if (!isCurrencyCode(valueIn)) throw invalidField("valueIn", `is no currency: ${valueIn}`);
    const [standings, sources, at] = await Promise.all([
      listPositions(reads, platformId),
      listLiveSources(reads, platformId),
      platformTime(services, platformId),
    ]);
    const facts = { sources: openSources(sources), spreads: [ANY_SPREAD], at };
    const valuationOf = (currency: string): Valuation | undefined => {
      if (currency === valueIn) return { currency: valueIn, mid: ratio(1n, 1n), asOf: at };
      // Units of `valueIn` for one unit of the currency.
      const found = marketRate({ from: valueIn, to: currency }, facts);
      return found.kind === "found"
        ? { currency: valueIn, mid: found.mid, asOf: found.asOf }
        : undefined;
    };
    return { status: 200, body: positionsJson(standings, valuationOf) };
  },
});

/** A valuation is no price: reference rates need no rule for it. */
const ANY_SPREAD = { from: "*", to: "*", bps: 0 } as const;
