import Type, { type Static } from "typebox";
import {
  type CallFilter,
  findRequestLog,
  listRequestLogs as loadRequestLogs,
  MOST_WALKED,
  type RequestLogRow,
} from "../../../domain/reading/request-logs/request-log.sql.ts";
import { invalidField, Refusal, refusalCodes } from "../../../engine/refusal.ts";
import { anyIdPattern } from "../../../std/ids.ts";
import type { Condition } from "../../../tables/list-query.ts";
import { formedText } from "../../../validation/schema.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { idField, pathId } from "../../../wire/id-fields.ts";
import { parseId, queryId, requireId } from "../../../wire/ids.ts";
import {
  RequestLogDetailSchema,
  requestLogDetailExample,
  requestLogDetailJson,
  wireRequestLog,
} from "../../../wire/reading/request-log.ts";
import { createdConditions, when } from "../../request/filters.ts";
import { answerPage } from "../../request/list.ts";
import { uncountedPageOf } from "../../request/noun.ts";
import { defineOperation, mayReadBodies, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { eventStreamAnswer, LAST_EVENT_ID } from "../../request/server-sent-events.ts";
import type { Services } from "../../request/services.ts";
import { STREAMS_OF_PLATFORM } from "../../request-log/call-tails.ts";
import type { RequestLogReader } from "../../request-log/reader.ts";

const text = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description, examples: [example] }));

export const requestLogFilters = {
  method: Type.Optional(Type.Enum(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"])),
  path: text(512, "Exactly this path, below the version.", "/transfer-out"),
  operationId: text(64, "The operation's `operationId`.", "transferOut"),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, examples: [400] })),
  statusClass: Type.Optional(Type.Enum(["2xx", "4xx", "5xx"])),
  errorCode: Type.Optional(Type.Enum([...refusalCodes])),
  idempotencyKey: text(255, "The `Idempotency-Key` of the call.", "order-1042"),
  requestId: text(128, "The `X-Request-Id` of the answer.", "checkout-77"),
  tokenId: Type.Optional(idField("Token", { description: "The token that called." })),
  agentId: Type.Optional(idField("Agent", { description: "The agent that called." })),
  source: Type.Optional(
    Type.Enum(["API", "CONSOLE"], {
      description:
        "Calls of programs (`API`) or of people (`CONSOLE`). Without it, and without `requestId`, the reads of people are left out.",
    }),
  ),
  resourceId: Type.Optional(
    formedText(`^${anyIdPattern}$`, "must be the id of an object", {
      description: "The last id of the path.",
      examples: ["Transaction:019a4f00-0000-7000-8000-000000000002"],
    }),
  ),
  replayed: Type.Optional(Type.Boolean()),
  minLatencyMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, examples: [500] })),
  since: dateTimeParameter("Calls of this time or later."),
  until: dateTimeParameter("Calls of this time or earlier."),
};

const Filters = Type.Object(requestLogFilters);
type Query = Static<typeof Filters>;

const listRequestLogs = defineOperation({
  id: "listRequestLogs",
  ...route("GET /request-logs", "VIEW", "logs.read"),
  tag: "Request log",
  summary: "List request logs",
  description:
    "Calls appear about a second after their answer and are kept for a week, or as long as the operator has set. It is no audit " +
    "log: on a busy day calls are thinned, successful reads first, and calls may be missing. " +
    `A page looks through ${MOST_WALKED} calls at most, so it may have fewer than its limit, or none, with \`hasMore\`.`,
  query: Type.Object({ ...requestLogFilters, ...pageParameters }),
  answers: {
    200: uncountedPageOf(wireRequestLog),
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listRequestLogs",
      principal,
      query,
      load: (page) =>
        loadRequestLogs(services.reads, {
          ...page,
          filter: requestLogFilter(query, principal.platformId, services.requestLogs),
        }),
      positionOf: ({ id }) => id,
      toJson: wireRequestLog.json,
    }),
});

export function requestLogFilter(
  query: Query,
  platformId: string,
  { keyDigest }: RequestLogReader,
): CallFilter {
  const { idempotencyKey: key, status, minLatencyMs: slow } = query;
  const caller = queryId("Token", query.tokenId) ?? queryId("Agent", query.agentId);
  return {
    walked: [
      ...createdConditions(query.since, query.until),
      when(query.requestId, "t.request_id = ?::text"),
      when(query.resourceId, "t.resource_id = ?::text"),
      isRefused(query) ? { sql: "t.status >= 400" } : undefined,
      query.replayed === true ? { sql: "t.replayed" } : undefined,
      slow !== undefined && slow >= SLOW_MS ? { sql: `t.duration_ms >= ${SLOW_MS}` } : undefined,
    ],
    shown: [
      sourceCondition(query),
      when(query.method, "t.method = ?::text"),
      when(query.path, "t.path = ?::text"),
      when(query.operationId, "t.operation_id = ?::text"),
      status === undefined ? undefined : { sql: "t.status = ?::int4", value: status },
      query.statusClass === undefined ? undefined : { sql: CLASSES[query.statusClass] },
      when(query.errorCode, "t.error_code = ?::text"),
      key === undefined
        ? undefined
        : { sql: "t.key_digest = ?::uuid", value: keyDigest(platformId, key) },
      when(caller, "t.actor_id = ?::uuid"),
      query.replayed === false ? { sql: "not t.replayed" } : undefined,
      slow === undefined ? undefined : { sql: "t.duration_ms >= ?::int4", value: slow },
    ],
  };
}

