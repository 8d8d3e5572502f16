import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic } from "../../../test/kit/basic.ts";
import {
  type Shell,
  type ShellContext,
  sendRaw,
  shellOperations,
  startShell,
  tokenOf,
} from "../../../test/kit/http-shell.ts";
import { Refusal } from "../../engine/refusal.ts";
import { Fault } from "../../std/errors.ts";
import { defineOperation } from "../request/operation.ts";
import { shouldRetry } from "./errors.ts";

let shell: Shell;
let seen: unknown[] = [];

const failing = (id: string, thrown: unknown) =>
  defineOperation({
    id,
    method: "GET",
    path: `/failures/${id}`,
    access: "VIEW",
    capability: "customers.read",
    tag: "Failures",
    summary: id,
    answers: {},
    refusals: [],
    handle: (_request, _context: ShellContext) => Promise.reject(thrown),
  });

const failures = [
  failing("bug", new Error("select secret from vault")),
  failing("fault", new Fault("database away", { retryAfterSeconds: 7 })),
  failing("refusal", new Refusal("CONFLICT", { status: "DONE" })),
  failing("busy", new Refusal("RATE_LIMITED", { retryAfterSeconds: 9 })),
  failing("noRail", new Refusal("NOT_IMPLEMENTED", { rail: "ACH" })),
  failing("nonsense", undefined),
  defineOperation({
    id: "throws",
    method: "GET",
    path: "/failures/throws",
    access: "VIEW",
    capability: "customers.read",
    tag: "Failures",
    summary: "throws before it answers a promise",
    answers: {},
    refusals: [],
    handle(_request, _context: ShellContext): never {
      throw new Error("at once");
    },
  }),
  defineOperation({
    id: "badStatus",
    method: "GET",
    path: "/failures/badStatus",
    access: "VIEW",
    capability: "customers.read",
    tag: "Failures",
    summary: "answers what HTTP cannot say",
    answers: {},
    refusals: [],
    handle: async (_request, _context: ShellContext) => ({ status: 7, body: "x" }),
  }),
];

/** Beside `/things/{id}`, which can be deleted. */
const latest = defineOperation({
  id: "latest",
  method: "GET",
  path: "/things/latest",
  access: "VIEW",
  capability: "customers.read",
  tag: "Things",
  summary: "has a path of words alone",
  answers: {},
  refusals: [],
  handle: async (_request, _context: ShellContext) => ({ status: 200, body: "{}" }),
});

beforeAll(async () => {
  shell = await startShell({
    context: { seen: (value) => seen.push(value) },
    operations: [...shellOperations, ...failures, latest],
    limits: { failedLoginRate: { perSecond: 1000, burst: 1000 } },
  });
  shell.tokens.set(...tokenOf("viewer", "secret", { permissions: new Set(["VIEW"] as const) }));
  shell.tokens.set(...tokenOf("producer", "secret", { environment: "PRODUCTION" }));
});

afterAll(() => shell.server.close(0));

async function codeOf(answer: Response): Promise<string> {
  const body = (await answer.json()) as { status: number; code: string; message: string };
  expect(body.status).toBe(answer.status);
  expect(body.message).not.toBe("");
  return `${answer.status} ${body.code}`;
}

