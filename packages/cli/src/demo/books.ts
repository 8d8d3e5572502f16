/** The last days of a demo as the banks tell them: lines for what was paid, and a balance each evening, of which three are wrong. */

import { type Calls, forEach } from "./calls.ts";
import type { DemoTools } from "./customers.ts";
import type { Desk } from "./desks.ts";

/** A payment that a bank has carried out. */
export interface Settled {
  readonly bankReference: string;
  readonly endToEndId: string;
  readonly amount: number;
}

/** How many days before the end the banks begin to tell. */
export const TOLD_DAYS = 7;

const OPENING = 250_000_000;
/** The days before the end on which a balance is off, by the place of the desk. */
const WRONG_DAYS = [2, 4, 5];
const OFF_BY = 12_500;

/** The balances of the banks, which a demo keeps while it runs. */
export type Balances = Map<string, number>;

export async function tellBooks(
  { calls }: DemoTools,
  {
    desk,
    place,
    settled,
    day,
    daysLeft,
    balances,
  }: {
    readonly desk: Desk;
    readonly place: number;
    readonly settled: readonly Settled[];
    readonly day: string;
    readonly daysLeft: number;
    readonly balances: Balances;
  },
): Promise<void> {
  const { connectionId, currency } = desk;
  await forEach(settled, ({ bankReference, endToEndId, amount }) =>
    calls.ask(`/rails/connections/${connectionId}/entries`, {
      bankReference,
      direction: "DEBIT",
      amount,
      currency,
      bookedOn: day,
      reference: endToEndId,
    }),
  );
  const paid = settled.reduce((sum, { amount }) => sum + amount, 0);
  const wrong = WRONG_DAYS[place] === daysLeft ? OFF_BY : 0;
  const booked = (balances.get(connectionId) ?? OPENING) - paid - wrong;
  balances.set(connectionId, booked);
  // On the last day more comes in, which no payment explains: its balance is told after that.
  if (daysLeft > 0) await tellBalance(calls, desk, { day, booked });
}

function tellBalance(
  calls: Calls,
  { connectionId, currency }: Desk,
  { day, booked }: { readonly day: string; readonly booked: number },
): Promise<unknown> {
  const path = `/rails/connections/${connectionId}/balances`;
  return calls.ask(path, { currency, asOf: day, booked });
}

/** The balances of the last day, with the sums that came in on it. */
export async function tellLastBalances(
  { calls }: DemoTools,
  {
    desks,
    day,
    balances,
    cameIn,
  }: {
    readonly desks: readonly Desk[];
    readonly day: string;
    readonly balances: Balances;
    readonly cameIn: ReadonlyMap<string, number>;
  },
): Promise<void> {
  for (const desk of desks) {
    const before = balances.get(desk.connectionId) ?? OPENING;
    const booked = before + (cameIn.get(desk.connectionId) ?? 0);
    await tellBalance(calls, desk, { day, booked });
  }
}
