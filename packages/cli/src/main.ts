/** `florin` for developers: reads the command line, runs a command, and says how it ended. */
import { CommanderError } from "commander";
import { exitCodeOf, Refused } from "./failures.ts";
import type { Host } from "./host.ts";
import { nodeHost, outliveReaders, stopOnSignals } from "./node-host.ts";
import { createProgram, hasCommand } from "./program.ts";

export async function runFromShell(words: readonly string[]): Promise<void> {
  outliveReaders();
  process.exitCode = await run(nodeHost(stopOnSignals()), words);
}

/** Whether the words begin a command of this program. The server's program, which has commands of its own, asks this. */
export function isCommand(words: readonly string[]): boolean {
  const program = createProgram(nodeHost(new AbortController().signal), undefined);
  return hasCommand(program, words);
}

export async function run(host: Host, words: readonly string[]): Promise<number> {
  try {
    await createProgram(host, words[0]).parseAsync([...words], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const code = error instanceof Refused ? `${error.code}: ` : "";
    host.writeError(`florin: ${code}${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodeOf(error);
  }
}
