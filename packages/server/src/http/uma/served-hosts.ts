/**
 * The platforms that are served at hosts. An entry is kept for a second, also of a host that is not served: so a domain that was released, or
 * has become active on another server, changes within a second, and any number of requests for one host costs a read a second.
 */
import type { ServedDomain } from "../../domain/uma/domains/served-domain.sql.ts";
import { createBriefCache } from "../../std/brief-cache.ts";
import type { Clock } from "../../std/clock.ts";

export interface ServedHosts {
  find(host: string): Promise<ServedDomain | undefined>;
  /** Forgets all entries, after a change of a domain on this server. */
  forget(): void;
}

const KEPT_MS = 1_000;
const MOST_HOSTS = 10_000;

export function createServedHosts({
  find,
  clock,
}: {
  readonly find: ServedHosts["find"];
  readonly clock: Clock;
}): ServedHosts {
  return createBriefCache({ find, clock, keptMs: KEPT_MS, most: MOST_HOSTS });
}
