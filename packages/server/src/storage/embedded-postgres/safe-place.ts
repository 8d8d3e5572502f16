import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { ownUid } from "./account.ts";

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** Twelve hexadecimal digits that stand for a longer name. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** Whether nobody but root and we can rename or replace what we put into this directory. */
export async function isSafeParent(directory: string): Promise<boolean> {
  const found = await statsOf(await realpath(directory).catch(() => directory));
  if (found === undefined || !found.isDirectory()) return false;
  if (found.uid !== 0 && found.uid !== ownUid()) return false;
  return (found.mode & WRITABLE_BY_OTHERS) === 0 || (found.mode & STICKY) !== 0;
}

/** What is at the path itself (a link is not followed), or undefined when there is nothing. */
export async function statsOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** The system's name for what went wrong: `ENOENT` and the like. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Makes a rename in this directory outlast a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
