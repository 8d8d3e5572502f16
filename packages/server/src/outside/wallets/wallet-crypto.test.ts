import { createHash } from "node:crypto";
import { createClientKey, openSession, WalletError } from "@florin/client/wallet";
import { createBase58check } from "@scure/base";
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from "@turnkey/crypto";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../../../test/kit/sample.ts";
import type { ClientPublicKey } from "../../domain/wallets/wallet-crypto.port.ts";
import { present } from "../../std/assert.ts";
import { createWalletCrypto } from "./wallet-crypto.ts";

const crypto = createWalletCrypto();
const base58check = createBase58check((bytes: Uint8Array) =>
  createHash("sha256").update(bytes).digest(),
);

function clientKeyOf(text: string): ClientPublicKey {
  return present(crypto.parseClientPublicKey(text), "a client key");
}

describe("a client public key", () => {
  const { publicKeyUncompressed, publicKey } = generateP256KeyPair();
  const x = publicKeyUncompressed.slice(2, 66);
  const y = publicKeyUncompressed.slice(66);
  const P = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";

  test("is stored as it was sent, in either case", () => {
    expect(crypto.parseClientPublicKey(publicKeyUncompressed)).toBe(publicKeyUncompressed);
    const upper = publicKeyUncompressed.toUpperCase();
    expect(crypto.parseClientPublicKey(upper)).toBe(upper);
  });

  test.each([
    ["nothing", ""],
    ["the compressed form", publicKey],
    ["the hybrid form", `06${x}${y}`],
    ["no prefix", `${x}${y}`],
    ["a digit too few", publicKeyUncompressed.slice(0, -1)],
    ["a digit too many", `${publicKeyUncompressed}0`],
    ["a line end", `${publicKeyUncompressed}\n`],
    ["a letter that is no digit", `${publicKeyUncompressed.slice(0, -1)}g`],
    ["the point at infinity", "00"],
    ["zeros", `04${"0".repeat(128)}`],
    ["coordinates that are not reduced", `04${P}${y}`],
    ["the coordinates the wrong way round", `04${y}${x}`],
    ["a point of another curve", `04${"0".repeat(63)}1${"0".repeat(63)}1`],
  ])("is refused when it is %s", (_, text) => {
    expect(crypto.parseClientPublicKey(text)).toBeUndefined();
  });

  test("is refused when any one digit of a good one is another", () => {
    for (let at = 2; at < publicKeyUncompressed.length; at++) {
      const digit = publicKeyUncompressed[at] === "0" ? "1" : "0";
      const altered =
        publicKeyUncompressed.slice(0, at) + digit + publicKeyUncompressed.slice(at + 1);
      expect(crypto.parseClientPublicKey(altered)).toBeUndefined();
    }
  });
});

describe("a session key", () => {
  const rounds = sampleOf(Array.from({ length: 400 }, (_, round) => round));
  const all = rounds.length;
  test(`is opened by the wallet client library, ${all} of ${all}, and is the key of the stored public one`, async () => {
    const seen = new Set<string>();
    for (const _ of rounds) {
      const client = generateP256KeyPair();
      const issued = await crypto.issueSessionKey(clientKeyOf(client.publicKeyUncompressed));
      const privateKey = decryptCredentialBundle(
        issued.encryptedSessionSigningKey,
        client.privateKey,
      );
      expect(Buffer.from(getPublicKey(privateKey, true)).toString("hex")).toBe(issued.publicKey);
      seen.add(privateKey);
    }
    expect(seen.size).toBe(all);
  });

  test("is opened by the client module", async () => {
    const client = await createClientKey();
    const issued = await crypto.issueSessionKey(clientKeyOf(client.clientPublicKey));
    const session = await openSession(client, issued.encryptedSessionSigningKey);
    expect(session.publicKey).toBe(issued.publicKey);
  });

  test("is 81 bytes in base58 with a checksum", async () => {
    const client = await createClientKey();
    const issued = await crypto.issueSessionKey(clientKeyOf(client.clientPublicKey));
    const bytes = base58check.decode(issued.encryptedSessionSigningKey);
    expect(bytes).toHaveLength(81);
    expect([2, 3]).toContain(bytes[0]);
    expect(issued.publicKey).toMatch(/^0[23][0-9a-f]{64}$/);
  });

  test("opens with no other key, and not with any bit changed", async () => {
    const client = generateP256KeyPair();
    const own = await createClientKey();
    const issued = await crypto.issueSessionKey(clientKeyOf(client.publicKeyUncompressed));
    const forOwn = await crypto.issueSessionKey(clientKeyOf(own.clientPublicKey));
    const other = generateP256KeyPair().privateKey;
    expect(() => decryptCredentialBundle(issued.encryptedSessionSigningKey, other)).toThrow();
    await expect(openSession(own, issued.encryptedSessionSigningKey)).rejects.toMatchObject({
      reason: "does-not-open",
    });
    const bytes = base58check.decode(forOwn.encryptedSessionSigningKey);
    const refused: unknown[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Uint8Array.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      refused.push(await openSession(own, base58check.encode(altered)).catch((error) => error));
    }
    expect(refused).toHaveLength(648);
    expect(refused.every((error) => error instanceof WalletError)).toBe(true);
  });
});

describe("a sandbox session key", () => {
  test("has the shape of a real one and cannot be opened", async () => {
    const client = generateP256KeyPair();
    const [first, second] = [
      await crypto.issueSandboxSessionKey(),
      await crypto.issueSandboxSessionKey(),
    ];
    expect(first.publicKey).toMatch(/^0[23][0-9a-f]{64}$/);
    expect(first.publicKey).not.toBe(second.publicKey);
    expect(base58check.decode(first.encryptedSessionSigningKey)).toHaveLength(81);
    expect(() =>
      decryptCredentialBundle(first.encryptedSessionSigningKey, client.privateKey),
    ).toThrow();
  });
});
