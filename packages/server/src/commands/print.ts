/** What people read. Logs go elsewhere. */
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

/** Whether all that was printed so far went out. */
export async function wasPrinted(): Promise<boolean> {
  await new Promise((resolve) => process.stdout.write("", resolve));
  return !isLost;
}

/**
 * Whoever reads may go away, and the disk that it goes to be full. That ends no server; a command ends in its own time, with 1
 * when something of what it had to say is lost.
 */
export function outliveReaders(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exitCode = 1;
    // Somebody who has seen enough knows.
    if (error.code !== "EPIPE")
      printError(`florin: cannot write to standard output: ${messageOf(error)}`);
  });
}
