/** Output for people, on standard output. Logs go to standard error. */
import { messageOf } from "../std/errors.ts";

let isLost = false;

export function print(text: string): void {
  process.stdout.write(`${text}\n`, (error) => {
    isLost ||= error != null;
  });
}

export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Whether everything printed so far was written. */
export async function wasPrinted(): Promise<boolean> {
  await new Promise((resolve) => process.stdout.write("", resolve));
  return !isLost;
}

/**
 * The reader of a pipe may exit and a disk may be full. Neither ends a server. A command finishes and exits with 1 when part
 * of its output was lost.
 */
export function outliveReaders(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exitCode = 1;
    // A closed pipe is intended, as by `head`.
    if (error.code !== "EPIPE")
      printError(`florin: cannot write to standard output: ${messageOf(error)}`);
  });
}
