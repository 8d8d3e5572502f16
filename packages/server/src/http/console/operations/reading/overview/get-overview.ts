import Type from "typebox";
import { approverOf } from "../../../../../domain/people/approvals/eligible-people.ts";
import { activePeople } from "../../../../../domain/people/person.sql.ts";
import {
  findBalances,
  findPaymentSums,
  findStanding,
  overviewPeriods,
} from "../../../../../domain/reading/overview/overview.sql.ts";
import {
  findWaiting,
  findWaitingApprovals,
  type Waiting,
} from "../../../../../domain/reading/overview/waiting.sql.ts";
import { currencyCodeParameter } from "../../../../../wire/fields.ts";
import {
  OverviewSchema,
  overviewExample,
  overviewToWire,
} from "../../../../../wire/reading/overview.ts";
import { defineOperation, type PersonPrincipal } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { ofPlatform } from "../../../platform-path.ts";

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
  async handle({ principal, query }, services: Services) {
    const { reads, clock } = services;
    const { platformId, capabilities } = principal;
    const found = reads.withPermit(platformId, async (cells) => {
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
    const [toDecide, overview] = await Promise.all([approvalsToDecide(services, principal), found]);
    const waiting = [...toDecide, ...overview.waiting];
    return { status: 200, body: JSON.stringify(overviewToWire({ ...overview, waiting })) };
  },
});

async function approvalsToDecide(
  { reads, clock }: Services,
  { platformId, environment, workspaceId, personId }: PersonPrincipal,
): Promise<readonly Waiting[]> {
  const people = await activePeople(reads, workspaceId);
  const person = people.find(({ id }) => id === personId);
  if (person === undefined) return [];
  const platform = { id: platformId, environment };
  const approver = approverOf(person, { platform, people, now: clock.now() });
  const found = await findWaitingApprovals(reads, platformId, approver);
  return found === undefined ? [] : [found];
}
