import { describe, expect, it } from "vitest";
import { isDomainName, normalizeUmaAddress } from "./uma-address.ts";

const label = "a".repeat(63);
/** Of exactly so many characters. */
const domainOf = (length: number) => `${`${label}.`.repeat(4)}`.slice(0, length - 2).concat(".t");

describe("an address", () => {
  it.each([
    ["$a@x.test", "$a@x.test"],
    ["$A.b_C-d+1@X.Test", "$a.b_c-d+1@x.test"],
    ["$a@x.test:8080", "$a@x.test:8080"],
    [`$${"a".repeat(63)}@x.test`, `$${"a".repeat(63)}@x.test`],
    [`$${"a".repeat(64)}@x.test`, undefined],
    ["$@x.test", undefined],
    ["a@x.test", undefined],
    ["$$a@x.test", undefined],
    ["$a@@x.test", undefined],
    ["$a@x.test@y.test", undefined],
    ["$a b@x.test", undefined],
    ["$a@test", undefined],
    ["$a@x.test:0", undefined],
    ["$a@x.test:100000", undefined],
    ["$a@x.test:1:2", undefined],
    ["$\u212Aa@x.test", undefined],
  ])("%s is in its one spelling %s", (text, address) => {
    expect(normalizeUmaAddress(text)).toBe(address);
  });
});

describe("a domain name", () => {
  it.each([
    ["x.test", true],
    ["x-1.test", true],
    [`${label}.test`, true],
    [`${label}a.test`, false],
    ["test", false],
    ["x..test", false],
    ["-x.test", false],
    ["x-.test", false],
    ["X.test", false],
  ])("%s: %s", (text, isOne) => {
    expect(isDomainName(text)).toBe(isOne);
  });

  it("has 253 characters at most", () => {
    expect([domainOf(253).length, isDomainName(domainOf(253))]).toEqual([253, true]);
    expect([domainOf(254).length, isDomainName(domainOf(254))]).toEqual([254, false]);
  });
});
