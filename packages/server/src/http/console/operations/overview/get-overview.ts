import Type from "typebox";
import {
  findBalances,
  findPaymentSums,
  findStanding,
  overviewPeriods,
} from "../../../../domain/overview/overview.sql.ts";
import { findWaiting } from "../../../../domain/overview/waiting.sql.ts";
import { currencyCodeParameter } from "../../../../wire/fields.ts";
import {
  OverviewSchema,
  overviewExample,
  overviewToWire,
} from "../../../../wire/overview/overview.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { ofPlatform } from "../../platform-path.ts";

export const getOverview = defineOperation({
  id: "getOverview",
  method: "GET",
  path: ofPlatform("/overview"),
  access: "PERSON",
  capability: "overview.read",
  tag: "Overview",
  summary: "Get the overview of a platform",
  description:
    "Balances and what waits for a person are of this moment. Sums of payments follow the events within a few seconds; `asOfSequence` " +
    "says up to which event they are counted. A completed payment stays in the bar in which it completed, also when it is returned later.",
  query: Type.Object({
    period: Type.Optional(Type.Enum([...overviewPeriods], { default: "24h" })),
    currency: currencyCodeParameter("Of the volume. The most frequent one when it is absent."),
  }),
  answers: {
    200: { description: "The overview.", schema: OverviewSchema, example: overviewExample },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, query }, { reads, clock }: Services) {
    const { platformId, capabilities } = principal;
    const overview = await reads.withPermit(platformId, async (cells) => {
      const { clockOffsetMs, ...standing } = await findStanding(cells, platformId);
      const now = clock.now() + clockOffsetMs;
      const { period = "24h", currency } = query;
      return {
        ...standing,
        balances: await findBalances(cells, platformId),
        ...(await findPaymentSums(cells, platformId, { period, currency, now })),
        waiting: await findWaiting(cells, platformId, { now, held: capabilities }),
      };
    });
    return { status: 200, body: JSON.stringify(overviewToWire(overview)) };
  },
});
