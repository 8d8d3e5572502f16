import Type from "typebox";
import { findRequestLog } from "../../../../domain/reading/request-logs/request-log.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  RequestLogDetailSchema,
  requestLogDetailExample,
  requestLogDetailJson,
} from "../../../../wire/reading/request-log.ts";
import { defineOperation, mayReadBodies } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getRequestLog = defineOperation({
  id: "getRequestLog",
  method: "GET",
  path: "/request-logs/{requestLogId}",
  access: "VIEW",
  capability: "logs.read",
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
