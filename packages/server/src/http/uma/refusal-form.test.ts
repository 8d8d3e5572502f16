/** Every refusal on the public paths of UMA has the form of LNURL: generated over all paths and what is wrong with a request. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manualClock, type Shell, sendRaw, startShell } from "../../../test/kit/http-shell.ts";
import { createRoutingProofs } from "../../domain/uma/domains/routing-proof.ts";
import { Fault } from "../../std/errors.ts";
import type { HttpLimits } from "../server/limits.ts";
import { readHookMessage } from "./hooks/read-hook-message.ts";
import { readLookup } from "./lookup/read-lookup.ts";
import { readPayment } from "./pay/read-pay-request.ts";
import { inFormOf, isUmaTarget } from "./refusal-form.ts";
import { type UmaAnswer, unknownUser } from "./uma-answer.ts";
import { type UmaPaths, umaRoutedPaths } from "./uma-paths.ts";

const clock = manualClock();
const grant = { vaspDomain: "vasp.example" };
const served = {
  platformId: "019a4f00-0000-7000-8000-000000000001",
  environment: "PRODUCTION",
  domain: "bank.example",
  name: "Bank",
  callbackBase: "PUBLIC_URL",
  ownDomains: ["bank.example"],
} as const;

/** The messages are read as they are; what is read well is then met by a fault of ours. */
const answered = (
  read: { readonly kind: "refused"; readonly answer: UmaAnswer } | { readonly kind: string },
): UmaAnswer => {
  if ("answer" in read) return read.answer;
  throw new Fault("the database is away");
};
const uma: UmaPaths = {
  hosts: { find: async (host) => (host === "bank.example" ? served : undefined), forget() {} },
  sandboxes: { isPassed: () => false, find: async () => undefined },
  proofs: createRoutingProofs(Buffer.from("a key")),
  handlers: {
    lnurlp: async (request) => answered(readLookup(request, clock.now())),
    async lnurlpubkey() {
      throw new TypeError("a bug");
    },
    pay: async ({ body }) => answered(readPayment(body, grant, clock.now())),
    hook: async ({ body }) => answered(readHookMessage(body, grant, clock.now())),
  },
};

const LIMITS = { requestTimeoutMs: 300, connectionsCheckMs: 20 };
const open = (limits: Partial<HttpLimits> = {}) =>
  startShell({ clock, uma, limits: { ...LIMITS, ...limits }, trustedProxies: ["127.0.0.1"] });

let shell: Shell;
beforeAll(async () => {
  shell = await open();
});
afterAll(() => shell.server.close(0));

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly host?: string;
}

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** On a connection of its own, as it is written. */
async function send(port: number, { method, target, host, body, ...sent }: Sent): Promise<Got> {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const own = sent.headers ?? [];
  const lines = [`Host: ${host ?? "bank.example"}`, "Connection: close", ...length, ...own];
  const head = [`${method} ${target} HTTP/1.1`, ...lines].join("\r\n");
  const received = await sendRaw(port, `${head}\r\n\r\n${body ?? ""}`);
  const end = received.indexOf("\r\n\r\n");
  const [first = "", ...fields] = received.slice(0, end).split("\r\n");
  return {
    status: Number(first.split(" ")[1]),
    headers: new Headers(fields.map((line) => line.split(": ", 2) as [string, string])),
    text: received.slice(end + 4),
  };
}

function judge({ status, headers, text }: Got, method: string): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  if (status === 429 || status === 503)
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  if (method === "HEAD") expect(text).toBe("");
  else {
    expect(JSON.parse(text)).toEqual({
      status: "ERROR",
      code: expect.stringMatching(/^[A-Z_]+$/),
      reason: expect.stringMatching(/./),
    });
  }
}

const JSON_TYPE = "Content-Type: application/json";
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

interface Place extends Sent {
  readonly allowed: readonly string[];
}

const places: readonly Place[] = umaRoutedPaths.flatMap(({ path, methods }) => {
  const target = path.replace("{user}", "$ana").replace("{token}", "token");
  return methods.map((method) => ({ target, method, allowed: methods }));
});

type Wrong = readonly [status: number, change: (place: Place) => Partial<Sent> | undefined];

const ofPost = (change: Partial<Sent>) => (place: Place) =>
  place.method === "POST" ? change : undefined;

