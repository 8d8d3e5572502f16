import Type from "typebox";
import { entriesBetween } from "../../../../domain/accounts/statements/statement.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { statementFile, statementTypes } from "../../../../wire/accounts/statement-file.ts";
import { fileAnswer } from "../../../request/file-answer.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { requireStatement, statementInPath } from "./get-statement.ts";

export const getStatementFile = defineOperation({
  id: "getStatementFile",
  method: "GET",
  path: "/statements/{statementId}/file",
  access: "VIEW",
  capability: "statements.read",
  opensPersonalData: true,
  tag: "Statements",
  summary: "Download a statement",
  description:
    "In the format that was ordered. CSV is as RFC 4180 has it, in UTF-8; a cell that a spreadsheet would run is prefixed with " +
    "an apostrophe. Amounts are whole numbers of the currency's smallest unit.",
  params: statementInPath,
  answers: {
    200: {
      description: "The file.",
      schema: Type.Object({}),
      example: { statement: { from: "2026-10-01", to: "2026-10-31", zone: "UTC" }, lines: [] },
      csv: "date,reason,amount,currency,balance,transactionId,posting\r\n2026-10-01,opening,,USD,100000,,\r\n",
    },
  },
  refusals: ["STATEMENT_NOT_FOUND", "CONFLICT"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const statement = await requireStatement(reads, platformId, params.statementId);
    const { state, format, accountId, firstVersion, lastVersion, fromDate, toDate } = statement;
    if (state !== "READY" || firstVersion === null || lastVersion === null) {
      throw new Refusal("CONFLICT", { state }, "The statement is not READY yet.");
    }
    const name = `statement-${fromDate}-${toDate}.${format.toLowerCase()}`;
    return fileAnswer(name, statementTypes[format], () => {
      const range = { accountId, first: firstVersion, last: lastVersion };
      return statementFile(statement, entriesBetween(reads, platformId, range));
    });
  },
});
