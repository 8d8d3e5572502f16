/**
 * Database connections.
 *
 * - Reads use a pool; each platform has at most `readConnectionsOfPlatform` of its connections.
 * - Authentication and readiness use a small pool of their own, so that slow reads do not delay them.
 * - Each lane of the engine has one connection.
 *
 * Bounds: PostgreSQL ends long statements, lock waits and idle transactions, so a process that stops in the middle of a
 * transaction does not block a platform. When PostgreSQL or the network stops answering, a read fails after `readTimeoutMs`
 * and a lane's connection is closed after `laneSilenceMs`.
 *
 * A broken connection emits an `error` event even while idle. An `error` event without a listener ends the process, so each
 * connection has a listener.
 */
import pg from "pg";
import { createFairSemaphore } from "../std/admission/fair-semaphore.ts";
import { Bug } from "../std/assert.ts";
import { type Clock, systemClock, within } from "../std/clock.ts";
import { Fault, messageOf } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { type PipelineConnection, pipelineOn, type Statement, streamOf } from "./pipeline.ts";
import { type HostAddress, type Primary, primaryAmong } from "./primary.ts";

export type DatabaseAddress =
  /** One connection string for each host. */
  | { readonly connectionStrings: readonly string[] }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
    };

export interface DatabaseLimits {
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
  /** How long a lane waits for PostgreSQL; longer than `lockTimeoutMs`. */
  readonly laneSilenceMs: number;
  /** The limit of a read, including its wait for a connection; also the statement timeout of read connections. */
  readonly readTimeoutMs: number;
  readonly readConnections: number;
  /** The most read connections that one platform uses at a time. */
  readonly readConnectionsOfPlatform: number;
  readonly gateConnections: number;
}

export const databaseLimits: DatabaseLimits = {
  connectTimeoutMs: 4_000,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 3_000,
  idleInTransactionTimeoutMs: 3_000,
  laneSilenceMs: 8_000,
  readTimeoutMs: 4_500,
  readConnections: 8,
  readConnectionsOfPlatform: 3,
  gateConnections: 2,
};

type Cells = (string | null)[];

export interface RowDecoder<Row> {
  decode(cells: Cells): Row;
}

/** A parameter of a read. Its type comes from the casts in the statement. */
export type ReadValue = string | number | bigint | boolean | null | readonly string[];

/**
 * Read-only statements. The first value of a statement is its platform, to whose share the read counts; lookups that find the
 * platform count under their own first value.
 */
export interface Reads {
  rows<Row>(
    table: RowDecoder<Row>,
    statement: Statement,
    values: readonly ReadValue[],
  ): Promise<readonly Row[]>;
  cells: ReadCells;
  /** Runs several statements in sequence under one permit of the platform's share. */
  withPermit<T>(platformId: string, ask: (cells: ReadCells) => Promise<T>): Promise<T>;
}

export type ReadCells = (
  statement: Statement,
  values: readonly ReadValue[],
) => Promise<readonly Cells[]>;

/** A connection that one lane or worker uses until it breaks. */
export interface Lane extends PipelineConnection {
  readonly backendPid: number;
  readonly broken: () => boolean;
  close(): Promise<void>;
}

export interface Database {
  readonly reads: Reads;
  /** For short reads by key before a request is handled: authentication, and the readiness check. */
  readonly gateReads: Reads;
  openLane(name: string): Promise<Lane>;
  /** Opens a connection for migrations and checks at the start, without timeouts. */
  withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Lanes and read connections that are open. */
  connections(): number;
  close(): Promise<void>;
}

