import { createECDH, ECDH, generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  fromBase58check,
  fromBase64url,
  fromHex,
  fromUtf8,
  toBase64url,
  toHex,
  utf8,
} from "./bytes.ts";
import { type ClientKey, createClientKey, openSealed } from "./client-key.ts";
import { compressed, publicKeyOf, uncompressed } from "./p256.ts";
import { isClientPublicKey, openSession } from "./session.ts";
import { fromDer, toDer } from "./signatures.ts";

const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const scalar = (value: bigint) => Buffer.from(value.toString(16).padStart(64, "0"), "hex");

function nodePublicKey(privateKey: Uint8Array): string {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(privateKey);
  return pair.getPublicKey("hex");
}

describe("points of P-256", () => {
  it("are the public keys that Node computes, from 1 to n - 1", () => {
    const keys = [1n, 2n, 3n, N - 2n, N - 1n].map(scalar);
    for (let round = 0; round < 50; round++)
      keys.push(scalar(BigInt(`0x${randomBytes(31).toString("hex")}`)));
    for (const key of keys) expect(toHex(publicKeyOf(key) ?? key)).toBe(nodePublicKey(key));
  });

  it("are undefined for a scalar that is out of range or of another length", () => {
    for (const key of [
      scalar(0n),
      scalar(N),
      scalar(N + 1n),
      Buffer.alloc(31, 1),
      Buffer.alloc(33, 1),
    ]) {
      expect(publicKeyOf(key)).toBeUndefined();
    }
  });

  it("have the two spellings that Node gives them", () => {
    for (let round = 0; round < 50; round++) {
      const pair = createECDH("prime256v1");
      const long = pair.generateKeys();
      const short = ECDH.convertKey(
        long,
        "prime256v1",
        undefined,
        undefined,
        "compressed",
      ) as Buffer;
      for (const bytes of [long, short]) {
        expect(toHex(uncompressed(bytes) ?? bytes)).toBe(long.toString("hex"));
        expect(toHex(compressed(bytes) ?? bytes)).toBe(short.toString("hex"));
      }
    }
  });

  it("are distinguished from other bytes", () => {
    const clientPublicKey = nodePublicKey(scalar(5n));
    const bytes = Buffer.from(clientPublicKey, "hex");
    const altered = Buffer.from(bytes);
    altered[64] = (altered[64] ?? 0) ^ 1;
    const wrong = [
      altered,
      bytes.subarray(1),
      Buffer.concat([bytes, Buffer.of(0)]),
      Buffer.alloc(65, 4),
      Buffer.of(),
    ];
    for (const other of wrong) expect(uncompressed(other)).toBeUndefined();
    expect(compressed(Buffer.concat([Buffer.of(2), Buffer.alloc(32, 0xff)]))).toBeUndefined();
    expect(isClientPublicKey(clientPublicKey)).toBe(true);
    expect(isClientPublicKey(altered.toString("hex"))).toBe(false);
    expect(isClientPublicKey(clientPublicKey.slice(0, 66))).toBe(false);
  });
});

describe("spellings", () => {
  it("go there and back, and refuse every other one", () => {
    for (let length = 0; length < 70; length++) {
      const bytes = new Uint8Array(randomBytes(length));
      expect(toHex(bytes)).toBe(Buffer.from(bytes).toString("hex"));
      expect(fromHex(toHex(bytes).toUpperCase())).toEqual(bytes);
      expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
      expect(fromBase64url(toBase64url(bytes))).toEqual(bytes);
    }
    for (const text of ["0", "0g", " 00", "00\n"]) expect(fromHex(text)).toBeUndefined();
    for (const text of ["A", "AB", "AA==", "A+/A", "AAAA\n"])
      expect(fromBase64url(text)).toBeUndefined();
    expect(fromUtf8(utf8("Käse 🧀"))).toBe("Käse 🧀");
    expect(fromUtf8(Uint8Array.of(0xff))).toBeUndefined();
  });

  it("of base58 need their checksum", async () => {
    expect(await fromBase58check("3QJmnh")).toEqual(new Uint8Array());
    const long = "1".repeat(600);
    for (const text of ["", "1", "3QJmnj", "0OIl", long])
      expect(await fromBase58check(text)).toBeUndefined();
  });
});

