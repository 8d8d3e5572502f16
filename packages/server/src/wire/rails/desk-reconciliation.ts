/** The reconciliation of all connections day by day, as JSON and as CSV, and the breaks of one day. */
import Type, { type Static } from "typebox";
import type { DailyBook, DayBreaks } from "../../domain/rails/books/daily-reconciliation.sql.ts";
import {
  type DayState,
  dayStates,
  explanationKinds,
  type ReconciledDay,
} from "../../domain/rails/books/daily-reconciliation.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { getCurrency } from "../../money/currency.ts";
import { decimalText } from "../../money/money.ts";
import { LedgerAmountSchema, ledgerAmount, optional } from "../fields.ts";
import { csvLine } from "../reading/csv.ts";
import { wireRailEntry } from "./rail-entry.ts";
import { RailItemSchema, railItemExample, railItemJson } from "./rail-item.ts";
import { RailPaymentSchema, railPaymentExample, railPaymentJson } from "./rail-payment.ts";

const DaySchema = Type.Object({
  day: Type.String({ format: "date" }),
  state: Type.Enum([...dayStates], {
    description:
      "`RED`: a difference began on the day. `CARRIED`: the statement differs by what earlier days left. `NONE`: no statement of the day.",
  }),
  closing: Type.Optional(LedgerAmountSchema),
  unexplained: Type.Optional(LedgerAmountSchema),
  begun: Type.Optional(
    Type.Object(LedgerAmountSchema.properties, {
      description: "What of `unexplained` began on the day.",
    }),
  ),
  items: Type.Integer({ description: "Open items whose line was booked on the day." }),
  untold: Type.Integer({ description: "Orders that were settled on the day and have no line." }),
});

export const DailyBooksSchema = Type.Object({
  days: Type.Array(Type.String({ format: "date" })),
  books: Type.Array(
    Type.Object({
      connectionId: Type.String(),
      connectionName: Type.String(),
      currency: Type.String(),
      days: Type.Array(DaySchema),
    }),
  ),
});

export const dailyBooksExample: Static<typeof DailyBooksSchema> = {
  days: ["2026-11-21"],
  books: [
    {
      connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
      connectionName: "House bank",
      currency: "USD",
      days: [
        {
          day: "2026-11-21",
          state: "RED",
          closing: ledgerAmount(1_250_000n, "USD"),
          unexplained: ledgerAmount(-5_000n, "USD"),
          begun: ledgerAmount(-5_000n, "USD"),
          items: 0,
          untold: 0,
        },
      ],
    },
  ],
};

export function dailyBooksJson(days: readonly string[], books: readonly DailyBook[]): string {
  return JSON.stringify({ days, books: books.map(bookOf) });
}

function bookOf({ book: { connectionId, currency }, connectionName, days }: DailyBook) {
  return {
    connectionId: toConnectionId(connectionId),
    connectionName,
    currency,
    days: days.map((day) => dayOf(day, currency)),
  };
}

function dayOf(daily: ReconciledDay, currency: string) {
  const { day, state, closingMinor, unexplainedMinor, begunMinor, items, untold } = daily;
  const amount = (minor: bigint | null) => (minor === null ? null : ledgerAmount(minor, currency));
  return {
    ...{ day, state },
    ...optional("closing", amount(closingMinor)),
    ...optional("unexplained", amount(unexplainedMinor)),
    ...optional("begun", amount(begunMinor)),
    ...{ items, untold },
  };
}

const HEAD = [
  "connection",
  "currency",
  "day",
  "state",
  "closing",
  "unexplained",
  "begun",
  "openItems",
  "ordersWithoutLine",
];

/** A line for each day of each book; amounts in whole units. */
export function dailyBooksFile(books: readonly DailyBook[]): string {
  const lines = books.flatMap(({ book: { currency }, connectionName, days }) => {
    const { decimals } = getCurrency(currency);
    const amount = (minor: bigint | null) => (minor === null ? "" : decimalText(minor, decimals));
    return days.map(({ day, state, closingMinor, unexplainedMinor, begunMinor, ...counts }) =>
      csvLine([
        ...[connectionName, currency, day, stateWord(state)],
        ...[closingMinor, unexplainedMinor, begunMinor].map(amount),
        ...[String(counts.items), String(counts.untold)],
      ]),
    );
  });
  return [csvLine(HEAD), ...lines].join("");
}

function stateWord(state: DayState): string {
  return state === "NONE" ? "no statement" : state.toLowerCase();
}

export const dailyBooksFileExample = csvLine(HEAD);

export const DayBreaksSchema = Type.Object({
  daily: Type.Optional(DaySchema),
  explanations: Type.Array(
    Type.Object({
      kind: Type.Enum([...explanationKinds], {
        description:
          "`BOOKED_TWICE`: two lines of this amount. `LINE`: a line of this amount. `ORDER`: an order of this amount has no line. `DIGITS_SWAPPED`: two digits of the line changed places.",
      }),
      entry: Type.Optional(wireRailEntry.schema),
      payment: Type.Optional(RailPaymentSchema),
    }),
    { description: "What may explain the difference that began on the day." },
  ),
  items: Type.Array(Type.Object({ item: RailItemSchema, entry: wireRailEntry.schema }), {
    description: "Open items whose line was booked on the day.",
  }),
  untold: Type.Array(RailPaymentSchema, {
    description: "Orders that were settled on the day and have no line.",
  }),
});

export const dayBreaksExample = {
  daily: dailyBooksExample.books[0]?.days[0],
  explanations: [{ kind: "LINE", entry: wireRailEntry.example }],
  items: [{ item: railItemExample, entry: wireRailEntry.example }],
  untold: [railPaymentExample],
};

export function dayBreaksJson(
  { daily, explanations, items, untold }: DayBreaks,
  currency: string,
): string {
  const parsed = (text: string) => JSON.parse(text) as unknown;
  return JSON.stringify({
    ...optional("daily", daily === undefined ? null : dayOf(daily, currency)),
    explanations: explanations.map(({ kind, entry, payment }) => ({
      kind,
      ...optional("entry", entry === undefined ? null : parsed(wireRailEntry.json(entry))),
      ...optional("payment", payment === undefined ? null : parsed(railPaymentJson(payment))),
    })),
    items: items.map(({ item, entry }) => ({
      item: parsed(railItemJson(item)),
      entry: parsed(wireRailEntry.json(entry)),
    })),
    untold: untold.map((order) => parsed(railPaymentJson(order))),
  });
}
