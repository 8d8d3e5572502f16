import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "./safe-place.ts";

export interface PidFile {
  readonly pid: number;
  /** A single-user PostgreSQL, which an administrator starts for a repair. */
  readonly isSingleUser: boolean;
  readonly isReady: boolean;
  /** The directory of the socket; empty until the socket exists. */
  readonly socketDir: string;
}

const SOCKET_LINE = 4;
const STATUS_LINE = 7;

/** Undefined for text without a process id, such as a file that a power failure left empty. */
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
