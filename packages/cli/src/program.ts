/** The tree of commands. Only verbs of the called noun get their flags, so that a start stays fast. */
import { Command } from "commander";
import { addBatches } from "./batches/batches.ts";
import { addAccountCommands } from "./connection/account-commands.ts";
import { addDemo } from "./demo/demo.ts";
import type { Host } from "./host.ts";
import { addListen } from "./listen/listen.ts";
import { addTailLogs } from "./listen/tail-logs.ts";
import { addVerify } from "./listen/verify.ts";
import { addOperation } from "./operations/operation-command.ts";
import { operationTable } from "./operations/operation-table.ts";
import { addResend } from "./operations/resend.ts";
import { addProof } from "./proof/proof-command.ts";
import { addCompletion } from "./shell/completion.ts";
import { addDocs } from "./shell/docs.ts";
import { addClock } from "./trigger/clock.ts";
import { addTrigger } from "./trigger/trigger.ts";
import { readVersion } from "./version.ts";

/** Whether the first word is a command, and the second one, if any, one of its verbs. */
export function hasCommand(program: Command, [first, second]: readonly string[]): boolean {
  const command = program.commands.find((each) => each.name() === first);
  if (command === undefined || second === undefined || second.startsWith("-")) {
    return command !== undefined;
  }
  return command.commands.length === 0 || command.commands.some((each) => each.name() === second);
}

/** Passed as `called`, it gives every verb its flags. */
const ALL = "*";

/** `called`: the noun whose verbs get their flags. Other verbs are added with their names only. */
export function createProgram(host: Host, called: string | undefined): Command {
  const program = new Command("florin")
    .description("Florin for developers: every operation of the API, and events to localhost.")
    .version(readVersion())
    .helpCommand(false)
    .showHelpAfterError("(--help shows what there is)");
  quiet(program, host);
  addAccountCommands(program, host);
  addListen(program, host);
  addTailLogs(program, host);
  addTrigger(program, host);
  addDemo(program, host);
  addBatches(program, host);
  addDocs(program, host);
  addProof(program, host);
  addCompletion(program, host, () => createProgram(host, ALL));
  for (const noun of new Set(operationTable.map((row) => row.noun)))
    addNoun(program, host, { noun, called });
  for (const each of program.commands) quiet(each, host);
  return program;
}

function addNoun(
  program: Command,
  host: Host,
  { noun, called }: { readonly noun: string; readonly called: string | undefined },
): void {
  const rows = operationTable.filter((row) => row.noun === noun);
  const command = program.command(noun);
  for (const row of rows) {
    if (noun === called || called === ALL) addOperation(command, host, row);
    else command.command(row.verb);
  }
  if (noun === "webhooks") addVerify(command, host);
  if (noun === "events") addResend(command, host);
  if (noun === "sandbox") addClock(command, host);
  command.description(command.commands.map((each) => each.name()).join(" | "));
}

/** Commander throws instead of ending the process, and writes where the host says. */
function quiet(command: Command, host: Host): void {
  for (const each of [command, ...command.commands]) {
    each.exitOverride().configureOutput({
      writeOut: (text) => host.writeOut(text),
      writeErr: (text) => host.writeError(text),
      getOutHasColors: () => host.isColoured,
      getErrHasColors: () => host.isColoured,
    });
  }
}
