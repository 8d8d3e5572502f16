import { describe, expect, it } from "vitest";
import { createSandboxPasses, PASS_HEADER } from "../../domain/uma/domains/sandbox-pass.ts";
import { checkOutboundUrl } from "../outbound-http/outbound-url.ts";
import { sandboxHosts } from "./sandbox-hosts.ts";

const NOW = Date.UTC(2026, 10, 29);
const ORIGIN = "http://127.0.0.1:8080";
const passes = createSandboxPasses(Buffer.alloc(32, 1));
const hosts = sandboxHosts({ passes, clock: { now: () => NOW }, ownOrigin: () => ORIGIN });

describe("a call of another sandbox", () => {
  it("goes to the server's own port, with the domain as host and a header for it", () => {
    const { url, headers } = hosts.callOf("https://bank.example/uma/pay/token?a=1", "POST");
    expect(url).toBe(`${ORIGIN}/uma/pay/token?a=1`);
    const request = { method: "POST", host: "bank.example", target: "/uma/pay/token?a=1" };
    expect(headers.host).toBe("bank.example");
    expect(passes.isGood(headers[PASS_HEADER], request, NOW)).toBe(true);
  });

  it.each([
    "https://10.0.0.1/x",
    "https://127.0.0.1:9090/x",
    "https://bank.example@10.0.0.1/x",
    "https://bank.example:8443/x",
    "https://bank.example/\\evil.example/x",
  ])("goes nowhere else: %s", (text) => {
    const { url, allowed } = hosts.callOf(text);
    expect(new URL(url).origin).toBe(ORIGIN);
    expect(checkOutboundUrl(url, { allowLoopbackHttp: false, allowed }).ok).toBe(true);
    for (const other of ["http://127.0.0.1:8081/", "http://10.0.0.1:8080/", "http://[::1]:8080/"])
      expect(checkOutboundUrl(other, { allowLoopbackHttp: false, allowed }).ok).toBe(false);
    expect(allowed?.hasAddress("127.0.0.1", 8_080)).toBe(false);
  });

  it("is for URLs at domain names alone", () => {
    const permitted = ["https://bank.example/uma/pay/token"];
    const refused = ["http://bank.example/", "https://10.0.0.1/", "https://bank.example:1/", "x"];
    for (const url of [...permitted, ...refused])
      expect([url, hosts.permits(url)]).toEqual([url, permitted.includes(url)]);
  });
});