export function openDatabase(options: {
  readonly address: DatabaseAddress;
  readonly log: Log;
  readonly limits?: Partial<DatabaseLimits>;
  readonly clock?: Clock;
}): Database {
  const { clock = systemClock } = options;
  const limits = { ...databaseLimits, ...options.limits };
  const base = connectionOptions(limits);
  const primary = primaryAmong(hostsOf(options.address));
  const openReads = (name: string, connections: number, share: number) =>
    openReadPool(
      { base, primary },
      {
        name,
        connections,
        share,
        timeoutMs: limits.readTimeoutMs,
        clock,
        log: options.log,
      },
    );
  const pool = openReads("reads", limits.readConnections, limits.readConnectionsOfPlatform);
  const gatePool = openReads("gate", limits.gateConnections, limits.gateConnections);
  const lanes = new Set<Lane>();

  return {
    reads: pool.reads,
    gateReads: gatePool.reads,
    async openLane(name) {
      const lane = await openLane(
        { base, primary },
        {
          name,
          log: options.log,
          clock,
          silenceMs: limits.laneSilenceMs,
          closed: (ended) => lanes.delete(ended),
        },
      );
      lanes.add(lane);
      return lane;
    },
    async withClient(work) {
      const host = await primary.find();
      const client = new pg.Client({ ...base, ...host, application_name: "florin admin" });
      client.on("error", (error) => options.log.warn({ err: error.message }, "a connection broke"));
      try {
        await client.connect();
      } catch (error) {
        primary.forget(host);
        throw error;
      }
      try {
        await client.query(NO_TIMEOUTS);
        return await work(client);
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    connections: () => lanes.size + pool.connections() + gatePool.connections(),
    async close() {
      await Promise.allSettled([...lanes].map((lane) => lane.close()));
      await Promise.all([pool.close(), gatePool.close()]);
    },
  };
}

/** Migrations and checks have no timeout, also when the role sets one. pg does not send a timeout of 0, so SQL sets it. */
const NO_TIMEOUTS = "set statement_timeout = 0; set lock_timeout = 0";

function hostsOf(address: DatabaseAddress): readonly HostAddress[] {
  if (!("connectionStrings" in address)) return [address];
  return address.connectionStrings.map((connectionString) => ({ connectionString }));
}

/** How connections are made, and to which host. */
interface Target {
  readonly base: pg.ClientConfig;
  readonly primary: Primary;
}

function connectionOptions(limits: DatabaseLimits): pg.ClientConfig {
  return {
    connectionTimeoutMillis: limits.connectTimeoutMs,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: () => (text: string) => text },
  };
}

interface ReadPoolOptions {
  readonly name: string;
  readonly connections: number;
  readonly share: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

function openReadPool({ base, primary }: Target, options: ReadPoolOptions) {
  const { name, connections, timeoutMs, log } = options;
  const hosts = new WeakMap<pg.ClientBase, HostAddress | undefined>();
  /** A connection to the host that is the primary when the connection is made. */
  class ReadClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const host = primary.known();
      super({ ...config, ...(host ?? primary.first) });
      hosts.set(this, host);
    }
  }
  const pool = new pg.Pool({
    ...base,
    Client: ReadClient,
    onConnect: (client) => primary.check(client),
    statement_timeout: timeoutMs,
    // pg closes the connection of a read that timed out.
    query_timeout: timeoutMs,
    max: connections,
    application_name: `florin ${name}`,
  });
  const logBroken = (error: Error) =>
    log.warn({ err: messageOf(error) }, "a read connection broke");
  pool.on("error", logBroken);
  pool.on("connect", (client) => client.on("error", logBroken));

  /** A connection to the present primary. */
  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      const host = primary.known() ?? (await primary.find());
      const client = await pool.connect().catch((error: unknown) => {
        primary.forget(host);
        return noConnection(error);
      });
      if (hosts.get(client) === host) return client;
      client.release(true);
    }
  }

  return {
    reads: readsOn(connect, options),
    connections: () => pool.totalCount,
    close: () => pool.end(),
  };
}

/** The part of the timeout that a read may wait for its permit; beyond it the caller would time out before the read ends. */
const MAX_WAIT_SHARE = 0.5;

type Connect = () => Promise<pg.PoolClient>;

function readsOn(connect: Connect, options: ReadPoolOptions): Reads {
  const { clock, timeoutMs } = options;
  const semaphore = createFairSemaphore({ slots: options.connections, perKey: options.share });
  const timeLimit = { clock, limitMs: timeoutMs, late: throwTimeout };
  const permitLimit = { ...timeLimit, limitMs: timeoutMs * MAX_WAIT_SHARE };

  async function withPermit<T>(key: string, ask: (cells: ReadCells) => Promise<T>): Promise<T> {
    let isWanted = true;
    const task = semaphore.run(key, () =>
      ask(async (statement, values) => {
        if (!isWanted) throw new Fault("the caller of this read has left");
        return query(connect, statement, values);
      }),
    );
    const read = within(task.started, permitLimit).then(() => task.result);
    try {
      return await within(read, timeLimit);
    } catch (error) {
      throw asFault(error, "the database did not answer");
    } finally {
      isWanted = false;
      task.cancel();
    }
  }

  const cells: ReadCells = (statement, values) =>
    withPermit(`${values[0] ?? ""}`, (read) => read(statement, values));
  return {
    cells,
    withPermit,
    async rows(table, statement, values) {
      return (await cells(statement, values)).map((row) => table.decode(row));
    },
  };
}

async function query(
  connect: Connect,
  { name, text }: Statement,
  values: readonly ReadValue[],
): Promise<readonly Cells[]> {
  const client = await connect();
  let hasFailed = true;
  try {
    const { rows } = await client.query<Cells>({
      name,
      text,
      values: values.map((value) => (typeof value === "bigint" ? value.toString() : value)),
      rowMode: "array",
    });
    hasFailed = false;
    return rows;
  } finally {
    // `true` closes the connection instead of returning it to the pool.
    client.release(hasFailed);
  }
}

/**
 * An error while connecting, such as a wrong password or too many connections, is a fault of the deployment and not of the
 * statement.
 */
function noConnection(error: unknown): never {
  throw new Fault("no connection to the database can be made", { cause: error });
}

function throwTimeout(): never {
  throw new Fault("the database did not answer in time");
}

/**
 * Plans that are made while the tables are empty would use sequential scans, so these are off. Each statement is planned once;
 * `pipeline.ts` discards the plans as the tables grow. Citus needs the platform to plan a statement, so there each execution is planned.
 */
