/** The clearing account of a carrier, against which its payments settle. */
import type { SystemAccountName } from "../../../ledger/chart.ts";

/** The clearing account of a platform's connection. */
export function clearingOf({
  currency,
  connectionId,
}: {
  readonly currency: string;
  readonly connectionId: string;
}): SystemAccountName {
  return { system: "clearing", currency, connectionId };
}

/** The clearing account of the simulated rail. */
export function simulatedClearing(currency: string): SystemAccountName {
  return { system: "rail-clearing", currency };
}
