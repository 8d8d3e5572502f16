/** `florin sandbox clock`: reads a sandbox's clock, or advances it by a span such as +1d. */
import { type Command, InvalidArgumentError } from "commander";
import type { Host } from "../host.ts";
import type { OperationRow } from "../operations/operation-row.ts";
import { operationTable } from "../operations/operation-table.ts";
import { runOperation } from "../operations/run-operation.ts";

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

export function addClock(noun: Command, host: Host): void {
  noun
    .command("clock")
    .description("Show the sandbox's clock, or move it on.")
    .argument("[span]", "+30s, +5m, +2h or +1d", toSeconds)
    .option("--json", "prints the answer's bytes and nothing else")
    .option("--profile <name>", "a saved connection")
    .action(
      (
        seconds: number | undefined,
        flags: { readonly json?: boolean; readonly profile?: string },
      ) => {
        if (seconds === undefined)
          return runOperation(host, { row: rowOf("getClock"), values: [], flags });
        const given = { ...flags, seconds: String(seconds) };
        return runOperation(host, { row: rowOf("advanceClock"), values: [], flags: given });
      },
    );
}

function rowOf(id: string): OperationRow {
  const row = operationTable.find((each) => each.id === id);
  if (row === undefined) throw new Error(`the table has no ${id}`);
  return row;
}

function toSeconds(text: string): number {
  const [, count, unit] = /^\+?(\d{1,8})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) {
    throw new InvalidArgumentError("It must be a span like +1d.");
  }
  return Number(count) * SECONDS[unit as keyof typeof SECONDS];
}
