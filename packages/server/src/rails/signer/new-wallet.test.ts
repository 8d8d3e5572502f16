/** The keys of wallets: known answers, worked out again by other code over node:crypto alone, and the words of many. */
import { createECDH, createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { describe, expect, it } from "vitest";
import { idAt } from "../../std/ids.ts";
import { createSealer, toMasterKey } from "../../storage/sealing.ts";
import { addressOf, newWallet, walletIdentity } from "./new-wallet.ts";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HARDENED = 0x80000000;

const toNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString("hex")}`);
const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(64, "0"), "hex");

const seedOf = (mnemonic: string, passphrase = "") =>
  pbkdf2Sync(mnemonic, `mnemonic${passphrase}`, 2048, 64, "sha512");

interface Node {
  readonly key: Buffer;
  readonly chain: Buffer;
}

function split(key: string | Buffer, data: Buffer): Node {
  const digest = createHmac("sha512", key).update(data).digest();
  return { key: digest.subarray(0, 32), chain: digest.subarray(32) };
}

const rootOf = (seed: Buffer) => split("Bitcoin seed", seed);

function hardened({ key, chain }: Node, index: number): Node {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(HARDENED + index);
  const child = split(chain, Buffer.concat([Buffer.alloc(1), key, number]));
  return { key: toBytes((toNumber(child.key) + toNumber(key)) % ORDER), chain: child.chain };
}

function publicKeyOf({ key }: Node): Buffer {
  const pair = createECDH("secp256k1");
  pair.setPrivateKey(key);
  return pair.getPublicKey(null, "compressed");
}

const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, term] of GENERATOR.entries()) if ((top >> bit) & 1) sum ^= term;
  }
  return sum;
}

function bech32mOf(prefix: string, bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const words = (bits.match(/.{1,5}/g) ?? []).map((five) =>
    Number.parseInt(five.padEnd(5, "0"), 2),
  );
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  const sum = polymod([...expanded, ...words, 0, 0, 0, 0, 0, 0]) ^ 0x2bc830a3;
  const checksum = [0, 1, 2, 3, 4, 5].map((place) => (sum >>> (5 * (5 - place))) & 31);
  return `${prefix}1${[...words, ...checksum].map((word) => BECH32[word]).join("")}`;
}

function addressByHand(mnemonic: string): string {
  const root = rootOf(seedOf(mnemonic));
  const publicKey = publicKeyOf([8797555, 0, 0].reduce(hardened, root));
  return bech32mOf("spark", Buffer.concat([Buffer.from([0x0a, 0x21]), publicKey]));
}

/** The private key in an `xprv`. */
function keyIn(xprv: string): string {
  const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const number = [...xprv].reduce((sum, digit) => sum * 58n + BigInt(digits.indexOf(digit)), 0n);
  const bytes = Buffer.from(number.toString(16).padStart(164, "0"), "hex");
  const sha256 = (data: Buffer) => createHash("sha256").update(data).digest();
  expect(bytes.subarray(78)).toEqual(sha256(sha256(bytes.subarray(0, 78))).subarray(0, 4));
  return bytes.subarray(46, 78).toString("hex");
}

const ZEROS = `${"abandon ".repeat(23)}art`;
const ONES = `${"zoo ".repeat(23)}vote`;

describe("the code of this test", () => {
  it("makes the seeds of the BIP-39 vectors", () => {
    expect(seedOf(ZEROS, "TREZOR").toString("hex")).toBe(
      "bda85446c68413707090a52022edd26a1c9462295029f2e60cd7c4f2bbd30971" +
        "70af7a4d73245cafa9c3cca8d561a7c3de6f5d4a10be8ed2a5e608d68f92fcc8",
    );
    expect(seedOf(ONES, "TREZOR").toString("hex")).toBe(
      "dd48c104698c30cfe2b6142103248622fb7bb0ff692eebb00089b32d22484e16" +
        "13912f0a5b694407be899ffd31ed3992c456cdf60f5d4564b8ba3f05a69890ad",
    );
  });

  it("derives the first hardened key of the BIP-32 vectors", () => {
    const root = rootOf(Buffer.from("000102030405060708090a0b0c0d0e0f", "hex"));
    expect(root.key.toString("hex")).toBe(
      keyIn(
        "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
      ),
    );
    expect(hardened(root, 0).key.toString("hex")).toBe(
      keyIn(
        "xprv9uHRZZhk6KAJC1avXpDAp4MDc3sQKNxDiPvvkX8Br5ngLNv1TxvUxt4cV1rGL5hj6KCesnDYUhd7oWgT11eZG7XnxHrnYeSvkzY7d2bhkJ7",
      ),
    );
  });

  it("writes the checksum of the Bech32m vectors", () => {
    expect(bech32mOf("a", Buffer.alloc(0))).toBe("a1lqfn3a");
  });
});

describe("the address of a wallet", () => {
  it.each([
    [ZEROS, "spark1pgss9jszkdj832yzt9jf925pt2sf7vwl576qxmtz4twk8zf38jm02rr43fe99f"],
    [ONES, "spark1pgssx6hk9fd3y473gvz2zwm94nv05fqru56qd5kml8cgq0vr4pevpqapt8jv4c"],
  ])("for the words %s is %s, as worked out by hand", async (mnemonic, known) => {
    expect(addressByHand(mnemonic)).toBe(known);
    expect(await addressOf(mnemonic)).toBe(known);
  });
});

describe("the words of new wallets", () => {
  const platformId = "0190aaaa-0000-7000-8000-000000000001";
  const sealer = createSealer({ current: toMasterKey(randomBytes(32).toString("hex"), "test") });

  const entropyOf = (words: readonly string[]) => {
    const bits = words.map((word) => wordlist.indexOf(word).toString(2).padStart(11, "0")).join("");
    const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
    return { entropy: bytes.subarray(0, 32), checksum: bytes[32] };
  };

  it("are 24 with a right checksum, of bits like tosses of a coin, and never the same: 2,000 wallets", async () => {
    const made = await Promise.all(
      Array.from({ length: 2_000 }, () => newWallet(platformId, sealer)),
    );
    let ones = 0;
    const seen = new Set<string>();
    for (const { idTail, address, mnemonicSealed } of made) {
      const accountId = idAt(1, idTail);
      const text = sealer.open(mnemonicSealed, walletIdentity(platformId, accountId)).toString();
      const words = text.split(" ");
      expect(words).toHaveLength(24);
      expect(words.every((word) => wordlist.includes(word))).toBe(true);
      const { entropy, checksum } = entropyOf(words);
      expect(checksum).toBe(createHash("sha256").update(entropy).digest()[0]);
      for (const one of [text, accountId, address]) seen.add(one);
      ones += entropy.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
    }
    expect(seen.size).toBe(6_000);
    // Of 512,000 tosses; one in a billion runs would be further off.
    expect(Math.abs(ones / 512_000 - 0.5)).toBeLessThan(0.0045);
  }, 120_000);
});
