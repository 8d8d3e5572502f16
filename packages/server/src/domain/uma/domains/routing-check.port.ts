import type { RoutingFault } from "./routing-faults.ts";

/** Checks the routing of UMA domains from outside. */
export interface RoutingChecks {
  /** The faults; none when the routing is in order. Rejects with a `Fault` when this server stops meanwhile. */
  check(domain: string): Promise<readonly RoutingFault[]>;
}
