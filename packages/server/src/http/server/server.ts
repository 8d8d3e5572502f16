/**
 * The HTTP server: one router, the operations below the version segment, a few pages beside them.
 *
 * Fastify routes and owns the sockets; bodies are read and answers are written here, so that nothing is parsed before the
 * caller is known and nothing is serialised twice.
 *
 * Bounds: the sizes of head and body, the time a request may take to arrive, the number of connections and of forms under
 * way, the requests of a token and the failed logins of an address.
 *
 * Stop: no new connection, idle ones are closed, every request that has arrived is answered, and the last answer of a
 * connection has `Connection: close`; requests that are not done when the grace is over are cut off. If the process dies in between, a caller without an
 * answer asks again under its idempotency key.
 */
import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { present } from "../../std/assert.ts";
import type { Clock } from "../../std/clock.ts";
import { Fault } from "../../std/errors.ts";
import { loadOnce } from "../../std/load-once.ts";
import type { Log } from "../../std/log.ts";
import { type CompileSchema, validatorOptions } from "../../validation/validation.ts";
import { type AuthenticateAgent, createAgentGate } from "../auth/agent-auth.ts";
import { type Authenticate, createGate } from "../auth/auth.ts";
import { createFailedTries } from "../auth/failed-tries.ts";
import { createFormTokens } from "../hosted/form-token.ts";
import { type HostedPage, takesForm } from "../hosted/hosted-page.ts";
import { createHostedRoute, type HostedArrival, type HostedTools } from "../hosted/hosted-route.ts";
import type { McpTools } from "../mcp/mcp-server.ts";
import type { ToolRequest } from "../mcp/tools.ts";
import type { ReferenceNotes } from "../reference/openapi.ts";
import { createPages, type PageRoute } from "../reference/pages.ts";
import { type Operation, versionPath } from "../request/operation.ts";
import { createRoute, type Route } from "../request/route.ts";
import { createBodyRoom } from "../upload/body.ts";
import { createFormSlots } from "../upload/form-slots.ts";
import { type CallLog, createCallLog, type LogRequests } from "./call-log.ts";
import { createCallerAddress, trustIn } from "./caller-address.ts";
import { createFailureLog } from "./failure-log.ts";
import { defaultLimits, type HttpLimits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import {
  createAllowTable,
  methodsToRefuse,
  type RoutedPath,
  routedMethods,
  toRouterPath,
} from "./paths.ts";
import { createPipelining } from "./pipelining.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limit.ts";
import { createRequestIds, type RequestIds } from "./request-id.ts";
import { createSender, type Sender } from "./send.ts";
import { type SilentConnections, watchSilentConnections } from "./silent-connections.ts";
import { answerBrokenRequest, answerConnect } from "./socket-errors.ts";
import { createStrangers, type Strangers } from "./strangers.ts";
import {
  createUnrouted,
  headFault,
  methodNotAllowed,
  nothingAt,
  tooManyUnread,
  toThrown,
  type Unrouted,
  unmetExpectation,
} from "./unrouted.ts";

export interface HttpServerOptions<C> {
  readonly operations: readonly Operation<C>[];
  readonly reference: ReferenceNotes;
  /** Handed to every operation and every hosted page. */
  readonly context: C;
  readonly hosted?: HostedOptions<C>;
  readonly authenticate: Authenticate;
  readonly authenticateAgent: AuthenticateAgent;
  readonly clock: Clock;
  readonly log: Log;
  /** Which calls are logged; none when absent. */
  readonly logRequests?: LogRequests;
  readonly metrics: Metrics;
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and ranges whose word on who asks is taken. */
  readonly trustedProxies?: readonly string[];
  /** The validator that requests are held to. */
  readonly compile: CompileSchema;
  /** Fails when something that the server needs is away. */
  readonly checkReady: () => Promise<void>;
  /** Where callers reach this server once it listens, without the version segment. */
  readonly publicUrl: () => string;
  /** Whether they reach it by TLS. */
  readonly secureOrigin: boolean;
  /** Of this program; the API's own version is in its path. */
  readonly version: string;
}

export interface HostedOptions<C> {
  readonly pages: readonly HostedPage<C>[];
  /** Ties the forms of the pages to what we have served; the same on every server of the deployment. */
  readonly formKey: Buffer;
}

export interface HttpServer {
  /** Starts to listen; port 0 takes any free one. */
  listen(host: string, port: number): Promise<AddressInfo>;
  /** Where it listens, once it does, and where it listened, while it ends what is under way. */
  address(): AddressInfo | undefined;
  /** Forgets which credentials were right; call it when a token was changed or deleted. */
  forgetCredentials(): void;
  close(graceMs: number): Promise<void>;
}

export function createHttpServer<C>(options: HttpServerOptions<C>): HttpServer {
  const { operations, clock, metrics } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const requestIds = createRequestIds();
  const sender = createSender({ ...options, ...limits });
  const limiter: LimiterOf = (rate) => createRateLimiter({ clock, rate, maxKeys: limits.rateKeys });
  const failures = createFailedTries({ limiter: limiter(limits.failedLoginRate), clock });
  const gate = createGate({ authenticate: options.authenticate, clock, failures });
  const agentGate = createAgentGate({ authenticate: options.authenticateAgent, failures });
  const tokenLimiter = limiter(limits.tokenRate);
  const logs = { failureLog: createFailureLog(options), callLog: createCallLog(options) };
  const unrouted = createUnrouted({ ...logs, sender, metrics });
  const callers = callerTools(options, limiter(limits.strangerRate));
  const { strangers } = callers;
  const app = createApp({ ...logs, limits, requestIds, unrouted, sender, strangers });
  const silent = watchSilentConnections(app.server);

  let closing = false;
  const tools = {
    ...options,
    gate,
    agentGate,
    ...callers,
    tokenLimiter,
    sender,
    ...logs,
    ...arrivalTools(limits, clock),
  };
  const routes = operations.map((operation) => addOperation(app, operation, tools));
  const hasMcp = addMcp(app, { ...tools, request: requestOf(app) }, unrouted);
  const pages = createPages({ ...options, isClosing: () => closing });
  for (const page of pages) addPage(app, page, { unrouted, strangers });
  const { hosted } = options;
  if (hosted !== undefined) {
    addHostedPages(app, hosted, {
      ...tools,
      limiter: limiter(limits.hostedPageRate),
    });
  }
  addNotFound(
    app,
    [
      ...operations.map(toRoutedPath),
      ...pages.map(toPagePath),
      ...(hosted?.pages ?? []).map(toHostedPath),
      ...(hasMcp ? [MCP_PATH] : []),
    ],
    { unrouted, strangers },
  );

  let bound: AddressInfo | undefined;
  return {
    address: () => bound,
    forgetCredentials: gate.forget,
    async listen(host, port) {
      await app.ready();
      for (const route of routes) route.prepare(options.compile);
      await listenOn(app, { host, port });
      bound = present(addressOf(app), "the address of a listening server");
      return bound;
    },
    async close(graceMs) {
      closing = true;
      sender.beginClosing();
      await endServer(app, { clock, graceMs, silent });
      bound = undefined;
    },
  };
}

type LimiterOf = (rate: HttpLimits["tokenRate"]) => RateLimiter;

/** What tells callers without credentials apart and bounds what they cost. */
function callerTools(
  { log, trustedProxies = [] }: Pick<HttpServerOptions<never>, "log" | "trustedProxies">,
  limiter: RateLimiter,
) {
  const addressOf = createCallerAddress({ log, trustedProxies });
  const isTrustedProxy = trustIn(trustedProxies);
  return { addressOf, strangers: createStrangers({ limiter, addressOf, isTrustedProxy }) };
}

/** Where a connection was made a moment before the stop, its first bytes may still be on their way. */
const FIRST_BYTE_MS = 500;

/** Accepts no more connections, and waits for what is under way until the grace is over. */
async function endServer(
  app: FastifyInstance,
  options: { readonly clock: Clock; readonly graceMs: number; readonly silent: SilentConnections },
): Promise<void> {
  const { clock, graceMs, silent } = options;
  const cancelSilent = clock.after(Math.min(graceMs, FIRST_BYTE_MS), silent.end);
  const cancel = clock.after(graceMs, () => app.server.closeAllConnections());
  // Fastify comes last: once it is closed it makes no request of its own, which a call over MCP may still need.
  await new Promise((resolve) => app.server.close(resolve));
  await app.close();
  cancelSilent();
  cancel();
}

/** What holds bodies and forms to their limits as they arrive. */
function arrivalTools(limits: HttpLimits, clock: Clock) {
  return {
    bodyLimits: {
      bytes: limits.bodyBytes,
      timeoutMs: limits.requestTimeoutMs,
      clock,
      room: createBodyRoom(limits.bodyBytesInAll),
    },
    formLimits: { idleMs: limits.formIdleMs, totalMs: limits.formTimeoutMs },
    formSlots: createFormSlots(limits),
  };
}

function createApp(tools: AppTools): FastifyInstance {
  const { limits, requestIds, callLog, unrouted, sender } = tools;
  const app = fastify({
    logger: false,
    genReqId: (raw) => requestIds.of(raw.headers["x-request-id"]),
    ajv: validatorOptions,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    pluginTimeout: 0,
    // The longest that any request may take; bodies and forms are held to their own times as they are read.
    requestTimeout: Math.max(limits.requestTimeoutMs, limits.formTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.idleConnectionMs,
    http: {
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckMs,
      // Node would answer without a body; it is looked for below.
      requireHostHeader: false,
    },
    routerOptions: {
      maxParamLength: limits.pathSegmentChars,
      // Each operation reads its query by its own schema.
      querystringParser: () => NO_QUERY,
    },
    frameworkErrors(error, request, reply) {
      if (!sender.begin(reply.raw)) {
        reply.hijack();
        return;
      }
      const refused = headFault(request.raw);
      if (refused !== undefined) unrouted.refuse({ request, reply }, refused);
      else unrouted.fail({ request, reply }, toThrown(error));
    },
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(error, socket, { requestId: requestIds.next(), callLog }),
  });
  // Bodies are read by the operations' routes, after the caller is known.
  for (const method of ["POST", "PATCH", "PUT", "DELETE", "OPTIONS", "QUERY"]) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  app.addHook("onRequest", (request, reply, done) => {
    if (!sender.begin(reply.raw)) {
      reply.hijack();
      return;
    }
    const refused = sender.isFull() ? tooManyUnread : headFault(request.raw);
    if (refused === undefined) done();
    else unrouted.refuse({ request, reply }, refused);
  });
  app.setErrorHandler((error, request, reply) => unrouted.fail({ request, reply }, error));
  bindServer(app.server, tools);
  return app;
}

interface AppTools {
  readonly limits: HttpLimits;
  readonly requestIds: RequestIds;
  readonly callLog: CallLog;
  readonly unrouted: Unrouted;
  readonly sender: Sender;
  readonly strangers: Strangers;
}

function bindServer(
  server: Server,
  { limits, requestIds, callLog, unrouted, sender, strangers }: AppTools,
): void {
  const pipelining = createPipelining({ onOverflow: strangers.chargeConnection });
  const inOrder = (response: ServerResponse, start: () => void) => {
    sender.arrive(response);
    pipelining.take(response, start);
  };
  const route = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    inOrder(response, () => {
      for (const listener of route) listener.call(server, request, response);
    });
  });
  server.prependListener("connection", (socket: Socket) => {
    if (strangers.isShutOut(socket)) socket.destroy();
  });
  server.maxConnections = limits.connections;
  // Their bytes are limited. Node would leave out, in silence, what comes after the first 2,000.
  server.maxHeadersCount = 0;
  // A caller that will send no more still wants its answer. Node has the switch, its types have not.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connect", (_request, socket) =>
    answerConnect(socket as Socket, { requestId: requestIds.next(), callLog }),
  );
  server.on("checkExpectation", (request, response) => {
    inOrder(response, () => {
      if (!sender.begin(response)) return;
      const requestId = requestIds.of(request.headers["x-request-id"]);
      unrouted.turnAway(response, requestId, unmetExpectation);
    });
  });
}

