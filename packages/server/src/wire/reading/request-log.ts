import Type from "typebox";
import type { CallContent } from "../../domain/reading/request-logs/request-log.port.ts";
import type { RequestLogRow } from "../../domain/reading/request-logs/request-log.sql.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const wireRequestLog = wireObject("RequestLog", ({ of, maybe }: Kit<RequestLogRow>) => ({
  id: of.id("RequestLog", { description: "`RequestLog:<uuid>`", example: "b" }),
  createdAt: of.time({
    description: "When the call arrived, in the time of the server.",
    example: "2026-11-21T10:00:00.000Z",
  }),
  method: of.text({ example: "POST" }),
  path: of.text({
    description: "Below the version. A segment that is no id is `[redacted]`.",
    example: "/quotes/Quote:019a4f00-0000-7000-8000-000000000004/execute",
  }),
  operationId: of.text({ example: "executeQuote" }),
  status: of.integer({ example: 409 }),
  errorCode: maybe.text({ description: "Of a refusal.", example: "QUOTE_EXPIRED" }),
  durationMs: of.integer({
    description: "From the head of the request to its answer.",
    example: 7,
  }),
  requestBytes: of.integer({ description: "Of the body.", example: 0 }),
  responseBytes: of.integer({ description: "Of the body.", example: 78 }),
  tokenId: maybe.id("Token", {
    from: ({ isAgent, isPerson, actorId }) => (isAgent || isPerson ? null : actorId),
    description: "The token that called.",
    example: 5,
  }),
  agentId: maybe.id("Agent", {
    from: ({ isAgent, actorId }) => (isAgent ? actorId : null),
    description: "The agent that called.",
  }),
  personId: maybe.id("Person", {
    from: ({ isAgent, isPerson, actorId }) => (isPerson && !isAgent ? actorId : null),
    description: "The person who called, in a browser.",
  }),
  address: of.text({
    description: "The address that the call came from.",
    example: "203.0.113.7",
  }),
  requestId: of.text({
    description: "The `X-Request-Id` of the answer.",
    example: "5f2a9c0d1e6f-1a",
  }),
  resourceId: maybe.text({
    description: "The last id of the path.",
    example: "Quote:019a4f00-0000-7000-8000-000000000004",
  }),
  replayed: of.boolean({
    description: "The stored answer of an idempotency key.",
    example: false,
  }),
  sampledOneIn: of.integer({
    description: "For how many calls this one stands; more than 1 where the log was thinned.",
    example: 1,
  }),
}));

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
    ...wireRequestLog.schema.properties,
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

/** The query and the bodies are for tokens with `MANAGE`. Their personal data were masked before they were kept. */
export function requestLogDetailJson(
  row: RequestLogRow,
  content: CallContent,
  mayReadBodies: boolean,
): string {
  const { query, requestBody, responseBody, ...others } = content;
  const bodies = mayReadBodies ? { query, requestBody, responseBody } : {};
  const rest = JSON.stringify({ ...others, ...bodies });
  return `${wireRequestLog.json(row).slice(0, -1)},${rest.slice(1)}`;
}

export const requestLogDetailExample = {
  ...wireRequestLog.example,
  idempotencyKey: "order-4711",
  headers: { "content-type": "application/json", "user-agent": "payouts/1.4" },
  responseBody: {
    status: 409,
    code: "QUOTE_EXPIRED",
    message: "The quote was not executed in time.",
  },
};
