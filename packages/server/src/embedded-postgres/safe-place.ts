import { constants } from "node:fs";
import { lstat, mkdir, open, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { sha256Hex } from "../std/digest.ts";
import { ownUid } from "./account.ts";

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

export function shortHash(text: string): string {
  return sha256Hex(text).slice(0, 12);
}

/** Whether only root and this account can rename or replace entries of this directory. */
export async function isSafeParent(directory: string): Promise<boolean> {
  const found = await statsOf(await realpath(directory).catch(() => directory));
  if (found === undefined || !found.isDirectory()) return false;
  if (found.uid !== 0 && found.uid !== ownUid()) return false;
  return (found.mode & WRITABLE_BY_OTHERS) === 0 || (found.mode & STICKY) !== 0;
}

/** `lstat`, or undefined when the path does not exist. */
export async function statsOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Creates a directory and its parents; returns false when it existed. Node's recursive `mkdir` reports ENOENT on a read-only
 * file system, which hides the cause.
 */
export async function makeDirectory(path: string, mode?: number): Promise<boolean> {
  const make = () => mkdir(path, mode).then(() => true, unlessDirectory(path));
  try {
    return await make();
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
    await makeDirectory(parent);
    return make();
  }
}

function unlessDirectory(path: string) {
  return async (error: unknown): Promise<boolean> => {
    if (codeOf(error) === "EEXIST" && (await stat(path)).isDirectory()) return false;
    throw error;
  };
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Makes renames and links in this directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
