import { afterEach, describe, expect, it } from "vitest";
import { type FakeApi, type Reply, startFakeApi } from "../test/fake-api.ts";
import { type ClientSettings, createClient } from "./client.ts";
import { FlorinConnectionError, FlorinError } from "./errors.ts";
import type { RetryNotice } from "./transport.ts";

let api: FakeApi;
afterEach(() => api.close());

const created: Reply = { status: 201, json: { id: "Token:1" } };
const token = { name: "n", permissions: ["VIEW"] } as const;

/** The replies in order, the last one for good. Pauses are written down, not waited for. */
async function start(replies: readonly Reply[], settings: Partial<ClientSettings> = {}) {
  api = await startFakeApi((_, index) => replies[Math.min(index, replies.length - 1)] ?? "reset");
  const pauses: number[] = [];
  const notices: RetryNotice[] = [];
  const client = createClient({
    baseUrl: api.baseUrl,
    clientId: "id",
    clientSecret: "secret",
    sleep: (delayMs) => {
      pauses.push(delayMs);
      return Promise.resolve();
    },
    onRetry: (notice) => notices.push(notice),
    ...settings,
  });
  return { client, pauses, notices };
}

function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, json: { status, code: `CODE_${status}`, message: "No." } };
}

function keysSeen(): readonly unknown[] {
  return api.seen.map((one) => one.headers["idempotency-key"]);
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("it did not throw"),
    (error: unknown) => error,
  );
}

