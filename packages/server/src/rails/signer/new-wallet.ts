/**
 * The keys of a new self-custodial wallet: 24 words from the operating system's randomness (BIP-39), and the address that
 * shows in its funding instructions. The words are sealed before they leave this file, and to the very account that they
 * are for, so what makes the account's id its own is drawn here, too; the commit that opens the account adds the time.
 *
 * Derivation: BIP-39 seed without a passphrase → BIP-32 → m/8797555'/0'/0' (identity key of a Spark wallet) → the
 * compressed public key, length-prefixed, in Bech32m under the prefix `spark`.
 */
import { pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { bech32m } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { entropyToMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import type { NewWallet } from "../../domain/internal-accounts/open-account.ts";
import { present } from "../../std/assert.ts";
import { randomIds, tailOf } from "../../std/ids.ts";
import type { Sealer } from "../../storage/sealing.ts";

const derive = promisify(pbkdf2);
const IDENTITY_PATH = "m/8797555'/0'/0'";
const SEED_ROUNDS = 2048;
const SEED_BYTES = 64;

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
  const key = HDKey.fromMasterSeed(seed).derive(IDENTITY_PATH);
  const publicKey = present(key.publicKey, "a derived public key");
  return bech32m.encode(
    "spark",
    bech32m.toWords(Uint8Array.from([0x0a, publicKey.length, ...publicKey])),
    256,
  );
}

/** What sealed words are bound to: they open for the account of this id and for no other row, whatever is in its cells. */
export function walletIdentity(platformId: string, accountId: string): string {
  return identityOf(platformId, tailOf(accountId));
}

function identityOf(platformId: string, idTail: string): string {
  return `internal_accounts.wallet_mnemonic ${platformId} ${idTail}`;
}