const CLASSES = {
  "2xx": "t.status < 400",
  "4xx": "t.status >= 400 and t.status < 500",
  "5xx": "t.status >= 500",
} as const;

/** The partial index of slow calls contains calls of at least this duration. */
const SLOW_MS = 250;

function isRefused({ status, statusClass, errorCode }: Query): boolean {
  return (
    (status !== undefined && status >= 400) ||
    (statusClass !== undefined && statusClass !== "2xx") ||
    errorCode !== undefined
  );
}

const READS_OF_PERSONS = "t.is_person and t.method in ('GET', 'HEAD')";
const SOURCES = { API: "not t.is_person", CONSOLE: "t.is_person" } as const;

/** A page of the console makes many calls. They are left out unless the filter asks for them or for one call. */
function sourceCondition({ source, requestId }: Query): Condition | undefined {
  if (source !== undefined) return { sql: SOURCES[source] };
  if (requestId !== undefined) return undefined;
  return { sql: `not (${READS_OF_PERSONS})` };
}

const streamRequestLogs = defineOperation({
  id: "streamRequestLogs",
  ...route("GET /request-logs/stream", "VIEW", "logs.read"),
  opensPersonalData: true,
  tag: "Request log",
  summary: "Stream request logs",
  description:
    "A stream of server-sent events with the filters of the list. `id` is the id of the call, `event` is `call`, `data` the call as " +
    "the list shows it. It has the calls of all servers, about a second after their answer, and goes on until the caller leaves " +
    "or the server stops. It starts behind the call that `Last-Event-ID` names, and without it at this moment. A line is sent " +
    `at least every 20 seconds. A platform may have ${STREAMS_OF_PLATFORM} of these streams at a time; the next one is refused ` +
    "with 429.",
  query: Type.Object(requestLogFilters),
  headers: [
    {
      name: LAST_EVENT_ID,
      description: "The `id` of the last call that was received.",
      example: wireRequestLog.example.id,
    },
  ],
  answers: {
    200: {
      description: "The calls, in the order in which they were written.",
      contentType: "text/event-stream",
      example: toFrame(wireRequestLog.example.id, JSON.stringify(wireRequestLog.example)),
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query, headers }, services: Services) {
    const after = afterOf(headers["last-event-id"]);
    const filter = requestLogFilter(query, platformId, services.requestLogs);
    return eventStreamAnswer<RequestLogRow>({
      open: () => services.callTails.open({ platformId, filter, after }),
      opening: "florin calls",
      toFrame: (row) => toFrame(`RequestLog:${row.id}`, wireRequestLog.json(row)),
      clock: services.clock,
    });
  },
});

function afterOf(lastEventId: string | undefined): string | undefined {
  if (lastEventId === undefined) return undefined;
  const id = parseId("RequestLog", lastEventId);
  if (id === undefined) throw invalidField(LAST_EVENT_ID, "must be the id of a logged call");
  return id;
}

function toFrame(id: string, json: string): string {
  return `id: ${id}\nevent: call\ndata: ${json}\n\n`;
}

const getRequestLog = defineOperation({
  id: "getRequestLog",
  ...route("GET /request-logs/{requestLogId}", "VIEW", "logs.read"),
  tag: "Request log",
  summary: "Get a request log",
  description:
    "The parameters and the bodies are in the answer when the token has `MANAGE` as well.",
  params: Type.Object({ requestLogId: pathId("RequestLog") }),
  answers: {
    200: {
      description: "The call with its headers, without credentials and other secrets.",
      schema: RequestLogDetailSchema,
      example: requestLogDetailExample,
    },
  },
  refusals: ["REQUEST_LOG_NOT_FOUND"],
  notesRead: true,
  async handle({ principal, params }, { reads, requestLogs }: Services) {
    const { platformId } = principal;
    const id = requireId("RequestLog", params.requestLogId, "REQUEST_LOG_NOT_FOUND");
    const row = await findRequestLog(reads, platformId, id);
    const content = row && (await requestLogs.contentOf(platformId, row));
    if (row === undefined || content === undefined) throw new Refusal("REQUEST_LOG_NOT_FOUND");
    const body = requestLogDetailJson(row, content, mayReadBodies(principal));
    return { status: 200, body };
  },
});

export const requestLogOperations = [listRequestLogs, streamRequestLogs, getRequestLog];
