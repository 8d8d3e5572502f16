/**
 * The keys of a new self-custodial wallet: 24 words from the operating system's randomness (BIP-39), and the address that
 * shows in its funding instructions. The words are sealed before they leave this file, bound to their account. The random
 * part of the account's id is therefore generated here too; the commit that opens the account adds the time.
 *
 * Derivation: BIP-39 seed without a passphrase → BIP-32 → m/8797555'/0'/0' (identity key of a Spark wallet) → the
 * compressed public key, length-prefixed, in Bech32m under the prefix `spark`. All steps are hardened, so only the last
 * public key is computed on the curve, by Node.
 */
import { createECDH, createHmac, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { bech32m } from "@scure/base";
import { entropyToMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import type { NewWallet } from "../../domain/accounts/internal/open-account.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { createFairSemaphore } from "../../std/admission/fair-semaphore.ts";
import { assert } from "../../std/assert.ts";
import { randomIds, tailOf } from "../../std/ids.ts";

const derive = promisify(pbkdf2);
const IDENTITY_PATH = [8_797_555, 0, 0] as const;
const CURVE = "secp256k1";
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HARDENED = 0x8000_0000;
const KEY_BYTES = 32;
const SEED_ROUNDS = 2048;
const SEED_BYTES = 64;

/** The caller of a wallet's creation: queues take turns, so that an import does not delay API calls. */
export type WalletLine = "callers" | "imports";

/** Concurrent wallets: their key derivation runs in Node's thread pool, which has four threads by default. */
const AT_ONCE = 4;

export type WalletMaker = (platformId: string, line: WalletLine) => Promise<NewWallet>;

export function createWalletMaker(sealer: Sealer): WalletMaker {
  const semaphore = createFairSemaphore({ slots: AT_ONCE, perKey: AT_ONCE / 2 });
  return (platformId, line) =>
    semaphore.run(`${line} ${platformId}`, () => newWallet(platformId, sealer)).result;
}

export async function newWallet(platformId: string, sealer: Sealer): Promise<NewWallet> {
  const idTail = tailOf(randomIds().next(0));
  const mnemonic = entropyToMnemonic(randomBytes(32), wordlist);
  return {
    idTail,
    address: await addressOf(mnemonic),
    mnemonicSealed: sealer.seal(mnemonic, identityOf(platformId, idTail)),
  };
}

/** The address of a wallet with these words. */
export async function addressOf(mnemonic: string): Promise<string> {
  const seed = await derive(
    mnemonic.normalize("NFKD"),
    "mnemonic",
    SEED_ROUNDS,
    SEED_BYTES,
    "sha512",
  );
  const publicKey = publicKeyOf(IDENTITY_PATH.reduce(hardenedChild, masterOf(seed)));
  return bech32m.encode(
    "spark",
    bech32m.toWords(Uint8Array.from([0x0a, publicKey.length, ...publicKey])),
    256,
  );
}

/** A private key and its chain code (BIP-32). */
interface ExtendedKey {
  readonly key: Buffer;
  readonly chain: Buffer;
}

function masterOf(seed: Buffer): ExtendedKey {
  return split(createHmac("sha512", "Bitcoin seed").update(seed).digest());
}

function hardenedChild({ key, chain }: ExtendedKey, index: number): ExtendedKey {
  const data = Buffer.alloc(1 + KEY_BYTES + 4);
  key.copy(data, 1);
  data.writeUInt32BE(HARDENED + index, 1 + KEY_BYTES);
  const child = split(createHmac("sha512", chain).update(data).digest());
  const sum = (toNumber(child.key) + toNumber(key)) % CURVE_ORDER;
  return { key: toKey(sum), chain: child.chain };
}

/** A BIP-32 digest is no valid key with a probability of 2^-127; such a wallet is not created. */
function split(digest: Buffer): ExtendedKey {
  const key = digest.subarray(0, KEY_BYTES);
  assert(toNumber(key) < CURVE_ORDER, "a derived key lies within the order of the curve");
  return { key, chain: digest.subarray(KEY_BYTES) };
}

function publicKeyOf({ key }: ExtendedKey): Buffer {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(key);
  return pair.getPublicKey(null, "compressed");
}

function toNumber(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}

function toKey(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * KEY_BYTES, "0"), "hex");
}

/** The associated data of the sealed mnemonic: it opens only for the account with this id, and in no other row. */
export function walletIdentity(platformId: string, accountId: string): string {
  return identityOf(platformId, tailOf(accountId));
}

function identityOf(platformId: string, idTail: string): string {
  return `internal_accounts.wallet_mnemonic ${platformId} ${idTail}`;
}
