/** Statements as the API shows them. */
import Type from "typebox";
import type { ListedEntry } from "../../domain/accounts/internal/entries.sql.ts";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import { type Statement, statementFormats } from "../../domain/accounts/statements/statement.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema, LedgerAmountSchema } from "../fields.ts";
import { csvLine } from "../reading/csv.ts";

const dateField = (description: string) => Type.String({ format: "date", description });

export const StatementSchema = Type.Object(
  {
    id: Type.String({ description: "`Statement:<uuid>`" }),
    number: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Of a whole month: 1 for the month in which the account came to be.",
      }),
    ),
    accountId: Type.String(),
    from: dateField("The first day."),
    to: dateField("The last day."),
    zone: Type.String({ description: "The time zone of the days." }),
    format: Type.Enum([...statementFormats]),
    state: Type.Enum(["PENDING", "READY"]),
    openingBalance: Type.Optional(LedgerAmountSchema),
    closingBalance: Type.Optional(LedgerAmountSchema),
    totalIn: Type.Optional(LedgerAmountSchema),
    totalOut: Type.Optional(LedgerAmountSchema),
    entries: Type.Optional(Type.Integer({ minimum: 0, description: "How many entries it has." })),
    sha256: Type.Optional(
      Type.String({ description: "Of the file's bytes, in hexadecimal digits." }),
    ),
    createdAt: DateTimeSchema,
  },
  { $id: "Statement", description: "The figures are there once `state` is `READY`." },
);

/** The head of the file. It holds no value that differs between two statements of the same period. */
export function statementHead(statement: Statement) {
  const { accountId, fromDate, toDate, zone, number, currency } = statement;
  const amount = (minor: bigint | null) => ({ amount: String(minor ?? 0n), currency });
  const { openingMinor, closingMinor, inMinor, outMinor, firstVersion, lastVersion } = statement;
  return {
    ...(number === null ? {} : { number }),
    accountId: toInternalAccountId(accountId),
    from: fromDate,
    to: toDate,
    zone,
    openingBalance: amount(openingMinor),
    totalIn: amount(inMinor),
    totalOut: amount(outMinor),
    closingBalance: amount(closingMinor),
    entries: Number((lastVersion ?? 0n) - (firstVersion ?? 1n) + 1n),
  };
}

export function statementJson(statement: Statement): string {
  const { id, format, state, sha256, createdAt } = statement;
  const { number, accountId, from, to, zone, ...figures } = statementHead(statement);
  return JSON.stringify({
    id: toWireId("Statement", id),
    number,
    accountId,
    from,
    to,
    zone,
    format,
    state,
    ...(state === "READY" ? { ...figures, sha256 } : {}),
    createdAt: toIso(createdAt),
  });
}

const amount = (minor: number) => ({ amount: String(minor), currency: "USD" });

export const statementExample = {
  id: "Statement:019a4f00-0000-7000-8000-00000000000a",
  number: 3,
  accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000004",
  from: "2026-10-01",
  to: "2026-10-31",
  zone: "UTC",
  format: "CSV",
  state: "READY",
  openingBalance: amount(100_000),
  totalIn: amount(0),
  totalOut: amount(1_500),
  closingBalance: amount(98_500),
  entries: 1,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  createdAt: "2026-11-21T10:00:00.000Z",
};

export const statementTypes = {
  JSON: "application/json; charset=utf-8",
  CSV: "text/csv; charset=utf-8",
} as const;

type Pages = AsyncIterable<readonly ListedEntry[]>;

/** The file of a statement that is ready; `pages` brings its entries in order. */
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
