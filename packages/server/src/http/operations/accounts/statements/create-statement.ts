import Type from "typebox";
import { createStatement as command } from "../../../../domain/accounts/statements/create-statement.ts";
import { statementFormats } from "../../../../domain/accounts/statements/statement.ts";
import { daysBetween } from "../../../../std/calendar/time-zone.ts";
import {
  StatementSchema,
  statementExample,
  statementJson,
} from "../../../../wire/accounts/statement.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

const MOST_DAYS = 366;

export const createStatement = defineOperation({
  id: "createStatement",
  method: "POST",
  path: "/statements",
  access: "VIEW",
  capability: "statements.read",
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
      command,
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
