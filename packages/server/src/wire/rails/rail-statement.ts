import { type RailStatement, statementSources } from "../../domain/rails/books/rail-statement.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const {
  schema: RailStatementSchema,
  json: railStatementJson,
  example: railStatementExample,
} = wireObject(
  {
    $id: "RailStatement",
    description:
      "`opening` is what the account had before its first entry: the first statement less the entries that it covers. `unexplained` " +
      "is what neither the opening nor the entries explained when the statement was recorded.",
  },
  ({ of, maybe }: Kit<RailStatement>) => ({
    id: of.id("RailStatement", { description: "`RailStatement:<uuid>`", example: 26 }),
    connectionId: of.id("RailConnection", { example: 21 }),
    source: of.enum(statementSources, {
      description: "`MANUAL`: a person typed it in. `CONNECTOR`: the connector was asked.",
      example: "MANUAL",
    }),
    asOf: of.text({
      from: "day",
      format: "date",
      description: "`MANUAL`: it covers the entries that were booked up to the end of this day.",
      example: "2026-11-21",
    }),
    readAt: maybe.time({
      description: "`CONNECTOR`: it covers the entries that were told before.",
    }),
    closing: of.ledgerAmount("closingMinor", { example: 1_250_000n }),
    opening: of.ledgerAmount("openingMinor", { example: 1_000_000n }),
    unexplained: of.ledgerAmount("unexplainedMinor", { example: -1_500n }),
    recordedBy: of.text({
      description: "`token <id>`, `worker <kind>`",
      example: "token 019a4f00-0000-7000-8000-000000000007",
    }),
    createdAt: of.time({ example: "2026-11-22T08:00:00.000Z" }),
  }),
);

export const firstStatementExample = {
  ...railStatementExample,
  closing: { amount: "1000000", currency: "USD" },
  unexplained: { amount: "0", currency: "USD" },
};
