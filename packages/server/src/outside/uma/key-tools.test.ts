import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { UmaKey } from "../../domain/uma/keys/uma-key.ts";
import { isSignatureOf, pointOf, publicKeyOfHex } from "../../formats/uma/signatures.ts";
import { createSealer, SealBroken, toMasterKey } from "../../secrets/sealing.ts";
import { createUmaKeyTools } from "./key-tools.ts";

const sealer = createSealer({ current: toMasterKey("0123456789abcdef".repeat(4), "test") });
const tools = createUmaKeyTools(sealer);
const PLATFORM = "019a4f00-0000-7000-8000-000000000001";
const NOW = Date.UTC(2026, 10, 29, 12, 0, 0, 250);
const message = { addresses: ["a", "b"], now: NOW };
const facts = { names: ["pay.example", "other.example"], now: NOW };

async function newKey(use: UmaKey["use"] = "SIGNING") {
  const { certificate, ...pair } = await tools.newKey(PLATFORM, { ...facts, use });
  return { ...pair, ...certificate } as unknown as UmaKey;
}

describe("a new key", () => {
  it("has a certificate of its own for 397 days, with all names", async () => {
    const { publicKey, chain, names, source, notBefore, notAfter } = await newKey();
    const [pem = ""] = chain;
    const read = new X509Certificate(pem);
    expect(pointOf(read.publicKey)?.toString("hex")).toBe(publicKey);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.subjectAltName).toBe("DNS:pay.example, DNS:other.example");
    expect({ names, source, notBefore, notAfter }).toEqual({
      names: facts.names,
      source: "SELF_SIGNED",
      notBefore: Date.parse(read.validFrom),
      notAfter: Date.parse(read.validTo),
    });
    expect(notAfter).toBe(Date.UTC(2026, 10, 29, 12) + 397 * 86_400_000);
  });

  it("signs what its public part verifies, also with a second certificate", async () => {
    const key = await newKey();
    const signed = await tools.sign(PLATFORM, key, message);
    expect(signed.timestamp).toBe(BigInt(Math.floor(NOW / 1_000)));
    const publicKey = publicKeyOfHex(key.publicKey);
    const text = `a|b|${signed.nonce}|${signed.timestamp}`;
    expect(publicKey && (await isSignatureOf(text, signed.signature, publicKey))).toBe(true);
    const { chain } = await tools.certify(PLATFORM, key, { ...facts, names: ["third.example"] });
    const [pem = ""] = chain;
    const read = new X509Certificate(pem);
    expect(publicKey && read.publicKey.equals(publicKey)).toBe(true);
    expect(read.subjectAltName).toBe("DNS:third.example");
  });

  it("opens for its platform and its public part alone", async () => {
    const [key, other] = [await newKey(), await newKey()];
    expect(() => tools.sign(PLATFORM.replace("1", "2"), key, message)).toThrow(SealBroken);
    const swapped = { ...key, privateSealed: other.privateSealed };
    expect(() => tools.sign(PLATFORM, swapped, message)).toThrow(SealBroken);
    const destroyed = { ...key, privateSealed: null };
    expect(() => tools.sign(PLATFORM, destroyed, message)).toThrow(/destroyed/);
  });

  it("asks an authority for a certificate", async () => {
    const pem = await tools.request(PLATFORM, await newKey("ENCRYPTION"), facts.names);
    expect(pem).toMatch(
      /^-----BEGIN CERTIFICATE REQUEST-----\n[\s\S]+\n-----END CERTIFICATE REQUEST-----\n$/,
    );
  });
});
