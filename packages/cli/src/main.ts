/** `florin` for developers: reads the command line, runs a command, and says how it ended. */
import { type Command, CommanderError } from "commander";
import { exitCodeOf, Refused, UsageError } from "./failures.ts";
import type { Host } from "./host.ts";
import { nodeHost, outliveReaders, stopOnSignals } from "./node-host.ts";
import { createProgram, hasCommand } from "./program.ts";
import { nearestCommand } from "./shell/nearest-command.ts";

/** `others`: commands of the program that calls this one. */
export async function runFromShell(
  words: readonly string[],
  others: readonly string[] = [],
): Promise<void> {
  outliveReaders();
  process.exitCode = await run(nodeHost(stopOnSignals()), words, others);
}

/** Whether the words begin a command of this program. The server's program, which has commands of its own, asks this. */
export function isCommand(words: readonly string[]): boolean {
  const program = createProgram(nodeHost(new AbortController().signal), undefined);
  return hasCommand(program, words);
}

export async function run(
  host: Host,
  words: readonly string[],
  others: readonly string[] = [],
): Promise<number> {
  try {
    const [first] = words;
    const program = createProgram(host, first);
    refuseUnknown(program, first, others);
    await program.parseAsync([...words], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const code = error instanceof Refused ? `${error.code}: ` : "";
    host.writeError(`florin: ${code}${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodeOf(error);
  }
}

/** Commander suggests its own commands alone. */
function refuseUnknown(program: Command, first: string | undefined, others: readonly string[]) {
  if (first === undefined || first.startsWith("-") || hasCommand(program, [first])) return;
  const known = [...program.commands.map((each) => each.name()), ...others];
  const nearest = nearestCommand(first, known);
  const advice = nearest === undefined ? "" : `\n(Did you mean ${nearest}?)`;
  throw new UsageError(`unknown command '${first}'${advice}\n(--help shows what there is)`);
}
