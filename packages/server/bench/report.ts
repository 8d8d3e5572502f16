import {
  completedPerSecond,
  type Measurements,
  median,
  p99Ms,
  perSecond,
  type Verdict,
} from "./goals.ts";
import type { CompletedFigures, Figures } from "./load-phase.ts";
import type { Machine } from "./machine.ts";
import type { MachineSpeed } from "./machine-speed.ts";

export interface RunOf {
  readonly machine: Machine;
  readonly speed: readonly MachineSpeed[];
  readonly verdicts: readonly Verdict[];
}

export function renderReport(m: Measurements, { machine, speed, verdicts }: RunOf): string {
  const stored = m.storedTransactions.toLocaleString("en");
  const { cpu, cores, platform, node, postgres, commit } = machine;
  const lines = [
    `${cores} cores (${cpu}), ${platform}, node ${node}, PostgreSQL ${postgres}, commit ${commit}`,
    `server, PostgreSQL and load share the machine; fsync on${busyNote(machine)}`,
    speedNote(speed),
    "",
    table([
      ["", "per second", "p50 ms", "p99 ms", "rounds"],
      row("accepted, 64 connections", m.accepted64),
      row("accepted, 256 connections", m.accepted256),
      row("accepted, one hot account, 64", m.hot64),
      row("book transfers, 64", m.booked64),
      row("book transfers to one account, 64", m.bookedHot64),
      row("accepted, batch of 1, 64", m.batchOfOne64),
      row("accepted, batch of 1, 256", m.batchOfOne256),
      row("accepted, 1 connection", [m.single]),
      row("accepted, beside completions, 64", m.besideCompleted64),
      completedRow("completed, 64 connections", m.completed64),
      row("accepted, beside completions, 256", m.besideCompleted256),
      completedRow("completed, 256 connections", m.completed256),
      row("accepted, beside the quotes, 64", m.besideQuotes64),
      row(
        "quotes made, 64 connections",
        m.quotes64.map(({ created }) => created),
      ),
      row(
        "quotes executed, 64 connections",
        m.quotes64.map(({ executed }) => executed),
      ),
      row("accepted, new database, first loads, 64", m.fresh64),
      row(`accepted, ${stored} stored, beside these, 64`, m.besideFresh64),
      row("accepted, new database, 64", m.besideStored64),
      row(`accepted, ${stored} stored, 64`, m.stored64),
    ]),
    "",
    `ready after ${(m.startMs / 1000).toFixed(2)} s on the used directory; resident memory ${megabytes(m.restMegabytes)} at rest, ${megabytes(m.restAfterLoadMegabytes)} at rest after the load`,
    "",
    table([["goal", "figure", "wanted", ""], ...verdicts.map(verdictRow)]),
  ];
  return lines.join("\n");
}

/** Above this load per core the machine counts as busy. */
const BUSY_SHARE = 0.25;

function busyNote({ loadBefore, cores }: Machine): string {
  if (loadBefore <= cores * BUSY_SHARE) return "";
  return `\nTHE MACHINE WAS BUSY before the run (load ${loadBefore.toFixed(1)}): these figures say little`;
}

function speedNote(speed: readonly MachineSpeed[]): string {
  const both = (pick: (one: MachineSpeed) => number, digits: number) =>
    speed.map((one) => pick(one).toFixed(digits)).join(" and ");
  return (
    `before and after, without load: a flush ${both(({ flushMs }) => flushMs, 2)} ms, ` +
    `a read in 4 MB ${both(({ readNs }) => readNs, 0)} ns, a hash of 1 MB ${both(({ hashMs }) => hashMs, 2)} ms`
  );
}

function row(name: string, rounds: readonly Figures[]): readonly string[] {
  const p50 = median(rounds.map((round) => round.p50Ms));
  const p99 = p99Ms(rounds);
  return [name, whole(perSecond(rounds)), p50.toFixed(1), p99.toFixed(1), String(rounds.length)];
}

function completedRow(name: string, rounds: readonly CompletedFigures[]): readonly string[] {
  return [name, whole(completedPerSecond(rounds)), "", "", String(rounds.length)];
}

function verdictRow({ goal, figure, wanted, isMet }: Verdict): readonly string[] {
  const shown = figure === undefined ? (isMet ? "yes" : "no") : figure.toFixed(2);
  return [goal, shown, wanted, isMet ? "met" : "MISSED"];
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function megabytes(value: number | undefined): string {
  return value === undefined ? "unknown" : `${Math.round(value)} MB`;
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return column === 0 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join("   ")
        .trimEnd(),
    )
    .join("\n");
}
