import { execFileSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { integer, objectId, time } from "./der.ts";
import {
  type KeyUse,
  pemOf,
  writeCertificateRequest,
  writeSelfSigned,
} from "./write-certificate.ts";

const NOW = Date.UTC(2026, 10, 29, 12);
const DAY_MS = 86_400_000;
const DOMAINS = ["pay.example.com", "other.example"];

const folder = mkdtempSync(join(tmpdir(), "florin-certificates-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey;
}

function openssl(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("openssl", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
const hasOpenssl = openssl("version") !== undefined;

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function certificate(use: KeyUse, key = newKey(), domains: readonly string[] = DOMAINS) {
  const dates = { notBefore: NOW - 60_000, notAfter: NOW + 397 * DAY_MS };
  return writeSelfSigned({ domains, use, ...dates }, key);
}

describe("a certificate", () => {
  it.each(["SIGNING", "ENCRYPTION"] as const)("for %s says what it was made from", async (use) => {
    const key = newKey();
    const read = new X509Certificate(await certificate(use, key));
    expect(read.subject).toBe("CN=pay.example.com");
    expect(read.issuer).toBe("CN=pay.example.com");
    expect(read.subjectAltName).toBe("DNS:pay.example.com, DNS:other.example");
    expect(Date.parse(read.validFrom)).toBe(NOW - 60_000);
    expect(Date.parse(read.validTo)).toBe(NOW + 397 * DAY_MS);
    expect(read.ca).toBe(false);
    expect(read.publicKey.equals(createPublicKey(key))).toBe(true);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.verify(createPublicKey(newKey()))).toBe(false);
    expect(read.checkHost("other.example")).toBe("other.example");
    expect(read.checkHost("example.com")).toBeUndefined();
  });

  it("has another number each time", async () => {
    const key = newKey();
    const numbers = await Promise.all(
      Array.from(
        { length: 50 },
        async () => new X509Certificate(await certificate("SIGNING", key)),
      ),
    );
    expect(new Set(numbers.map(({ serialNumber }) => serialNumber)).size).toBe(50);
  });

  it("of a long domain with a port names it without the port", async () => {
    const long = `${"a".repeat(60)}.${"b".repeat(60)}.example`;
    const read = new X509Certificate(await certificate("SIGNING", newKey(), [`${long}:8443`]));
    expect(read.subjectAltName).toBe(`DNS:${long}`);
    expect(read.subject).toHaveLength("CN=".length + 64);
  });

  it.runIf(hasOpenssl).each([
    ["SIGNING", "Digital Signature"],
    ["ENCRYPTION", "Key Agreement"],
  ] as const)("for %s is accepted by OpenSSL", async (use, usage) => {
    const path = fileOf(`${use}.pem`, pemOf(await certificate(use), "CERTIFICATE"));
    const at = String(NOW / 1_000);
    expect(openssl("verify", "-attime", at, "-CAfile", path, path)).toContain(": OK");
    const text = openssl("x509", "-in", path, "-noout", "-text") ?? "";
    for (const part of [usage, "ecdsa-with-SHA256", "CA:FALSE", "DNS:other.example", "secp256k1"])
      expect(text).toContain(part);
  });
});

describe("a request for a certificate", () => {
  it.runIf(hasOpenssl)("is accepted and read by OpenSSL", async () => {
    const der = await writeCertificateRequest({ domains: DOMAINS, use: "SIGNING" }, newKey());
    const path = fileOf("request.pem", pemOf(der, "CERTIFICATE REQUEST"));
    const text = openssl("req", "-in", path, "-noout", "-verify", "-text") ?? "";
    for (const part of ["CN = pay.example.com", "DNS:pay.example.com", "Digital Signature"])
      expect(text.replace("CN=", "CN = ")).toContain(part);
  });
});

describe("DER", () => {
  it.each([
    [[0], "020100"],
    [[0, 0, 1], "020101"],
    [[0x80], "02020080"],
    [[0x7f, 0xff], "02027fff"],
    [[], "020100"],
  ])("writes the number %j", (bytes, hex) => {
    expect(integer(Buffer.from(bytes)).toString("hex")).toBe(hex);
  });

  it.each([
    ["2.5.4.3", "0603550403"],
    ["1.2.840.113549.1.9.14", "06092a864886f70d01090e"],
    ["1.2.840.10045.4.3.2", "06082a8648ce3d040302"],
  ])("writes the name %s", (text, hex) => {
    expect(objectId(text).toString("hex")).toBe(hex);
  });

  it.each([
    [Date.UTC(2049, 11, 31, 23, 59, 59, 999), "170d3439313233313233353935395a"],
    [Date.UTC(2050, 0, 1), "180f32303530303130313030303030305a"],
  ])("writes the time %i", (at, hex) => {
    expect(time(at).toString("hex")).toBe(hex);
  });
});