const wrongs: Readonly<Record<string, Wrong>> = {
  "too large a body": [413, ofPost({ headers: [JSON_TYPE], body: "x".repeat(300_000) })],
  "another content type": [415, ofPost({ headers: ["Content-Type: text/plain"], body: "{}" })],
  "a compressed body": [415, ofPost({ headers: ["Content-Encoding: gzip"], body: "{}" })],
  "broken JSON": [400, ofPost({ headers: [JSON_TYPE], body: '{"a":' })],
  "no body": [400, ofPost({})],
  "a body that does not come": [408, ofPost({ headers: [JSON_TYPE, "Content-Length: 9"] })],
  "too long a segment": [404, ({ target }) => ({ target: `${target}${"x".repeat(2_000)}` })],
  "too long a URL": [431, ({ target }) => ({ target: `${target}?a=${"x".repeat(20_000)}` })],
  "a broken escape": [400, ({ target }) => ({ target: `${target}%zz` })],
  "an escape in place of a letter": [
    405,
    ({ target }) => ({ method: "PUT", target: target.replace("u", "%75").replace("ln", "%6cn") }),
  ],
  "an origin before the path": [
    405,
    ({ target }) => ({ method: "PUT", target: `http://bank.example${target}` }),
  ],
  "a path below it": [404, ({ target }) => ({ target: `${target}/more` })],
  "two hosts": [400, () => ({ headers: ["Host: other.example"] })],
  "an expectation": [417, () => ({ headers: ["Expect: more"] })],
  "plain http behind a proxy": [403, () => ({ headers: ["X-Forwarded-Proto: http"] })],
};

const cases = places.flatMap((place) => [
  ...Object.entries(wrongs).flatMap(([what, [status, change]]) => {
    const changed = change(place);
    return changed === undefined
      ? []
      : [[what, place.method, place.target, status, { ...place, ...changed }] as const];
  }),
  ...METHODS.filter((method) => !place.allowed.includes(method)).map(
    (method) =>
      ["the wrong method", method, place.target, 405, { target: place.target, method }] as const,
  ),
]);

describe("a refusal on a public path of UMA has the form of LNURL", () => {
  it.each(cases)("for %s: %s %s", async (_what, _method, _target, status, sent) => {
    const got = await send(shell.port, sent);
    expect(got.status).toBe(status);
    // The method of a head that is not read to its end is not known, so its answer has a body, and ends the connection.
    judge(got, status === 431 ? "GET" : sent.method);
    if (status === 405) expect(got.headers.get("allow")).toMatch(/GET, HEAD|POST/);
  });

  it.each(places.map((place) => [place.method, place.target, place] as const))(
    "for too many calls: %s %s",
    async (_method, _target, place) => {
      const full = await open({ guestRate: { perSecond: 0.01, burst: 1 } });
      try {
        // The first call takes its share whatever it is answered.
        await send(full.port, place);
        const got = await send(full.port, place);
        expect([got.status, got.headers.get("connection")]).toEqual([429, "close"]);
        judge(got, place.method);
      } finally {
        await full.server.close(0);
      }
    },
  );

  it.each([
    ["a bug", 500, { method: "GET", target: "/.well-known/lnurlpubkey" }],
    [
      "a host that is not served",
      404,
      { method: "GET", target: "/.well-known/lnurlpubkey", host: "other.example" },
    ],
    ["another path", 404, { method: "GET", target: "/.well-known/security.txt" }],
    ["a fault", 503, { method: "POST", target: "/uma/utxos/token", body: hookThatIsWell() }],
  ])("for %s", async (_what, status, sent) => {
    const got = await send(shell.port, sent);
    expect(got.status).toBe(status);
    judge(got, sent.method);
    if (status === 404 && "host" in sent) expect(got.text).toBe(unknownUser.body);
  });

  it("and one elsewhere that of the API", async () => {
    const got = await send(shell.port, { method: "PUT", target: "/2025-10-13/things" });
    expect(JSON.parse(got.text)).toMatchObject({ status: 405, code: "METHOD_NOT_ALLOWED" });
  });
});

function hookThatIsWell(): string {
  return JSON.stringify({
    utxos: [],
    vaspDomain: "vasp.example",
    signature: "3044",
    signatureNonce: "7",
    signatureTimestamp: Math.floor(clock.now() / 1_000),
  });
}

it.each([
  ["/.well-known/lnurlp/$ana", true],
  ["http://bank.example/uma/pay/a?b=c", true],
  ["/%75ma/utxos/a", true],
  ["/uma/utxos/%zz", true],
  ["/uma/other/a", false],
  ["/2025-10-13/uma/payments?to=/uma/pay/a", false],
  ["/?/.well-known/", false],
  ["", false],
])("%s is one: %s", (target, is) => {
  expect(isUmaTarget(target)).toBe(is);
});

it("keeps status and headers", () => {
  const body = JSON.stringify({ status: 405, code: "METHOD_NOT_ALLOWED", message: "No." });
  expect(inFormOf("/uma/pay/a", { status: 405, body, allow: "POST" })).toEqual({
    status: 405,
    allow: "POST",
    body: '{"status":"ERROR","code":"METHOD_NOT_ALLOWED","reason":"No."}',
  });
});
