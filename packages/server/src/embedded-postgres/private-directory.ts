/**
 * The directory of PostgreSQL's socket. PostgreSQL trusts every connection through the socket, so the directory has mode 0700,
 * belongs to the account of PostgreSQL, and its parent does not let another account replace it. The name is a short hash of
 * the data directory, because the path of a socket is limited to about a hundred bytes. When another account has created a
 * directory of that name, the next name is tried.
 */
import { chmod, lchown, mkdir, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Clock } from "../std/clock.ts";
import { Fault, StartRefused } from "../std/errors.ts";
import { type Account, may, ownUid } from "./account.ts";
import { codeOf, isSafeParent, shortHash, statsOf } from "./safe-place.ts";

export interface PrivateDirectory {
  readonly dataDir: string;
  readonly account: Account | undefined;
  readonly clock: Clock;
  /** The candidates for its parent, in order of preference. */
  readonly parents?: readonly string[];
}

const NAMES_TRIED = 8;
const MAX_DIRECTORY_BYTES = 103 - "/.s.PGSQL.5432.lock".length;
/** `unix_socket_directories` is a list with commas and quotes, so other characters are excluded. */
const PLAIN_PATH = /^[\w./+-]+$/;

export async function openPrivateDirectory(options: PrivateDirectory): Promise<string> {
  const parents = options.parents ?? [...new Set([tmpdir(), "/tmp", "/var/run"])];
  for (const parent of parents) {
    if (!PLAIN_PATH.test(parent) || !(await isSafeParent(parent))) continue;
    for (let attempt = 0; attempt < NAMES_TRIED; attempt++) {
      const path = join(parent, `florin-${shortHash(`${options.dataDir} ${attempt}`)}`);
      if (Buffer.byteLength(path) > MAX_DIRECTORY_BYTES) break;
      const made = await claim(path, options.account);
      if (made === "unwritable") break;
      if (made === "foreign") continue;
      if (await may("enter", path, options)) return path;
      await rmdir(path).catch(() => undefined);
      break;
    }
  }
  throw new StartRefused(
    `no private directory for PostgreSQL's socket could be created in ${parents.join(" or ")}; set TMPDIR to a short, writable path`,
  );
}

/** Creates the directory again when it was deleted, alone or with its parent. */
export async function reopenPrivateDirectory(
  path: string,
  account: Account | undefined,
): Promise<void> {
  if ((await claim(path, account)) === "ours") return;
  if (await remakeParent(dirname(path), account)) {
    if ((await claim(path, account)) === "ours") return;
  }
  throw new Fault(
    `${path}, the directory of PostgreSQL's socket, was deleted and cannot be created`,
  );
}

/** TMPDIR may be a private directory that a cleanup deleted. It is created again only where no other account can replace it. */
async function remakeParent(path: string, account: Account | undefined): Promise<boolean> {
  if ((await statsOf(path)) !== undefined || !(await isSafeParent(dirname(path)))) return false;
  try {
    await mkdir(path, { mode: 0o700 });
    // The account of PostgreSQL must be able to enter subdirectories.
    if (account !== undefined) await chmod(path, 0o711);
    return true;
  } catch {
    return false;
  }
}

async function claim(
  path: string,
  account: Account | undefined,
): Promise<"ours" | "foreign" | "unwritable"> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") return "unwritable";
  }
  const found = await statsOf(path);
  if (found === undefined || !found.isDirectory() || (found.mode & 0o777) !== 0o700)
    return "foreign";
  const owner = account?.uid ?? ownUid();
  if (found.uid === owner) return "ours";
  // Created but not yet passed to the account of PostgreSQL, by this start or by one that was killed here.
  if (account === undefined || found.uid !== ownUid()) return "foreign";
  await lchown(path, account.uid, account.gid);
  return "ours";
}
