/** The keys of wallets: known answers, worked out again by another party's derivation, and the words of many. */
import { createHash, pbkdf2Sync, randomBytes } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../../test/kit/sample.ts";
import { createSealer, toMasterKey } from "../../secrets/sealing.ts";
import { idAt } from "../../std/ids.ts";
import {
  addressOf,
  createWalletMaker,
  newWallet,
  type WalletLine,
  walletIdentity,
} from "./new-wallet.ts";

const seedOf = (mnemonic: string, passphrase = "") =>
  pbkdf2Sync(mnemonic, `mnemonic${passphrase}`, 2048, 64, "sha512");

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

/** By another party's code, and by hand what is not a derivation. */
function addressByOthers(mnemonic: string): string {
  const { publicKey } = HDKey.fromMasterSeed(seedOf(mnemonic)).derive("m/8797555'/0'/0'");
  return bech32mOf(
    "spark",
    Buffer.concat([Buffer.from([0x0a, 0x21]), publicKey ?? Buffer.alloc(0)]),
  );
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

  it("writes the checksum of the Bech32m vectors", () => {
    expect(bech32mOf("a", Buffer.alloc(0))).toBe("a1lqfn3a");
  });
});

describe("the address of a wallet", () => {
  it.each([
    [ZEROS, "spark1pgss9jszkdj832yzt9jf925pt2sf7vwl576qxmtz4twk8zf38jm02rr43fe99f"],
    [ONES, "spark1pgssx6hk9fd3y473gvz2zwm94nv05fqru56qd5kml8cgq0vr4pevpqapt8jv4c"],
  ])("for the words %s is %s, as worked out by others", async (mnemonic, known) => {
    expect(addressByOthers(mnemonic)).toBe(known);
    expect(await addressOf(mnemonic)).toBe(known);
  });

  it("equals what an independent implementation derives from the mnemonic", async () => {
    for (let n = 0; n < 100; n++) {
      const words = `${randomBytes(16).toString("hex")} any text has a seed`;
      expect(await addressOf(words)).toBe(addressByOthers(words));
    }
  });
});

describe("the mnemonics of new wallets", () => {
  const platformId = "0190aaaa-0000-7000-8000-000000000001";
  const sealer = createSealer({ current: toMasterKey(randomBytes(32).toString("hex"), "test") });

  const entropyOf = (words: readonly string[]) => {
    const bits = words.map((word) => wordlist.indexOf(word).toString(2).padStart(11, "0")).join("");
    const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
    return { entropy: bytes.subarray(0, 32), checksum: bytes[32] };
  };

  it("are 24 with a right checksum, of bits like tosses of a coin, and never the same: 2,000 wallets", async () => {
    const numbers = sampleOf(Array.from({ length: 2_000 }, (_, number) => number));
    const made = await Promise.all(numbers.map(() => newWallet(platformId, sealer)));
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
    expect(seen.size).toBe(3 * made.length);
    const tosses = 256 * made.length;
    // 6.4 standard deviations, 0.0045 of 512,000 tosses; one in a billion runs would be further off.
    expect(Math.abs(ones / tosses - 0.5)).toBeLessThan(3.2 / Math.sqrt(tosses));
  }, 120_000);

  it("are made a few at a time, and a caller's beside those of an import", async () => {
    const make = createWalletMaker(sealer);
    const ended: string[] = [];
    const one = async (line: WalletLine) => {
      await make(platformId, line);
      ended.push(line);
    };
    await Promise.all([...Array.from({ length: 40 }, () => one("imports")), one("callers")]);
    expect(ended.indexOf("callers")).toBeLessThan(10);
  });
});
