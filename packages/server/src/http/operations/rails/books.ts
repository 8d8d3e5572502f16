import Type from "typebox";
import { createRailBalance as createRailBalanceCommand } from "../../../domain/rails/books/create-rail-balance.ts";
import {
  coveredUpTo,
  type Reconciliation,
  reconcile,
} from "../../../domain/rails/books/reconciliation.sql.ts";
import { calendarOf } from "../../../domain/rails/connections/calendar.ts";
import type { RailConnection } from "../../../domain/rails/connections/rail-connection.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import { currencyCodeParameter, currencyField } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { askedAnswer, waitingAnswer } from "../../../wire/rails/rail-mark.ts";
import {
  firstStatementExample,
  RailStatementSchema,
  railStatementJson,
} from "../../../wire/rails/rail-statement.ts";
import {
  reconciliationFile,
  reconciliationFileExample,
  wireReconciliation,
} from "../../../wire/rails/reconciliation.ts";
import { shown } from "../../request/noun.ts";
import { defineOperation, type Principal, route } from "../../request/operation.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { requireConnection, requireConnectionId } from "./connection-body.ts";

const reconciliationQuery = Type.Object({
  asOf: Type.Optional(
    Type.String({
      format: "date",
      description: "Compares with the last statement of this day or before. Today without it.",
      examples: ["2026-11-21"],
    }),
  ),
  currency: currencyCodeParameter("Needed when the connection has several currencies."),
});

async function readReconciliation(
  services: Services,
  { platformId }: Pick<Principal, "platformId">,
  asked: {
    readonly connectionId: string;
    readonly asOf?: string | undefined;
    readonly currency?: string | undefined;
  },
): Promise<Reconciliation> {
  const { connection } = await requireConnection(services, { platformId }, asked.connectionId);
  const currency = currencyIn(connection, asked.currency);
  const { today, agedSince } = calendarOf(connection, await platformTime(services, platformId));
  const { asOf: day = today } = asked;
  const since = agedSince();
  return reconcile(services.reads, platformId, {
    connectionId: connection.id,
    currency,
    day,
    since,
  });
}

function currencyIn({ currencies }: RailConnection, asked: string | undefined): string {
  const [only, ...others] = currencies;
  const list = currencies.join(", ");
  if (asked === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw invalidField("currency", `is needed: the connection has ${list}`);
  }
  if (currencies.includes(asked)) return asked;
  throw invalidField("currency", `is not a currency of the connection, which has ${list}`);
}

const LARGEST = Number(MAX_AMOUNT_MINOR);

const createRailBalance = defineOperation({
  id: "createRailBalance",
  ...route("POST /rails/connections/{connectionId}/balances", "TRANSACT", "reconciliation.write"),
  needsProof: true,
  tag: "Rails",
  summary: "Record a balance",
  description:
    "Of a `MANUAL` connection: what the account at the bank has at the end of a day, typed in. The first balance also says what the account " +
    "had before its first entry (`opening`), which is booked as the platform's own funds; a balance of an earlier day corrects that. A later balance that the " +
    "entries do not explain leaves `unexplained`. A connector is asked for its balances when its feed is read.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  body: Type.Object({
    currency: currencyField(),
    asOf: Type.String({ format: "date" }),
    booked: Type.Integer({
      minimum: -LARGEST,
      maximum: LARGEST,
      description: "Whole number of the smallest unit; negative when the account is overdrawn.",
    }),
  }),
  requestExample: { currency: "USD", asOf: "2026-11-21", booked: 1000000 },
  answers: {
    201: {
      description: "The statement.",
      schema: RailStatementSchema,
      example: firstStatementExample,
    },
    202: waitingAnswer,
  },
  events: ["RAIL_RECONCILIATION.DIFFERENCE"],
  refusals: ["INVALID_INPUT", "AMOUNT_OUT_OF_RANGE", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, idempotency }, { engine, reads }: Services) {
    const connectionId = requireConnectionId(params.connectionId);
    const { currency, asOf: day } = body;
    const { platformId } = principal;
    const covered = await coveredUpTo(reads, platformId, { connectionId, currency }, day);
    return submitForCaller(engine, principal, {
      command: createRailBalanceCommand,
      input: { connectionId, currency, day, closingMinor: BigInt(body.booked), ...covered },
      toAnswer: (asked) => askedAnswer(asked, { status: 201, bodyOf: railStatementJson }),
      idempotency,
    });
  },
});

const getRailReconciliation = defineOperation({
  id: "getRailReconciliation",
  ...route("GET /rails/connections/{connectionId}/reconciliation", "VIEW", "rails.read"),
  tag: "Rails",
  summary: "Reconcile a connection",
  description:
    "Compares the books, as they are now, with the last statement of a day or before. `unexplained` is 0 whenever every line of the account was " +
    "told: an order that settled and is not on the statement, and an entry that the statement does not cover, explain a difference.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  query: reconciliationQuery,
  answers: {
    200: shown(wireReconciliation, "The figures, all of one moment."),
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { connectionId } = params;
    const found = await readReconciliation(services, principal, { connectionId, ...query });
    return { status: 200, body: wireReconciliation.json(found) };
  },
});

const getRailReconciliationFile = defineOperation({
  id: "getRailReconciliationFile",
  ...route("GET /rails/connections/{connectionId}/reconciliation.csv", "VIEW", "rails.read"),
  opensPersonalData: true,
  tag: "Rails",
  summary: "Download a reconciliation",
  description: "The same figures as CSV, a line each, in the smallest unit of the currency.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  query: reconciliationQuery,
  answers: {
    200: {
      description: "The figures.",
      contentType: "text/csv",
      example: reconciliationFileExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { connectionId } = params;
    const found = await readReconciliation(services, principal, { connectionId, ...query });
    return {
      status: 200,
      contentType: "text/csv; charset=utf-8",
      headers: ["Content-Disposition", 'attachment; filename="reconciliation.csv"'],
      body: Buffer.from(reconciliationFile(found)),
    };
  },
});

export const bookOperations = [createRailBalance, getRailReconciliation, getRailReconciliationFile];
