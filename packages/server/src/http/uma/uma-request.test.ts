import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { receivedRequest, toHost } from "./uma-request.ts";

describe("the host of a request", () => {
  it.each([
    ["bank.example", "bank.example"],
    ["BANK.Example", "bank.example"],
    ["bank.example:443", "bank.example"],
    ["bank.example:80", "bank.example"],
    ["bank.example.", "bank.example"],
    ["bank.example.:443", "bank.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["bank.example:8443", undefined],
    ["bank", undefined],
    ["", undefined],
    ["bank.example, other.example", undefined],
    ["a@bank.example", undefined],
    ["bank.example/x", undefined],
    ["[::1]", undefined],
    ["xn--a.example", undefined],
    [`${"a".repeat(300)}.example`, undefined],
  ])("%j is %j", (text, expected) => {
    expect(toHost(text)).toBe(expected);
  });
});

const isTrusted = (address: string) => address === "10.0.0.1";

function received(headers: IncomingHttpHeaders, peer: string, url = "/p") {
  const raw = { url, headers, socket: { remoteAddress: peer } } as IncomingMessage;
  return receivedRequest(raw, isTrusted);
}

describe("what proxies say", () => {
  const headers = {
    host: "florin:8080",
    "x-forwarded-host": "evil.example, bank.example",
    "x-forwarded-proto": "http",
  };

  it("counts from a trusted proxy, of which the nearest has the last word", () => {
    expect(received(headers, "10.0.0.1")).toMatchObject({
      host: "bank.example",
      isMarkedHttp: true,
    });
    const https = { ...headers, "x-forwarded-proto": "http, https" };
    expect(received(https, "10.0.0.1").isMarkedHttp).toBe(false);
    expect(received({ host: "bank.example" }, "10.0.0.1").host).toBe("bank.example");
  });

  it("changes nothing when it comes from anywhere else", () => {
    const forged = { ...headers, host: "own.example" };
    expect(received(forged, "192.0.2.1")).toMatchObject({
      host: "own.example",
      isMarkedHttp: false,
    });
  });
});

it("the target is kept as it came, without an origin", () => {
  const target = "/.well-known/lnurlp/%24a%2Fb?x=1?&y=%20";
  for (const url of [target, `https://bank.example${target}`]) {
    expect(received({}, "192.0.2.1", url)).toMatchObject({
      path: "/.well-known/lnurlp/%24a%2Fb",
      query: "x=1?&y=%20",
    });
  }
});
