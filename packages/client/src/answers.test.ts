import { afterEach, describe, expect, it } from "vitest";
import { type FakeApi, type Reply, startFakeApi } from "../test/fake-api.ts";
import { type ClientSettings, createClient } from "./client.ts";
import { FlorinConnectionError, FlorinError } from "./errors.ts";

let api: FakeApi;
afterEach(() => api.close());

const created: Reply = { status: 201, json: { id: "Transaction:1" } };
const move = { source: { accountId: "a" }, destination: { accountId: "b" }, amount: 5 };

/** The replies in order, the last one for good, without pauses. */
async function start(replies: readonly Reply[], settings: Partial<ClientSettings> = {}) {
  api = await startFakeApi((_, index) => replies[Math.min(index, replies.length - 1)] ?? "reset");
  const sleep = () => Promise.resolve();
  const own = { baseUrl: api.baseUrl, clientId: "id", clientSecret: "s", sleep };
  return createClient({ ...own, ...settings });
}

const refusal = (status: number, code = `CODE_${status}`): Reply => ({
  status,
  headers: { "retry-after": "0" },
  json: { status, code, message: "No." },
});

async function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("it did not throw"),
    (error: unknown) => error,
  );
}

const unexpected = { name: "FlorinError", code: "UNEXPECTED_ANSWER", isOutcomeKnown: false };

describe("the outcome of a call", () => {
  it.each([
    [400, true],
    [401, true],
    [404, true],
    [409, true],
    [422, true],
    [429, true],
    [501, true],
    [500, false],
    [502, false],
    [503, false],
    [504, false],
  ])("that ends with %i is known: %s", async (status, isOutcomeKnown) => {
    const client = await start([refusal(status)], { retries: 0 });
    expect(await caught(client.transfers.out(move))).toMatchObject({ status, isOutcomeKnown });
  });

  it.each([
    [302, ""],
    [400, "<html>"],
    [403, '{"error":"blocked"}'],
  ])("is open after an answer with %i that is not the API's", async (status, text) => {
    const headers = { location: "http://127.0.0.1:1/" };
    const client = await start([{ status, text, headers }]);
    expect(await caught(client.transfers.out(move))).toMatchObject({ ...unexpected, status });
    expect(api.seen).toHaveLength(1);
  });

  it.each([401, 403, 408, 429])("is open when a try was lost before a %i", async (status) => {
    const client = await start(["reset", refusal(status)]);
    const error = await caught(client.transfers.out(move));
    expect(error).toMatchObject({ status, isOutcomeKnown: false });
  });

  it.each([refusal(500), { status: 200, text: '{"id":' }] as const)(
    "is open when a try ended before a 403 with an answer that leaves it open: %j",
    async (lost) => {
      const client = await start([lost, refusal(403)]);
      const error = await caught(client.transfers.out(move));
      expect(error).toMatchObject({ status: 403, isOutcomeKnown: false });
    },
  );

  it.each([401, 403, 408, 429])("is open after a %i to a key of the caller's", async (status) => {
    const client = await start([refusal(status)]);
    const error = await caught(client.transfers.out(move, { idempotencyKey: "order-7" }));
    expect(error).toMatchObject({ status, isOutcomeKnown: false });
  });

  it.each(["reset", "cut", refusal(500), { status: 200, text: '{"id":' }] as const)(
    "is known when the key's own refusal comes after a try that was lost: %j",
    async (lost) => {
      const client = await start([lost, refusal(422)]);
      const error = await caught(client.transfers.out(move));
      expect(error).toMatchObject({ status: 422, isOutcomeKnown: true });
    },
  );

  it.each([404, 410])("is open when a try of a DELETE was lost before a %i", async (status) => {
    const client = await start(["reset", refusal(status)]);
    const error = await caught(client.tokens.delete("Token:1"));
    expect(error).toMatchObject({ status, isOutcomeKnown: false });
    const other = await start([refusal(status)]);
    expect(await caught(other.tokens.delete("Token:1"))).toMatchObject({ isOutcomeKnown: true });
  });

  it("of a signed DELETE whose answer was lost is unknown: its signature is valid once", async () => {
    const client = await start(["reset", refusal(401)]);
    const signature = { requestId: "r", stamp: "s" };
    const error = await caught(client.sessions.revoke("Session:1", { signature }));
    expect(error).toBeInstanceOf(FlorinConnectionError);
    expect(api.seen).toHaveLength(1);
  });

  it("is open when the key was given to another call before, which may have paid", async () => {
    const client = await start([refusal(422, "IDEMPOTENCY_KEY_REUSED")]);
    const error = await caught(client.transfers.out(move, { idempotencyKey: "order-7" }));
    expect(error).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", isOutcomeKnown: false });
    expect(api.seen).toHaveLength(1);
  });

  it("is known when every attempt was refused before it was processed", async () => {
    const client = await start([refusal(429), refusal(429), refusal(401)]);
    const error = await caught(client.transfers.out(move));
    expect(error).toMatchObject({ status: 401, isOutcomeKnown: true });
  });
});

