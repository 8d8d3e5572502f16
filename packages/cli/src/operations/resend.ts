/** `florin events resend`: sends one event again by its id, or orders the resend of all that the flags select. */
import { type Command, Option } from "commander";
import { UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { addCallOptions, collect, flagsOf } from "./operation-command.ts";
import type { OperationRow } from "./operation-row.ts";
import { operationTable } from "./operation-table.ts";
import { runOperation } from "./run-operation.ts";

const FILTERS = ["failed", "since", "until", "type", "resource", "after", "before"] as const;

export function addResend(noun: Command, host: Host): void {
  const one = rowOf("resendEvent");
  const many = rowOf("resendEvents");
  const command = noun
    .command("resend")
    .description(`Send events again  (POST ${one.path}, POST ${many.path})`)
    .argument("[id]", "one event; without it the flags select")
    .option("--failed", "those that the endpoint has not taken")
    .option("--since <moment>", "of this time or later")
    .option("--until <moment>", "of this time or earlier")
    .addOption(
      new Option("--type <text,…>", "event types, or beginnings such as A.*").argParser(collect),
    )
    .option("--resource <id>", "about this object")
    .option("--after <sequence>", "with a higher sequence")
    .option("--before <sequence>", "with a lower sequence")
    .option("--endpoint <id>", "to this endpoint alone")
    .option("--dry-run", "says how many, and sends none");
  addCallOptions(command, many);
  command.action((id: string | undefined) => {
    const flags = flagsOf(command);
    const selects = FILTERS.filter((name) => flags[name] !== undefined);
    if (id === undefined && selects.length === 0) {
      throw new UsageError(`name an event, or select some by --${FILTERS.join(", --")}`);
    }
    if (id !== undefined && (selects.length > 0 || flags["dry-run"] === true)) {
      throw new UsageError("an event that is named takes --endpoint alone");
    }
    const endpoint = flags.endpoint === undefined ? {} : { endpointId: flags.endpoint };
    const body =
      id === undefined ? { filter: filterOf(flags), ...endpoint, ...dryRunOf(flags) } : endpoint;
    return runOperation(host, {
      row: id === undefined ? many : one,
      values: id === undefined ? [] : [id],
      flags: { ...flags, data: JSON.stringify(body) },
    });
  });
}

type Given = ReturnType<typeof flagsOf>;

function filterOf({ failed, since, until, type, resource, after, before }: Given): object {
  const sequences = Object.entries({ after, before })
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => [name, sequenceOf(name, String(text))] as const);
  const named = { failed, since, until, type, resourceId: resource };
  return { ...named, ...Object.fromEntries(sequences) };
}

function sequenceOf(flag: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`--${flag} must be the sequence of an event: ${text}`);
}

function dryRunOf(flags: Given): object {
  return flags["dry-run"] === true ? { dryRun: true } : {};
}

function rowOf(operationId: string): OperationRow {
  const row = operationTable.find(({ id }) => id === operationId);
  if (row === undefined) throw new Error(`the table has no operation ${operationId}`);
  return row;
}
