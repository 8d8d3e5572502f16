import Type from "typebox";
import type { RequestLogRow } from "../../../../domain/reading/request-logs/request-log.sql.ts";
import { invalidField } from "../../../../engine/refusal.ts";
import { parseId } from "../../../../wire/ids.ts";
import { requestLogExample, requestLogJson } from "../../../../wire/reading/request-log.ts";
import { defineOperation } from "../../../request/operation.ts";
import { eventStreamAnswer, LAST_EVENT_ID } from "../../../request/server-sent-events.ts";
import type { Services } from "../../../request/services.ts";
import { STREAMS_OF_PLATFORM } from "../../../request-log/call-tails.ts";
import { requestLogConditions, requestLogFilters } from "./list-request-logs.ts";

export const streamRequestLogs = defineOperation({
  id: "streamRequestLogs",
  method: "GET",
  path: "/request-logs/stream",
  access: "VIEW",
  capability: "logs.read",
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
      example: requestLogExample.id,
    },
  ],
  answers: {
    200: {
      description: "The calls, in the order in which they were written.",
      contentType: "text/event-stream",
      example: toFrame(requestLogExample.id, JSON.stringify(requestLogExample)),
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query, headers }, services: Services) {
    const after = afterOf(headers["last-event-id"]);
    const conditions = requestLogConditions(query, platformId, services.requestLogs);
    return eventStreamAnswer<RequestLogRow>({
      open: () => services.callTails.open({ platformId, conditions, after }),
      opening: "florin calls",
      toFrame: (row) => toFrame(`RequestLog:${row.id}`, requestLogJson(row)),
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
