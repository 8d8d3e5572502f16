import Type from "typebox";
import { findStatement } from "../../../../domain/accounts/statements/statement.sql.ts";
import type { Statement } from "../../../../domain/accounts/statements/statement.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import type { Reads } from "../../../../postgres/database.ts";
import {
  StatementSchema,
  statementExample,
  statementJson,
} from "../../../../wire/accounts/statement.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const statementInPath = Type.Object({ statementId: pathId("Statement") });

export const getStatement = defineOperation({
  id: "getStatement",
  method: "GET",
  path: "/statements/{statementId}",
  access: "VIEW",
  capability: "statements.read",
  tag: "Statements",
  summary: "Get a statement",
  params: statementInPath,
  answers: {
    200: { description: "The statement.", schema: StatementSchema, example: statementExample },
  },
  refusals: ["STATEMENT_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const statement = await requireStatement(reads, platformId, params.statementId);
    return { status: 200, body: statementJson(statement) };
  },
});

export async function requireStatement(
  reads: Reads,
  platformId: string,
  statementId: string,
): Promise<Statement> {
  const id = requireId("Statement", statementId, "STATEMENT_NOT_FOUND");
  const statement = await findStatement(reads, platformId, id);
  if (statement === undefined) throw new Refusal("STATEMENT_NOT_FOUND");
  return statement;
}