describe("tries", () => {
  it.each([
    [408, 3],
    [429, 3],
    [500, 3],
    [502, 3],
    [503, 3],
    [504, 3],
    [400, 1],
    [401, 1],
    [403, 1],
    [404, 1],
    [409, 1],
    [410, 1],
    [422, 1],
    [501, 1],
  ])("of a POST that always gets %i are %i", async (status, tries) => {
    const { client, pauses } = await start([refusal(status, { "retry-after": "0" })]);
    await expect(client.tokens.create(token)).rejects.toMatchObject({ status });
    expect(api.seen).toHaveLength(tries);
    expect(pauses).toHaveLength(tries - 1);
  });

  it.each(["reset", "cut"] as const)("go on after a %s", async (failure) => {
    const { client, notices } = await start([failure, failure, created]);
    expect(await client.tokens.create(token)).toEqual({ id: "Token:1" });
    expect(api.seen).toHaveLength(3);
    expect(notices.map((one) => one.error.name)).toEqual([
      "FlorinConnectionError",
      "FlorinConnectionError",
    ]);
  });

  it("of GET and DELETE are repeated too", async () => {
    const { client } = await start([refusal(503), created, "reset", { status: 204 }]);
    await client.tokens.get("Token:1");
    await client.tokens.delete("Token:1");
    expect(api.seen.map((one) => one.method)).toEqual(["GET", "GET", "DELETE", "DELETE"]);
  });

  it.each(["reset", refusal(503, { "retry-after": "0" }), refusal(429)] as const)(
    "of PATCH are one",
    async (reply) => {
      const { client } = await start([reply]);
      await expect(client.config.update({ umaDomain: "x.test" })).rejects.toThrow();
      expect(api.seen).toHaveLength(1);
    },
  );

  it.each([0, 1, 4])("are one more than the retries: %i", async (retries) => {
    const { client } = await start([refusal(503)], { retries });
    await expect(client.tokens.create(token)).rejects.toMatchObject({ status: 503 });
    expect(api.seen).toHaveLength(retries + 1);
  });

  it("wait as long as Retry-After says, and back off without it", async () => {
    const { client, pauses } = await start([
      refusal(429, { "retry-after": "7" }),
      refusal(500),
      created,
    ]);
    await client.tokens.create(token);
    expect(pauses[0]).toBeGreaterThanOrEqual(7000);
    expect(pauses[0]).toBeLessThanOrEqual(7250);
    expect(pauses[1]).toBeGreaterThanOrEqual(250);
    expect(pauses[1]).toBeLessThanOrEqual(500);
  });

  it("end when Retry-After is longer than a call waits", async () => {
    const { client, pauses } = await start([refusal(429, { "retry-after": "3600" })]);
    await expect(client.tokens.create(token)).rejects.toMatchObject({ status: 429 });
    expect(api.seen).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it("are announced before each pause", async () => {
    const { client, pauses, notices } = await start([refusal(503), "reset", created]);
    await client.tokens.create(token);
    expect(notices.map(({ method, path, failures }) => [method, path, failures])).toEqual([
      ["POST", "/tokens", 1],
      ["POST", "/tokens", 2],
    ]);
    expect(notices.map((one) => one.delayMs)).toEqual(pauses);
  });

  it("pause for real when no other pause is given", async () => {
    await start([refusal(503), created]);
    const settings = { baseUrl: api.baseUrl, clientId: "a", clientSecret: "b" };
    expect(await createClient(settings).tokens.create(token)).toEqual({ id: "Token:1" });
    expect(api.seen).toHaveLength(2);
  });
});

describe("the idempotency key", () => {
  it("is made for each POST and stays the same over its tries", async () => {
    const { client } = await start([refusal(503), "reset", created]);
    await client.tokens.create(token);
    await client.tokens.create(token);
    const [first, second, third, other] = keysSeen();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(other).toMatch(/^[0-9a-f-]{36}$/);
    expect(other).not.toBe(first);
  });

  it("is the caller's own when given, on every try", async () => {
    const { client } = await start([refusal(503), created]);
    await client.tokens.create(token, { idempotencyKey: "order-7" });
    expect(keysSeen()).toEqual(["order-7", "order-7"]);
  });

  it("is not sent with a dry run, which is tried again all the same", async () => {
    const { client } = await start([refusal(503), { status: 200, json: { dryRun: true } }]);
    const move = { source: { accountId: "a" }, destination: { accountId: "b" }, amount: 5 };
    expect(await client.dryRuns.transferOut(move)).toMatchObject({ dryRun: true });
    expect(keysSeen()).toEqual([undefined, undefined]);
  });

  it("goes along with a POST that has no body", async () => {
    const { client } = await start([{ status: 200, json: { response_status: 200 } }]);
    await client.sandbox.testWebhook();
    expect(keysSeen()[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("that HTTP cannot carry fails at once", async () => {
    const { client, notices } = await start([created]);
    const bad = client.tokens.create(token, { idempotencyKey: "a\nb" });
    await expect(bad).rejects.toThrow(TypeError);
    expect(api.seen).toHaveLength(0);
    expect(notices).toHaveLength(0);
  });
});

describe("an error", () => {
  it("holds what the service said", async () => {
    const details = { reason: "Invalid OTP code" };
    const { client } = await start([
      {
        status: 401,
        headers: { "x-request-id": "trace-1" },
        json: { status: 401, code: "UNAUTHORIZED", message: "Wrong.", details },
      },
    ]);
    const error = await caught(client.config.get());
    expect(error).toBeInstanceOf(FlorinError);
    expect(error).toMatchObject({
      name: "FlorinError",
      status: 401,
      code: "UNAUTHORIZED",
      message: "Wrong.",
      details,
      requestId: "trace-1",
    });
  });

  it("finds the request id in the details when no header has it", async () => {
    const json = { status: 500, code: "INTERNAL_ERROR", message: "x", details: { requestId: "r" } };
    const { client } = await start([{ status: 500, json }]);
    expect(await caught(client.config.get())).toMatchObject({ requestId: "r" });
  });

  it.each([
    ["a page of a proxy", 502, "<html>Bad gateway</html>"],
    ["an empty refusal", 400, ""],
    ["a refusal in another form", 400, '{"error":"no"}'],
    ["an array", 404, "[]"],
    ["a success that is not JSON", 200, "OK"],
    ["a success without content", 200, ""],
    ["a redirect", 302, ""],
  ])("says that %s is not an answer of this API", async (_, status, text) => {
    const headers = { location: "http://127.0.0.1:1/" };
    const { client } = await start([{ status, text, headers }], { retries: 0 });
    const error = await caught(client.config.get());
    expect(error).toBeInstanceOf(FlorinError);
    expect(error).toMatchObject({ status, code: "UNEXPECTED_ANSWER", details: undefined });
    expect(api.seen).toHaveLength(1);
  });

  it("without an answer keeps its cause and names the call", async () => {
    const { client } = await start(["reset"], { retries: 1 });
    const error = await caught(client.tokens.get("Token:1"));
    expect(error).toBeInstanceOf(FlorinConnectionError);
    expect(error).toMatchObject({ message: expect.stringContaining("GET /tokens/Token%3A1") });
    expect((error as Error).cause).toBeInstanceOf(Error);
    expect(api.seen).toHaveLength(2);
  });

  it("names a refused connection by its code", async () => {
    await start([created]);
    const { baseUrl } = await startedAndClosed();
    const client = createClient({ baseUrl, clientId: "a", clientSecret: "b", retries: 0 });
    const error = await caught(client.config.get());
    expect(error).toMatchObject({ message: expect.stringContaining("ECONNREFUSED") });
  });

  it("holds no credentials", async () => {
    const { client } = await start([refusal(400), "reset"], { retries: 0 });
    for (const error of [await caught(client.config.get()), await caught(client.config.get())]) {
      const shown = `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`;
      expect(shown).not.toContain(Buffer.from("id:secret").toString("base64"));
      expect(shown).not.toContain("secret");
    }
  });
});

async function startedAndClosed(): Promise<FakeApi> {
  const gone = await startFakeApi(() => "reset");
  await gone.close();
  return gone;
}

describe("time and abort", () => {
  it("ends a try that gets no answer in time, and tries again", async () => {
    const { client, notices } = await start(["silence", created]);
    const made = await client.tokens.create(token, { timeoutMs: 500 });
    expect(made).toEqual({ id: "Token:1" });
    expect(notices[0]?.error).toBeInstanceOf(FlorinConnectionError);
    expect(keysSeen()[0]).toBe(keysSeen()[1]);
  });

  it("gives a timeout as a connection error with its cause", async () => {
    const { client } = await start(["silence"], { retries: 0 });
    const error = await caught(client.config.get({ timeoutMs: 20 }));
    expect(error).toBeInstanceOf(FlorinConnectionError);
    expect(error).toMatchObject({ cause: { name: "TimeoutError" } });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    "refuses a timeout of %d",
    async (timeoutMs) => {
      const { client } = await start([created]);
      await expect(client.config.get({ timeoutMs })).rejects.toThrow(TypeError);
      expect(api.seen).toHaveLength(0);
    },
  );

  it("sends nothing when the signal is aborted already", async () => {
    const { client } = await start([created]);
    const reason = new Error("too late");
    const call = client.config.get({ signal: AbortSignal.abort(reason) });
    expect(await caught(call)).toBe(reason);
    expect(api.seen).toHaveLength(0);
  });

  it("gives the reason of an abort during the request, and does not try again", async () => {
    const abort = new AbortController();
    api = await startFakeApi(() => {
      abort.abort();
      return "silence";
    });
    const settings = { baseUrl: api.baseUrl, clientId: "a", clientSecret: "b" };
    const call = createClient(settings).config.get({ signal: abort.signal });
    expect(await caught(call)).toMatchObject({ name: "AbortError" });
    expect(api.seen).toHaveLength(1);
  });

  it("stops in a pause when aborted there, whatever the pause does", async () => {
    const abort = new AbortController();
    const reason = new Error("changed my mind");
    const { client } = await start([refusal(503), created], {
      sleep: () => {
        abort.abort(reason);
        return new Promise(() => {});
      },
    });
    expect(await caught(client.tokens.create(token, { signal: abort.signal }))).toBe(reason);
    expect(api.seen).toHaveLength(1);
  });

  it("ends its own pause at once when aborted there", async () => {
    const abort = new AbortController();
    await start([refusal(503, { "retry-after": "60" })]);
    const client = createClient({
      baseUrl: api.baseUrl,
      clientId: "a",
      clientSecret: "b",
      onRetry: () => setImmediate(() => abort.abort()),
    });
    const call = client.tokens.create(token, { signal: abort.signal });
    expect(await caught(call)).toMatchObject({ name: "AbortError" });
    expect(api.seen).toHaveLength(1);
  });

  it("leaves no listener on a signal that is used again and again", async () => {
    const { client } = await start([refusal(503), created]);
    const abort = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = abort.signal;
    abort.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(abort.signal, args);
    };
    abort.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(abort.signal, args);
    };
    await client.tokens.create(token, { signal: abort.signal });
    expect(listeners).toBe(0);
  });
});
