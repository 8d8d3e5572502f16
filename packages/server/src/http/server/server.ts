/**
 * The HTTP server: one router, the operations below the version segment, and a few pages.
 *
 * Fastify routes and owns the sockets. Bodies are read and answers are written by our own code, so that nothing is
 * parsed before the caller is authenticated and nothing is serialised twice.
 *
 * Bounds: the sizes of head and body, the time in which a request must arrive, the number of connections and of
 * concurrent forms, the request rate of a token and the failed logins of an address.
 *
 * Shutdown: no new connection is accepted, idle connections are closed, every request that has arrived is answered, and
 * the last answer of a connection has `Connection: close`. Requests that exceed the grace period are aborted. If the
 * process dies before an answer, the caller retries under its idempotency key.
 */
import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import {
  noRequestLog,
  type RequestLog,
} from "../../domain/reading/request-logs/request-log.port.ts";
import { present } from "../../std/assert.ts";
import type { Clock } from "../../std/clock.ts";
import { Fault } from "../../std/errors.ts";
import { loadOnce } from "../../std/load-once.ts";
import type { Log } from "../../std/log.ts";
import { type CompileSchema, validatorOptions } from "../../validation/validation.ts";
import { createAgentAuth, type ReadAgent } from "../auth/agent-auth.ts";
import { createTokenAuth, type ReadToken } from "../auth/auth.ts";
import { credentialsEntrance } from "../auth/entrance.ts";
import { createFailedAttemptLimiter } from "../auth/failed-attempts.ts";
import { consolePages } from "../console/console-pages.ts";
import {
  addConsole,
  addOperation,
  addPageRule,
  type ConsoleOptions,
  type LimiterOf,
} from "../console/console-server.ts";
import { createFormTokens } from "../hosted/form-token.ts";
import type { HostedPage } from "../hosted/hosted-page.ts";
import { createHostedRoute, type HostedArrival, type HostedTools } from "../hosted/hosted-route.ts";
import type { Catalogues } from "../hosted/language/catalogue.ts";
import type { McpTools } from "../mcp/mcp-server.ts";
import type { ToolRequest } from "../mcp/tools.ts";
import type { BuiltSite } from "../reference/built-site.ts";
import type { ReferenceNotes } from "../reference/openapi.ts";
import { createPages, type PageRoute } from "../reference/pages.ts";
import type { Operation, TokenPrincipal } from "../request/operation.ts";
import { addUmaPaths, type UmaPaths } from "../uma/uma-paths.ts";
import { arrivalTools, callerTools, createRequestIds, type RequestIds } from "./arrival-tools.ts";
import { type CallLog, createCallLog, type LogRequests } from "./call-log.ts";
import { type SilentConnections, watchSilentConnections } from "./connections.ts";
import { createFailureLog } from "./failure-log.ts";
import type { GuestLimiter } from "./guest-limiter.ts";
import { defaultLimits, type HttpLimits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import { createAllowTable, methodsToRefuse, type RoutedPath, toRouterPath } from "./paths.ts";
import { createPipelining } from "./pipelining.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { MCP_PATH, pathsOf } from "./routed-paths.ts";
import { createSender, type Sender } from "./send.ts";
import { answerBrokenRequest, answerConnect } from "./socket-errors.ts";
import {
  createUnrouted,
  headFault,
  methodNotAllowed,
  notFoundAt,
  tooManyUnread,
  toThrown,
  type Unrouted,
  unmetExpectation,
} from "./unrouted.ts";

export interface HttpServerOptions<C> {
  readonly operations: readonly Operation<C>[];
  readonly reference: ReferenceNotes;
  /** The built documentation; without it `/docs` answers 503. */
  readonly docs?: BuiltSite | undefined;
  /** The built console; null when it was not built, so `/console` answers 503; absent when the server has no console. */
  readonly consoleSite?: BuiltSite | null;
  /** Passed to every operation and every hosted page. */
  readonly context: C;
  readonly hosted?: HostedOptions<C>;
  /** The public paths of UMA domains. */
  readonly uma?: UmaPaths;
  /** The console of people; absent when it is switched off. */
  readonly console?: ConsoleOptions<C> | undefined;
  readonly authenticate: ReadToken;
  /** Called when a token's secret was compared and is right: at most once a second for each token. */
  readonly noteTokenUse?: (token: TokenPrincipal) => void;
  readonly authenticateAgent: ReadAgent;
  readonly clock: Clock;
  readonly log: Log;
  /** Which calls are logged; none when absent. */
  readonly logRequests?: LogRequests;
  /** The log of requests and answers; nothing is logged when absent. */
  readonly requestLog?: RequestLog;
  readonly metrics: Metrics;
  readonly limits?: Partial<HttpLimits>;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Compiles the schemas that requests are validated against. */
  readonly compile: CompileSchema;
  /** Rejects when a dependency of the server is unavailable. */
  readonly checkReady: () => Promise<void>;
  /** The URL under which callers reach this server once it listens, without the version segment. */
  readonly publicUrl: () => string;
  /** True when callers reach it over TLS. */
  readonly secureOrigin: boolean;
  /** The version of this program; the API's version is in its paths. */
  readonly version: string;
}

export interface HostedOptions<C> {
  readonly pages: readonly HostedPage<C>[];
  /** The languages of the pages. */
  readonly catalogues: Catalogues;
  /** The MAC key of form tokens; the same on every server of the deployment. */
  readonly formKey: Buffer;
}

export interface HttpServer {
  /** Starts to listen; port 0 takes any free port. */
  listen(host: string, port: number): Promise<AddressInfo>;
  /** The bound address while it listens and during a shutdown. */
  address(): AddressInfo | undefined;
  /** Compiles the schemas that no request has used yet, those of one operation in a turn of the event loop. */
  compileSchemas(): Promise<void>;
  /** Expires cached credentials. Call it when a token was changed or deleted. */
  forgetCredentials(): void;
  close(graceMs: number): Promise<void>;
}

export function createHttpServer<C>(options: HttpServerOptions<C>): HttpServer {
  const { operations, clock, metrics, hosted } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const requestIds = createRequestIds();
  const sender = createSender({ ...options, ...limits });
  const limiter: LimiterOf = (rate) => createRateLimiter({ clock, rate, maxKeys: limits.rateKeys });
  const failures = createFailedAttemptLimiter({ limiter: limiter(limits.failedLoginRate), clock });
  const { authenticate, noteTokenUse: noteUse = () => undefined } = options;
  const tokenAuth = createTokenAuth({ authenticate, noteUse, clock, failures });
  const agentAuth = createAgentAuth({ authenticate: options.authenticateAgent, failures });
  const tokenLimiter = limiter(limits.tokenRate);
  const logs = { failureLog: createFailureLog(options), callLog: createCallLog(options) };
  const unrouted = createUnrouted({ ...logs, sender, metrics });
  const callers = callerTools(options, limiter(limits.guestRate));
  const { guests } = callers;
  const app = createApp({ ...logs, limits, requestIds, unrouted, sender, guests });
  addPageRule(app, options.console, { unrouted, guests });
  const silent = watchSilentConnections(app.server);

  let closing = false;
  const tools = {
    ...options,
    tokenAuth,
    agentAuth,
    ...callers,
    sender,
    ...logs,
    requestLog: options.requestLog ?? noRequestLog,
    ...arrivalTools(limits, clock),
  };
  const entrance = credentialsEntrance<C>({ ...tools, tokenLimiter });
  const routes = operations.map((operation) => addOperation(app, operation, { tools, entrance }));
  routes.push(...addConsole(app, options.console, { tools, routes, limiter }));
  const hasMcp = addMcp(app, { ...tools, tokenLimiter, request: requestOf(app) }, unrouted);
  const pages = pagesOf(options, () => closing);
  for (const page of pages) addPage(app, page, { unrouted, guests });
  if (options.uma !== undefined) addUmaPaths(app, options.uma, { ...tools, unrouted });
  if (hosted !== undefined) {
    addHostedPages(app, hosted, { ...tools, limiter: limiter(limits.hostedPageRate) });
  }
  addNotFound(app, pathsOf(options, pages, hasMcp), { unrouted, guests });

  let bound: AddressInfo | undefined;
  return {
    address: () => bound,
    forgetCredentials: tokenAuth.forget,
    async listen(host, port) {
      await app.ready();
      await listenOn(app, { host, port });
      bound = present(addressOf(app), "the address of a listening server");
      return bound;
    },
    compileSchemas: () => compileInTurns(routes, () => closing),
    async close(graceMs) {
      closing = true;
      sender.beginClosing();
      await endServer(app, { clock, graceMs, silent });
      bound = undefined;
    },
  };
}

async function compileInTurns(
  routes: readonly { readonly route: { compile(): void } }[],
  isClosing: () => boolean,
): Promise<void> {
  for (const { route } of routes) {
    if (isClosing()) return;
    route.compile();
    await setImmediate();
  }
}

function pagesOf<C>(options: HttpServerOptions<C>, isClosing: () => boolean): readonly PageRoute[] {
  const { consoleSite } = options;
  const shown = consoleSite === undefined ? [] : consolePages(consoleSite);
  const own = options.console?.pages ?? [];
  return [...createPages({ ...options, isClosing }), ...own, ...shown];
}

/** The first bytes of a connection that was opened just before the shutdown may still be in transit. */
const FIRST_BYTE_MS = 500;

/** Accepts no more connections and waits for requests in progress until the grace period ends. */
async function endServer(
  app: FastifyInstance,
  options: { readonly clock: Clock; readonly graceMs: number; readonly silent: SilentConnections },
): Promise<void> {
  const { clock, graceMs, silent } = options;
  const cancelSilent = clock.after(Math.min(graceMs, FIRST_BYTE_MS), silent.end);
  const cancel = clock.after(graceMs, () => app.server.closeAllConnections());
  // Fastify is closed last: a closed instance injects no requests, which an MCP call in progress may still need.
  await new Promise((resolve) => app.server.close(resolve));
  await app.close();
  cancelSilent();
  cancel();
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
    // The longest limit of any request. Bodies and forms enforce their own limits while they are read.
    requestTimeout: Math.max(limits.requestTimeoutMs, limits.formTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.idleConnectionMs,
    http: {
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckMs,
      // Node would answer without a body; `headFault` checks the header.
      requireHostHeader: false,
    },
    routerOptions: {
      maxParamLength: limits.pathSegmentChars,
      // Each operation parses its query by its own schema.
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
  // Bodies are read by the operations' routes, after authentication.
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
  readonly guests: GuestLimiter;
}

function bindServer(
  server: Server,
  { limits, requestIds, callLog, unrouted, sender, guests }: AppTools,
): void {
  const pipelining = createPipelining({ onOverflow: guests.chargeConnection });
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
    if (guests.isBlocked(socket)) socket.destroy();
  });
  server.maxConnections = limits.connections;
  // The bytes of the head are limited. By default Node silently drops the headers after the first 2,000.
  server.maxHeadersCount = 0;
  // A caller that has closed its sending side still gets its answer. Node supports the option, its types do not.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connect", (_request, socket) =>
    answerConnect(socket as Socket, { requestId: requestIds.next(), callLog }),
  );
  server.on("checkExpectation", (request, response) => {
    inOrder(response, () => {
      if (!sender.begin(response)) return;
      const requestId = requestIds.of(request.headers["x-request-id"]);
      unrouted.refuseRaw(response, requestId, unmetExpectation);
    });
  });
}

