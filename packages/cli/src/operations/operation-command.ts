/** Makes the command of an operation in the table, when its noun is called. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Host } from "../host.ts";
import { type Flags, parametersOf } from "./input.ts";
import type { FlagRow, OperationRow } from "./operation-row.ts";
import { runOperation } from "./run-operation.ts";

export function addOperation(noun: Command, host: Host, row: OperationRow): void {
  const command = noun.command(row.verb).description(`${row.summary}  (${row.method} ${row.path})`);
  for (const name of parametersOf(row.path))
    command.argument(`<${name}>`, "- reads it from standard input");
  for (const flag of [...(row.query ?? []), ...(row.headers ?? [])])
    command.addOption(optionOf(flag));
  for (const flag of row.body?.fields ?? []) command.addOption(optionOf(flag));
  if (row.body?.kind === "json") {
    command.option("--data <json>", "the body: JSON, @file, or - for standard input");
  }
  addCallOptions(command, row);
  command.action(() => runOperation(host, { row, values: command.args, flags: flagsOf(command) }));
}

/** Adds the options that do not depend on the parameters of the operation. */
export function addCallOptions(command: Command, row: OperationRow): void {
  if (row.takesKey === true) {
    command.option(
      "--idempotency-key <key>",
      "repeats an earlier call instead of making a new one",
    );
  }
  if (row.isPaged === true) command.option("--all", "all pages");
  if (row.method !== "GET" && row.access === "platform") {
    command.option("--yes", "does not ask before a change of production");
  }
  command.option("--json", "prints the answer's bytes and nothing else");
  command.option("--profile <name>", "a saved connection");
}

export function flagsOf(command: Command): Flags {
  const given = command.options.map((option) => [
    (option.long ?? "").replace(/^--/, ""),
    command.getOptionValue(option.attributeName()),
  ]);
  return Object.fromEntries(given) as Flags;
}

function optionOf({ flag, type, values, says, isRequired }: FlagRow): Option {
  const shown = values === undefined || values.length > 12 ? "" : values.join(", ");
  const told = [isRequired === true ? "required" : "", says ?? "", shown].filter(
    (part) => part !== "",
  );
  const option = new Option(`--${flag} ${placeOf(type)}`.trim(), told.join("; "));
  if (type === "boolean") return option.argParser(readBoolean).preset("true");
  if (type === "texts") return option.argParser(collect);
  return option;
}

function placeOf(type: FlagRow["type"]): string {
  if (type === "boolean") return "[true|false]";
  return {
    string: "<text>",
    number: "<number>",
    texts: "<text,…>",
    json: "<json>",
    file: "<path>",
  }[type];
}

function readBoolean(text: string): boolean {
  if (text !== "true" && text !== "false")
    throw new InvalidArgumentError("It must be true or false.");
  return text === "true";
}

/** A list is given by commas, by repeating the flag, or both. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), ...text.split(",")];
}
