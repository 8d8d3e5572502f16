/**
 * The directory of PostgreSQL's socket. A process that can enter it may connect as any role, so it is 0700, belongs to the account
 * that PostgreSQL runs under, and lies where no other account can replace it. Its name is short and follows from the data
 * directory, because a socket's path has room for about a hundred bytes. A directory that somebody else put there first is
 * passed over for the next name.
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
  /** Where to put it, best first. */
  readonly parents?: readonly string[];
}

const NAMES_TRIED = 8;
const MAX_DIRECTORY_BYTES = 103 - "/.s.PGSQL.5432.lock".length;
/** PostgreSQL reads a list of directories here, with commas and quotes of its own. */
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
    `no private directory for PostgreSQL's socket could be made in ${parents.join(" or ")}; set TMPDIR to a short path that can be written to`,
  );
}

/** Makes the directory again when it was deleted, alone or with its parent. */
export async function reopenPrivateDirectory(
  path: string,
  account: Account | undefined,
): Promise<void> {
  if ((await claim(path, account)) === "ours") return;
  if (await remakeParent(dirname(path), account)) {
    if ((await claim(path, account)) === "ours") return;
  }
  throw new Fault(`${path}, the directory of PostgreSQL's socket, is gone and cannot be made anew`);
}

/** TMPDIR may be a directory of ours that is swept as a whole. Made again, it is still one that no other account can replace. */
async function remakeParent(path: string, account: Account | undefined): Promise<boolean> {
  if ((await statsOf(path)) !== undefined || !(await isSafeParent(dirname(path)))) return false;
  try {
    await mkdir(path, { mode: 0o700 });
    // The account that PostgreSQL runs under must pass through.
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
  // Made by us but not yet handed over, now or by a start that was cut off here.
  if (account === undefined || found.uid !== ownUid()) return "foreign";
  await lchown(path, account.uid, account.gid);
  return "ours";
}
