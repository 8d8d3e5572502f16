/** The account that holds what a carrier has taken over and not settled. */
import type { SystemAccountName } from "../../../ledger/chart.ts";

/** Of a connection of the platform. */
export function clearingOf({
  currency,
  connectionId,
}: {
  readonly currency: string;
  readonly connectionId: string;
}): SystemAccountName {
  return { system: "clearing", currency, connectionId };
}

/** Of the simulated rail. */
export function simulatedClearing(currency: string): SystemAccountName {
  return { system: "rail-clearing", currency };
}
