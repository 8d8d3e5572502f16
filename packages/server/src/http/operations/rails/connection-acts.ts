import Type from "typebox";
import { accountNumberFault } from "../../../domain/accounts/external/check-digits.ts";
import { activateOrder, shownConnection } from "../../../domain/people/approvals/held-control.ts";
import { archiveRailConnection as archiveRailConnectionCommand } from "../../../domain/rails/connections/archive-rail-connection.ts";
import { missingIn } from "../../../domain/rails/connections/connection-settings.ts";
import {
  pauseRailConnection as pauseRailConnectionCommand,
  resumeRailConnection as resumeRailConnectionCommand,
} from "../../../domain/rails/connections/pause-rail-connection.ts";
import {
  blockersIn,
  connectionHealth,
  type FoundConnection,
} from "../../../domain/rails/connections/rail-connection.sql.ts";
import { pauseModes, toConnectionId } from "../../../domain/rails/connections/rail-connection.ts";
import { addVirtualAccounts as addVirtualAccountsCommand } from "../../../domain/rails/funding/add-virtual-accounts.ts";
import { freeCount, knownNumbers } from "../../../domain/rails/funding/funding.sql.ts";
import {
  MOST_VIRTUAL_ACCOUNTS_AT_ONCE,
  numberOf,
} from "../../../domain/rails/funding/virtual-account.ts";
import type { ConnectorCheck } from "../../../domain/rails/orders/connector.port.ts";
import { queuedPages } from "../../../domain/rails/orders/rail-payment.sql.ts";
import { countUnderWay } from "../../../domain/uma/incoming/uma-invoice.sql.ts";
import { type FieldError, Refusal, wrongState } from "../../../engine/refusal.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { waitingForPeople } from "../../../wire/people/approval.ts";
import { queueFile } from "../../../wire/rails/queue-file.ts";
import {
  connectionJson,
  RailConnectionSchema,
  railConnectionExample,
} from "../../../wire/rails/rail-connection.ts";
import { virtualAccountField } from "../../../wire/rails/virtual-account.ts";
import { submitHeldFound } from "../../approvals/submit-held.ts";
import { defineOperation, type Principal, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { toErrorAnswer } from "../../server/errors.ts";
import { approvalEvents } from "../event-lists.ts";
import { activationInput, requireConnection, requireConnectionId } from "./connection-body.ts";

const testRailConnection = defineOperation({
  id: "testRailConnection",
  ...route("POST /rails/connections/{connectionId}/test", "MANAGE", "rails.write"),
  ignoresKey: true,
  tag: "Rails",
  summary: "Test a rail connection",
  description:
    "A dry run, which changes nothing and moves nothing: whether its settings are complete, and of an `HTTP` connection whether " +
    "the connector describes itself, refuses a wrong signature, and says of an unknown payment that it was not received. Takes at most 30 seconds.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "Every check; `ok` when all passed.",
      schema: Type.Object({
        ok: Type.Boolean(),
        checks: Type.Array(
          Type.Object({
            name: Type.String(),
            ok: Type.Boolean(),
            message: Type.String(),
            ms: Type.Integer(),
          }),
        ),
      }),
      example: {
        ok: true,
        checks: [{ name: "settings", ok: true, message: "Nothing is missing.", ms: 0 }],
      },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, services: Services) {
    const found = await requireConnection(services, principal, params.connectionId);
    const { status } = found.connection;
    if (status === "ARCHIVED") {
      throw wrongState({ object: "connection", status, needed: "live", action: "tried" });
    }
    const checks = await checksOf(found, services);
    const body = JSON.stringify({ ok: checks.every(({ ok }) => ok), checks });
    return { status: 200, body };
  },
});

/** Calls a connector only when its address and its secret are set. Missing capabilities are no fault: the connector reports them. */
async function checksOf(
  found: FoundConnection,
  { connectors }: Services,
): Promise<readonly ConnectorCheck[]> {
  const missing = missingIn(found.connection).filter((field) => field !== "capabilities");
  const message = missing.length === 0 ? "Nothing is missing." : `Missing: ${missing.join(", ")}.`;
  const settings = { name: "settings", ok: missing.length === 0, message, ms: 0 };
  const { kind, settings: set, signingSecretSealed } = found.connection;
  const isReachable = set.baseUrl !== undefined && signingSecretSealed !== null;
  if (kind !== "HTTP" || !isReachable) return [settings];
  return [settings, ...(await connectors.test(found))];
}