const NO_QUERY = Object.freeze({});

/**
 * Adds `POST /mcp` when there are operations for agents; returns whether it did. The MCP code is large, so the first
 * message loads it.
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

/** Injects a request into this server without a socket. */
function requestOf(app: FastifyInstance) {
  return async (request: ToolRequest, remoteAddress: string) => {
    const { statusCode, body } = await app.inject({ ...request, remoteAddress });
    return { status: statusCode, body };
  };
}

/** What answers pages and unknown paths. */
interface UnroutedTools {
  readonly unrouted: Unrouted;
  readonly guests: GuestLimiter;
}

function addPage(app: FastifyInstance, page: PageRoute, { unrouted, guests }: UnroutedTools): void {
  app.route({
    method: ["GET", "HEAD"],
    url: toRouterPath(page.path),
    handler(request, reply) {
      reply.hijack();
      const refused = guests.admit(request.raw, page.bytes(request.raw));
      if (refused !== undefined) {
        unrouted.refuse({ request, reply }, refused);
        return;
      }
      page.show(request.raw, request.id).then(
        (shown) => {
          if ("contentType" in shown) unrouted.show({ request, reply }, shown);
          else unrouted.refuse({ request, reply }, shown);
        },
        (thrown: unknown) => unrouted.fail({ request, reply }, thrown),
      );
    },
  });
}

/** Listens without Fastify, which opens a second server for `localhost` that would have none of our limits. */
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
  { pages, formKey, catalogues }: HostedOptions<C>,
  tools: Omit<HostedTools<C>, "formTokens" | "catalogues">,
): void {
  const formTokens = createFormTokens({ key: formKey, clock: tools.clock });
  for (const page of pages) addHostedPage(app, page, { ...tools, formTokens, catalogues });
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
  { unrouted, guests }: UnroutedTools,
): void {
  const allowAt = createAllowTable(routed);
  const refuse = (request: FastifyRequest, reply: FastifyReply): void => {
    const refused = guests.admit(request.raw);
    if (refused !== undefined) {
      unrouted.refuse({ request, reply }, refused);
      return;
    }
    const allow = allowAt(request.raw.url ?? "");
    const refusal =
      allow === undefined ? notFoundAt(request.raw.url ?? "") : methodNotAllowed(allow);
    unrouted.fail({ request, reply }, refusal, allow);
  };
  app.setNotFoundHandler(refuse);
  for (const { path, methods } of methodsToRefuse(routed)) {
    app.route({ method: [...methods], url: path, handler: refuse });
  }
}
