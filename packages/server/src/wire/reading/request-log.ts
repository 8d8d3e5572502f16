import Type from "typebox";
import type { CallContent } from "../../domain/reading/request-logs/request-log.port.ts";
import type { RequestLogRow } from "../../domain/reading/request-logs/request-log.sql.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, optional } from "../fields.ts";

const callFields = {
  id: Type.String({ description: "`RequestLog:<uuid>`" }),
  createdAt: {
    ...DateTimeSchema,
    description: "When the call arrived, in the time of the server.",
  },
  method: Type.String(),
  path: Type.String({
    description: "Below the version. A segment that is no id is `[redacted]`.",
  }),
  operationId: Type.String(),
  status: Type.Integer(),
  errorCode: Type.Optional(Type.String({ description: "Of a refusal." })),
  durationMs: Type.Integer({ description: "From the head of the request to its answer." }),
  requestBytes: Type.Integer({ description: "Of the body." }),
  responseBytes: Type.Integer({ description: "Of the body." }),
  tokenId: Type.Optional(Type.String({ description: "The token that called." })),
  agentId: Type.Optional(Type.String({ description: "The agent that called." })),
  personId: Type.Optional(Type.String({ description: "The person who called, in a browser." })),
  address: Type.String({ description: "The address that the call came from." }),
  requestId: Type.String({ description: "The `X-Request-Id` of the answer." }),
  resourceId: Type.Optional(Type.String({ description: "The last id of the path." })),
  replayed: Type.Boolean({ description: "The stored answer of an idempotency key." }),
  sampledOneIn: Type.Integer({
    description: "For how many calls this one stands; more than 1 where the log was thinned.",
  }),
};

export const RequestLogSchema = Type.Object(callFields, { $id: "RequestLog" });

const body = (what: string) =>
  Type.Optional(
    Type.Union([Type.Object({}), Type.String()], {
      description:
        `${what}, for tokens with \`MANAGE\` as well. Secrets and what the operation does not declare are \`[redacted]\`; ` +
        "`[omitted]` when it is larger than 16 kB or a form.",
    }),
  );

export const RequestLogDetailSchema = Type.Object(
  {
    ...callFields,
    idempotencyKey: Type.Optional(Type.String()),
    headers: Type.Record(Type.String(), Type.String(), {
      description: "Those that are known to hold no secret, by lower-case name.",
    }),
    query: body("The parameters"),
    requestBody: body("The body of the request"),
    responseBody: body("The body of the answer"),
  },
  { $id: "RequestLogDetail" },
);

function callerOf({ isAgent, isPerson }: RequestLogRow, id: string) {
  if (isAgent) return { agentId: `Agent:${id}` };
  return isPerson ? { personId: `Person:${id}` } : { tokenId: `Token:${id}` };
}

function rowToWire(row: RequestLogRow) {
  const { actorId } = row;
  return {
    id: `RequestLog:${row.id}`,
    createdAt: toIso(row.createdAt),
    method: row.method,
    path: row.path,
    operationId: row.operationId,
    status: row.status,
    ...optional("errorCode", row.errorCode),
    durationMs: row.durationMs,
    requestBytes: row.requestBytes,
    responseBytes: row.responseBytes,
    ...callerOf(row, actorId),
    address: row.address,
    requestId: row.requestId,
    ...optional("resourceId", row.resourceId),
    replayed: row.replayed,
    sampledOneIn: row.sampledOneIn,
  };
}

export function requestLogJson(row: RequestLogRow): string {
  return JSON.stringify(rowToWire(row));
}

/** The query and the bodies are for those who may manage: they hold personal data. */
export function requestLogDetailJson(
  row: RequestLogRow,
  content: CallContent,
  mayReadBodies: boolean,
): string {
  const { query, requestBody, responseBody, ...others } = content;
  const bodies = mayReadBodies ? { query, requestBody, responseBody } : {};
  return JSON.stringify({ ...rowToWire(row), ...others, ...bodies });
}

export const requestLogExample = {
  id: "RequestLog:019a4f00-0000-7000-8000-00000000000b",
  createdAt: "2026-11-21T10:00:00.000Z",
  method: "POST",
  path: "/quotes/Quote:019a4f00-0000-7000-8000-000000000004/execute",
  operationId: "executeQuote",
  status: 409,
  errorCode: "QUOTE_EXPIRED",
  durationMs: 7,
  requestBytes: 0,
  responseBytes: 78,
  tokenId: "Token:019a4f00-0000-7000-8000-000000000005",
  address: "203.0.113.7",
  requestId: "5f2a9c0d1e6f-1a",
  resourceId: "Quote:019a4f00-0000-7000-8000-000000000004",
  replayed: false,
  sampledOneIn: 1,
};

export const requestLogDetailExample = {
  ...requestLogExample,
  idempotencyKey: "order-4711",
  headers: { "content-type": "application/json", "user-agent": "payouts/1.4" },
  responseBody: {
    status: 409,
    code: "QUOTE_EXPIRED",
    message: "The quote was not executed in time.",
  },
};
