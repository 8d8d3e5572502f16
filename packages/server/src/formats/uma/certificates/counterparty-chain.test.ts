import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { issued, CERTIFIED_AT as NOW, newKey } from "../../../../test/kit/issued-certificates.ts";
import { endsAt, leafNames, readAuthority } from "./counterparty-chain.ts";

const read = (pem: string) => new X509Certificate(pem);
const root = { name: "root", key: newKey("prime256v1") };
/** It calls itself by the name of the root and has another key. */
const namesake = { name: "root", key: newKey("prime256v1") };
const middle = { name: "middle", key: newKey("prime256v1") };
const rootPem = issued({ ...root, by: root, isAuthority: true });
const rootOnce = read(rootPem);
const middlePem = issued({ ...middle, by: root, isAuthority: true });
const leaf = read(
  issued({ name: "vasp.example", key: newKey(), by: middle, domains: ["vasp.example"] }),
);
const chain = [leaf, read(middlePem)];

describe("a chain of another institution", () => {
  it.each([
    ["vasp.example", chain, true],
    ["other.example", chain, false],
    ["sub.vasp.example", chain, false],
    ["vasp.example", [], false],
  ])("names %s by its leaf: %#", (host, certificates, expected) => {
    expect(leafNames(certificates, host)).toBe(expected);
  });

  it.each<readonly [string, readonly X509Certificate[], readonly X509Certificate[], boolean]>([
    ["at the root that signed its last certificate", chain, [rootOnce], true],
    ["at a root that it holds itself", [...chain, rootOnce], [rootOnce], true],
    ["at an authority in the middle", chain, [read(middlePem)], true],
    ["at one of several", chain, [leaf, rootOnce], true],
    ["nowhere without certificates", [], [rootOnce], false],
    ["nowhere without authorities", chain, [], false],
    [
      "not at a root of the same name with another key",
      chain,
      [read(issued({ ...namesake, by: namesake, isAuthority: true }))],
      false,
    ],
    [
      "not at a root that has expired",
      chain,
      [read(issued({ ...root, by: root, isAuthority: true, to: NOW - 1_000 }))],
      false,
    ],
    [
      "not at a root that is not valid yet",
      chain,
      [read(issued({ ...root, by: root, isAuthority: true, from: NOW + 1_000 }))],
      false,
    ],
  ])("ends %s", (_, certificates, authorities, expected) => {
    expect(endsAt(certificates, authorities, NOW)).toBe(expected);
  });
});

describe("the root of an authority", () => {
  const faultOf = (pem: string) => {
    const one = readAuthority(pem);
    return "fault" in one ? one.fault : undefined;
  };

  it("is read from PEM", () => {
    expect(faultOf(`\n${rootPem}\n`)).toBeUndefined();
  });

  it.each([
    ["one certificate in PEM", "root"],
    ["one certificate in PEM", rootPem + rootPem],
    ["one certificate in PEM", rootPem.replaceAll("CERTIFICATE", "PUBLIC KEY")],
    ["cannot be read", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"],
    ["not the certificate of an authority", issued({ ...root, by: root })],
    ["does not sign itself", middlePem],
    [
      "does not sign itself",
      issued({ name: "root", key: newKey(), by: namesake, isAuthority: true }),
    ],
  ])("is refused: %s (%#)", (fault, pem) => {
    expect(faultOf(pem)).toContain(fault);
  });
});
