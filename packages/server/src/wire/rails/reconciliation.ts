/** The reconciliation of a connection, as JSON and as CSV. */
import Type from "typebox";
import type { RailStatement } from "../../domain/rails/books/rail-statement.ts";
import {
  ages,
  type Figure,
  type Reconciliation,
} from "../../domain/rails/books/reconciliation.sql.ts";
import { LedgerAmountSchema, ledgerAmount } from "../fields.ts";
import { csvLine } from "../reading/csv.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const FigureSchema = Type.Object(
  { count: Type.Integer({ minimum: 0 }), sum: LedgerAmountSchema },
  { $id: "RailFigure" },
);

const statement = wireObject(
  { description: "The last one of the day or before. Without it nothing is compared." },
  ({ of, maybe }: Kit<RailStatement>) => ({
    id: of.id("RailStatement", { description: "`RailStatement:<uuid>`", example: 26 }),
    asOf: of.text({ from: "day", format: "date", example: "2026-11-21" }),
    readAt: maybe.time(),
    closing: of.ledgerAmount("closingMinor", { example: 1250000n }),
  }),
);

const ExplainedSchema = Type.Object({
  settledNotOnStatement: Type.Object(FigureSchema.properties, {
    description: "Orders that reports or marks have settled or returned, and no entry has told.",
  }),
  notOnStatement: Type.Optional(
    Type.Object(FigureSchema.properties, {
      description: "Entries that the statement does not cover.",
    }),
  ),
});

const OpenSchema = Type.Object({
  suspense: FigureSchema,
  unknown: Type.Integer({ description: "Orders without a report." }),
  conflicts: Type.Integer({ description: "Orders that a person must decide about." }),
  marks: Type.Integer({ description: "Acts that another token must confirm." }),
});

const AgeingSchema = Type.Object(Object.fromEntries(ages.map((age) => [age, FigureSchema])), {
  description: "Open items by their age in banking days of the connection.",
});

const none = { count: 0, sum: ledgerAmount(0n, "USD") };

export const wireReconciliation = wireObject(
  "RailReconciliation",
  ({ of, maybe }: Kit<Reconciliation>) => ({
    connectionId: of.id("RailConnection", { example: 21 }),
    asOf: of.text({ from: "day", format: "date", example: "2026-11-22" }),
    statement: maybe.object(statement, {
      from: ({ compared }) => compared?.statement,
      example: statement.example,
    }),
    ours: of.ledgerAmount("oursMinor", {
      description:
        "What lies outside by the books as they are now: minus the balance of `clearing`.",
      example: 1237500n,
    }),
    difference: maybe.ledgerAmount(({ compared }) => compared?.differenceMinor, {
      example: 12500n,
    }),
    explained: of.json(ExplainedSchema, {
      from: ({ settledNotOnStatement, compared, currency }) => ({
        settledNotOnStatement: figure(settledNotOnStatement, currency),
        ...(compared && { notOnStatement: figure(compared.notOnStatement, currency) }),
      }),
      example: {
        settledNotOnStatement: { count: 1, sum: ledgerAmount(-12500n, "USD") },
        notOnStatement: none,
      },
    }),
    unexplained: maybe.ledgerAmount(({ compared }) => compared?.unexplainedMinor, {
      description:
        "The difference and both explained sums. When it is not 0, the statement is wrong, or lines of the account were never told.",
      example: 0n,
    }),
    open: of.json(OpenSchema, {
      from: ({ suspense, unknown, conflicts, waitingMarks: marks, currency }) => ({
        suspense: figure(suspense, currency),
        unknown,
        conflicts,
        marks,
      }),
      example: { suspense: none, unknown: 0, conflicts: 0, marks: 0 },
    }),
    ageing: of.json(AgeingSchema, {
      from: ({ ageing, currency }) =>
        Object.fromEntries(ages.map((age) => [age, figure(ageing[age], currency)])),
      example: Object.fromEntries(ages.map((age) => [age, none])),
    }),
  }),
);

function figure({ count, minor }: Figure, currency: string) {
  return { count, sum: ledgerAmount(minor, currency) };
}

const HEAD = ["figure", "count", "amount", "currency"];

/** A line for each figure; counts are empty where there is nothing to count. */
export function reconciliationFile(found: Reconciliation): string {
  const { currency, compared } = found;
  const line = (name: string, minor: bigint, count?: number) =>
    csvLine([name, count === undefined ? "" : String(count), String(minor), currency]);
  const figure = (name: string, { count, minor }: Figure) => line(name, minor, count);
  return [
    csvLine(HEAD),
    ...(compared === undefined ? [] : [line("closing", compared.statement.closingMinor)]),
    line("ours", found.oursMinor),
    ...(compared === undefined ? [] : [line("difference", compared.differenceMinor)]),
    figure("settledNotOnStatement", found.settledNotOnStatement),
    ...(compared === undefined ? [] : [figure("notOnStatement", compared.notOnStatement)]),
    ...(compared === undefined ? [] : [line("unexplained", compared.unexplainedMinor)]),
    figure("suspense", found.suspense),
    ...ages.map((age) => figure(`suspense of ${age} banking days`, found.ageing[age])),
  ].join("");
}

export const reconciliationFileExample =
  "figure,count,amount,currency\r\nclosing,,1250000,USD\r\nours,,1237500,USD\r\ndifference,,12500,USD\r\n";
