/** Adds the console to the server: its own operations, those of the public API at a platform, and the address check of its pages. */
import type { FastifyInstance } from "fastify";
import type { Entrance } from "../auth/entrance.ts";
import type { PageRoute } from "../reference/pages.ts";
import { type Method, type Operation, versionPath } from "../request/operation.ts";
import { createRoute, type Route } from "../request/route.ts";
import type { GuestLimiter } from "../server/guest-limiter.ts";
import type { HttpLimits } from "../server/limits.ts";
import { type RoutedPath, routedMethods, toRouterPath } from "../server/paths.ts";
import type { RateLimiter } from "../server/rate-limit.ts";
import type { Unrouted } from "../server/unrouted.ts";
import { type ConsoleTools, consoleEntrance } from "./console-entrance.ts";
import { isConsolePage, pageElsewhere } from "./page-rule.ts";
import { pathAtPlatform } from "./place.ts";

export interface ConsoleOptions<C> extends Pick<ConsoleTools, "place" | "sessions" | "engine"> {
  /** The console's own operations, below `/console/api`. */
  readonly operations: readonly Operation<C>[];
  /** Pages that are not part of the built console. */
  readonly pages: readonly PageRoute[];
}

export type LimiterOf = (rate: HttpLimits["tokenRate"]) => RateLimiter;

interface Placed<C> {
  readonly method: Method;
  /** The path from the root, in OpenAPI style. */
  readonly path: string;
  readonly entrance: Entrance<C>;
}

function addRoute<C>(
  app: FastifyInstance,
  route: Route<C>,
  { method, path, entrance }: Placed<C>,
): void {
  app.route({
    method: [...routedMethods(method)],
    url: toRouterPath(path),
    handler(request, reply) {
      reply.hijack();
      route.start(
        {
          raw: request.raw,
          response: reply.raw,
          params: request.params as Readonly<Record<string, string>>,
          requestId: request.id,
        },
        entrance,
      );
    },
  });
}

/** Adds an operation of the public API below the version segment. */
export function addOperation<C>(
  app: FastifyInstance,
  operation: Operation<C>,
  {
    tools,
    entrance,
  }: { readonly tools: Parameters<typeof createRoute<C>>[1]; readonly entrance: Entrance<C> },
): MadeRoute<C> {
  const route = createRoute(operation, tools);
  addRoute(app, route, { ...operation, path: versionPath + operation.path, entrance });
  return { operation, route };
}

const CONSOLE_API = "/console/api";
/** The prefix of the public API's operations at a platform. */
const CONSOLE_PLATFORM = "/console/api/p/{platformId}";
/** The rate limit of one person. */
const PERSON_RATE = { perSecond: 100, burst: 100 };

interface MadeRoute<C> {
  readonly operation: Operation<C>;
  readonly route: Route<C>;
}

/** Adds the console's own operations, and those of the public API that people may call. Returns the console's own. */
export function addConsole<C>(
  app: FastifyInstance,
  options: ConsoleOptions<C> | undefined,
  {
    tools,
    routes,
    limiter,
  }: {
    readonly tools: Parameters<typeof createRoute<C>>[1];
    readonly routes: readonly MadeRoute<C>[];
    readonly limiter: LimiterOf;
  },
): readonly MadeRoute<C>[] {
  if (options === undefined) return [];
  const { operations, pages: _, ...parts } = options;
  const entrance = consoleEntrance<C>({ ...tools, ...parts, limiter: limiter(PERSON_RATE) });
  for (const { operation, route } of routes) {
    if (isOfPeople(operation)) addAtPlatform(app, route, { ...operation, entrance });
  }
  return operations.map((operation) => {
    const route = createRoute(operation, tools);
    const path = pathAtPlatform(operation.path);
    if (path === undefined)
      addRoute(app, route, { ...operation, path: CONSOLE_API + operation.path, entrance });
    else addAtPlatform(app, route, { ...operation, path, entrance });
    return { operation, route };
  });
}

/** People cannot call operations of agents and public operations. */
function isOfPeople<C>({ access, capability }: Operation<C>): boolean {
  return capability !== undefined && access !== "AGENT" && access !== "PUBLIC";
}

function addAtPlatform<C>(
  app: FastifyInstance,
  route: Route<C>,
  { method, path, entrance }: Placed<C>,
): void {
  app.route({
    method: [...routedMethods(method)],
    url: toRouterPath(CONSOLE_PLATFORM + path),
    handler(request, reply) {
      reply.hijack();
      const { platformId: platform, ...params } = request.params as Readonly<
        Record<string, string>
      >;
      const { raw, id: requestId } = request;
      route.start({ raw, response: reply.raw, params, requestId, platform }, entrance);
    },
  });
}

/** The paths of the console with their methods, for the answers to unsupported methods. */
export function consolePaths<C>(
  options: ConsoleOptions<C> | undefined,
  operations: readonly Operation<C>[],
): readonly RoutedPath[] {
  if (options === undefined) return [];
  const toPath =
    (prefix: string) =>
    ({ method, path }: Operation<C>) => ({
      methods: routedMethods(method),
      path: prefix + path,
    });
  return [
    ...options.operations.map(toPath(CONSOLE_API)),
    ...operations.filter(isOfPeople).map(toPath(CONSOLE_PLATFORM)),
  ];
}

/** Serves the pages of the console only at addresses where browsers create passkeys. */
export function addPageRule(
  app: FastifyInstance,
  options: Pick<ConsoleOptions<never>, "place"> | undefined,
  { unrouted, guests }: { readonly unrouted: Unrouted; readonly guests: GuestLimiter },
): void {
  if (options === undefined) return;
  app.addHook("onRequest", (request, reply, done) => {
    const page = isConsolePage(request.raw.url ?? "")
      ? pageElsewhere(request.raw, options.place())
      : undefined;
    if (page === undefined) {
      done();
      return;
    }
    const refused = guests.admit(request.raw);
    if (refused === undefined) unrouted.show({ request, reply }, page);
    else unrouted.refuse({ request, reply }, refused);
  });
}
