/**
 * The program behind the name `florin`: the operator's commands, and those for developers of `@florin/cli` where that package is
 * installed. Only what a command line needs is loaded.
 */
import { VERSION } from "./boot/version.ts";
import { print } from "./commands/print.ts";

interface DeveloperProgram {
  isCommand(words: readonly string[]): boolean;
  /** `others`: commands that are not the program's, for the advice about a misspelt one. */
  runFromShell(words: readonly string[], others?: readonly string[]): Promise<void>;
}

const OPERATOR_COMMANDS = [
  "start",
  "migrate",
  "verify",
  "reseal",
  "reindex",
  "config",
  "rail",
  "platform",
  "uma",
  "people",
  "token",
  "verification",
  "webhooks",
];

const HELP = ["--help", "-h", "help"];
const words = process.argv.slice(2);
const [first, second] = words;

if (first === "--version" || first === "-V") print(VERSION);
else if (OPERATOR_COMMANDS.includes(first ?? "") && (second ?? "-").startsWith("-"))
  await operate();
else await develop();

async function develop(): Promise<void> {
  const cli = await findDeveloperProgram();
  const asksForHelp = first === undefined || HELP.includes(first);
  if (cli === undefined) return operate();
  const isOperators = OPERATOR_COMMANDS.includes(first ?? "");
  if (isOperators && !asksForHelp && !cli.isCommand(words)) return operate();
  await cli.runFromShell(asksForHelp ? ["--help"] : words, OPERATOR_COMMANDS);
  if (asksForHelp) print(`\nFor the operator of this server:\n  ${OPERATOR_COMMANDS.join(" | ")}`);
}

async function operate(): Promise<void> {
  await import("./main.ts");
}

/** The import takes no literal name, so that this package compiles and is packed without `@florin/cli`. */
async function findDeveloperProgram(): Promise<DeveloperProgram | undefined> {
  const name = "@florin/cli";
  try {
    return (await import(name)) as DeveloperProgram;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
