import { createHash } from "node:crypto";
import { connect } from "node:net";
import Type from "typebox";
import type { TokenRecord } from "../../src/http/auth/auth.ts";
import type { HostedPage } from "../../src/http/hosted/hosted-page.ts";
import { catalogues } from "../../src/http/hosted/language/catalogue.ts";
import type { BuiltSite } from "../../src/http/reference/built-site.ts";
import { defineOperation, type Operation, versionPath } from "../../src/http/request/operation.ts";
import { pageParameters } from "../../src/http/request/paging.ts";
import type { HttpLimits } from "../../src/http/server/limits.ts";
import { createMetrics, type Metrics } from "../../src/http/server/metrics.ts";
import { createHttpServer, type HttpServer } from "../../src/http/server/server.ts";
import type { UmaPaths } from "../../src/http/uma/uma-paths.ts";
import { type Clock, systemClock } from "../../src/std/clock.ts";
import type { Log, LogFields } from "../../src/std/log.ts";
import { requestAmount, taggedUnion } from "../../src/validation/schema.ts";
import { createSchemaCompiler } from "../../src/validation/validation.ts";
import { basic } from "./basic.ts";

export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export function manualClock(startMs = 1_760_000_000_000): ManualClock {
  let now = startMs;
  return {
    now: () => now,
    after: (delayMs, task) => systemClock.after(delayMs, task),
    advance(ms) {
      now += ms;
    },
  };
}

export interface LogLine extends LogFields {
  readonly level: string;
  readonly message: string;
}

