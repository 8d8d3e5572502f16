import { describe, expect, test } from "vitest";
import { checkOutboundUrl, type OutboundUrlReason, outboundUrlMessages } from "./outbound-url.ts";

const strict = { allowLoopbackHttp: false };
const local = { allowLoopbackHttp: true };

function verdict(url: string, policy = strict): OutboundUrlReason | "ok" {
  const checked = checkOutboundUrl(url, policy);
  return checked.ok ? "ok" : checked.reason;
}

describe("a public target", () => {
  test.each([
    "https://example.com",
    "https://example.com/",
    "https://example.com/hooks?a=1&b=%23",
    "HTTPS://EXAMPLE.COM/x",
    "https://example.com:443/",
    "https://example.com:8443/x",
    "https://a-b.c_d.example.co.uk/~x",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://bücher.example/x",
    "https://xn--bcher-kva.example/",
    "https://example.com/a@b",
    "https://example.com/?u=https://x@y",
    "https://receiver.test/x",
  ])("is taken: %s", (url) => {
    expect(verdict(url)).toBe("ok");
    expect(verdict(url, local)).toBe("ok");
  });
});

test("the verdict is the same after thousands of others, when the engine has compiled the judge", () => {
  const verdicts = new Set<string>();
  for (let index = 0; index < 20_000; index += 1) {
    verdict(`https://example.com/${index}`);
    verdicts.add(
      `${verdict("https://bücher.example/x")} ${verdict("https://\u00c3\u00a8.example/")}`,
    );
  }
  expect([...verdicts]).toEqual(["ok syntax"]);
});

const refused: Readonly<Record<OutboundUrlReason, readonly string[]>> = {
  length: [`https://example.com/${"a".repeat(2030)}`],
  characters: [
    "https://exa\tmple.com/",
    "https://example.com/\n",
    "\nhttps://example.com/",
    "https://example.com/\r\nHost: x",
    " https://example.com",
    "https://example.com ",
    "https://example.com/a b",
    "https://example.com\\@10.0.0.1/",
    "https:\\\\example.com/",
    "https://example.com/\0",
    "https://example.com/\u007f",
    "https://example.com/\u0085",
    "https://example.com/\u00a0",
    "https://example.com/\u2028",
    "https://example.com/\ud800",
    "https://exa\u0000mple.com/",
  ],
  syntax: [
    "",
    "example.com",
    "//example.com/x",
    "/x",
    "https:example.com",
    "https:/example.com",
    "https:///example.com",
    "https://",
    "https://?x",
    "https://example.com:99999/",
    "https://example.com:a/",
    "https://[::1",
    "https://[1.2.3.4]/",
    "https://exa<mple.com/",
    "https://1.2.3.256/",
    "https://[fe80::1%25eth0]/",
    "https://xn--\u00ad/",
  ],
  scheme: [
    "http://example.com/",
    "http://8.8.8.8/",
    "http://10.0.0.1/",
    "http://[fd00::1]/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "data:text/plain,x",
    "javascript:alert(1)",
    "ws://example.com/",
    "wss://example.com/",
    "blob:https://example.com/x",
    "unix:/var/run/docker.sock",
    "httpss://example.com/",
  ],
  "user-info": [
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://:password@example.com/",
    "https://@example.com/",
    "https://:@example.com/",
    "https://example.com@10.0.0.1/",
    "https://a@b@example.com/",
    "https://example.com%2f@10.0.0.1/",
  ],
  fragment: [
    "https://example.com/#x",
    "https://example.com/#",
    "https://example.com#@10.0.0.1/",
    "https://example.com/?a#b",
  ],
  port: ["22", "25", "6379", "5432", "3306", "11211", "2375", "9200", "27017", "0", "0022"].map(
    (port) => `https://example.com:${port}/`,
  ),
  host: [
    "https://example.com./",
    "https://localhost./",
    "https://a.localhost/",
    "https://localhost.localdomain/",
    "https://intranet/",
    "https://metadata/",
    "https://metadata.google.internal/",
    "https://instance-data.ec2.internal/",
    "https://printer.local/",
    "https://router.lan/",
    "https://nas.home.arpa/",
    "https://example..com/",
    "https://.example.com/",
    "https://internal/",
    "https://METADATA.GOOGLE.INTERNAL/",
    "https://a*b.example.com/",
    `https://${"a".repeat(64)}.example.com/`,
    `https://${"a.".repeat(130)}com/`,
  ],
  address: [
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://0/",
    "https://[::]/",
    "https://[fd00:ec2::254]/",
    "https://[::ffff:a00:1]/",
    "https://[64:ff9b::a00:1]/",
    "https://100.100.100.200/",
    "https://168.63.129.16/",
  ],
};

describe.each(Object.entries(refused))("refused for its %s", (reason, urls) => {
  test.each(urls)("%j", (url) => {
    expect(verdict(url)).toBe(reason);
    expect(verdict(url, local)).toBe(reason);
  });
});

describe("this machine", () => {
  test.each([
    "http://localhost/",
    "http://localhost:8080/x",
    "https://localhost:8443/",
    "http://127.0.0.1:9999/",
    "https://127.0.0.1/",
    "http://[::1]:9999/",
    "http://127.1/",
    "http://LOCALHOST/",
    "http://2130706433:9999/",
  ])("is a target only where the policy allows it: %s", (url) => {
    expect(verdict(url, strict)).toBe("address");
    expect(verdict(url, local)).toBe("ok");
  });

  test("stays closed under its other names and on the ports of databases", () => {
    expect(verdict("http://localhost./", local)).toBe("scheme");
    expect(verdict("https://app.localhost/", local)).toBe("host");
    expect(verdict("http://[::ffff:127.0.0.1]/", local)).toBe("scheme");
    expect(verdict("http://127.0.0.1:6379/", local)).toBe("port");
    expect(verdict("http://0.0.0.0/", local)).toBe("scheme");
  });
});

test("every reason has a sentence for the one who gave the URL", () => {
  expect(Object.keys(outboundUrlMessages)).toEqual(Object.keys(refused));
});
