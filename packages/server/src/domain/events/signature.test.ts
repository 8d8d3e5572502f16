import { createHash, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyWebhook } from "../../../../client/src/webhooks.ts";
import { generateWebhookKeyPair, signBody, toSigningKey } from "./signature.ts";

const pair = generateWebhookKeyPair();
const key = toSigningKey(pair.privateKeyPkcs8);
const body = Buffer.from('{"id":"Webhook:1","type":"TEST","data":{"name":"Zoë"}}');
const publicKey = pair.publicKeyPem;
const signatureOf = (header: string) => Buffer.from(JSON.parse(header).s, "base64");
const header = (signature: Buffer) => JSON.stringify({ v: "1", s: signature.toString("base64") });

describe("a key pair", () => {
  test("is on P-256, public as SPKI PEM, private as PKCS #8", () => {
    expect(publicKey).toMatch(
      /^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+-----END PUBLIC KEY-----\n$/,
    );
    expect(createPublicKey(publicKey).asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect(createPublicKey(key).export({ type: "spki", format: "pem" })).toBe(publicKey);
  });

  test("of another curve does not sign", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    expect(() => signBody(privateKey, body)).toThrow("P-256");
  });
});

describe("a signature", () => {
  test("has the form of the header: version 1 and DER in padded base64, in this order", () => {
    for (let round = 0; round < 50; round += 1) {
      const value = signBody(key, body);
      expect(value).toMatch(/^\{"v":"1","s":"[A-Za-z0-9+/]+={0,2}"\}$/);
      const der = signatureOf(value);
      expect([der[0], der[1]]).toEqual([0x30, der.length - 2]);
    }
  });

  test("passes the client's check, for text and bytes alike", () => {
    for (const one of [body, body.toString(), Buffer.alloc(0), Buffer.from([0, 255, 128])]) {
      expect(verifyWebhook({ body: one, header: signBody(key, one), publicKey })).toBe(true);
    }
  });

  test("covers every bit of the body", () => {
    const value = signBody(key, body);
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      expect(verifyWebhook({ body: flipped(body, bit), header: value, publicKey })).toBe(false);
    }
    for (const other of [body.subarray(1), Buffer.concat([body, Buffer.from("\n")])]) {
      expect(verifyWebhook({ body: other, header: value, publicKey })).toBe(false);
    }
  });

  test("with any bit flipped does not pass", () => {
    const signature = signatureOf(signBody(key, body));
    for (let bit = 0; bit < signature.length * 8; bit += 1) {
      const value = header(flipped(signature, bit));
      expect(verifyWebhook({ body, header: value, publicKey })).toBe(false);
    }
  });

  test("of another platform does not pass", () => {
    const other = generateWebhookKeyPair();
    const value = signBody(toSigningKey(other.privateKeyPkcs8), body);
    expect(verifyWebhook({ body, header: value, publicKey })).toBe(false);
    expect(verifyWebhook({ body, header: value, publicKey: other.publicKeyPem })).toBe(true);
  });

  test("in raw form, over a hash of the body, or under another hash does not pass", () => {
    const raw = sign("sha256", body, { key, dsaEncoding: "ieee-p1363" });
    const twice = sign("sha256", createHash("sha256").update(body).digest(), key);
    const wide = sign("sha512", body, key);
    for (const signature of [raw, twice, wide]) {
      expect(verifyWebhook({ body, header: header(signature), publicKey })).toBe(false);
    }
  });
});

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}