describe("a path", () => {
  it.each([
    ["GET", "/2025-10-13/nothing", "404 NOT_FOUND"],
    ["POST", "/2025-10-13/nothing", "404 NOT_FOUND"],
    ["GET", "/things", "404 NOT_FOUND"],
    ["GET", "/", "404 NOT_FOUND"],
    ["GET", "/2025-10-13/things/", "404 NOT_FOUND"],
    ["GET", "/2025-10-13//things", "404 NOT_FOUND"],
    ["GET", "/2025-10-13/Things", "404 NOT_FOUND"],
    ["GET", `/2025-10-13/things/${"x".repeat(1_100)}`, "404 NOT_FOUND"],
    ["PATCH", "/2025-10-13/things/", "404 NOT_FOUND"],
    ["PATCH", "/2025-10-13/things", "405 METHOD_NOT_ALLOWED"],
    ["OPTIONS", "/2025-10-13/things", "405 METHOD_NOT_ALLOWED"],
    ["DELETE", "/healthz", "405 METHOD_NOT_ALLOWED"],
    ["GET", "/2025-10-13/things/x/pay", "405 METHOD_NOT_ALLOWED"],
    ["PATCH", "/2025-10-13/%74hings", "405 METHOD_NOT_ALLOWED"],
    ["PATCH", "/2025%2D10-13/thing%73/Thing%3A1?name=%70ay", "405 METHOD_NOT_ALLOWED"],
    ["PATCH", "/2025-10-13%2Fthings", "404 NOT_FOUND"],
    ["PATCH", "/2025-10-13/%2574hings", "404 NOT_FOUND"],
    ["OPTIONS", "/2025-10-13/things/%ff", "400 INVALID_REQUEST_FORMAT"],
    ["GET", "/2025-10-13/things/%", "400 INVALID_REQUEST_FORMAT"],
    ["GET", "/2025-10-13/things/%ff", "400 INVALID_REQUEST_FORMAT"],
    ["GET", "/2025-10-13/things/%00", "400 INVALID_INPUT"],
  ])("%s %s answers %s", async (method, path, expected) => {
    const answer = await fetch(shell.origin + path, {
      method,
      headers: { authorization: basic("client", "secret") },
    });
    expect(await codeOf(answer)).toBe(expected);
  });

  it("that takes other methods says which", async () => {
    const things = await shell.call("/things", { method: "PUT" });
    expect(things.headers.get("allow")).toBe("GET, HEAD, POST");
    const thing = await shell.call("/things/x?y=/a/b", { method: "PATCH" });
    expect(thing.headers.get("allow")).toBe("DELETE, GET, HEAD");
  });

  it("without parameters refuses the methods of a parameterised sibling", async () => {
    expect((await shell.call("/things/latest")).status).toBe(200);
    for (const path of ["/things/latest", "/things/%6Catest?x=1"]) {
      const refused = await shell.call(path, { method: "DELETE" });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
    const put = await shell.call("/things/latest", { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it.each([
    ["GET http://x/2025-10-13/%74hings/first", 200],
    ["PATCH http://x/2025-10-13/things?name=x", 405],
    ["PATCH HTTPS://x:443/healthz", 405],
    ["TRACE http://x/2025-10-13/things/%ff", 400],
    ["TRACE http://%ff/healthz", 400],
    ["TRACE x://x/%ff", 400],
    ["TRACE %ff", 400],
    ["TRACE *%ff", 400],
    ["TRACE /healthz?%ff", 405],
    ["PATCH http://x/2025-10-13/nothing", 404],
    ["PATCH http://x", 404],
    ["PATCH http://x?/healthz", 404],
  ])(
    "that comes with an origin, or is odd otherwise, is read as the router does: %s answers %i",
    async (line, status) => {
      const head = `Host: x\r\nConnection: close\r\nAuthorization: ${basic("client", "secret")}`;
      const answer = await sendRaw(shell.port, `${line} HTTP/1.1\r\n${head}\r\n\r\n`);
      expect(answer.slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
    },
  );

  it("of a method that fetch does not send is refused too", async () => {
    const close = "Host: x\r\nConnection: close\r\n\r\n";
    const trace = await sendRaw(shell.port, `TRACE /2025-10-13/things HTTP/1.1\r\n${close}`);
    expect(trace).toMatch(/^HTTP\/1.1 405 /);
    const connect = await sendRaw(shell.port, `CONNECT example.com:443 HTTP/1.1\r\n${close}`);
    expect(connect).toMatch(/^HTTP\/1.1 405 /);
    expect(connect).toContain('"code":"METHOD_NOT_ALLOWED"');
    const override = await shell.call("/things/x", {
      headers: { "x-http-method-override": "DELETE" },
    });
    expect(override.status).toBe(200);
  });

  it("finds the static operation before the one with a parameter", async () => {
    expect(await (await shell.call("/things/first")).json()).toEqual({ first: true });
    expect(await (await shell.call("/things/second")).json()).toEqual({ thingId: "second" });
  });

  it.each([
    ["Thing%3A1", "Thing:1"],
    ["Thing:1", "Thing:1"],
    ["%24ada%40example.com", "$ada@example.com"],
    ["a%2Fb", "a/b"],
    ["%2e%2e%2fetc", "../etc"],
    ["%2541", "%41"],
  ])("hands on the parameter %s as %s", async (segment, thingId) => {
    expect(await (await shell.call(`/things/${segment}`)).json()).toEqual({ thingId });
  });

  it("answers HEAD like GET, without the body", async () => {
    const answer = await shell.call("/things/first", { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(answer.headers.get("content-length")).toBe("14");
  });
});

describe("every answer", () => {
  it("carries the security headers and the request's id", async () => {
    for (const path of ["/healthz", "/nothing", "/2025-10-13/things", "/2025-10-13/things/%"]) {
      const { headers } = await fetch(shell.origin + path);
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("cache-control"), path).toBe("no-store");
      expect(headers.get("content-security-policy"), path).toContain("default-src 'none'");
      expect(headers.get("content-type"), path).toBe("application/json; charset=utf-8");
      expect(headers.get("x-request-id"), path).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect(headers.get("server"), path).toBeNull();
      expect(headers.get("access-control-allow-origin"), path).toBeNull();
    }
  });

  it("echoes an id that is plain, and makes one for any other", async () => {
    const idFor = async (sent: string) => {
      const answer = await shell.call("/things/first", { headers: { "x-request-id": sent } });
      return answer.headers.get("x-request-id");
    };
    const plain = `A-z0.9_${"x".repeat(121)}`;
    expect(await idFor(plain)).toBe(plain);
    for (const odd of [`${plain}x`, "a b", "a,b", "<b>", "é", ""]) {
      expect(await idFor(odd)).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    }
  });
});

describe("credentials", () => {
  it.each([
    [undefined],
    [""],
    ["Basic"],
    ["Basic !!!"],
    [basic("client", "wrong")],
    [basic("nobody", "secret")],
    ["Bearer token"],
    [`Basic ${"A".repeat(10_000)}`],
  ])("that are wrong get one and the same answer: %s", async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await fetch(`${shell.url}/things`, { headers });
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="florin"');
    expect([answer.status, await answer.text()]).toEqual([
      401,
      '{"status":401,"code":"UNAUTHORIZED","message":"The credentials are missing or not valid. HTTP Basic with a token\'s clientId and clientSecret is asked for."}',
    ]);
  });

  it("are checked before anything else", async () => {
    const answer = await fetch(`${shell.url}/things`, { method: "POST", body: "{" });
    expect(answer.status).toBe(401);
  });

  it.each([
    ["viewer", "GET", "/things", 200],
    ["viewer", "POST", "/things", 403],
    ["viewer", "DELETE", "/things/x", 403],
    ["viewer", "POST", "/things/x/cancel", 403],
    ["client", "DELETE", "/things/x", 204],
    ["client", "POST", "/things/x/pay", 200],
    ["producer", "POST", "/things/x/cancel", 204],
    ["producer", "POST", "/things/x/pay", 403],
  ])("of %s: %s %s is %i", async (clientId, method, path, status) => {
    const headers = { authorization: basic(clientId, "secret") };
    const answer = await fetch(shell.url + path, { method, headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(await codeOf(answer)).toBe("403 FORBIDDEN");
  });

  it("are not asked for by a public operation, which sees the address instead", async () => {
    const answer = await fetch(`${shell.url}/codes/ABC/redeem`, {
      method: "POST",
      headers: { "idempotency-key": "k" },
    });
    expect(await answer.json()).toEqual({
      remoteAddress: "127.0.0.1",
      idempotency: expect.objectContaining({ scope: "public POST /codes/ABC/redeem", key: "k" }),
    });
  });

  it("are read once for a burst of requests", async () => {
    await shell.call("/things/first");
    const before = shell.reads();
    for (let index = 0; index < 20; index += 1) await shell.call("/things/first");
    expect(shell.reads() - before).toBeLessThanOrEqual(2);
  });
});

describe("a body", () => {
  const valid = JSON.stringify({ name: "Ada" });

  function post(init: { body?: string; headers?: Record<string, string> }): Promise<Response> {
    return shell.call("/things", { method: "POST", ...init });
  }

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'Application/JSON; charset="utf-8"',
  ])("as %s is read", async (type) => {
    expect((await post({ body: valid, headers: { "content-type": type } })).status).toBe(201);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=latin1",
    "application/jsonx",
    "application/vnd.api+json",
    "",
  ])("as %j is refused", async (type) => {
    const answer = await post({ body: valid, headers: { "content-type": type } });
    expect(await codeOf(answer)).toBe("415 UNSUPPORTED_MEDIA_TYPE");
  });

  it("that is compressed is refused", async () => {
    for (const encoding of ["gzip", "br", "deflate"]) {
      const headers = { "content-type": "application/json", "content-encoding": encoding };
      expect(await codeOf(await post({ body: valid, headers }))).toBe("415 UNSUPPORTED_MEDIA_TYPE");
    }
  });

  it("may have 256 kB and not one byte more, announced or not", async () => {
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ name: "Ada", pad: "" }).length;
      return JSON.stringify({ name: "Ada", pad: "x".repeat(bytes - empty) });
    };
    const headers = { "content-type": "application/json" };
    expect((await post({ body: sized(262_144), headers })).status).toBe(201);
    expect(await codeOf(await post({ body: sized(262_145), headers }))).toBe(
      "413 PAYLOAD_TOO_LARGE",
    );
    expect((await post({ body: valid, headers })).status).toBe(201);
    const endless = `${chunkedHead()}${chunk("x".repeat(200_000))}${chunk("x".repeat(200_000))}`;
    const answer = await sendRaw(shell.port, endless);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
  });

  it("that is announced to be huge is refused before it comes", async () => {
    const head = chunkedHead().replace("Transfer-Encoding: chunked", "Content-Length: 10000000");
    const answer = await sendRaw(shell.port, head);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
  });

  function chunkedHead(): string {
    return (
      "POST /2025-10-13/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
      `Authorization: ${basic("client", "secret")}\r\nTransfer-Encoding: chunked\r\n\r\n`
    );
  }

  function chunk(text: string): string {
    return `${text.length.toString(16)}\r\n${text}\r\n`;
  }

  it("may arrive in chunks", async () => {
    const pieces = [...valid].map(chunk).join("");
    const bytes = `${chunkedHead().replace("Host: x", "Host: x\r\nConnection: close")}${pieces}0\r\n\r\n`;
    expect(await sendRaw(shell.port, bytes)).toMatch(/^HTTP\/1.1 201 /);
  });

  it("is required where the operation needs one, and only there", async () => {
    const missing = await post({});
    expect(missing.status).toBe(400);
    expect(await missing.json()).toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ field: "body", message: "is required" }] },
    });
    const pay = await shell.call("/things/x/pay", { method: "POST" });
    expect(await pay.json()).toEqual({ amount: null });
    const paid = await shell.post("/things/x/pay", { amount: 5 });
    expect(await paid.json()).toEqual({ amount: 5 });
  });

  it("is ignored where the operation has none", async () => {
    for (const body of ["{", "x".repeat(300_000)]) {
      expect((await shell.call("/things/x/cancel", { method: "POST", body })).status).toBe(204);
      expect((await shell.call("/things/x", { method: "DELETE", body })).status).toBe(204);
    }
  });

  it("that is cut off does not harm the server", async () => {
    const head = chunkedHead().replace("Transfer-Encoding: chunked", "Content-Length: 100");
    const answer = sendRaw(shell.port, `${head}{"name":`);
    const other = await post({ body: valid, headers: { "content-type": "application/json" } });
    expect(other.status).toBe(201);
    void answer;
  });
});