const NO_QUERY = Object.freeze({});

function addOperation<C>(
  app: FastifyInstance,
  operation: Operation<C>,
  tools: Parameters<typeof createRoute<C>>[1],
): Route {
  const route = createRoute(operation, tools);
  app.route({
    method: [...routedMethods(operation.method)],
    url: toRouterPath(versionPath + operation.path),
    handler(request, reply) {
      reply.hijack();
      route.start({
        raw: request.raw,
        response: reply.raw,
        params: request.params,
        requestId: request.id,
      });
    },
  });
  return route;
}

const MCP_PATH: RoutedPath = { methods: ["POST"], path: "/mcp" };

/**
 * Opens `POST /mcp` where agents have operations to call, and says whether it did. The code that speaks the protocol is
 * large: the first message loads it.
 */
function addMcp<C>(app: FastifyInstance, tools: McpTools<C>, unrouted: Unrouted): boolean {
  if (!tools.operations.some(({ access }) => access === "AGENT")) return false;
  const load = loadOnce(() =>
    import("../mcp/mcp-server.ts").then(
      ({ createMcp }) => createMcp(tools),
      (cause: unknown) => Promise.reject(new Fault("its code cannot be read", { cause })),
    ),
  );
  app.post(MCP_PATH.path, (request, reply) => {
    reply.hijack();
    load().then(
      (start) => start({ raw: request.raw, response: reply.raw, requestId: request.id }),
      (thrown: unknown) => unrouted.fail({ request, reply }, thrown),
    );
  });
  return true;
}