const LANE_SETTINGS =
  "set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off; set synchronous_commit = on; " +
  "select set_config('plan_cache_mode', case when to_regclass('pg_catalog.pg_dist_partition') is null " +
  "then 'force_generic_plan' else 'auto' end, false)";

async function openLane(
  { base, primary }: Target,
  options: {
    readonly name: string;
    readonly log: Log;
    readonly clock: Clock;
    readonly silenceMs: number;
    readonly closed: (lane: Lane) => void;
  },
): Promise<Lane> {
  const host = primary.known() ?? (await primary.find());
  const client = new pg.Client({ ...base, ...host, application_name: `florin ${options.name}` });
  let isBroken = false;
  client.on("error", (error) => {
    isBroken = true;
    primary.forget(host);
    options.log.warn({ err: error.message, lane: options.name }, "a lane's connection broke");
  });
  client.on("end", () => {
    isBroken = true;
  });
  /** Closes the connection when no answer arrives within `silenceMs`; the caller gets a connection error. */
  const withSilenceLimit = <T>(answer: Promise<T>): Promise<T> => {
    const cancel = options.clock.after(options.silenceMs, () => {
      isBroken = true;
      streamOf(client).destroy();
    });
    return answer.finally(cancel);
  };
  const end = () => withSilenceLimit(client.end()).catch(() => undefined);
  try {
    await client.connect().catch(noConnection);
    await withSilenceLimit(primary.check(client));
    await withSilenceLimit(client.query(LANE_SETTINGS));
  } catch (error) {
    primary.forget(host);
    await end();
    throw error;
  }
  const pipeline = pipelineOn(client);
  const lane: Lane = {
    backendPid: (client as unknown as { readonly processID: number }).processID,
    run: (steps) => withSilenceLimit(pipeline.run(steps)),
    reset: () => withSilenceLimit(pipeline.reset()),
    broken: () => isBroken,
    async close() {
      isBroken = true;
      options.closed(lane);
      await end();
    },
  };
  return lane;
}

/** The SQLSTATE of an error from PostgreSQL; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return error.code;
}

/** Integrity violations, and the XX000 of a distributed database: see `constraintOf`. */
const MAY_NAME_CONSTRAINT = /^(?:23...|XX000)$/;

/**
 * Which of the known constraints was violated. A distributed database names the constraint of the shard (`directory_pkey_102008`). It
 * leaves the error's field empty, so the name is in the message alone, and after `copy` and `insert … select` the SQLSTATE is XX000.
 * The message is searched for the known names and not for words, because the database may write it in another language.
 */
export function constraintOf(
  error: unknown,
  isKnown: (constraint: string) => boolean,
): string | undefined {
  if (!(error instanceof pg.DatabaseError) || !MAY_NAME_CONSTRAINT.test(error.code ?? ""))
    return undefined;
  const names = error.constraint === undefined ? error.message.match(/\w+/g) : [error.constraint];
  return names?.map((name) => name.replace(/_\d+$/, "")).find(isKnown);
}

/**
 * An internal error of the database (class XX). A distributed database answers XX000 to a commit that one of its nodes refused or did
 * not confirm, whether the rows are there or not. So the outcome of a commit is unknown.
 */
export function isInternal(error: unknown): boolean {
  return sqlStateOf(error)?.startsWith("XX") === true;
}

/** Too many connections; the role's `transaction_timeout` (PostgreSQL 17), which may end a commit. */
const OTHER_LOST_STATES: ReadonlySet<string> = new Set(["53300", "25P04"]);

/** Whether the connection is lost or was never made, so that the outcome of a pending statement is unknown. */
export function isLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state === undefined) return true;
  return state.startsWith("08") || state.startsWith("57") || OTHER_LOST_STATES.has(state);
}

/**
 * Insufficient resources (53), system errors (58), a read-only transaction (25006), or a missing database, schema, table,
 * function or unique index. The start checked that these exist, so they are missing only while a restore runs.
 */
const UNABLE = /^(?:53...|58...|25006|3D000|3F000|42P01|42883|42P10)$/;

/**
 * Whether the database is temporarily unable to serve any caller: its disk is full, it became a read-only standby, or a
 * restore replaces its tables. A retry may succeed, perhaps on a new connection.
 */
export function isUnable(error: unknown): boolean {
  return UNABLE.test(sqlStateOf(error) ?? "");
}

/**
 * `lock_timeout` expired, because a migration or an operator holds a lock on the table. The nodes of a distributed database may have
 * another one; then `statement_timeout` ends the wait (57014), which counts as lost.
 */
const LOCK_TIMEOUT = "55P03";

/** Converts an error of an unavailable database to a `Fault`; returns any other error unchanged. */
export function asFault(error: unknown, message: string): unknown {
  if (error instanceof Fault || error instanceof Bug) return error;
  const isTransient = isLost(error) || isUnable(error) || isInternal(error);
  return isTransient || sqlStateOf(error) === LOCK_TIMEOUT
    ? new Fault(message, { cause: error })
    : error;
}
