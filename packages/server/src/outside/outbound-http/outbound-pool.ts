/**
 * Connections to the outside, kept open for the next exchange with the same key. The key holds the policy under which
 * the peer was judged, so a connection never serves an exchange of another policy.
 *
 * Bounds: `perKey` connections for one key, or as many as the exchange says; further exchanges wait for a free one, at most until their
 * signal is aborted. `maxIdle` idle connections in all, the one idle for longest goes first. A connection closes after a few idle
 * seconds, after a minute whatever the other side suggests, and after `REQUESTS_PER_CONNECTION`. Nothing here outlives the process.
 */

import type { Socket } from "node:net";
import { Client } from "undici";
import { dropContinue } from "./outbound-continue.ts";
import { boundReading } from "./outbound-reading.ts";

export interface Connection {
  readonly key: string;
  readonly client: Client;
  /** How to connect for the exchange that has the connection now. */
  connect: () => Promise<Socket>;
  /** The most that the answer may have on the wire, its heads included. */
  maxBytes: number;
  /** Called before each request. */
  expectAnswer: () => void;
}

export interface PoolLimits {
  readonly perKey: number;
  readonly maxIdle: number;
}

interface Taking {
  readonly signal: AbortSignal;
  /** The most connections of this key; `perKey` when undefined. */
  readonly connections: number | undefined;
}

interface Place {
  open: number;
  readonly idle: Connection[];
  readonly waiting: Set<(connection: Connection | undefined) => void>;
}

const REQUESTS_PER_CONNECTION = 1_000;
const MAX_HEAD_BYTES = 16_384;
const IDLE_MS = 4_000;
const MAX_IDLE_MS = 60_000;

export class OutboundPool {
  readonly #limits: PoolLimits;
  readonly #places = new Map<string, Place>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Connection>();

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /** A connection of this key; connects only when it is used. Give it back with `release`. */
  async take(
    key: string,
    origin: string,
    { signal, connections = this.#limits.perKey }: Taking,
  ): Promise<Connection> {
    const place = this.#placeOf(key);
    const kept = place.idle.pop();
    if (kept !== undefined) {
      this.#idle.delete(kept);
      return kept;
    }
    if (place.open >= connections) {
      const handed = await waitFor(place, signal);
      if (handed !== undefined) return handed;
    } else {
      place.open += 1;
    }
    return this.#create(key, origin);
  }

  release(connection: Connection, reusable: boolean): void {
    const place = this.#placeOf(connection.key);
    const kept = reusable && connection.client.stats.connected ? connection : undefined;
    if (kept === undefined) void connection.client.destroy();
    const [next] = place.waiting;
    if (next !== undefined) {
      place.waiting.delete(next);
      next(kept);
    } else if (kept === undefined) {
      this.#forget(connection.key, place);
    } else {
      place.idle.push(kept);
      this.#idle.add(kept);
      this.#trim();
    }
  }

  /** Ends the idle connections; those in use end with `release`. */
  close(): void {
    for (const connection of [...this.#idle]) this.#drop(connection);
  }

  get openConnections(): number {
    return [...this.#places.values()].reduce((sum, place) => sum + place.open, 0);
  }

  #create(key: string, origin: string): Connection {
    const client = new Client(origin, {
      // All time limits are the exchange's own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEAD_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxRequestsPerClient: REQUESTS_PER_CONNECTION,
      pipelining: 1,
      connect: (_options, callback) => {
        connection.connect().then(
          (socket) => {
            const count = boundReading(socket, () => connection.maxBytes);
            const listen = dropContinue(socket);
            connection.expectAnswer = () => {
              count();
              listen();
            };
            callback(null, socket);
          },
          (error: Error) => callback(error, null),
        );
      },
    });
    const connection: Connection = {
      key,
      client,
      connect: () => Promise.reject(new Error("the connection is not in use")),
      maxBytes: 0,
      expectAnswer: () => undefined,
    };
    client.on("disconnect", () => this.#drop(connection));
    return connection;
  }

  /** Takes an idle connection out; one that is in use is left to its exchange. */
  #drop(connection: Connection): void {
    if (!this.#idle.delete(connection)) return;
    void connection.client.destroy();
    const place = this.#placeOf(connection.key);
    place.idle.splice(place.idle.indexOf(connection), 1);
    this.#forget(connection.key, place);
  }

  #trim(): void {
    const [oldest] = this.#idle;
    if (oldest !== undefined && this.#idle.size > this.#limits.maxIdle) this.#drop(oldest);
  }

  #forget(key: string, place: Place): void {
    place.open -= 1;
    if (place.open === 0) this.#places.delete(key);
  }

  #placeOf(key: string): Place {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = { open: 0, idle: [], waiting: new Set() };
      this.#places.set(key, place);
    }
    return place;
  }
}

/** Waits for a released connection; undefined when the caller may open a new one instead. */
function waitFor(place: Place, signal: AbortSignal): Promise<Connection | undefined> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      place.waiting.delete(go);
      reject(signal.reason);
    };
    const go = (connection: Connection | undefined) => {
      signal.removeEventListener("abort", abort);
      resolve(connection);
    };
    place.waiting.add(go);
    signal.addEventListener("abort", abort, { once: true });
  });
}
