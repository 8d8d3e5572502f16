/**
 * Encryption at rest: AES-256-GCM under the operator's master key, and the source of that key.
 *
 * Text form: `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url without padding. The version, the key id and the
 * caller's `identity` (row and field of the secret) are authenticated, so an envelope that was moved to another row or
 * relabelled with another key does not open. Nonces are 96 random bits, so a key must be rotated before 2^32 envelopes;
 * older keys stay for opening.
 *
 * The key comes from a setting, from a file that the operator names or, with the embedded database, from a file that the
 * first start creates in the data directory: write a temporary file with mode 0600 → fsync it → link it to the final name,
 * which fails when the name exists → fsync the directory. If the process dies in between, at most a temporary file is left.
 * An existing key is never replaced, and two servers that start at the same time use the same key.
 */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { chmod, link, mkdir, open as openFile, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, syncDirectory } from "../embedded-postgres/safe-place.ts";
import { present } from "../std/assert.ts";
import { messageOf, StartRefused } from "../std/errors.ts";

export interface MasterKey {
  /** The first 8 hexadecimal digits of the SHA-256 of the key. Identifies the key without revealing it. */
  readonly id: string;
  readonly key: Buffer;
}

export interface SealingKeys {
  /** The key that seals; it also opens. */
  readonly current: MasterKey;
  /** Earlier keys, which only open. */
  readonly older?: readonly MasterKey[];
}

export interface Sealer {
  /** `identity` names the row and field where the envelope is valid, for example `webhook-key:<platform id>`. */
  seal(plain: Buffer | string, identity: string): string;
  /** The plain bytes. Throws `SealBroken` when the envelope, the key or the identity do not match. */
  open(sealed: string, identity: string): Buffer;
  /** Binary form for large data: version, key id, nonce, ciphertext, tag. */
  sealBytes(plain: Buffer, identity: string): Buffer;
  openBytes(sealed: Buffer, identity: string): Buffer;
}

/** A stored secret was altered, moved, cut, or sealed under a key that this process does not have. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
}

const VERSION = "v1";
const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BYTES_VERSION = Buffer.from([1]);
const NONCE_AT = BYTES_VERSION.length + 4;
const BODY_AT = NONCE_AT + NONCE_BYTES;
const ENVELOPE = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;

export function createSealer(keys: SealingKeys): Sealer {
  const byId = new Map([...(keys.older ?? []), keys.current].map(({ id, key }) => [id, key]));
  return {
    seal: (plain, identity) => seal(keys.current, plain, identity),
    open(sealed, identity) {
      const [, keyId = "", nonce = "", body = ""] = ENVELOPE.exec(sealed) ?? [];
      const key = byId.get(keyId);
      if (keyId === "") throw new SealBroken("a sealed value is not well formed");
      if (key === undefined) throw new SealBroken(`a sealed value needs the key ${keyId}`);
      const parts = { nonce: decode(nonce), body: decode(body) };
      return open(key, parts, associated(keyId, identity));
    },
    sealBytes(plain, identity) {
      const { id } = keys.current;
      const { nonce, body } = encrypt(keys.current, plain, identity);
      return Buffer.concat([BYTES_VERSION, Buffer.from(id, "hex"), nonce, body]);
    },
    openBytes(sealed, identity) {
      const isWhole = sealed.length >= BODY_AT + TAG_BYTES && sealed[0] === BYTES_VERSION[0];
      if (!isWhole) throw new SealBroken("sealed bytes are not well formed");
      const keyId = sealed.toString("hex", BYTES_VERSION.length, NONCE_AT);
      const key = byId.get(keyId);
      if (key === undefined) throw new SealBroken(`sealed bytes need the key ${keyId}`);
      const parts = {
        nonce: sealed.subarray(NONCE_AT, BODY_AT),
        body: sealed.subarray(BODY_AT),
      };
      return open(key, parts, associated(keyId, identity));
    },
  };
}

function seal(key: MasterKey, plain: Buffer | string, identity: string): string {
  const bytes = typeof plain === "string" ? Buffer.from(plain, "utf8") : plain;
  const { nonce, body } = encrypt(key, bytes, identity);
  return [VERSION, key.id, nonce.toString("base64url"), body.toString("base64url")].join(".");
}

function encrypt({ id, key }: MasterKey, plain: Buffer, identity: string): SealedParts {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated(id, identity));
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { nonce, body };
}

interface SealedParts {
  readonly nonce: Buffer;
  readonly body: Buffer;
}

function open(key: Buffer, { nonce, body }: SealedParts, aad: Buffer): Buffer {
  const split = body.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(body.subarray(split));
  try {
    return Buffer.concat([decipher.update(body.subarray(0, split)), decipher.final()]);
  } catch (error) {
    throw new SealBroken("a sealed value does not open here", { cause: error });
  }
}

function associated(keyId: string, identity: string): Buffer {
  return Buffer.from(`${VERSION}.${keyId}.${identity}`, "utf8");
}

/** Accepts only the canonical base64url text: the decoder ignores extra bits in the last character. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.toString("base64url") !== text) {
    throw new SealBroken("a sealed value is not well formed");
  }
  return bytes;
}

export interface MasterKeySource {
  readonly masterKey?: string | undefined;
  readonly masterKeyFile?: string | undefined;
  /** Data directory of the embedded database. The key file is created here when there is none. */
  readonly dataDir?: string | undefined;
  readonly mustExist?: boolean;
}

