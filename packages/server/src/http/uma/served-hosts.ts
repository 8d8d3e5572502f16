/**
 * The platforms that are served at hosts. An entry is kept for a second, also of a host that is not served: so a domain that was released, or
 * has become active on another server, changes within a second, and any number of requests for one host costs a read a second.
 *
 * Bound: `MOST_HOSTS` entries; the oldest goes first. One read of a host at a time: those that come meanwhile share it.
 */
import type { ServedDomain } from "../../domain/uma/domains/served-domain.sql.ts";
import type { Clock } from "../../std/clock.ts";

export interface ServedHosts {
  find(host: string): Promise<ServedDomain | undefined>;
  /** Forgets all entries, after a change of a domain on this server. */
  forget(): void;
}

const KEPT_MS = 1_000;
const MOST_HOSTS = 10_000;

interface Entry {
  readonly at: number;
  readonly found: Promise<ServedDomain | undefined>;
}

export function createServedHosts({
  find,
  clock,
}: {
  readonly find: ServedHosts["find"];
  readonly clock: Clock;
}): ServedHosts {
  const entries = new Map<string, Entry>();

  function read(host: string): Promise<ServedDomain | undefined> {
    const entry = { at: clock.now(), found: find(host) };
    entries.delete(host);
    const [oldest] = entries.keys();
    if (oldest !== undefined && entries.size >= MOST_HOSTS) entries.delete(oldest);
    entries.set(host, entry);
    entry.found.catch(() => {
      if (entries.get(host) === entry) entries.delete(host);
    });
    return entry.found;
  }

  return {
    find(host) {
      const entry = entries.get(host);
      const age = entry === undefined ? KEPT_MS : clock.now() - entry.at;
      return entry !== undefined && age >= 0 && age < KEPT_MS ? entry.found : read(host);
    },
    forget: () => entries.clear(),
  };
}
