import { describe, expect, it } from "vitest";
import { createRequestSource } from "./request-source.ts";

const here = { host: "127.0.0.1", port: 8080, keyPrefix: "run-1-" };

describe("the request source", () => {
  it("builds a complete request with a body, its length in bytes and a key", () => {
    const next = createRequestSource({
      ...here,
      requests: [
        {
          method: "POST",
          path: "/v/tokens",
          headers: { Authorization: "Basic x" },
          body: { a: "é" },
        },
      ],
    });
    expect(next(1_234).toString()).toBe(
      "POST /v/tokens HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAuthorization: Basic x\r\n" +
        "Content-Type: application/json\r\nContent-Length: 10\r\n" +
        'Idempotency-Key: run-1-000000001234\r\n\r\n{"a":"é"}',
    );
  });

  it("gives each POST a key of its own and does not change earlier requests", () => {
    const next = createRequestSource({ ...here, requests: [{ method: "POST", path: "/" }] });
    const made = Array.from({ length: 12_000 }, (_, n) => next(n));
    const keys = made.map((one) => /Idempotency-Key: (\S+)/.exec(one.toString())?.[1]);
    expect(new Set(keys).size).toBe(12_000);
    expect(keys[0]).toBe("run-1-000000000000");
    expect(keys[11_999]).toBe("run-1-000000011999");
  });

  it("sends its requests round-robin, and no key with a GET", () => {
    const requests = [
      { method: "GET", path: "/a" },
      { method: "GET", path: "/b" },
    ];
    const next = createRequestSource({ ...here, host: "::1", requests });
    expect([0, 1, 2].map((n) => next(n).toString())).toEqual([
      "GET /a HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
      "GET /b HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
    ]);
  });

  it("sends a text body unchanged", () => {
    const next = createRequestSource({
      ...here,
      requests: [{ method: "PATCH", path: "/", body: '{"a" :1}' }],
    });
    expect(next(5).toString()).toMatch(/Content-Length: 8\r\n\r\n\{"a" :1\}$/);
    expect(next(5).toString()).not.toContain("Idempotency-Key");
  });

  it("refuses what would break the request head", () => {
    const make = (path: string, keyPrefix = "k") =>
      createRequestSource({ ...here, keyPrefix, requests: [{ method: "POST", path }] });
    expect(() => make("/a\r\nX: y")).toThrow("line break");
    expect(() => make("/", "a b")).toThrow("keyPrefix");
    expect(() => make("/", "")).toThrow("keyPrefix");
    expect(() => createRequestSource({ ...here, requests: [] })).toThrow("no request");
  });
});
