/**
 * Connections. Reads go through a pool, of which each platform has a share; who asks is read through a small pool beside
 * it; each of the engine's lanes has a connection of its own. Every connection carries limits, so that a process that
 * stops in the middle of a transaction cannot hold a platform: PostgreSQL ends it, and a read that takes longer than its
 * caller has patience, too. And when PostgreSQL falls silent, or the way to it, the wait for an answer ends: a lane's
 * connection is given up, a read fails.
 *
 * A connection tells of its own death through an `error` event even while idle; unheard, that event would end the
 * process, so each connection gets a listener.
 */
import pg from "pg";
import { Bug } from "../std/assert.ts";
import { type Clock, systemClock, within } from "../std/clock.ts";
import { Fault, messageOf } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { createTurns } from "../std/turns.ts";
import { type PipelineConnection, pipelineOn, type Statement, streamOf } from "./pipeline.ts";

export type DatabaseAddress =
  | { readonly connectionString: string }
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
  /** Without a word from PostgreSQL; longer than it may itself take over a lock. */
  readonly laneSilenceMs: number;
  /** For a read, the wait for a connection included. PostgreSQL works no longer than this on any. */
  readonly readTimeoutMs: number;
  readonly readConnections: number;
  /** How many of them one platform has at once. */
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

/** What makes a row of the cells that a statement answers; a table's description does. */
export interface RowDecoder<Row> {
  decode(cells: Cells): Row;
}

/** A value for a read: the statement's casts give its type. */
export type ReadValue = string | number | bigint | boolean | null | readonly string[];

/**
 * Questions that change nothing. The first value of every statement is its platform, which says in whose share it is read,
 * but for the few that look one up.
 */
export interface Reads {
  rows<Row>(
    table: RowDecoder<Row>,
    statement: Statement,
    values: readonly ReadValue[],
  ): Promise<readonly Row[]>;
  cells: ReadCells;
  /** Several questions of one platform, one after the other, which begin together or not at all. */
  inOneTurn<T>(platformId: string, ask: (cells: ReadCells) => Promise<T>): Promise<T>;
}

export type ReadCells = (
  statement: Statement,
  values: readonly ReadValue[],
) => Promise<readonly Cells[]>;

/** A connection that belongs to one lane (or one worker) until it breaks. */
export interface Lane extends PipelineConnection {
  /** PostgreSQL's process for this connection. */
  readonly backendPid: number;
  readonly broken: () => boolean;
  close(): Promise<void>;
}

export interface Database {
  readonly reads: Reads;
  /** For what comes before a request, short and by key: who asks, and whether the database is there. */
  readonly gateReads: Reads;
  openLane(name: string): Promise<Lane>;
  /** A plain connection for migrations and checks at the start. */
  withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
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
  const base = connectionOptions(options.address, limits);
  const openReads = (name: string, connections: number, share: number) =>
    openReadPool(base, {
      name,
      connections,
      share,
      timeoutMs: limits.readTimeoutMs,
      clock,
      log: options.log,
    });
  const pool = openReads("reads", limits.readConnections, limits.readConnectionsOfPlatform);
  const gatePool = openReads("gate", limits.gateConnections, limits.gateConnections);
  const lanes = new Set<Lane>();