describe("a success that cannot be read", () => {
  const broken: readonly (readonly [string, Reply])[] = [
    ["is cut short", { status: 201, text: '{"id":"Transac' }],
    ["is empty", { status: 201, text: "" }],
    ["is a page", { status: 200, text: "<html>Welcome</html>" }],
    ["is null", { status: 200, text: "null" }],
    ["is a text", { status: 200, text: '"x"' }],
    ["is an array", { status: 200, text: "[]" }],
    ["has no content", { status: 204 }],
  ];

  it.each(broken)("since it %s is requested again under the same key", async (_, reply) => {
    const client = await start([reply, created]);
    expect(await client.transfers.out(move)).toEqual({ id: "Transaction:1" });
    const keys = api.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  it.each(broken)("since it %s is an error after the last try", async (_, reply) => {
    const client = await start([reply]);
    expect(await caught(client.config.get())).toMatchObject(unexpected);
    expect(api.seen).toHaveLength(3);
  });

  it("is requested once where a repetition is not safe", async () => {
    const client = await start([{ status: 200, text: '{"id":' }]);
    expect(await caught(client.config.update({}))).toMatchObject(unexpected);
    expect(api.seen).toHaveLength(1);
  });

  it.each(["{}", '{"data":null}', '{"data":{}}', '{"code":"X","message":"y"}'])(
    "is, for a list, also %s",
    async (text) => {
      const client = await start([{ status: 200, text }], { retries: 0 });
      const lists = [
        () => client.tokens.list(),
        () => client.discoveries.list(),
        () => client.rates.list(),
        () => client.credentials.list({ accountId: "a" }),
        () => client.sessions.list({ accountId: "a" }),
      ];
      for (const list of lists) expect(await caught(list())).toMatchObject(unexpected);
      const items = async () => {
        for await (const one of client.tokens.list()) expect.fail(one.id);
      };
      expect(await caught(items())).toMatchObject(unexpected);
    },
  );
});

describe("a fetch that ignores its signal", () => {
  const deaf = () => new Promise<Response>(() => {});
  const deafBody = async () => new Response(new ReadableStream({ pull: () => deaf().then() }));

  it.each([
    ["while it waits", deaf],
    ["while it reads", deafBody],
  ])("is given up after timeoutMs %s", async (_, fetch) => {
    const client = await start([], { fetch, retries: 1 });
    const error = await caught(client.config.get({ timeoutMs: 20 }));
    expect(error).toBeInstanceOf(FlorinConnectionError);
    expect(error).toMatchObject({ cause: { name: "TimeoutError" } });
  });

  it("is left when the caller's signal aborts", async () => {
    const abort = new AbortController();
    const reason = new Error("changed my mind");
    const fetch = () => {
      setImmediate(() => abort.abort(reason));
      return deaf();
    };
    const client = await start([], { fetch });
    expect(await caught(client.config.get({ signal: abort.signal }))).toBe(reason);
  });

  it("may fail later without an unhandled rejection", async () => {
    let fail: (error: Error) => void = () => {};
    const late = () =>
      new Promise<Response>((_, reject) => {
        fail = reject;
      });
    const client = await start([], { fetch: late, retries: 0 });
    await expect(client.config.get({ timeoutMs: 20 })).rejects.toThrow(FlorinConnectionError);
    fail(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
  });
});

it("an error that is constructed without attempt details derives them from its status", () => {
  const parts = { code: "CONFLICT", message: "x" } as const;
  expect(new FlorinError({ ...parts, status: 422 }).isOutcomeKnown).toBe(true);
  expect(new FlorinError({ ...parts, status: 503 }).isOutcomeKnown).toBe(false);
});
