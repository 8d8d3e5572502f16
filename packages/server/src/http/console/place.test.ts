import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { askedAt, consolePlaceAt } from "./place.ts";
import { clearCookie, csrfOf, newSessionKey, sessionKeyOf, setCookie } from "./session-cookie.ts";

describe("the place of the console", () => {
  it.each([
    ["https://pay.example.com", "https://pay.example.com", "pay.example.com", true],
    ["https://pay.example.com:8443/api", "https://pay.example.com:8443", "pay.example.com", true],
    ["http://localhost:8080", "http://localhost:8080", "localhost", false],
    ["http://127.0.0.1:8080", "http://localhost:8080", "localhost", false],
    ["http://[::1]:8080", "http://localhost:8080", "localhost", false],
    ["http://pay.example.com", "http://localhost", "localhost", false],
    ["https://10.0.0.1", "http://localhost", "localhost", false],
  ])("of %s is %s", (publicUrl, origin, rpId, isSecure) => {
    expect(consolePlaceAt(publicUrl)).toEqual({ origin, rpId, isSecure });
  });

  const here = consolePlaceAt("http://127.0.0.1:8080");
  const secure = consolePlaceAt("https://pay.example.com");

  it.each([
    [here, "localhost:8080", { kind: "here" }],
    [here, "localhost:9000", { kind: "here" }],
    [here, "127.0.0.1:8080", { kind: "elsewhere", origin: "http://localhost:8080" }],
    [here, "127.8.9.1", { kind: "elsewhere", origin: "http://localhost" }],
    [here, "[::1]:8080", { kind: "elsewhere", origin: "http://localhost:8080" }],
    [here, "pay.example.com", { kind: "insecure" }],
    [here, "localhost.evil.example:8080", { kind: "insecure" }],
    [here, "10.0.0.1:8080", { kind: "insecure" }],
    [here, "a b", { kind: "insecure" }],
    [secure, "pay.example.com", { kind: "here" }],
    [secure, "127.0.0.1:8080", { kind: "insecure" }],
  ])("judges where a page is asked for: %j at %s", (place, host, expected) => {
    expect(askedAt(place, host)).toEqual(expected);
  });
});

describe("the cookie of a session", () => {
  const requestWith = (cookie: string) => ({ headers: { cookie } }) as IncomingMessage;
  const key = newSessionKey("019a4f00-0000-7000-8000-000000000001");
  const secure = consolePlaceAt("https://pay.example.com");
  const plain = consolePlaceAt("http://localhost:8080");

  it("is bound to its host over TLS, and for this machine alone otherwise", () => {
    expect(setCookie(secure, key)).toMatch(
      /^__Host-florin=[A-Za-z0-9_-]{64}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(setCookie(plain, key)).toMatch(
      /^florin-local=[A-Za-z0-9_-]{64}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(clearCookie(secure)).toBe(
      "__Host-florin=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
    );
  });

  it("is read back, once, under its own name", () => {
    const [pair = ""] = setCookie(secure, key).split(";");
    expect(sessionKeyOf(requestWith(`a=b; ${pair}; c=d`), secure)).toEqual(key);
    for (const cookie of ["", `${pair}; ${pair}`, pair.slice(0, -1), pair.replace("__Host-", "")])
      expect(sessionKeyOf(requestWith(cookie), secure)).toBeUndefined();
    expect(sessionKeyOf(requestWith(pair), plain)).toBeUndefined();
  });

  it("has a token that follows from its secret and is another one for each", () => {
    const other = newSessionKey(key.workspaceId);
    expect(csrfOf(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(csrfOf(key)).not.toBe(csrfOf(other));
    expect(csrfOf(key)).not.toContain(key.secret);
  });
});