describe("the operation's declared headers", () => {
  it("reach it, and no others do", async () => {
    seen = [];
    await shell.post("/things", { name: "x" }, { "request-id": "Request:1", cookie: "a=b" });
    await shell.post("/things", { name: "x" });
    expect(seen).toMatchObject([
      { headers: { "request-id": "Request:1" } },
      { headers: { "request-id": undefined } },
    ]);
    expect(JSON.stringify(seen)).not.toMatch(/authorization|cookie/i);
  });
});

describe("a query", () => {
  it("reaches the operation typed and with its defaults", async () => {
    seen = [];
    await shell.call("/things?limit=100&open=true&kind=SMALL&kind=LARGE");
    await shell.call("/things");
    expect(seen).toEqual([{ limit: 100, open: true, kind: ["SMALL", "LARGE"] }, { limit: 20 }]);
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=1e9", "limit"],
    ["limit=abc", "limit"],
    ["limit=", "limit"],
    ["limit=5&limit=5", "limit"],
    ["open=yes", "open"],
    ["kind=HUGE", "kind.0"],
    ["kind=SMALL&kind=SMALL&kind=SMALL", "kind"],
    ["createdAfter=infinity", "createdAfter"],
    ["createdAfter=2025-10-13", "createdAfter"],
    ["cursor=", "cursor"],
    ["name=%01", "name"],
  ])("?%s is refused for %s", async (query, field) => {
    const answer = await shell.call(`/things?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ field }] },
    });
  });
});

describe("an error of an operation", () => {
  it.each([
    ["refusal", 409, "CONFLICT", null],
    ["busy", 429, "RATE_LIMITED", "9"],
    ["fault", 503, "SERVICE_UNAVAILABLE", "7"],
    ["bug", 500, "INTERNAL_ERROR", null],
    ["throws", 500, "INTERNAL_ERROR", null],
    ["nonsense", 500, "INTERNAL_ERROR", null],
    ["badStatus", 500, "INTERNAL_ERROR", null],
    ["noRail", 501, "NOT_IMPLEMENTED", null],
  ])("%s is answered with %i %s", async (name, status, code, retryAfter) => {
    const answer = await shell.call(`/failures/${name}`, {
      headers: { "x-request-id": "trace-1" },
    });
    const text = await answer.text();
    expect(answer.status).toBe(status);
    expect(answer.headers.get("retry-after")).toBe(retryAfter);
    expect(answer.headers.get("x-should-retry")).toBe(shouldRetry(status) ?? null);
    expect(JSON.parse(text)).toMatchObject({ status, code });
    if (status >= 500) expect(JSON.parse(text).details.requestId).toBe("trace-1");
    expect(text).not.toMatch(/vault|database away|at once/);
  });

  it("is logged with its stack when it is a bug", async () => {
    const before = shell.log.length;
    await shell.call("/failures/bug", { headers: { "x-request-id": "trace-2" } });
    await shell.call("/failures/refusal");
    expect(shell.log.slice(before)).toMatchObject([
      { level: "error", requestId: "trace-2", operationId: "bug" },
    ]);
  });

  it("is logged without a stack when it is a fault", async () => {
    const before = shell.log.length;
    await shell.call("/failures/fault", { headers: { "x-request-id": "trace-3" } });
    expect(shell.log.slice(before)).toMatchObject([
      { level: "warn", requestId: "trace-3", operationId: "fault", err: "database away" },
    ]);
  });
});

describe("the log", () => {
  it("holds no secret of any request", async () => {
    await shell.call("/failures/bug");
    await shell.call("/failures/fault");
    await fetch(`${shell.url}/things`, { headers: { authorization: basic("client", "s3cr3t") } });
    expect(JSON.stringify(shell.log)).not.toContain("s3cr3t");
    expect(JSON.stringify(shell.log)).not.toContain(basic("client", "secret").slice(6));
  });
});