const KEY_BYTES = 32;
const KEY_FILE = "master.key";
const OWNER_ONLY = 0o600;
const HOW_TO =
  "It must be 32 bytes as base64 or hexadecimal; make one with: openssl rand -base64 32";

export async function loadMasterKey(source: MasterKeySource): Promise<MasterKey> {
  const { masterKey, masterKeyFile, dataDir, mustExist = false } = source;
  checkKeySource(source);
  if (masterKey !== undefined) return toMasterKey(masterKey, "MASTER_KEY");
  if (masterKeyFile !== undefined) return readKeyFile(masterKeyFile, "MASTER_KEY_FILE");
  return loadKeyFile(present(dataDir, "the directory of the key file"), mustExist);
}

/** Refuses a configuration with no source of the key, or with two. */
export function checkKeySource({ masterKey, masterKeyFile, dataDir }: MasterKeySource): void {
  if (masterKey !== undefined && masterKeyFile !== undefined) {
    throw new StartRefused("MASTER_KEY and MASTER_KEY_FILE are both set; set one of them.");
  }
  if ([masterKey, masterKeyFile, dataDir].some((place) => place !== undefined)) return;
  throw new StartRefused(
    `Set MASTER_KEY or MASTER_KEY_FILE: secrets are sealed with it. ${HOW_TO}`,
  );
}

/** Parses a key. Messages contain `origin`, the setting or file, and never the key. */
export function toMasterKey(text: string, origin: string): MasterKey {
  const key = decodeKey(text.trim());
  if (key === undefined) throw new StartRefused(`${origin} is not a usable key. ${HOW_TO}`);
  if (key.every((byte) => byte === key[0])) {
    throw new StartRefused(`${origin} is one byte repeated, not a key. ${HOW_TO}`);
  }
  return { id: createHash("sha256").update(key).digest("hex").slice(0, 8), key };
}

function decodeKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined;
  const key = Buffer.from(text, "base64");
  return key.length === KEY_BYTES ? key : undefined;
}

async function readKeyFile(path: string, setting: string): Promise<MasterKey> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new StartRefused(`${setting}: ${path} cannot be read: ${messageOf(error)}`);
  }
  return toMasterKey(text, `${setting} (${path})`);
}

async function loadKeyFile(dataDir: string, mustExist: boolean): Promise<MasterKey> {
  const path = join(dataDir, KEY_FILE);
  if (!(await exists(path))) {
    if (mustExist) {
      throw new StartRefused(`there is no key file ${path}; restore it, or set MASTER_KEY`);
    }
    await createKeyFile(dataDir, path);
  }
  await restrictToOwner(path);
  return readKeyFile(path, "DATA_DIR");
}

async function createKeyFile(dataDir: string, path: string): Promise<void> {
  const unfinished = `${path}.${randomBytes(8).toString("hex")}.new`;
  try {
    await mkdir(dataDir, { recursive: true });
    await writeDurably(unfinished, `${randomBytes(KEY_BYTES).toString("base64")}\n`);
    await link(unfinished, path).catch(ignoreExisting);
    await unlink(unfinished);
    await flushDirectory(dataDir);
  } catch (error) {
    throw new StartRefused(`The key file ${path} cannot be created: ${messageOf(error)}`);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await openFile(path, "wx", OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flushDirectory(path: string): Promise<void> {
  // A directory cannot be fsynced on Windows; NTFS journals the link.
  if (process.platform === "win32") return;
  await syncDirectory(path);
}

/** Restores mode 0600, which is often lost when a data directory is copied. */
async function restrictToOwner(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return;
  try {
    await chmod(path, OWNER_ONLY);
  } catch (error) {
    throw new StartRefused(
      `${path} can be read by other users, and its mode cannot be set to 0600: ${messageOf(error)}`,
    );
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw new StartRefused(`The key file ${path} cannot be checked: ${messageOf(error)}`);
  }
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}
