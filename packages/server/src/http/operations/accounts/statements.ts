import Type from "typebox";
import { createStatement as createStatementCommand } from "../../../domain/accounts/statements/create-statement.ts";
import {
  entriesBetween,
  findStatement,
  listStatements as loadStatements,
} from "../../../domain/accounts/statements/statement.sql.ts";
import { type Statement, statementFormats } from "../../../domain/accounts/statements/statement.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import { daysBetween } from "../../../std/calendar/time-zone.ts";
import {
  StatementSchema,
  statementExample,
  statementFile,
  statementJson,
  statementTypes,
} from "../../../wire/accounts/statement.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { fileAnswer } from "../../request/file-answer.ts";
import { defineNoun, getOne, listAll } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { byId } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const statements = defineNoun({
  path: "/statements",
  tag: "Statements",
  capability: "statements.read",
  schema: StatementSchema,
  example: statementExample,
  json: statementJson,
});

const MOST_DAYS = 366;

const createStatement = defineOperation({
  id: "createStatement",
  ...route("POST /statements", "VIEW", "statements.read"),
  tag: "Statements",
  summary: "Create a statement",
  description:
    "The period is whole days of the platform's `statementTimeZone`, at most 366, and must be over. The statement is added up afterwards; read it until its " +
    "`state` is `READY`. Orders of the same period and format give the same file.",
  body: Type.Object({
    accountId: Type.String({ description: "`InternalAccount:<uuid>`" }),
    from: Type.String({ format: "date", description: "The first day." }),
    to: Type.String({ format: "date", description: "The last day." }),
    format: Type.Enum([...statementFormats]),
  }),
  requestExample: {
    accountId: statementExample.accountId,
    from: "2026-10-01",
    to: "2026-10-31",
    format: "CSV",
  },
  answers: {
    202: {
      description: "The statement, without its figures yet.",
      schema: StatementSchema,
      example: pendingExample(),
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  judge({ from, to }) {
    const days = typeof from === "string" && typeof to === "string" ? daysBetween(from, to) : 1;
    const fault =
      days <= 0
        ? "must not be before from"
        : days > MOST_DAYS
          ? "must be within 366 days of from"
          : undefined;
    return fault === undefined
      ? { ok: true, value: undefined }
      : { ok: false, errors: [{ field: "to", message: fault }] };
  },
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: createStatementCommand,
      input: {
        accountId: requireId("InternalAccount", body.accountId, "REFERENCE_NOT_FOUND"),
        fromDate: body.from,
        toDate: body.to,
        format: body.format,
      },
      toAnswer: (statement) => ({ status: 202, body: statementJson(statement) }),
      idempotency,
    }),
});

function pendingExample() {
  const { id, number, accountId, from, to, zone, format, createdAt } = statementExample;
  return { id, number, accountId, from, to, zone, format, state: "PENDING", createdAt };
}

const listStatements = listAll({
  ...statements,
  id: "listStatements",
  summary: "List statements",
  answer: "The latest order first.",
  filters: { accountId: byId("InternalAccount", "t.account_id") },
  list: loadStatements,
});

const statementInPath = Type.Object({ statementId: pathId("Statement") });

const getStatement = getOne({
  ...statements,
  id: "getStatement",
  summary: "Get a statement",
  param: "statementId",
  kind: "Statement",
  answer: "The statement.",
  find: findStatement,
  missing: "STATEMENT_NOT_FOUND",
});

async function requireStatement(
  reads: Reads,
  platformId: string,
  statementId: string,
): Promise<Statement> {
  const id = requireId("Statement", statementId, "STATEMENT_NOT_FOUND");
  const statement = await findStatement(reads, platformId, id);
  if (statement === undefined) throw new Refusal("STATEMENT_NOT_FOUND");
  return statement;
}

const getStatementFile = defineOperation({
  id: "getStatementFile",
  ...route("GET /statements/{statementId}/file", "VIEW", "statements.read"),
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

export const statementOperations = [
  createStatement,
  listStatements,
  getStatement,
  getStatementFile,
];