/** Makes a request of this server without a socket in between; everything else is as for any request. */
function requestOf(app: FastifyInstance) {
  return async (request: ToolRequest, remoteAddress: string) => {
    const { statusCode, body } = await app.inject({ ...request, remoteAddress });
    return { status: statusCode, body };
  };
}

/** What pages and unknown paths are answered with. */
interface StrangerTools {
  readonly unrouted: Unrouted;
  readonly strangers: Strangers;
}

function addPage(
  app: FastifyInstance,
  page: PageRoute,
  { unrouted, strangers }: StrangerTools,
): void {
  app.route({
    method: ["GET", "HEAD"],
    url: page.path,
    handler(request, reply) {
      reply.hijack();
      const refused = strangers.admit(request.raw, page.bytes());
      if (refused !== undefined) {
        unrouted.refuse({ request, reply }, refused);
        return;
      }
      page.show(request.id).then(
        (shown) => {
          if ("status" in shown) unrouted.refuse({ request, reply }, shown);
          else unrouted.show({ request, reply }, shown);
        },
        (thrown: unknown) => unrouted.fail({ request, reply }, thrown),
      );
    },
  });
}

/** Without Fastify, which opens a second server for `localhost`: that one would have none of our limits. */
async function listenOn(
  { server }: FastifyInstance,
  place: { readonly host: string; readonly port: number },
): Promise<void> {
  server.listen(place);
  await once(server, "listening");
}

