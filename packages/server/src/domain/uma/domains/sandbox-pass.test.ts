import { describe, expect, it } from "vitest";
import { createSandboxPasses, type PassedRequest } from "./sandbox-pass.ts";

const NOW = Date.UTC(2026, 10, 29, 12, 0, 0, 123);
const passes = createSandboxPasses(Buffer.alloc(32, 1));
const request: PassedRequest = {
  method: "GET",
  host: "bank.example",
  target: "/.well-known/lnurlp/$ana?nonce=1",
};
const pass = passes.make(request, NOW);

describe("the header of a sandbox", () => {
  it("names the namespace, and holds for half a minute on either side", () => {
    expect(pass).toMatch(/^sandbox\.\d+\.[\w-]{43}$/);
    for (const apart of [-30_000, 0, 30_000])
      expect(passes.isGood(pass, request, NOW + apart)).toBe(true);
    for (const apart of [-30_001, 30_001])
      expect(passes.isGood(pass, request, NOW + apart)).toBe(false);
  });

  it.each<[what: string, change: Partial<PassedRequest>]>([
    ["method", { method: "POST" }],
    ["host", { host: "other.example" }],
    ["path", { target: "/.well-known/lnurlp/$bob?nonce=1" }],
    ["query", { target: "/.well-known/lnurlp/$ana?nonce=2" }],
  ])("is of no use for another %s", (_what, change) => {
    expect(passes.isGood(pass, { ...request, ...change }, NOW)).toBe(false);
  });

  it("is refused with another namespace, time or MAC, of another key, and in another form", () => {
    const [namespace, at, mac = ""] = pass.split(".");
    const others = [
      ["production", at, mac],
      [namespace, String(NOW + 1), mac],
      [namespace, at, `${mac.slice(0, -1)}${mac.endsWith("A") ? "B" : "A"}`],
      [namespace, at],
      [namespace, at, mac, mac],
      [namespace, at, mac.slice(1)],
      ["", "", ""],
    ].map((parts) => parts.join("."));
    const foreign = createSandboxPasses(Buffer.alloc(32, 2)).make(request, NOW);
    for (const other of [...others, foreign, "", undefined, [pass, pass]])
      expect([other, passes.isGood(other, request, NOW)]).toEqual([other, false]);
  });
});
