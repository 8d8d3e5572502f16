import Type, { type Static } from "typebox";
import type { DeskSummary } from "../../domain/rails/desk/desk-summary.ts";
import type {
  CurrencyBalance,
  FlowSum,
  PaymentSums,
} from "../../domain/reading/overview/overview.sql.ts";
import {
  MOST_COUNTED,
  type Waiting,
  waitingKinds,
} from "../../domain/reading/overview/waiting.sql.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema } from "../fields.ts";
import { wireDeskSummary } from "../rails/desk.ts";

/** Text, because sums of many amounts may be beyond the whole numbers that JSON holds exactly. */
const MinorSchema = Type.String({
  pattern: "^-?[0-9]+$",
  description: "In the smallest unit of the currency, in digits.",
});

const HoldingsSchema = Type.Object({ available: MinorSchema, held: MinorSchema });

const FlowSchema = Type.Object({ payments: Type.Integer(), amount: MinorSchema });

const FlowsSchema = { incoming: FlowSchema, outgoing: FlowSchema };

export const OverviewSchema = Type.Object(
  {
    asOfSequence: Type.Integer({
      description: "The last event that the sums of payments contain.",
    }),
    lastSequence: Type.Integer({ description: "The last event of the platform." }),
    balances: Type.Array(
      Type.Object({
        currency: Type.String(),
        customers: HoldingsSchema,
        platform: HoldingsSchema,
      }),
      { description: "Of this moment: internal accounts of customers, and the platform's own." },
    ),
    volume: Type.Object({
      currencies: Type.Array(Type.String(), {
        description:
          "With completed payments in this period or the one before, most frequent first.",
      }),
      currency: Type.Optional(Type.String({ description: "Absent without a completed payment." })),
      bars: Type.Array(Type.Object({ startsAt: DateTimeSchema, ...FlowsSchema }), {
        description:
          "Completed payments by the hour, or by the day (UTC) where the period is longer than 24 hours. The last bar is not over yet.",
      }),
      before: Type.Object(FlowsSchema, { description: "The sums of the period before." }),
    }),
    success: Type.Object({
      completed: Type.Integer({ description: "Without those that were returned later." }),
      failed: Type.Integer({ description: "With those that were returned." }),
      groups: Type.Array(
        Type.Object({
          type: Type.Enum(["INCOMING", "OUTGOING"]),
          rail: Type.Optional(Type.String()),
          completed: Type.Integer(),
          failed: Type.Integer(),
          cancelled: Type.Integer({
            description:
              "Called off by people or by a quote that was not kept; not counted as failed.",
          }),
        }),
      ),
      reasons: Type.Array(Type.Object({ code: Type.String(), payments: Type.Integer() }), {
        description: "The three most frequent reasons of failures.",
      }),
    }),
    waiting: Type.Array(
      Type.Object({
        kind: Type.Enum([...waitingKinds]),
        count: Type.Integer({ description: `${MOST_COUNTED} stands for as many and more.` }),
        oldestAt: Type.Optional(DateTimeSchema),
        endsAt: Type.Optional({
          ...DateTimeSchema,
          description: "When the first of them ends without an act.",
        }),
      }),
      { description: "What the person's roles let them see to." },
    ),
    desk: Type.Optional(wireDeskSummary.schema),
  },
  { $id: "ConsoleOverview" },
);

export interface Overview extends PaymentSums {
  readonly asOfSequence: number;
  readonly lastSequence: number;
  readonly balances: readonly CurrencyBalance[];
  readonly waiting: readonly Waiting[];
  readonly desk: DeskSummary | undefined;
}

const flow = ({ payments, amountMinor }: FlowSum) => ({ payments, amount: String(amountMinor) });

const holdings = (available: bigint, held: bigint) => ({
  available: String(available),
  held: String(held),
});

export function overviewToWire(overview: Overview): Static<typeof OverviewSchema> {
  const { asOfSequence, lastSequence, currency, outcomes } = overview;
  const total = (of: "completed" | "failed") => outcomes.reduce((sum, one) => sum + one[of], 0);
  return {
    asOfSequence,
    lastSequence,
    balances: overview.balances.map((one) => ({
      currency: one.currency,
      customers: holdings(one.customers, one.customersHeld),
      platform: holdings(one.platform, one.platformHeld),
    })),
    volume: {
      currencies: [...overview.currencies],
      ...(currency === undefined ? {} : { currency }),
      bars: overview.bars.map(({ startsAtMs, incoming, outgoing }) => ({
        startsAt: toIso(startsAtMs),
        incoming: flow(incoming),
        outgoing: flow(outgoing),
      })),
      before: {
        incoming: flow(overview.before.incoming),
        outgoing: flow(overview.before.outgoing),
      },
    },
    success: {
      completed: total("completed"),
      failed: total("failed"),
      groups: outcomes.map(({ type, rail, ...counts }) => ({
        type: type as "INCOMING" | "OUTGOING",
        ...(rail === "" ? {} : { rail }),
        ...counts,
      })),
      reasons: [...overview.reasons],
    },
    waiting: overview.waiting.map(({ kind, count, oldestAtMs, endsAtMs }) => ({
      kind,
      count,
      ...(oldestAtMs === undefined ? {} : { oldestAt: toIso(oldestAtMs) }),
      ...(endsAtMs === undefined ? {} : { endsAt: toIso(endsAtMs) }),
    })),
    ...(overview.desk && { desk: JSON.parse(wireDeskSummary.json(overview.desk)) }),
  };
}

export const overviewExample: Static<typeof OverviewSchema> = {
  asOfSequence: 42,
  lastSequence: 42,
  balances: [
    {
      currency: "USD",
      customers: { available: "98750", held: "0" },
      platform: { available: "0", held: "0" },
    },
  ],
  volume: {
    currencies: ["USD"],
    currency: "USD",
    bars: [
      {
        startsAt: "2026-11-26T09:00:00.000Z",
        incoming: { payments: 1, amount: "100000" },
        outgoing: { payments: 1, amount: "1250" },
      },
    ],
    before: {
      incoming: { payments: 0, amount: "0" },
      outgoing: { payments: 0, amount: "0" },
    },
  },
  success: {
    completed: 2,
    failed: 0,
    groups: [
      { type: "INCOMING", completed: 1, failed: 0, cancelled: 0 },
      { type: "OUTGOING", rail: "ACH", completed: 1, failed: 0, cancelled: 0 },
    ],
    reasons: [],
  },
  waiting: [{ kind: "AGENT_ORDERS", count: 1, oldestAt: "2026-11-26T09:12:00.000Z" }],
};
