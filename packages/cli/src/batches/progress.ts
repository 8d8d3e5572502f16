/** How far a batch has come, in words: one line that is rewritten on a terminal, and otherwise a line every few seconds at most. */
import type { Host } from "../host.ts";
import { asObject, asText, type JsonObject } from "../json.ts";
import { clean } from "../output/clean.ts";

export interface Counts {
  readonly total: number;
  readonly accepted: number;
  readonly refused: number;
  readonly completed: number;
  readonly failed: number;
  readonly waiting: number;
  readonly cancelled: number;
}

const NAMES = [
  "total",
  "accepted",
  "refused",
  "completed",
  "failed",
  "waiting",
  "cancelled",
] as const;

export function countsIn(value: unknown): Counts | undefined {
  const counts = asObject(value);
  if (counts === undefined || NAMES.some((name) => typeof counts[name] !== "number")) {
    return undefined;
  }
  return counts as unknown as Counts;
}

const CELLS = 24;
const LINE_EVERY_MS = 5_000;

/** `[######                  ]  25 %  2,500 of 10,000  12 refused` */
export function lineOf({ total, accepted, refused, waiting }: Counts): string {
  const ran = accepted + refused;
  const part = total === 0 ? 1 : ran / total;
  const bar = "#".repeat(Math.floor(part * CELLS)).padEnd(CELLS);
  const percent = `${Math.floor(part * 100)}`.padStart(3);
  const parts = [`[${bar}] ${percent} %`, `${grouped(ran)} of ${grouped(total)}`];
  if (refused > 0) parts.push(`${grouped(refused)} refused`);
  if (ran === 0 && waiting > 0) parts.push("waiting");
  return parts.join("  ");
}

export function summaryOf({ accepted, refused, completed, failed, cancelled }: Counts): string {
  const parts = [
    `${grouped(accepted)} paid or under way (${grouped(completed)} completed, ${grouped(failed)} failed)`,
    `${grouped(refused)} refused`,
    ...(cancelled > 0 ? [`${grouped(cancelled)} not run`] : []),
  ];
  return `${parts.join(", ")}\n`;
}

/** The row as a spreadsheet numbers it, below its header. */
export function refusedLine(item: JsonObject): string {
  const { code, message } = asObject(item.error) ?? {};
  const row = typeof item.index === "number" ? String(item.index + 2) : "?";
  const cells = [`row ${row}`, asText(item.reference), asText(code), asText(message)];
  return `${clean(cells.filter((cell) => cell !== undefined).join("  "))}\n`;
}

export interface Progress {
  show(counts: Counts): void;
  /** Goes to a new line after the one that was rewritten. */
  end(): void;
}

export function createProgress(host: Pick<Host, "rewritesLines" | "writeError" | "now">): Progress {
  let last = "";
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    show(counts) {
      const line = lineOf(counts);
      if (line === last) return;
      if (host.rewritesLines) {
        host.writeError(`\r${line.padEnd(last.length)}`);
        last = line;
        return;
      }
      const isOver = counts.waiting === 0;
      if (!isOver && host.now() - toldAt < LINE_EVERY_MS) return;
      [last, toldAt] = [line, host.now()];
      host.writeError(`${line}\n`);
    },
    end() {
      if (host.rewritesLines && last !== "") host.writeError("\n");
    },
  };
}

/** `10,000` */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
