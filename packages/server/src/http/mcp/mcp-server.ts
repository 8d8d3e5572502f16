/**
 * A server of the Model Context Protocol (streamable HTTP, stateless) for agents: `POST /mcp` with the agent's access
 * token. Each request is independent: the token is verified, one message is handled, the answer is JSON.
 *
 * A tool call passes through every check of its operation as an HTTP request would: credentials, permission, rate
 * limit, schema, idempotency key. An agent can therefore do nothing here that it cannot do over HTTP.
 *
 * Bounds: one message per request, of the size of any body. The agent's rate limit is charged once for the message and
 * once for the call.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Answer } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { Clock } from "../../std/clock.ts";
import { traceparentOf } from "../../std/tracing/trace.ts";
import { parseStorableJson } from "../../validation/json-body.ts";
import { isNode } from "../../validation/schema.ts";
import type { AgentAuth } from "../auth/agent-auth.ts";
import type { Operation } from "../request/operation.ts";
import type { CallLog } from "../server/call-log.ts";
import type { CallerAddress } from "../server/caller-address.ts";
import { rateLimited, toAnswerOfThrown } from "../server/errors.ts";
import type { FailureLog } from "../server/failure-log.ts";
import type { GuestLimiter } from "../server/guest-limiter.ts";
import type { Metrics } from "../server/metrics.ts";
import type { RateLimiter } from "../server/rate-limit.ts";
import type { Sender } from "../server/send.ts";
import { type BodyLimits, bodyOf, refuseOtherContent } from "../upload/body.ts";
import { refuseForeignOrigin } from "./foreign-origin.ts";
import {
  type Arguments,
  faultsIn,
  type Tool,
  type ToolRequest,
  toRequest,
  toTool,
} from "./tools.ts";

export interface McpTools<C> {
  readonly operations: readonly Operation<C>[];
  readonly agentAuth: AgentAuth;
  readonly addressOf: CallerAddress;
  readonly tokenLimiter: RateLimiter;
  readonly guests: GuestLimiter;
  readonly sender: Sender;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly failureLog: FailureLog;
  readonly callLog: CallLog;
  readonly bodyLimits: BodyLimits;
  readonly version: string;
  /** The URL under which callers reach this server. */
  readonly publicUrl: () => string;
  /** Runs a request on this server in the name of this address. */
  readonly request: (request: ToolRequest, address: string) => Promise<Answer>;
}

