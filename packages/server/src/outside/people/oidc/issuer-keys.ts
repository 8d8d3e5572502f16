/**
 * A cache of the signing keys of issuers, fetched through the guarded client.
 *
 * A fetch: the issuer's configuration, which must name the issuer itself → the key set it points to. Bounds: 5 s and 1 MB for each of the
 * two, 100 keys, one fetch at a time for an issuer. Keys are fetched again after 5 minutes; while that fails, the old ones serve until
 * they are 10 minutes old. An unknown key id causes one fetch, at most every 30 seconds; after a failed fetch the next one waits 5
 * seconds. After a clock was set back, a time in the future counts as equally far in the past. Nothing is stored: a process that dies
 * forgets its keys.
 */
import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from "jose";
import type { Clock } from "../../../std/clock.ts";
import { Fault, messageOf } from "../../../std/errors.ts";
import type { Log } from "../../../std/log.ts";
import type { OutboundClient } from "../../outbound-http/outbound-client.ts";
import { getConfiguration, getDocument, type IssuerRequest } from "./issuer-documents.ts";

export interface IssuerKeysOptions {
  readonly outbound: OutboundClient;
  readonly clock: Clock;
  readonly log: Log;
}

export interface IssuerKeys {
  /** Throws a `Fault` when no keys can be fetched. */
  current(request: IssuerRequest): Promise<LocalJWKSet>;
  /** Keys fetched since then, or undefined when it is too early to fetch again. Throws a `Fault` when the fetch failed. */
  newerThan(keys: LocalJWKSet, request: IssuerRequest): Promise<LocalJWKSet | undefined>;
}

const FRESH_MS = 5 * 60_000;
const USABLE_MS = 10 * 60_000;
const UNKNOWN_KEY_PAUSE_MS = 30_000;
const FAILURE_PAUSE_MS = 5_000;
const MAX_KEYS = 100;

interface Known {
  keys?: { readonly set: LocalJWKSet; readonly fetchedAt: number };
  failedAt?: number;
  underWay?: Promise<LocalJWKSet | undefined>;
}

export function createIssuerKeys({ outbound, clock, log }: IssuerKeysOptions): IssuerKeys {
  // As many entries as there are recognised issuers.
  const known = new Map<string, Known>();

  function entryOf({ issuer, allowLoopback }: IssuerRequest): Known {
    const name = `${issuer} ${allowLoopback}`;
    const entry = known.get(name) ?? {};
    known.set(name, entry);
    return entry;
  }

  function msSince(time = Number.NEGATIVE_INFINITY): number {
    return Math.abs(clock.now() - time);
  }

  async function fetchInto(entry: Known, request: IssuerRequest): Promise<LocalJWKSet | undefined> {
    try {
      const set = await fetchKeys(outbound, request);
      entry.keys = { set, fetchedAt: clock.now() };
      delete entry.failedAt;
      return set;
    } catch (error) {
      entry.failedAt = clock.now();
      log.warn({ issuer: request.issuer, err: messageOf(error) }, "no keys from an issuer");
      return undefined;
    } finally {
      delete entry.underWay;
    }
  }

  /** Concurrent callers share one fetch; after a failure there is a pause before the next. */
  function refetch(entry: Known, request: IssuerRequest): Promise<LocalJWKSet | undefined> {
    if (entry.underWay !== undefined) return entry.underWay;
    if (msSince(entry.failedAt) < FAILURE_PAUSE_MS) return Promise.resolve(undefined);
    entry.underWay = fetchInto(entry, request);
    return entry.underWay;
  }

  return {
    async current(request) {
      const entry = entryOf(request);
      const old = entry.keys;
      const ageMs = msSince(old?.fetchedAt);
      if (old !== undefined && ageMs < FRESH_MS) return old.set;
      const fetched = await refetch(entry, request);
      if (fetched !== undefined) return fetched;
      if (old !== undefined && ageMs < USABLE_MS) return old.set;
      throw unavailable();
    },
    async newerThan(keys, request) {
      const entry = entryOf(request);
      const now = entry.keys;
      if (now === undefined || now.set !== keys) return now?.set;
      if (msSince(now.fetchedAt) < UNKNOWN_KEY_PAUSE_MS) return undefined;
      const fetched = await refetch(entry, request);
      if (fetched === undefined) throw unavailable();
      return fetched;
    },
  };
}

function unavailable(): Fault {
  return new Fault("the issuer's keys cannot be had", {
    retryAfterSeconds: FAILURE_PAUSE_MS / 1000,
  });
}

async function fetchKeys(outbound: OutboundClient, request: IssuerRequest): Promise<LocalJWKSet> {
  const { jwks_uri: keysUrl } = await getConfiguration(outbound, request);
  if (typeof keysUrl !== "string") throw new Error("the configuration names no keys");
  const { keys } = await getDocument(outbound, keysUrl, request);
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Error("this is no key set");
  const set: JSONWebKeySet = { keys };
  return createLocalJWKSet(set);
}