  return {
    reads: pool.reads,
    gateReads: gatePool.reads,
    async openLane(name) {
      const lane = await openLane(base, {
        name,
        log: options.log,
        clock,
        silenceMs: limits.laneSilenceMs,
        closed: (ended) => lanes.delete(ended),
      });
      lanes.add(lane);
      return lane;
    },
    async withClient(work) {
      const client = new pg.Client({ ...base, application_name: "florin admin" });
      client.on("error", (error) => options.log.warn({ err: error.message }, "a connection broke"));
      await client.connect();
      try {
        await client.query(UNHURRIED);
        return await work(client);
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    async close() {
      await Promise.allSettled([...lanes].map((lane) => lane.close()));
      await Promise.all([pool.close(), gatePool.close()]);
    },
  };
}

/** Migrations and checks may take as long as they need, whatever limits the role has. pg sends no limit of 0, so SQL says it. */
const UNHURRIED = "set statement_timeout = 0; set lock_timeout = 0";

function connectionOptions(address: DatabaseAddress, limits: DatabaseLimits): pg.ClientConfig {
  return {
    ...address,
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
  /** Of one platform. */
  readonly share: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

function openReadPool(base: pg.ClientConfig, options: ReadPoolOptions) {
  const { name, connections, timeoutMs, log } = options;
  const pool = new pg.Pool({
    ...base,
    statement_timeout: timeoutMs,
    // A connection whose read was given up is not used again.
    query_timeout: timeoutMs,
    max: connections,
    application_name: `florin ${name}`,
  });
  const tellBroken = (error: Error) =>
    log.warn({ err: messageOf(error) }, "a read connection broke");
  pool.on("error", tellBroken);
  pool.on("connect", (client) => client.on("error", tellBroken));
  return { reads: readsOn(pool, options), close: () => pool.end() };
}

/** A read that has waited longer for its turn does not begin: its caller would be gone before it ends. */
const PATIENCE_FOR_A_TURN = 0.5;

function readsOn(pool: pg.Pool, options: ReadPoolOptions): Reads {
  const { clock, timeoutMs } = options;
  const turns = createTurns({ places: options.connections, share: options.share });
  const patience = { clock, limitMs: timeoutMs, late: tooLate };
  const forTurn = { ...patience, limitMs: timeoutMs * PATIENCE_FOR_A_TURN };

  async function inOneTurn<T>(line: string, ask: (cells: ReadCells) => Promise<T>): Promise<T> {
    let isWanted = true;
    const turn = turns.take(line, () =>
      ask(async (statement, values) => {
        if (!isWanted) throw new Fault("the caller of this read has left");
        return query(pool, statement, values);
      }),
    );
    const read = within(turn.begun, forTurn).then(() => turn.answer);
    try {
      return await within(read, patience);
    } catch (error) {
      throw asFault(error, "the database did not answer");
    } finally {
      isWanted = false;
      turn.leave();
    }
  }

  const cells: ReadCells = (statement, values) =>
    inOneTurn(`${values[0] ?? ""}`, (read) => read(statement, values));
  return {
    cells,
    inOneTurn,
    async rows(table, statement, values) {
      return (await cells(statement, values)).map((row) => table.decode(row));
    },
  };
}

async function query(
  pool: pg.Pool,
  { name, text }: Statement,
  values: readonly ReadValue[],
): Promise<readonly Cells[]> {
  const client = await pool.connect().catch(noConnection);
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
    // One that failed is not used again.
    client.release(hasFailed);
  }
}

/**
 * What PostgreSQL says while a connection is made, a wrong password or that it accepts no connection now, is about the
 * connection, and not about what was going to be asked.
 */
function noConnection(error: unknown): never {
  throw new Fault("no connection to the database can be made", { cause: error });
}

function tooLate(): never {
  throw new Fault("the database did not answer in time");
}

/**
 * Plans made while tables are empty would scan; the lane's connection has sequential scans off and plans each statement once, and the
 * engine drops the plans as the tables grow.
 */
const LANE_SETTINGS =
  "set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off; " +
  "set plan_cache_mode = force_generic_plan; set synchronous_commit = on";

async function openLane(
  base: pg.ClientConfig,
  options: {
    readonly name: string;
    readonly log: Log;
    readonly clock: Clock;
    readonly silenceMs: number;
    readonly closed: (lane: Lane) => void;
  },
): Promise<Lane> {
  const client = new pg.Client({ ...base, application_name: `florin ${options.name}` });
  let isBroken = false;
  client.on("error", (error) => {
    isBroken = true;
    options.log.warn({ err: error.message, lane: options.name }, "a lane's connection broke");
  });
  client.on("end", () => {
    isBroken = true;
  });
  /** Ends a connection that does not answer: its callers get a connection error. */
  const untilSilent = <T>(answer: Promise<T>): Promise<T> => {
    const cancel = options.clock.after(options.silenceMs, () => {
      isBroken = true;
      streamOf(client).destroy();
    });
    return answer.finally(cancel);
  };
  const end = () => untilSilent(client.end()).catch(() => undefined);
  try {
    await client.connect().catch(noConnection);
    await untilSilent(client.query(LANE_SETTINGS));
  } catch (error) {
    await end();
    throw error;
  }
  const pipeline = pipelineOn(client);
  const lane: Lane = {
    backendPid: (client as unknown as { readonly processID: number }).processID,
    run: (steps) => untilSilent(pipeline.run(steps)),
    reset: () => untilSilent(pipeline.reset()),
    broken: () => isBroken,
    async close() {
      isBroken = true;
      options.closed(lane);
      await end();
    },
  };
  return lane;
}

/** SQLSTATE of an error from PostgreSQL, or undefined when it came from elsewhere. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return error.code;
}

export function constraintOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** Too many connections; the role's `transaction_timeout` (PostgreSQL 17), which may cut a commit short. */
const OTHER_ENDS: ReadonlySet<string> = new Set(["53300", "25P04"]);

/** The connection is gone or was never there: nothing is known about what was under way. */
export function isLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state === undefined) return true;
  return state.startsWith("08") || state.startsWith("57") || OTHER_ENDS.has(state);
}

/**
 * Resources used up, an error of its system, a transaction that may only read; a database, schema, table, function or unique index that
 * is not there: our start found them all, so a restore is under way.
 */
const UNABLE = /^(?:53...|58...|25006|3D000|3F000|42P01|42883|42P10)$/;

/**
 * The database cannot do now what it could before, for any caller: its disk is full, it has become a copy that only reads, or its
 * tables are being exchanged. It may be able to again, perhaps to a new connection.
 */
export function isUnable(error: unknown): boolean {
  return UNABLE.test(sqlStateOf(error) ?? "");
}

/** Somebody holds the table for long: a migration, or an operator. */
const LOCK_TIMEOUT = "55P03";

/** What failed for want of the database passes; everything else is what it is. */
export function asFault(error: unknown, message: string): unknown {
  if (error instanceof Fault || error instanceof Bug) return error;
  const passes = isLost(error) || isUnable(error) || sqlStateOf(error) === LOCK_TIMEOUT;
  return passes ? new Fault(message, { cause: error }) : error;
}
