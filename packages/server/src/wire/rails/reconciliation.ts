/** The reconciliation of a connection, as JSON and as CSV. */
import Type from "typebox";
import { toRailStatementId } from "../../domain/rails/books/rail-statement.ts";
import {
  ages,
  type Figure,
  type Reconciliation,
} from "../../domain/rails/books/reconciliation.sql.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, LedgerAmountSchema, ledgerAmount } from "../fields.ts";
import { csvLine } from "../reading/csv.ts";

const FigureSchema = Type.Object(
  { count: Type.Integer({ minimum: 0 }), sum: LedgerAmountSchema },
  { $id: "RailFigure" },
);

export const ReconciliationSchema = Type.Object(
  {
    connectionId: Type.String(),
    asOf: Type.String({ format: "date" }),
    statement: Type.Optional(
      Type.Object(
        {
          id: Type.String({ description: "`RailStatement:<uuid>`" }),
          asOf: Type.String({ format: "date" }),
          readAt: Type.Optional(DateTimeSchema),
          closing: LedgerAmountSchema,
        },
        { description: "The last one of the day or before. Without it nothing is compared." },
      ),
    ),
    ours: Type.Object(LedgerAmountSchema.properties, {
      description:
        "What lies outside by the books as they are now: minus the balance of `clearing`.",
    }),
    difference: Type.Optional(LedgerAmountSchema),
    explained: Type.Object({
      settledNotOnStatement: Type.Object(FigureSchema.properties, {
        description:
          "Orders that reports or marks have settled or returned, and no entry has told.",
      }),
      notOnStatement: Type.Optional(
        Type.Object(FigureSchema.properties, {
          description: "Entries that the statement does not cover.",
        }),
      ),
    }),
    unexplained: Type.Optional(
      Type.Object(LedgerAmountSchema.properties, {
        description:
          "The difference and both explained sums. When it is not 0, the statement is wrong, or lines of the account were never told.",
      }),
    ),
    open: Type.Object({
      suspense: FigureSchema,
      unknown: Type.Integer({ description: "Orders without a report." }),
      conflicts: Type.Integer({ description: "Orders that a person must decide about." }),
      marks: Type.Integer({ description: "Acts that another token must confirm." }),
    }),
    ageing: Type.Object(Object.fromEntries(ages.map((age) => [age, FigureSchema])), {
      description: "Open items by their age in banking days of the connection.",
    }),
  },
  { $id: "RailReconciliation" },
);

export function reconciliationJson(found: Reconciliation): string {
  const { currency, compared } = found;
  const amount = (minor: bigint) => ledgerAmount(minor, currency);
  const figure = ({ count, minor }: Figure) => ({ count, sum: amount(minor) });
  return JSON.stringify({
    connectionId: toConnectionId(found.connectionId),
    asOf: found.day,
    ...(compared === undefined ? {} : { statement: statementOf(compared.statement) }),
    ours: amount(found.oursMinor),
    ...(compared === undefined ? {} : { difference: amount(compared.differenceMinor) }),
    explained: {
      settledNotOnStatement: figure(found.settledNotOnStatement),
      ...(compared === undefined ? {} : { notOnStatement: figure(compared.notOnStatement) }),
    },
    ...(compared === undefined ? {} : { unexplained: amount(compared.unexplainedMinor) }),
    open: {
      suspense: figure(found.suspense),
      unknown: found.unknown,
      conflicts: found.conflicts,
      marks: found.waitingMarks,
    },
    ageing: Object.fromEntries(ages.map((age) => [age, figure(found.ageing[age])])),
  });
}

function statementOf(statement: NonNullable<Reconciliation["compared"]>["statement"]) {
  const { id, day, readAt, closingMinor, currency } = statement;
  return {
    id: toRailStatementId(id),
    asOf: day,
    ...(readAt === null ? {} : { readAt: toIso(readAt) }),
    closing: ledgerAmount(closingMinor, currency),
  };
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

const dollars = (amount: string) => ({ amount, currency: "USD" });
const none = { count: 0, sum: dollars("0") };

export const reconciliationExample = {
  connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
  asOf: "2026-11-22",
  statement: {
    id: "RailStatement:019a4f00-0000-7000-8000-000000000026",
    asOf: "2026-11-21",
    closing: dollars("1250000"),
  },
  ours: dollars("1237500"),
  difference: dollars("12500"),
  explained: {
    settledNotOnStatement: { count: 1, sum: dollars("-12500") },
    notOnStatement: none,
  },
  unexplained: dollars("0"),
  open: { suspense: none, unknown: 0, conflicts: 0, marks: 0 },
  ageing: { "0-1": none, "2-5": none, "6-20": none, "20+": none },
};

export const reconciliationFileExample =
  "figure,count,amount,currency\r\nclosing,,1250000,USD\r\nours,,1237500,USD\r\ndifference,,12500,USD\r\n";