const activateRailConnection = defineOperation({
  id: "activateRailConnection",
  ...route("POST /rails/connections/{connectionId}/activate", "MANAGE", "rails.write"),
  tag: "Rails",
  summary: "Activate a rail connection",
  description:
    "From `SETUP`. Of an `HTTP` connection the connector is asked what it carries; only capabilities in the connection's " +
    "currencies count. While something is missing, `details.missing` names every field. In production it waits for another owner where the workspace has two.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "The connection, `ACTIVE`.",
      schema: RailConnectionSchema,
      example: { ...railConnectionExample, health: undefined },
    },
    202: waitingForPeople,
  },
  events: ["RAIL_CONNECTION.DEGRADED", "RAIL_CONNECTION.RECOVERED", ...approvalEvents],
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, services: Services) =>
    submitHeldFound(services, principal, {
      order: activateOrder,
      find: async () => {
        const found = await requireConnection(services, principal, params.connectionId);
        const connection = shownConnection(found.connection);
        const content = { connectionId: toConnectionId(found.connection.id), connection };
        return { content, input: await activationInput(services, { found }) };
      },
      toAnswer: (connection) => ({ status: 200, body: connectionJson(connection) }),
      idempotency,
    }),
});

const pauseRailConnection = defineOperation({
  id: "pauseRailConnection",
  ...route("POST /rails/connections/{connectionId}/pause", "MANAGE", "rails.write"),
  tag: "Rails",
  summary: "Pause a rail connection",
  description:
    "Nothing is sent any more; what was sent is still asked about, and reports are taken. New payments are refused, or with " +
    "`QUEUE` accepted and sent after `resume`.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  body: Type.Object({
    newPayments: Type.Optional(Type.Enum([...pauseModes], { description: "REFUSE when absent." })),
  }),
  bodyOptional: true,
  requestExample: { newPayments: "QUEUE" },
  answers: {
    200: {
      description: "The connection, `PAUSED`.",
      schema: RailConnectionSchema,
      example: {
        ...railConnectionExample,
        status: "PAUSED",
        newPayments: "QUEUE",
        health: undefined,
      },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: pauseRailConnectionCommand,
      input: {
        connectionId: requireConnectionId(params.connectionId),
        newPayments: body?.newPayments ?? "REFUSE",
      },
      toAnswer: (connection) => ({ status: 200, body: connectionJson(connection) }),
      idempotency,
    }),
});

const resumeRailConnection = defineOperation({
  id: "resumeRailConnection",
  ...route("POST /rails/connections/{connectionId}/resume", "MANAGE", "rails.write"),
  tag: "Rails",
  summary: "Resume a rail connection",
  description: "What was queued is sent.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "The connection, `ACTIVE`.",
      schema: RailConnectionSchema,
      example: { ...railConnectionExample, health: undefined },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: resumeRailConnectionCommand,
      input: { connectionId: requireConnectionId(params.connectionId) },
      toAnswer: (connection) => ({ status: 200, body: connectionJson(connection) }),
      idempotency,
    }),
});

const archiveRailConnection = defineOperation({
  id: "archiveRailConnection",
  ...route("DELETE /rails/connections/{connectionId}", "MANAGE", "rails.write"),
  tag: "Rails",
  summary: "Archive a rail connection",
  description:
    "Its payments stay readable, its secrets are destroyed, its name is free again. Refused while it has a route, a payment that " +
    "is not over or one in conflict, an open item, a mark that waits or an invoice that may still be paid; `details.blockers` counts them. Refused too of the connection of the layer between sandboxes.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: { 204: { description: "Archived." } },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, services: Services) {
    for (let tries = 1; ; tries++) {
      const answer = await archive(services, principal, params.connectionId);
      if (answer.body !== TOUCHED.body || tries === MOST_TRIES) return answer;
    }
  },
});

/** Attempts to archive. A connection that is touched between the count and the commit of each attempt is in use. */
const MOST_TRIES = 5;
const TOUCHED = toErrorAnswer(
  new Refusal("CONFLICT", {}, "The connection is in use; send the request again."),
);

async function archive(services: Services, principal: Principal, rawId: string) {
  const { connection } = await requireConnection(services, principal, rawId);
  const { reads } = services;
  const { platformId } = principal;
  const all = await connectionHealth(reads, platformId, [connection.id]);
  const health = all.get(connection.id);
  const openInvoices = await countUnderWay(reads, platformId, connection.id);
  return submitForCaller(services.engine, principal, {
    command: archiveRailConnectionCommand,
    input: {
      connectionId: connection.id,
      openPayments: blockersIn(health),
      openItems: health?.openItems ?? 0,
      waitingMarks: health?.waitingMarks ?? 0,
      openInvoices,
      touchedAt: connection.touchedAt,
    },
    toAnswer: (archived) => (archived === "touched" ? TOUCHED : { status: 204, body: "" }),
  });
}