export function recordingLog(lines: LogLine[]): Log {
  const at = (level: string) => (fields: LogFields, message: string) => {
    lines.push({ ...fields, level, message });
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export function tokenOf(
  clientId: string,
  clientSecret: string,
  rest: Partial<TokenRecord> = {},
): readonly [string, TokenRecord] {
  return [
    clientId,
    {
      platformId: "platform-a",
      environment: "SANDBOX",
      tokenId: `token-${clientId}`,
      permissions: new Set(["VIEW", "TRANSACT", "MANAGE"] as const),
      people: [],
      personId: null,
      secretHash: createHash("sha256").update(clientSecret).digest(),
      expiresAt: undefined,
      ...rest,
    },
  ];
}

export interface Shell {
  readonly server: HttpServer;
  readonly port: number;
  readonly origin: string;
  readonly url: string;
  readonly tokens: Map<string, TokenRecord>;
  readonly reads: () => number;
  readonly log: readonly LogLine[];
  readonly metrics: Metrics;
  /** Sends a request with the token `client`, to a path below the version segment. */
  call(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export interface ShellOptions {
  readonly operations?: readonly Operation<ShellContext>[];
  readonly context?: ShellContext;
  readonly docs?: BuiltSite;
  readonly consoleSite?: BuiltSite | null;
  readonly hostedPages?: readonly HostedPage<ShellContext>[];
  readonly uma?: UmaPaths;
  readonly clock?: Clock;
  readonly limits?: Partial<HttpLimits>;
  readonly trustedProxies?: readonly string[];
  readonly checkReady?: () => Promise<void>;
  readonly authenticate?: (clientId: string) => Promise<TokenRecord | undefined>;
}

export async function startShell(options: ShellOptions = {}): Promise<Shell> {
  const tokens = new Map([tokenOf("client", "secret")]);
  const log: LogLine[] = [];
  const metrics = createMetrics();
  let reads = 0;
  const server = createHttpServer<ShellContext>({
    operations: options.operations ?? shellOperations,
    reference: { tags: {}, webhooks: [] },
    docs: options.docs,
    ...(options.consoleSite === undefined ? {} : { consoleSite: options.consoleSite }),
    context: options.context ?? {},
    hosted: { pages: options.hostedPages ?? [], formKey: Buffer.from("a key"), catalogues },
    ...(options.uma === undefined ? {} : { uma: options.uma }),
    authenticate: async (clientId) => {
      reads += 1;
      return options.authenticate === undefined
        ? tokens.get(clientId)
        : await options.authenticate(clientId);
    },
    authenticateAgent: async () => undefined,
    clock: options.clock ?? systemClock,
    log: recordingLog(log),
    metrics,
    limits: options.limits ?? {},
    trustedProxies: options.trustedProxies ?? [],
    compile: await createSchemaCompiler(),
    checkReady: options.checkReady ?? (async () => undefined),
    publicUrl: () => "http://127.0.0.1:8080",
    secureOrigin: false,
    version: "0.0.0",
  });
  const { port } = await server.listen("127.0.0.1", 0);
  const origin = `http://127.0.0.1:${port}`;
  const url = origin + versionPath;
  const authorization = basic("client", "secret");
  function call(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(url + path, { ...init, headers: { authorization, ...toRecord(init.headers) } });
  }
  return {
    server,
    port,
    origin,
    url,
    tokens,
    reads: () => reads,
    log,
    metrics,
    call,
    post: (path, body, headers = {}) =>
      call(path, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
  };
}

function toRecord(headers: RequestInit["headers"]): Record<string, string> {
  return Object.fromEntries(new Headers(headers).entries());
}

/** Writes bytes to a new connection and returns everything that is received until it closes. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const received: Buffer[] = [];
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(received).toString("latin1")));
    socket.on("error", reject);
    socket.write(bytes);
  });
}

export interface ShellContext {
  readonly seen?: (request: unknown) => void;
  readonly hold?: () => Promise<void>;
}

const Thing = Type.Object(
  { id: Type.String({ examples: ["Thing:1"] }), name: Type.String({ examples: ["Ada"] }) },
  { $id: "Thing" },
);

const createThing = defineOperation({
  id: "createThing",
  method: "POST",
  path: "/things",
  access: "MANAGE",
  capability: "customers.read",
  tag: "Things",
  summary: "Create a thing",
  description: "With a `name`.\n\nAnd <b>more</b>.",
  headers: [{ name: "Request-Id", description: "Of the first step.", example: "Request:1" }],
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 50, examples: ["Ada"] }),
    amount: Type.Optional(requestAmount()),
    fee: Type.Optional(requestAmount({ maximum: 1000 })),
    count: Type.Optional(Type.Integer({ minimum: 0 })),
    share: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    size: Type.Integer({ default: 3 }),
    kind: Type.Optional(Type.Enum(["SMALL", "LARGE"])),
    note: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
    bornOn: Type.Optional(Type.String({ format: "date" })),
    createdAfter: Type.Optional(Type.String({ format: "date-time" })),
    tags: Type.Optional(Type.Record(Type.String(), Type.String())),
    items: Type.Optional(
      Type.Array(Type.Object({ code: Type.String({ pattern: "^[A-Z]{3}$" }) }), { maxItems: 3 }),
    ),
    kinds: Type.Optional(
      Type.Array(Type.Enum(["SMALL", "LARGE"]), { maxItems: 2, uniqueItems: true }),
    ),
    account: Type.Optional(
      taggedUnion("accountType", [
        Type.Object({
          accountType: Type.Literal("BANK"),
          iban: Type.String(),
          holder: Type.Optional(Type.String({ description: "Whose bank account it is." })),
        }),
        Type.Object({
          accountType: Type.Literal("WALLET"),
          address: Type.String(),
          holder: Type.Optional(Type.String({ description: "Who has its keys." })),
        }),
      ]),
    ),
  }),
  answers: { 201: { description: "The thing.", schema: Thing } },
  refusals: ["CONFLICT"],
  async handle(request, context: ShellContext) {
    context.seen?.(request);
    await context.hold?.();
    const { name, size } = request.body;
    return { status: 201, body: JSON.stringify({ name, size }), replayed: name === "again" };
  },
});

const listThings = defineOperation({
  id: "listThings",
  method: "GET",
  path: "/things",
  access: "VIEW",
  capability: "customers.read",
  tag: "Things",
  summary: "List things",
  query: Type.Object({
    ...pageParameters,
    name: Type.Optional(Type.String()),
    open: Type.Optional(Type.Boolean()),
    kind: Type.Optional(Type.Array(Type.Enum(["SMALL", "LARGE"]), { maxItems: 2 })),
    createdAfter: Type.Optional(Type.String({ format: "date-time" })),
  }),
  answers: {
    200: { description: "A page.", schema: Type.Object({ data: Type.Array(Thing) }) },
  },
  refusals: [],
  async handle({ query }, context: ShellContext) {
    context.seen?.(query);
    return { status: 200, body: JSON.stringify(query) };
  },
});

const getThing = defineOperation({
  id: "getThing",
  method: "GET",
  path: "/things/{thingId}",
  access: "VIEW",
  capability: "customers.read",
  tag: "Things",
  summary: "Get a thing",
  answers: { 200: { description: "The thing.", schema: Thing } },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ params }) {
    return { status: 200, body: JSON.stringify(params) };
  },
});

const getFirstThing = defineOperation({
  id: "getFirstThing",
  method: "GET",
  path: "/things/first",
  access: "VIEW",
  capability: "customers.read",
  tag: "Things",
  summary: "Get the first thing",
  answers: { 200: { description: "The thing.", schema: Thing } },
  refusals: [],
  handle: async () => ({ status: 200, body: '{"first":true}' }),
});

const deleteThing = defineOperation({
  id: "deleteThing",
  method: "DELETE",
  path: "/things/{thingId}",
  access: "MANAGE",
  capability: "customers.read",
  tag: "Things",
  summary: "Delete a thing",
  answers: { 204: { description: "Gone." } },
  refusals: [],
  handle: async () => ({ status: 204, body: "" }),
});

const payThing = defineOperation({
  id: "payThing",
  method: "POST",
  path: "/things/{thingId}/pay",
  access: "TRANSACT",
  capability: "customers.read",
  sandboxOnly: true,
  tag: "Money",
  summary: "Pay for a thing",
  body: Type.Object({ amount: requestAmount() }),
  bodyOptional: true,
  answers: { 200: { description: "Paid." } },
  refusals: ["INSUFFICIENT_BALANCE"],
  async handle({ body, idempotency }, context: ShellContext) {
    context.seen?.(idempotency);
    return { status: 200, body: JSON.stringify({ amount: body?.amount ?? null }) };
  },
});

const cancelThing = defineOperation({
  id: "cancelThing",
  method: "POST",
  path: "/things/{thingId}/cancel",
  access: "TRANSACT",
  capability: "customers.read",
  tag: "Money",
  summary: "Cancel a thing",
  answers: { 204: { description: "Cancelled." } },
  refusals: [],
  handle: async () => ({ status: 204, body: "" }),
});

const redeem = defineOperation({
  id: "redeem",
  method: "POST",
  path: "/codes/{code}/redeem",
  access: "PUBLIC",
  tag: "Codes",
  summary: "Redeem a code",
  answers: { 200: { description: "Redeemed." } },
  refusals: [],
  async handle({ principal, remoteAddress, idempotency }) {
    return { status: 200, body: JSON.stringify({ principal, remoteAddress, idempotency }) };
  },
});

/** Operations with a body, a query, a static and a parametric path, without a body, for the sandbox only, and a public one. */
export const shellOperations: readonly Operation<ShellContext>[] = [
  createThing,
  listThings,
  getThing,
  getFirstThing,
  deleteThing,
  payThing,
  cancelThing,
  redeem,
];
