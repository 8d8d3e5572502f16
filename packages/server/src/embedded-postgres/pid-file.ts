import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "./safe-place.ts";

/** What a running PostgreSQL writes about itself into its directory. */
export interface PidFile {
  readonly pid: number;
  /** A single-user PostgreSQL, as an administrator would start it for a repair. */
  readonly isSingleUser: boolean;
  readonly isReady: boolean;
  /** Where its socket lies; empty until it has one. */
  readonly socketDir: string;
}

const SOCKET_LINE = 4;
const STATUS_LINE = 7;

/** Undefined for text that names no process, such as a file that a power cut left empty. */
export function parsePidFile(text: string): PidFile | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  const first = lines[0] ?? "";
  if (!/^-?[1-9]\d*$/.test(first)) return undefined;
  return {
    pid: Math.abs(Number(first)),
    isSingleUser: first.startsWith("-"),
    isReady: lines[STATUS_LINE] === "ready",
    socketDir: lines[SOCKET_LINE] ?? "",
  };
}

export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readIfThere(join(cluster, "postmaster.pid"));
  return text === undefined ? undefined : parsePidFile(text);
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