const CONTENT_TYPE = "text/csv; charset=utf-8";

const getRailQueueFile = defineOperation({
  id: "getRailQueueFile",
  ...route("GET /rails/connections/{connectionId}/queue.csv", "TRANSACT", "reconciliation.write"),
  opensPersonalData: true,
  tag: "Rails",
  summary: "Download the queue of a connection",
  description:
    "Every order that is `QUEUED`, oldest first, with whole account numbers and amounts in whole units, for the people who work it off; then those that " +
    "were sent and are to be recalled, with the reason in `recall`. " +
    "A cell that a spreadsheet would run is prefixed with an apostrophe.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  answers: {
    200: {
      description: "The queue.",
      contentType: "text/csv",
      example:
        "id,createdAt,direction,paymentRail,currency,amount,name,accountType,account,reference,remittance,endToEndId,recall\r\n",
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const { connection } = await requireConnection(services, principal, params.connectionId);
    const { platformId } = principal;
    return {
      status: 200,
      contentType: CONTENT_TYPE,
      headers: ["Content-Disposition", 'attachment; filename="queue.csv"'],
      body: () => queueFile(queuedPages(services.reads, platformId, connection.id)),
    };
  },
});

/** The most faults that one answer names. */
const MOST_FAULTS = 50;

const addVirtualAccounts = defineOperation({
  id: "addVirtualAccounts",
  ...route("POST /rails/connections/{connectionId}/virtual-accounts", "MANAGE", "rails.write"),
  tag: "Rails",
  summary: "Add virtual accounts",
  description:
    "Numbers of the bank that all lead to the account of a connection with the funding mode `VIRTUAL_ACCOUNTS`. Each internal account that " +
    "payers are told of gets one of its own, and keeps it. A number that the pool has already is left as it is. IBANs are texts. A body has at " +
    "most 256 kB: send more in several calls.",
  params: Type.Object({ connectionId: pathId("RailConnection") }),
  body: Type.Object({
    accounts: Type.Array(virtualAccountField, {
      minItems: 1,
      maxItems: MOST_VIRTUAL_ACCOUNTS_AT_ONCE,
    }),
  }),
  requestExample: { accounts: ["DE89370400440532013000"] },
  answers: {
    200: {
      description: "What became of them.",
      schema: Type.Object({
        added: Type.Integer(),
        known: Type.Integer({
          description: "Those that the pool had already, or that came twice.",
        }),
        free: Type.Integer({
          description: "Numbers of the pool that no account has; counted up to 10,000.",
        }),
      }),
      example: { added: 1, known: 0, free: 1 },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  judge: judgeNumbers,
  async handle({ principal, params, body, idempotency }, { engine, reads }: Services) {
    const connectionId = requireConnectionId(params.connectionId);
    const { platformId } = principal;
    const numbers = [...new Set(body.accounts.map(numberOf))];
    const known = await knownNumbers(reads, platformId, { connectionId, numbers });
    const before = await freeCount(reads, platformId, connectionId);
    return submitForCaller(engine, principal, {
      command: addVirtualAccountsCommand,
      input: { connectionId, numbers, known },
      toAnswer: ({ added }) => ({
        status: 200,
        body: JSON.stringify({
          added,
          known: body.accounts.length - added,
          free: before + added,
        }),
      }),
      idempotency,
    });
  },
});

/** Checks the check digits of each number. */
function judgeNumbers({ accounts }: JsonObject): Judgement<undefined> {
  const errors: FieldError[] = [];
  for (const [index, account] of (Array.isArray(accounts) ? accounts : []).entries()) {
    if (errors.length === MOST_FAULTS) break;
    const field = `accounts[${index}]`;
    if (typeof account === "string") {
      const message = accountNumberFault("iban", account);
      if (message !== undefined) errors.push({ field, message });
    } else if (isJsonObject(account) && typeof account.routingNumber === "string") {
      const message = accountNumberFault("routingNumber", account.routingNumber);
      if (message !== undefined) errors.push({ field: `${field}.routingNumber`, message });
    }
  }
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

export const connectionActs = [
  testRailConnection,
  activateRailConnection,
  pauseRailConnection,
  resumeRailConnection,
  archiveRailConnection,
  getRailQueueFile,
  addVirtualAccounts,
];