export interface McpArrival {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

export function createMcp<C>(tools: McpTools<C>): (arrival: McpArrival) => void {
  const offered = tools.operations.filter(({ access }) => access === "AGENT").map(toTool);
  const figures = tools.metrics.requests("mcp");

  return (arrival) => {
    const { response, requestId } = arrival;
    const startedAt = tools.clock.now();
    const count = ({ status, body }: Answer) => {
      const durationMs = tools.clock.now() - startedAt;
      figures.record(status, durationMs);
      tools.callLog.record({ requestId, operationId: "mcp", status, durationMs, body });
    };
    answer(tools, offered, arrival).then(
      (answered) => {
        tools.sender.answer(response, requestId, answered);
        count(answered);
      },
      (thrown: unknown) => {
        const { failureLog, guests } = tools;
        const refused = toAnswerOfThrown(thrown, { requestId, operationId: "mcp", failureLog });
        // An authenticated agent can get a 429 too and is then charged as unauthenticated; such answers are too few to
        // matter.
        const isUnauthenticated = refused.status === 401 || refused.status === 429;
        const closeConnection = isUnauthenticated && guests.charge(arrival.raw);
        tools.sender.refusal(response, requestId, {
          ...refused,
          challenge: "Bearer",
          closeConnection,
        });
        count(refused);
      },
    );
  };
}

async function answer<C>(
  tools: McpTools<C>,
  offered: readonly Tool<C>[],
  { raw }: McpArrival,
): Promise<Answer> {
  const { authorization = "", accept = "", origin } = raw.headers;
  refuseForeignOrigin(origin, tools.publicUrl());
  const address = tools.addressOf(raw);
  const { agentId, platformId } = await tools.agentAuth.verify(authorization, address);
  const seconds = tools.tokenLimiter.take(agentId);
  if (seconds > 0) throw rateLimited(seconds);
  refuseOtherContent(raw.headers);
  const message = readMessage(await bodyOf(raw, tools.bodyLimits, platformId));
  const invalid = invalidParams(message);
  if (invalid !== undefined) return invalid;
  const traceparent = traceparentOf(raw.headers.traceparent);
  const trace = traceparent === undefined ? {} : { traceparent };
  const server = serverFor(offered, tools.version, (request) =>
    tools.request(
      { ...request, headers: { ...request.headers, ...trace, authorization } },
      address,
    ),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const headers = { accept, "content-type": "application/json", ...protocolVersion(raw) };
    const request = new Request("http://mcp.invalid/", { method: "POST", headers });
    const reply = await transport.handleRequest(request, { parsedBody: message });
    return { status: reply.status, body: await reply.text() };
  } finally {
    await server.close();
  }
}

/** Parses one message. A number that is not plain digits becomes a value that fails the schema of an operation. */
function readMessage(bytes: Buffer): unknown {
  const { value, strict } = parseStorableJson(bytes);
  if (Array.isArray(value)) {
    throw new Refusal("INVALID_REQUEST_FORMAT", undefined, "Send one message at a time.");
  }
  if (!isNode(value) || !isNode(strict) || !isNode(value.params) || !isNode(strict.params)) {
    return value;
  }
  return { ...value, params: { ...value.params, arguments: strict.params.arguments } };
}

const REQUESTS = new Map<unknown, { safeParse(value: unknown): { success: boolean } }>([
  ["initialize", InitializeRequestSchema],
  ["tools/list", ListToolsRequestSchema],
  ["tools/call", CallToolRequestSchema],
]);

/** The protocol error for params that do not fit their method; the SDK would report an internal error. */
function invalidParams(message: unknown): Answer | undefined {
  if (!isNode(message) || message.jsonrpc !== "2.0" || message.id === undefined) return undefined;
  const { id, method } = message;
  const schema = REQUESTS.get(method);
  if (schema === undefined || schema.safeParse(message).success) return undefined;
  const error = {
    code: ErrorCode.InvalidParams,
    message: `The params are not those of ${method}.`,
  };
  return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id, error }) };
}

function protocolVersion({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const version = headers["mcp-protocol-version"];
  return typeof version === "string" ? { "mcp-protocol-version": version } : {};
}

function serverFor<C>(
  offered: readonly Tool<C>[],
  version: string,
  request: (request: ToolRequest) => Promise<Answer>,
): Server {
  const server = new Server({ name: "florin", version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: offered.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: inputSchema as { type: "object" },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = offered.find(({ name }) => name === params.name);
    if (tool === undefined) return failed(`There is no tool ${params.name}.`);
    const given: Arguments = params.arguments ?? {};
    const faults = faultsIn(tool, given);
    if (faults.length > 0) return failed(`The arguments do not fit: ${faults.join("; ")}.`);
    return resultOf(await request(toRequest(tool, given)));
  });
  return server;
}

function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/**
 * The text of a tool's answer. For an action that waits for approval, the text begins with that fact and the action's
 * id.
 */
function resultOf({ status, body }: Answer): CallToolResult {
  if (body === "") return { content: [{ type: "text", text: "Done." }] };
  const content = [{ type: "text" as const, text: body }];
  const value = JSON.parse(body) as Readonly<Record<string, unknown>>;
  if (status >= 400) return { content, structuredContent: value, isError: true };
  if (value.status !== "PENDING_APPROVAL") return { content, structuredContent: value };
  const text =
    `When this was answered, nothing had been paid: the action ${String(value.id)} waited for the platform's approval. ` +
    "Read it with agentGetAction to learn what was decided.";
  return { content: [{ type: "text", text }, ...content], structuredContent: value };
}
