import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic } from "../../../test/kit/basic.ts";
import { type Shell, sendRaw, startShell } from "../../../test/kit/http-shell.ts";

let shell: Shell;
let seen: unknown[] = [];

beforeAll(async () => {
  shell = await startShell({ context: { seen: (value) => seen.push(value) } });
});

afterAll(() => shell.server.close(0));

describe("a key", () => {
  async function idempotencyOf(path: string, body: unknown, key = "key-1") {
    seen = [];
    await shell.post(path, body, { "idempotency-key": key });
    return seen[0] as { scope: string; key: string; bodyDigest: Buffer };
  }

  it("reaches the operation with its scope and the body's digest", async () => {
    const { scope, key, bodyDigest } = await idempotencyOf("/things/Thing%3A1/pay", { amount: 5 });
    expect(scope).toBe("platform:platform-a POST /things/Thing%3A1/pay");
    expect(key).toBe("key-1");
    expect(bodyDigest).toHaveLength(32);
  });

  it("has one scope and digest for one request, however it is spelled", async () => {
    const one = await idempotencyOf("/things/Thing%3A1/pay", '{"amount":5,"x":[1,2],"y":null}');
    const same = await idempotencyOf("/things/Thing:1/pay", '{ "y":null,"x":[1, 2],\n"amount":5 }');
    expect(same).toEqual(one);
    const others = [
      await idempotencyOf("/things/Thing%3A2/pay", '{"amount":5,"x":[1,2],"y":null}'),
      await idempotencyOf("/things/Thing%3A1/pay", '{"amount":5,"x":[2,1],"y":null}'),
      await idempotencyOf("/things/Thing%3A1/pay", '{"amount":6,"x":[1,2],"y":null}'),
      await idempotencyOf("/things/Thing%3A1/pay", '{"amount":5,"x":[1,2],"y":null,"z":0}'),
      await idempotencyOf(
        "/things/Thing%3A1/pay",
        '{"amount":5,"x":[1,2],"y":null,"__proto__":{"a":0}}',
      ),
    ];
    for (const other of others) expect(other).not.toEqual(one);
  });

  it("has the digest of what was sent, before defaults are filled in", async () => {
    seen = [];
    await shell.post("/things", '{"name":"x"}', { "idempotency-key": "k" });
    const digest = createHash("sha256").update('{"name":"x"}').digest();
    expect(seen).toMatchObject([
      { body: { name: "x", size: 3 }, idempotency: { bodyDigest: digest } },
    ]);
  });

  it("cannot imitate a key of another path", async () => {
    const slash = await idempotencyOf("/things/a%2Fpay/pay", { amount: 5 });
    expect(slash.scope).toBe("platform:platform-a POST /things/a%2Fpay/pay");
  });

  it.each([["k"], ["x".repeat(255)], ["!~#%&:/?"]])("may be %s", async (key) => {
    expect((await idempotencyOf("/things/x/pay", { amount: 5 }, key)).key).toBe(key);
  });

  it.each([[""], ["x".repeat(256)], ["a b"], ["é"], ["a\tb"]])("may not be %j", async (key) => {
    const answer = await shell.post("/things/x/pay", { amount: 5 }, { "idempotency-key": key });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("may not come twice", async () => {
    const answer = await sendRaw(
      shell.port,
      "POST /2025-10-13/things/x/pay HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" +
        `Authorization: ${basic("client", "secret")}\r\nContent-Length: 0\r\n` +
        "Idempotency-Key: a\r\nIdempotency-Key: a\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });

  it("has no effect on a GET, and may be absent", async () => {
    const answer = await shell.call("/things/first", { headers: { "idempotency-key": "a b" } });
    expect(answer.status).toBe(200);
    seen = [];
    await shell.post("/things/x/pay", { amount: 5 });
    expect(seen).toEqual([undefined]);
  });

  it("that was answered before is distinguished from a new one", async () => {
    const again = await shell.post("/things", { name: "again" });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const first = await shell.post("/things", { name: "first" });
    expect(first.headers.get("idempotent-replayed")).toBeNull();
  });
});
