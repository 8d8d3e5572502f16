import { describe, expect, it } from "vitest";
import { forbiddenHosts } from "../../../test/kit/forbidden-hosts.ts";
import { parseUmaHost, umaHosts } from "./uma-hosts.ts";

describe("an entry of UMA_HOSTS", () => {
  it.each([
    ["vasp.example=https://10.1.2.3:8443", "https://10.1.2.3:8443"],
    ["vasp.example=https://link.lan/", "https://link.lan"],
    ["vasp.example=http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["vasp.example=http://localhost:8080", "http://localhost:8080"],
    ["vasp.example=http://[::1]:8080", "http://[::1]:8080"],
  ])("%s is %s", (text, origin) => {
    expect(parseUmaHost(text)).toEqual({ domain: "vasp.example", origin });
  });

  it.each([
    ["", "must be a domain name"],
    ["vasp.example", "must be https://"],
    ["vasp=https://10.1.2.3", "must be a domain name"],
    ["VASP.example=https://10.1.2.3", "must be a domain name"],
    ["vasp.example=http://10.1.2.3", "plain http is for loopback alone"],
    ["vasp.example=http://link.lan", "plain http is for loopback alone"],
    ["vasp.example=ftp://127.0.0.1", "must be https://"],
    ["vasp.example=https://10.1.2.3/path", "must be https://"],
    ["vasp.example=https://10.1.2.3?a=b", "must be https://"],
    ["vasp.example=https://u:p@10.1.2.3", "must be https://"],
    ["vasp.example=https://10.1.2.3#x", "must be https://"],
    ["vasp.example=https://a=b", "must be https://"],
  ])("%j is refused: %s", (text, fault) => {
    expect(() => parseUmaHost(text)).toThrow(fault);
  });
});

describe("a call", () => {
  const hosts = umaHosts(["vasp.example=https://10.1.2.3:8443"]);

  it("of a host that is not listed goes to its URL", () => {
    for (const url of [
      "https://other.example/a?b",
      "https://x.vasp.example/",
      "https://10.1.2.3/",
    ]) {
      expect(hosts.callOf(url)).toEqual({ url, headers: {} });
    }
  });

  it("of a listed host goes to its place, with the host and the certificate of the URL", () => {
    const call = hosts.callOf("https://VASP.example:7000/.well-known/lnurlp/%24a?b=%20c");
    expect(call).toMatchObject({
      url: "https://10.1.2.3:8443/.well-known/lnurlp/%24a?b=%20c",
      headers: { host: "vasp.example:7000" },
      tlsName: "vasp.example",
    });
    expect(call.allowed?.namesHost(new URL("https://10.1.2.3:8443/x"))).toBe(true);
    expect(call.allowed?.namesHost(new URL("https://10.1.2.3/x"))).toBe(false);
    expect(call.allowed?.hasAddress("10.1.2.3", 8_443)).toBe(false);
  });
});

describe("a URL that an institution gives", () => {
  const hosts = umaHosts(["vasp.internal=http://127.0.0.1:8443"]);

  it.each([
    "https://pay.example/uma/1?x=%20",
    "https://pay.example:8443/",
    "https://vasp.internal/uma/pay/1",
  ])("may be called at %s", (url) => {
    expect(hosts.permits(url)).toBe(true);
  });

  it.each([
    "",
    "not a url",
    "/uma/pay/1",
    "http://pay.example/",
    "http://vasp.internal/",
    "http://127.0.0.1:8443/",
    "https://127.0.0.1:8443/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://169.254.169.254/latest",
    "https://localhost/",
    "https://other.internal/",
    "https://x.vasp.internal/",
    "https://vasp.internal@evil.example/",
    "https://pay.example/#a",
    "https://pay.example:22/",
    "ftp://pay.example/",
    "javascript:alert(1)",
    `https://pay.example/${"a".repeat(2_048)}`,
  ])("may not be called at %s", (url) => {
    expect(hosts.permits(url)).toBe(false);
  });

  it("is not called in any spelling of an address that must not be reached", () => {
    const permitted = forbiddenHosts.flatMap((host) =>
      [`https://${host}/pay`, `https://${host}:8443/pay`].filter(hosts.permits),
    );
    expect(permitted).toEqual([]);
  });
});
