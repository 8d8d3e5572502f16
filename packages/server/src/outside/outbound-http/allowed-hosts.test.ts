import { expect, it } from "vitest";
import { allowedHosts, parseAllowedHost } from "./allowed-hosts.ts";
import { checkOutboundUrl } from "./outbound-url.ts";

const allowed = allowedHosts([
  "connector.lan:8443",
  "10.1.0.0/16:9000",
  "[fd00::/8]:443",
  "127.0.0.1:4010",
]);

it.each([
  ["http://connector.lan:8443/x", true],
  ["https://CONNECTOR.lan:8443/x", true],
  ["https://connector.lan/x", false],
  ["https://other.lan:8443/x", false],
  ["http://10.1.200.3:9000/", true],
  ["http://10.1.200.3:9001/", false],
  ["http://10.2.0.1:9000/", false],
  ["https://[fd00::1]/", true],
  ["https://[fe80::1]/", false],
  ["http://127.0.0.1:4010/", true],
  ["http://localhost:4010/", false],
  ["http://0x7f.1:4010/", true],
  ["http://169.254.169.254/", false],
])("%s may be called: %s", (url, isAllowed) => {
  expect(checkOutboundUrl(url, { allowLoopbackHttp: false, allowed }).ok).toBe(isAllowed);
});

it("a listed host is still judged by the rest of its URL", () => {
  const reasonOf = (url: string) => {
    const check = checkOutboundUrl(url, { allowLoopbackHttp: false, allowed });
    return check.ok ? undefined : check.reason;
  };
  expect(reasonOf("http://user@connector.lan:8443/")).toBe("user-info");
  expect(reasonOf("ftp://connector.lan:8443/")).toBe("scheme");
});

it.each([
  "connector.lan",
  "10.0.0.0/8",
  ":80",
  "host:0",
  "host:70000",
  "a b:80",
  "10.0.0.0/99:80",
  "[x]:80",
])("%s is no entry of the list", (text) => {
  expect(() => parseAllowedHost(text)).toThrow();
});
