/**
 * Which of the hosts of a deployment is the primary. With one host there is nothing to find. With several, the first connection and
 * each one after a failure look for the host that takes writes: all hosts are asked at once, and the first primary to answer is taken
 * and kept until a connection to it fails or finds it to be a standby.
 *
 * A primary that was cut off and answers again may be taken as well. It lacks what was committed since, which the engine recognises
 * (lost-commits.ts).
 */
import pg from "pg";
import { Fault } from "../std/errors.ts";

/** Where one host is reached, for `pg`. */
export type HostAddress = pg.ClientConfig;

export interface Primary {
  /** The host of a connection that is opened while the primary is unknown; such a connection is closed unused. */
  readonly first: HostAddress | undefined;
  /** The primary that was found last; undefined until one is found and after `forget`. */
  known(): HostAddress | undefined;
  /** The primary. Throws a `Fault` when no host takes writes. */
  find(): Promise<HostAddress>;
  /** Throws a `Fault` when a new connection leads to a standby. With one host it asks nothing, because a standby refuses writes itself. */
  check(client: pg.ClientBase): Promise<void>;
  /** Drops a primary that failed or turned out to be a standby: the next connection looks for the primary. */
  forget(host: HostAddress): void;
}

/** A host that does not answer within this time is not taken as the primary. */
const PROBE_TIMEOUT_MS = 2_000;

const IS_STANDBY =
  "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as standby";

export function primaryAmong(hosts: readonly HostAddress[]): Primary {
  const [only] = hosts;
  let found = hosts.length === 1 ? only : undefined;
  let looking: Promise<HostAddress> | undefined;

  async function look(): Promise<HostAddress> {
    try {
      found = await Promise.any(hosts.map(probe));
      return found;
    } catch (cause) {
      throw new Fault("no host of the database takes writes", { cause });
    } finally {
      looking = undefined;
    }
  }

  return {
    first: only,
    known: () => found,
    async find() {
      if (found !== undefined) return found;
      looking ??= look();
      return looking;
    },
    async check(client) {
      if (hosts.length > 1) await refuseStandby(client);
    },
    forget(host) {
      if (hosts.length > 1 && found === host) found = undefined;
    },
  };
}

/** Answers a host that takes writes, and throws for any other. */
async function probe(host: HostAddress): Promise<HostAddress> {
  const client = new pg.Client({
    ...host,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
    application_name: "florin probe",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await refuseStandby(client);
    return host;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean | string }>(IS_STANDBY);
  const standby = rows[0]?.standby;
  if (standby === true || standby === "t") throw new Fault("the host is a standby");
}
