import Type from "typebox";
import {
  type RailStatement,
  statementSources,
  toRailStatementId,
} from "../../domain/rails/books/rail-statement.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, LedgerAmountSchema, ledgerAmount } from "../fields.ts";

export const RailStatementSchema = Type.Object(
  {
    id: Type.String({ description: "`RailStatement:<uuid>`" }),
    connectionId: Type.String(),
    source: Type.Enum([...statementSources], {
      description: "`MANUAL`: a person typed it in. `CONNECTOR`: the connector was asked.",
    }),
    asOf: Type.String({
      format: "date",
      description: "`MANUAL`: it covers the entries that were booked up to the end of this day.",
    }),
    readAt: Type.Optional(
      Type.String({
        format: "date-time",
        description: "`CONNECTOR`: it covers the entries that were told before.",
      }),
    ),
    closing: LedgerAmountSchema,
    opening: LedgerAmountSchema,
    unexplained: LedgerAmountSchema,
    recordedBy: Type.String({ description: "`token <id>`, `worker <kind>`" }),
    createdAt: DateTimeSchema,
  },
  {
    $id: "RailStatement",
    description:
      "`opening` is what the account had before its first entry: the first statement less the entries that it covers. `unexplained` " +
      "is what neither the opening nor the entries explained when the statement was recorded.",
  },
);

export function railStatementJson(statement: RailStatement): string {
  const { currency, readAt } = statement;
  return JSON.stringify({
    id: toRailStatementId(statement.id),
    connectionId: toConnectionId(statement.connectionId),
    source: statement.source,
    asOf: statement.day,
    ...(readAt === null ? {} : { readAt: toIso(readAt) }),
    closing: ledgerAmount(statement.closingMinor, currency),
    opening: ledgerAmount(statement.openingMinor, currency),
    unexplained: ledgerAmount(statement.unexplainedMinor, currency),
    recordedBy: statement.recordedBy,
    createdAt: toIso(statement.createdAt),
  });
}

export const railStatementExample = {
  id: "RailStatement:019a4f00-0000-7000-8000-000000000026",
  connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
  source: "MANUAL",
  asOf: "2026-11-21",
  closing: { amount: "1250000", currency: "USD" },
  opening: { amount: "1000000", currency: "USD" },
  unexplained: { amount: "-1500", currency: "USD" },
  recordedBy: "token 019a4f00-0000-7000-8000-000000000007",
  createdAt: "2026-11-22T08:00:00.000Z",
};

export const firstStatementExample = {
  ...railStatementExample,
  closing: { amount: "1000000", currency: "USD" },
  unexplained: { amount: "0", currency: "USD" },
};
