import { createPublicKey, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  issued,
  CERTIFIED_AT as NOW,
  newKey,
  type Template,
} from "../../../../test/kit/issued-certificates.ts";
import { pointOf } from "../signatures.ts";
import { judgeAuthorityChain } from "./authority-chain.ts";
import { pemOf } from "./write-certificate.ts";

const DAY_MS = 86_400_000;
const DOMAINS = ["pay.example.com", "other.example"];

const root = { name: "root", key: newKey("prime256v1") };
const middle = { name: "middle", key: newKey("prime256v1") };
const own = newKey();
const publicKey = pointOf(createPublicKey(own))?.toString("hex") ?? "";

const rootPem = issued({ ...root, by: root, isAuthority: true });
const middlePem = issued({ ...middle, by: root, isAuthority: true });
const leaf = (change: Partial<Template> = {}) =>
  issued({ name: "pay.example.com", key: own, by: middle, domains: DOMAINS, ...change });

function faultsOf(...pem: readonly string[]): readonly string[] {
  const judged = judgeAuthorityChain(pem.join("\n"), { publicKey, domains: DOMAINS, now: NOW });
  return judged.ok ? [] : judged.faults;
}

describe("the chain of an authority", () => {
  it("is taken with or without its root, with the dates that all of it have", () => {
    const short = leaf({ to: NOW + 10 * DAY_MS, from: NOW - 3 * DAY_MS });
    for (const pem of [
      [short, middlePem],
      [short, middlePem, rootPem],
    ]) {
      const text = `Bag attributes\n${pem.join("\r\n")}`;
      const judged = judgeAuthorityChain(text, { publicKey, domains: DOMAINS, now: NOW });
      expect(judged).toMatchObject({
        ok: true,
        value: { notBefore: NOW - DAY_MS, notAfter: NOW + 10 * DAY_MS },
      });
      const chain = judged.ok ? judged.value.chain : [];
      expect(chain.map((one) => new X509Certificate(one).subject)).toEqual(
        ["CN=pay.example.com", "CN=middle", "CN=root"].slice(0, pem.length),
      );
    }
  });

  it("may be one certificate that the key itself has signed", () => {
    expect(faultsOf(leaf({ by: { name: "pay.example.com", key: own } }))).toEqual([]);
  });

  const expired = new Date(NOW - 1_000);
  const later = new Date(NOW + 1_000);
  const datesOf = (date: Date) => new X509Certificate(leaf({ to: +date, from: 0 })).validTo;
  it.each([
    ["nothing", ["no certificate"], ["must hold at least one certificate in PEM"]],
    [
      "a private key",
      [leaf(), middlePem, own.export({ type: "pkcs8", format: "pem" }) as string],
      ["must hold certificates alone, and not PRIVATE KEY"],
    ],
    [
      "a block that is cut",
      [leaf(), middlePem.slice(0, -20)],
      ["has a block that is cut", "certificate 1 is not signed by the next one"],
    ],
    [
      "a block that is no certificate",
      [leaf(), pemOf(Buffer.from("no"), "CERTIFICATE")],
      ["certificate 2 cannot be read"],
    ],
    [
      "six certificates",
      [leaf(), middlePem, rootPem, rootPem, rootPem, rootPem],
      ["has 6 certificates; at most 5 are taken"],
    ],
    ["another key", [leaf({ key: newKey() }), middlePem], ["certificate 1 is of another key"]],
    [
      "a key of another curve",
      [leaf({ key: newKey("prime256v1") }), middlePem],
      ["certificate 1 is of another key"],
    ],
    [
      "a domain that it does not name",
      [leaf({ domains: ["pay.example.com"] }), middlePem],
      ["certificate 1 does not name other.example"],
    ],
    [
      "its subject alone",
      [leaf({ domains: [] }), middlePem],
      ["certificate 1 does not name pay.example.com", "certificate 1 does not name other.example"],
    ],
    [
      "the wrong order",
      [middlePem, leaf()],
      [
        "certificate 1 is not signed by the next one",
        "certificate 2 is not that of an authority",
        "certificate 1 is of another key",
        "certificate 1 does not name pay.example.com",
        "certificate 1 does not name other.example",
      ],
    ],
    ["the leaf alone", [leaf()], ["certificate 1 is not signed by the next one"]],
    ["a gap", [leaf(), rootPem], ["certificate 1 is not signed by the next one"]],
    [
      "an issuer that is no authority",
      [leaf(), issued({ ...middle, by: root })],
      ["certificate 2 is not that of an authority"],
    ],
    [
      "an end that has passed",
      [leaf({ to: +expired }), middlePem],
      [`certificate 1 has expired: ${datesOf(expired)}`],
    ],
    [
      "a beginning that has not come",
      [leaf(), issued({ ...middle, by: root, isAuthority: true, from: +later })],
      [`certificate 2 is not valid before ${datesOf(later)}`],
    ],
    [
      "a certificate that is too long",
      [leaf({ padding: 8_192 }), middlePem],
      ["certificate 1 is longer than 8192 bytes"],
    ],
  ])("is refused for %s", (_what, pem, faults) => {
    expect(faultsOf(...pem)).toEqual(faults);
  });

  it("is refused when others would not read it whole", () => {
    const wide = (one: typeof middle, by: typeof root) =>
      issued({ ...one, by, isAuthority: true, padding: 7_000 });
    const faults = faultsOf(leaf({ padding: 7_000 }), wide(middle, root), wide(root, root));
    expect(faults).toEqual([
      expect.stringMatching(/^has 2\d{4} bytes of certificates; at most 15000 are taken$/),
    ]);
  });

  it("names all faults at once", () => {
    const wrong = leaf({ key: newKey(), domains: ["x.example"], to: NOW - 1_000 });
    expect(faultsOf(wrong, rootPem)).toHaveLength(5);
  });
});