describe("signatures", () => {
  it("are the same in both forms", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const text = Buffer.from("payload");
    for (let round = 0; round < 100; round++) {
      const der = sign("sha256", text, { key: privateKey, dsaEncoding: "der" });
      const raw = fromDer(der);
      expect(raw).toHaveLength(64);
      expect(toHex(toDer(raw ?? der))).toBe(der.toString("hex"));
      const form = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
      expect(verify("sha256", text, form, raw ?? der)).toBe(true);
    }
  });

  it("in DER have one form", () => {
    const der = Buffer.from("3006020101020101", "hex");
    expect(fromDer(der)).toHaveLength(64);
    const wrong = [
      "",
      "30",
      "3006020101",
      "300602010102010100",
      "3106020101020101",
      "3007020101020101",
      "300702020001020101",
      "30050201020101",
      "300402000200",
    ];
    for (const hex of wrong) expect(fromDer(Buffer.from(hex, "hex"))).toBeUndefined();
  });
});

describe("a session key", () => {
  const bundle =
    "w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrauZd8hEv66EkPU1Z42CUaHESQjcA5bqd8dynTGBMLWB9ewtXWPEVbZvocB4Tw2K1vQVp7uwjf";
  const recipient = "20fa65df11f24833790ae283fc9a0c215eecbbc589549767977994dc69d05a56";
  const sessionKey = "67ee05fc3bdf4161bc70701c221d8d77180294cefcfcea64ba83c4d4c732fcb9";

  async function clientKeyOf(privateKeyHex: string): Promise<ClientKey> {
    const publicKeyBytes = new Uint8Array(
      Buffer.from(nodePublicKey(Buffer.from(privateKeyHex, "hex")), "hex"),
    );
    const part = (from: number) => toBase64url(publicKeyBytes.slice(from, from + 32));
    const d = toBase64url(new Uint8Array(Buffer.from(privateKeyHex, "hex")));
    const jwk = { kty: "EC", crv: "P-256", d, x: part(1), y: part(33) };
    const curve = { name: "ECDH", namedCurve: "P-256" };
    const privateKey = await crypto.subtle.importKey("jwk", jwk, curve, false, ["deriveBits"]);
    return { clientPublicKey: toHex(publicKeyBytes), privateKey, publicKeyBytes };
  }

  it("that was published with its keys opens to the published one", async () => {
    const clientKey = await clientKeyOf(recipient);
    const bytes = (await fromBase58check(bundle)) ?? new Uint8Array();
    expect(bytes).toHaveLength(81);
    const opened = await openSealed(clientKey, {
      encapsulated: bytes.slice(0, 33),
      ciphertext: bytes.slice(33),
    });
    expect(toHex(opened ?? new Uint8Array())).toBe(sessionKey);
    const session = await openSession(clientKey, bundle);
    expect(session.publicKey).toBe(
      toHex(compressed(publicKeyOf(Buffer.from(sessionKey, "hex")) ?? bytes) ?? bytes),
    );
  });

  it("opens for no other client, and not when it is cut, longer or mistyped", async () => {
    const clientKey = await clientKeyOf(recipient);
    await expect(openSession(await createClientKey(), bundle)).rejects.toMatchObject({
      reason: "does-not-open",
    });
    const malformed = ["", bundle.slice(1), `${bundle}1`, bundle.replace("w", "W"), "sandbox"];
    for (const text of malformed) {
      await expect(openSession(clientKey, text)).rejects.toMatchObject({ name: "WalletError" });
    }
  });

  it("is never a key that the machine gives away", async () => {
    const { privateKey } = await createClientKey();
    expect(privateKey.extractable).toBe(false);
    await expect(crypto.subtle.exportKey("jwk", privateKey)).rejects.toThrow();
  });
});
