import { describe, expect, test } from "vitest";
import { judgeAddress } from "./address-guard.ts";

const special: readonly (readonly [first: string, last: string, name: string])[] = [
  ["0.0.0.0", "0.255.255.255", "this network"],
  ["10.0.0.0", "10.255.255.255", "private"],
  ["100.64.0.0", "100.127.255.255", "carrier-grade nat"],
  ["168.63.129.16", "168.63.129.16", "cloud metadata"],
  ["169.254.0.0", "169.254.255.255", "link local"],
  ["172.16.0.0", "172.31.255.255", "private"],
  ["192.0.0.0", "192.0.0.255", "protocol assignments"],
  ["192.0.2.0", "192.0.2.255", "documentation"],
  ["192.31.196.0", "192.31.196.255", "as112"],
  ["192.52.193.0", "192.52.193.255", "multicast tunnels"],
  ["192.88.99.0", "192.88.99.255", "6to4 relay"],
  ["192.168.0.0", "192.168.255.255", "private"],
  ["192.175.48.0", "192.175.48.255", "as112"],
  ["198.18.0.0", "198.19.255.255", "benchmarking"],
  ["198.51.100.0", "198.51.100.255", "documentation"],
  ["203.0.113.0", "203.0.113.255", "documentation"],
  ["224.0.0.0", "239.255.255.255", "multicast"],
  ["240.0.0.0", "255.255.255.254", "reserved"],
  ["255.255.255.255", "255.255.255.255", "broadcast"],
  ["::", "::", "unspecified"],
  ["::2", "::ffff:ffff", "ipv4 compatible"],
  ["::8.8.8.8", "::127.0.0.1", "ipv4 compatible"],
  ["::ffff:0:808:808", "::ffff:0:7f00:1", "ipv4 translated"],
  ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "local nat64"],
  ["100::", "100::ffff:ffff:ffff:ffff", "discard"],
  ["100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", "dummy"],
  ["2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "teredo"],
  ["2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", "benchmarking"],
  ["2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", "orchid"],
  ["2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", "orchid"],
  ["2001:1::1", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "protocol assignments"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", "as112"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "documentation"],
  ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "segment routing"],
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "unique local"],
  ["fd00:ec2::254", "fd12:3456:789a::1", "unique local"],
  ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "link local"],
  ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "site local"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "multicast"],
  ["4000::1", "1fff::1", "reserved"],
  ["::ffff:10.0.0.1", "::ffff:a00:1", "ipv4 mapped: private"],
  ["::ffff:127.0.0.1", "::ffff:7f00:1", "ipv4 mapped: loopback"],
  ["64:ff9b::7f00:1", "64:ff9b::127.0.0.1", "nat64: loopback"],
  ["64:ff9b::a9fe:a9fe", "64:ff9b::169.254.169.254", "nat64: link local"],
  ["2002:7f00:1::", "2002:7f00:1:1:2:3:4:5", "6to4: loopback"],
  ["2002:a00:1::", "2002:aff:ffff::", "6to4: private"],
];

describe("special addresses", () => {
  test.each(special)("%s and %s are not public: %s", (first, last, range) => {
    expect(judgeAddress(first)).toMatchObject({ kind: "special", range });
    expect(judgeAddress(last)).toMatchObject({ kind: "special", range });
  });
});

describe("public addresses", () => {
  const edges = [
    "1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17",
    "169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.31.195.255",
    "192.31.197.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255",
    "198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 8.8.8.8",
    "2000::1 2001:200::1 2001:db7::1 2001:db9::1 2003::1 2606:4700:4700::1111 2620:4f:7fff::1 3ffe::1 3fff:1000::1",
    "::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1",
  ];
  test.each(edges.join(" ").split(" "))(
    "%s, next to a special range or carrying a public address, is public",
    (one) => {
      expect(judgeAddress(one).kind).toBe("public");
    },
  );
});

test.each([
  "127.0.0.1",
  "127.255.255.255",
  "127.1",
  "0x7f.1",
  "0177.0.0.1",
  "2130706433",
  "::1",
  "0:0:0:0:0:0:0:1",
])("%s is this machine", (one) => {
  expect(judgeAddress(one).kind).toBe("loopback");
});

test.each([
  "",
  " ",
  " 8.8.8.8",
  "8.8.8.8 ",
  "8.8.8.8\n",
  "8.8.8.8.8",
  "8.8.8.256",
  "4294967296",
  "08.8.8.8",
  "[2606::1]",
  "fe80::1%eth0",
  "2606::1%1",
  "2606:::1",
  "1:2:3:4:5:6:7:8:9",
  "8.8.8.8/32",
  "example.com",
  "::ffff:8.8.8",
  "２.8.8.8",
  `2606::${"0".repeat(80)}1`,
])("%j cannot be read and is not public", (one) => {
  expect(judgeAddress(one).kind).toBe("unreadable");
});

test("an address is handed back in the one spelling that is connected to", () => {
  expect(judgeAddress("0x8.0x8.2056").address).toBe("8.8.8.8");
  expect(judgeAddress("::ffff:808:808").address).toBe("8.8.8.8");
  expect(judgeAddress("2606:4700:0:0:0:0:0:1111").address).toBe("2606:4700::1111");
  expect(judgeAddress("2606:4700::1.2.3.4").address).toBe("2606:4700::102:304");
});
