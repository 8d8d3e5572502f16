import { describe, expect, it } from "vitest";
import { platform } from "../../../../test/kit/payment-rows.ts";
import { hostOf, isAtOwnDomain, umaDomainFault } from "./uma-domain.ts";

const label = "a".repeat(63);

describe("a UMA domain", () => {
  it.each([
    "bank.test",
    "pay.bank.test",
    "1.bank.test",
    "127.0.0.1.bank.test",
    "0x7f.bank.test",
    "notapi.example",
    "example.com",
    "localhost.test",
    "xn--bcher-kva.test",
    `${label}.${label}.${label}.test`,
  ])("may be %s", (domain) => {
    expect(umaDomainFault(domain, "api.example")).toBeUndefined();
  });

  it.each([
    ["bank", "must be a domain name"],
    ["localhost", "must be a domain name"],
    ["bank.test.", "must be a domain name"],
    [".bank.test", "must be a domain name"],
    ["bank..test", "must be a domain name"],
    ["Bank.test", "must be a domain name"],
    ["b\u00fccher.test", "must be a domain name"],
    ["bank.test:443", "must be a domain name"],
    ["[::1]", "must be a domain name"],
    ["::1", "must be a domain name"],
    ["::ffff:127.0.0.1", "must be a domain name"],
    ["2130706433", "must be a domain name"],
    ["0x7f000001", "must be a domain name"],
    ["127.0.0.1", "IP address"],
    ["127.1", "IP address"],
    ["127.0.1", "IP address"],
    ["0177.0.0.1", "IP address"],
    ["0x7f.0.0.0x1", "IP address"],
    ["0x7f.1", "IP address"],
    ["1.2.3.4.5", "IP address"],
    ["999.999.999.999", "IP address"],
    ["bank.1", "IP address"],
    ["bank.0x", "IP address"],
    ["xn--bank-.test", "must be a domain name"],
    ["xn--a.test", "encodes no international name"],
    ["xn--99999999.test", "encodes no international name"],
    ["api.example", "host of this deployment"],
    ["pay.api.example", "host of this deployment"],
    ["bank.localhost", "host of this deployment"],
  ])("is never %s", (domain, reason) => {
    expect(umaDomainFault(domain, "api.example")).toContain(reason);
  });
});

it("the host of a URL is compared without its port, in lower case and without a dot at its end", () => {
  expect(hostOf("https://API.Example.:8443/x")).toBe("api.example");
});

it("an address is at a platform's domain when it ends in just that domain", () => {
  const owner = { ...platform, umaDomains: ["p.test", "old.test"] };
  expect(isAtOwnDomain(owner, "$a@p.test")).toBe(true);
  expect(isAtOwnDomain(owner, "$a@old.test")).toBe(true);
  for (const other of ["$a@x.p.test", "$a@test", "$a@xp.test", "$a@p.test:8080"]) {
    expect(isAtOwnDomain(owner, other)).toBe(false);
  }
});
