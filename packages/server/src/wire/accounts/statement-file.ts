/** The file of a statement, piece by piece. The same statement always gives the same bytes. */

import type { ListedEntry } from "../../domain/accounts/internal/entries.sql.ts";
import type { Statement } from "../../domain/accounts/statements/statement.ts";
import { toIso } from "../../std/clock.ts";
import { csvLine } from "../reading/csv.ts";
import { statementHead } from "./statement.ts";

export const statementTypes = {
  JSON: "application/json; charset=utf-8",
  CSV: "text/csv; charset=utf-8",
} as const;

type Pages = AsyncIterable<readonly ListedEntry[]>;

/** Of a statement that is ready, and its entries in order. */
export function statementFile(statement: Statement, pages: Pages): AsyncGenerator<string, void> {
  return statement.format === "JSON" ? jsonFile(statement, pages) : csvFile(statement, pages);
}

async function* jsonFile(statement: Statement, pages: Pages): AsyncGenerator<string, void> {
  yield `{"statement":${JSON.stringify(statementHead(statement))},"lines":[`;
  let separator = "";
  for await (const page of pages) {
    yield separator + page.map((entry) => JSON.stringify(lineOf(entry))).join(",");
    separator = ",";
  }
  yield "]}\n";
}

async function* csvFile(statement: Statement, pages: Pages): AsyncGenerator<string, void> {
  const { openingBalance, closingBalance, from, to } = statementHead(statement);
  const { currency } = openingBalance;
  yield csvLine(["date", "reason", "amount", "currency", "balance", "transactionId", "posting"]);
  yield csvLine([from, "opening", "", currency, openingBalance.amount, "", ""]);
  for await (const page of pages) {
    yield page
      .map(lineOf)
      .map(({ at, reason, amount, balance, transactionId = "", posting }) =>
        csvLine([at, reason, amount, currency, balance, transactionId, posting]),
      )
      .join("");
  }
  yield csvLine([to, "closing", "", currency, closingBalance.amount, "", ""]);
}

function lineOf(entry: ListedEntry) {
  const { at, reason, amountMinor, balanceAfterMinor, transactionId, commandSeq } = entry;
  return {
    at: toIso(at),
    reason,
    amount: String(amountMinor),
    balance: String(balanceAfterMinor),
    ...(transactionId === null ? {} : { transactionId }),
    posting: `${commandSeq}.${entry.posting}`,
  };
}