function addressOf(app: FastifyInstance): AddressInfo | undefined {
  const bound = app.server.address();
  return bound === null || typeof bound === "string" ? undefined : bound;
}

function addHostedPages<C>(
  app: FastifyInstance,
  { pages, formKey }: HostedOptions<C>,
  tools: Omit<HostedTools<C>, "formTokens">,
): void {
  const formTokens = createFormTokens({ key: formKey, clock: tools.clock });
  for (const page of pages) addHostedPage(app, page, { ...tools, formTokens });
}

function addHostedPage<C>(app: FastifyInstance, page: HostedPage<C>, tools: HostedTools<C>): void {
  const route = createHostedRoute(page, tools);
  const url = toRouterPath(page.path);
  const arrivalOf = (request: FastifyRequest, reply: FastifyReply): HostedArrival => {
    reply.hijack();
    return {
      raw: request.raw,
      response: reply.raw,
      params: request.params as Readonly<Record<string, string>>,
      requestId: request.id,
    };
  };
  app.route({
    method: ["GET", "HEAD"],
    url,
    handler: (request, reply) => route.show(arrivalOf(request, reply)),
  });
  const { submit } = route;
  if (submit === undefined) return;
  app.route({
    method: "POST",
    url,
    handler: (request, reply) => submit(arrivalOf(request, reply)),
  });
}

function addNotFound(
  app: FastifyInstance,
  routed: readonly RoutedPath[],
  { unrouted, strangers }: StrangerTools,
): void {
  const allowAt = createAllowTable(routed);
  const refuse = (request: FastifyRequest, reply: FastifyReply): void => {
    const refused = strangers.admit(request.raw);
    if (refused !== undefined) {
      unrouted.refuse({ request, reply }, refused);
      return;
    }
    const allow = allowAt(request.raw.url ?? "");
    const refusal =
      allow === undefined ? nothingAt(request.raw.url ?? "") : methodNotAllowed(allow);
    unrouted.fail({ request, reply }, refusal, allow);
  };
  app.setNotFoundHandler(refuse);
  for (const { path, methods } of methodsToRefuse(routed)) {
    app.route({ method: [...methods], url: path, handler: refuse });
  }
}

function toRoutedPath<C>({ method, path }: Operation<C>): RoutedPath {
  return { methods: routedMethods(method), path: versionPath + path };
}

function toHostedPath<C>(page: HostedPage<C>): RoutedPath {
  return { methods: takesForm(page) ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"], path: page.path };
}

function toPagePath({ path }: PageRoute): RoutedPath {
  return { methods: ["GET", "HEAD"], path };
}
