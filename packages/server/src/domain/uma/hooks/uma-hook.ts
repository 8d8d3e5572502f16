/**
 * Messages after a payment (hooks): each institution may tell the other over which channels it went. No money and no state of the payment
 * depends on them.
 *
 * Where the other institution wants to be told is with the payment: on the invoice, or in the settlement of the quote. A row is written by
 * the first message in either direction, so a payment without messages has none. Its id is that of the transaction.
 *
 *   NONE      the institution does not want to be told, or the payment has not settled
 *   PENDING   the job of the payment sends the message, at most `MOST_TRIES` times
 *   SENT      the other institution has taken it
 *   FAILED    every try has failed, or the payment came back meanwhile
 */

import { finderOf } from "../../../tables/find-row.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { PaidChannel } from "../../job-kinds.ts";

export const hookStates = ["NONE", "PENDING", "SENT", "FAILED"] as const;
export type HookState = (typeof hookStates)[number];

const columns = {
  id: fixed("uuid"),
  state: mutable<HookState>("text"),
  tries: mutable("int4"),
  /** What the other institution has told; null until it has. */
  utxos: mutable<readonly PaidChannel[] | null>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface UmaHook extends RowOf<typeof columns> {}

export const umaHooks = defineTable<UmaHook>("uma_hooks", columns);

export const findUmaHook = finderOf(umaHooks);

export function newHook(id: string, at: number): UmaHook {
  return { id, state: "NONE", tries: 0, utxos: null, createdAt: at, updatedAt: at };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The waits between the tries: the last one is a day after the first. */
const WAITS_MS = [5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 17 * HOUR_MS] as const;
export const MOST_TRIES = WAITS_MS.length + 1;

/** How long to wait after so many tries; undefined after the last one. */
export function waitAfter(tries: number): number | undefined {
  return WAITS_MS[tries - 1];
}

export interface ShownHook {
  readonly state: HookState;
  readonly tries: number;
}

/** The message to the other institution. Before the first try it has no row. */
export function shownHook(
  row: UmaHook | undefined,
  { isWanted, isSettled }: { readonly isWanted: boolean; readonly isSettled: boolean },
): ShownHook {
  if (row !== undefined && row.tries > 0) return { state: row.state, tries: row.tries };
  return { state: isWanted && isSettled ? "PENDING" : "NONE", tries: 0 };
}
