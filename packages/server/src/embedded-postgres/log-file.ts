import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { codeOf, statsOf } from "./safe-place.ts";

const MAX_LOG_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4_096;

/** Opened with O_APPEND, so that PostgreSQL writes at the new end after the file was truncated. */
export function openLogFile(path: string): Promise<FileHandle> {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  return open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
}

/** Truncates a log that exceeds its bound. */
export async function boundLogFile(path: string, maxBytes = MAX_LOG_BYTES): Promise<void> {
  const file = await openLogFile(path);
  try {
    if ((await file.stat()).size > maxBytes) await file.truncate(0);
  } finally {
    await file.close();
  }
}

export async function logSize(path: string): Promise<number> {
  return (await statsOf(path))?.size ?? 0;
}

/** The last errors in the log after the offset, for the message of a failed start. */
export async function lastComplaints(path: string, from: number): Promise<string> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  }
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - TAIL_BYTES, 0);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
    const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
    return lines
      .filter((line) => /(FATAL|PANIC|HINT):/.test(line))
      .slice(-3)
      .join("; ");
  } finally {
    await file.close();
  }
}
