/** Opens the database of a configuration: starts the embedded one, checks it, migrates it and opens its keys. */

import type pg from "pg";
import { type Config, keySourceOf, type LoopbackPolicy } from "../config.ts";
import { startOrJoinPostgres } from "../embedded-postgres/join-postgres.ts";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "../embedded-postgres/start-embedded-postgres.ts";
import { checkDatabase, checkGuards } from "../postgres/check-database.ts";
import { checkNodes } from "../postgres/check-nodes.ts";
import { type Database, type DatabaseAddress, openDatabase } from "../postgres/database.ts";
import { databaseHosts } from "../postgres/database-url.ts";
import { type Migration, migrate, readMigrations, refuseOtherSchema } from "../postgres/migrate.ts";
import { openDataKey } from "../secrets/data-key.ts";
import {
  findFact,
  MASTER_KEY_FACT,
  NOT_READY,
  OTHER_MASTER_KEY_FACT,
  recordSecondKey,
  storeFactOnce,
} from "../secrets/deployment-facts.ts";
import {
  createSealer,
  loadMasterKey,
  type MasterKey,
  type Sealer,
  type SealingKeys,
  toMasterKey,
} from "../secrets/sealing.ts";
import { type Clock, within } from "../std/clock.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import type { Log } from "../std/log.ts";

export interface OpenStore {
  readonly database: Database;
  readonly sealer: Sealer;
  /** Seals stored answers and files under the data key, which survives a change of the master key. */
  readonly dataSealer: Sealer;
  /** The data key, from which other keys of the deployment are derived. */
  readonly dataKey: Buffer;
  /** The id of the current master key. */
  readonly masterKeyId: string;
  /** For another thread of this server, which opens connections and a sealer of its own. */
  readonly address: DatabaseAddress;
  readonly sealingKeys: SealingKeys;
  readonly loopbackPolicy: LoopbackPolicy;
  /** Migrations that ran at this start. */
  readonly migrated: readonly string[];
  /** The newest migration that this program knows. */
  readonly schemaVersion: number;
  /** Closes the connections and stops an embedded PostgreSQL, in about `limitMs` at most. */
  close(limitMs?: number): Promise<void>;
}

interface Tools {
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the embedded database died and could not be restarted. */
  readonly onDatabaseLost?: (error: unknown) => void;
  /** Joins the embedded database of a running server instead of refusing its data directory. */
  readonly mayJoin?: boolean;
  /** Changes nothing: refuses a missing database, another schema version, and missing keys. */
  readonly mustExist?: boolean;
  /** Accepts a database of which some tables are still to be distributed; the caller distributes and checks them. */
  readonly mayDistribute?: boolean;
  /** Aborts the start; what was started is stopped. */
  readonly signal?: AbortSignal | undefined;
}

const CLOSE_LIMIT_MS = 10_000;
/** The share of the close limit that is for closing connections; the rest is for stopping PostgreSQL. */
const CONNECTIONS_SHARE = 1 / 4;

export async function openStore(config: Config, tools: Tools): Promise<OpenStore> {
  const isEmbedded = config.DATABASE_URL === undefined;
  // Check before anything is started or created.
  const givenKey = await loadGivenKey(config);
  const server = isEmbedded ? await startServer(config, tools) : undefined;
  try {
    const address: DatabaseAddress = server?.connection ?? {
      connectionStrings: databaseHosts(config.DATABASE_URL ?? ""),
    };
    const database = openDatabase({ address, log: tools.log });
    try {
      await reach(database);
      tools.signal?.throwIfAborted();
      const isServed = server?.isJoined === true;
      const opened = await database.withClient((client) =>
        openSchemaAndKeys(onlyOn(client, database), { config, tools, givenKey, isServed }),
      );
      return {
        database,
        ...opened,
        address,
        loopbackPolicy: config.OUTBOUND_ALLOW_LOOPBACK ?? (isEmbedded ? "sandbox" : "none"),
        close: (limitMs = CLOSE_LIMIT_MS) =>
          closeStore({ database, server, clock: tools.clock }, limitMs),
      };
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

/** Runs each `withClient` on this connection: the steps of a start are sequential, and most are shorter than opening a connection. */
function onlyOn(client: pg.Client, database: Database): Database {
  return { ...database, withClient: (work) => work(client) };
}

type SchemaAndKeys = Pick<
  OpenStore,
  "sealer" | "dataSealer" | "dataKey" | "masterKeyId" | "sealingKeys" | "migrated" | "schemaVersion"
>;

/** Checks the database, migrates it and opens its keys. */
async function openSchemaAndKeys(
  database: Database,
  {
    config,
    tools: { log, mustExist = false, mayDistribute = false },
    givenKey,
    isServed,
  }: {
    readonly config: Config;
    readonly tools: Tools;
    readonly givenKey: MasterKey | undefined;
    readonly isServed: boolean;
  },
): Promise<SchemaAndKeys> {
  const check = { log, mayOnlyRead: mustExist };
  await checkDatabase(database, check);
  // A new key could not open the secrets that are sealed already.
  const mayMakeKey = !mustExist && !(await isBound(database));
  const key = givenKey ?? (await ownKey(config.DATA_DIR, mayMakeKey));
  const previous = previousKey(config, key);
  const older = previous === undefined ? [] : [previous];
  const sealingKeys = { current: key, older };
  const sealer = createSealer(sealingKeys);
  const migrations = await readMigrations(MIGRATIONS);
  const migrated = await bringUpToDate(database, { migrations, isServed, mustExist });
  await checkGuards(database, check);
  if (!mayDistribute) await checkNodes(database, check);
  await refuseOtherKey(database, { keys: [key, ...older], mayBind: !mustExist });
  const dataKey = await openDataKey(database, { sealer, mayCreate: !mustExist });
  return {
    sealer,
    dataSealer: createSealer({ current: dataKey }),
    dataKey: dataKey.key,
    masterKeyId: key.id,
    sealingKeys,
    migrated,
    schemaVersion: migrations.at(-1)?.version ?? 0,
  };
}

/** Stops PostgreSQL even when its connections do not close in time, as those of a frozen one. */
async function closeStore(
  parts: {
    readonly database: Database;
    readonly server: EmbeddedPostgres | undefined;
    readonly clock: Clock;
  },
  limitMs: number,
): Promise<void> {
  const { database, server, clock } = parts;
  const began = clock.now();
  const limit = { clock, limitMs: limitMs * CONNECTIONS_SHARE, late: () => undefined };
  try {
    await within(database.close(), limit);
  } finally {
    await server?.stop(limitMs - (clock.now() - began));
  }
}

/** The master key of MASTER_KEY or MASTER_KEY_FILE. */
export async function loadGivenKey(config: Config): Promise<MasterKey | undefined> {
  const { masterKey, masterKeyFile } = keySourceOf(config);
  if (masterKey === undefined && masterKeyFile === undefined) return undefined;
  return loadMasterKey({ masterKey, masterKeyFile });
}

/** The key file of the embedded database. */
function ownKey(dataDir: string, mayCreate: boolean): Promise<MasterKey> {
  return loadMasterKey({ dataDir, mustExist: !mayCreate });
}

function previousKey(config: Config, current: MasterKey): MasterKey | undefined {
  if (config.MASTER_KEY_PREVIOUS === undefined) return undefined;
  const previous = toMasterKey(config.MASTER_KEY_PREVIOUS, "MASTER_KEY_PREVIOUS");
  return previous.id === current.id ? undefined : previous;
}

/**
 * Refuses a database sealed with another master key, whose secrets could not be opened during a payment. From the start of the
 * first server with a new key until the end of `florin reseal`, both keys are needed.
 */
async function refuseOtherKey(
  database: Database,
  { keys, mayBind }: { readonly keys: readonly MasterKey[]; readonly mayBind: boolean },
): Promise<void> {
  const [keyId = ""] = keys.map(({ id }) => id);
  const sealedWith = mayBind
    ? await storeFactOnce(database, MASTER_KEY_FACT, keyId)
    : await findFact(database, MASTER_KEY_FACT);
  if (sealedWith === undefined) throw new StartRefused(NOT_READY);
  const isGiven = (id: string) => keys.some((key) => key.id === id);
  if (!isGiven(sealedWith)) {
    throw new StartRefused(
      `the secrets of this database are sealed with the master key ${sealedWith}, and the key given is ${keyId}`,
    );
  }
  const other = await findFact(database, OTHER_MASTER_KEY_FACT);
  if (other !== undefined && !isGiven(other)) {
    throw new StartRefused(
      `some secrets of this database are sealed with the master key ${other}, others with ${sealedWith}: give both, ` +
        "as MASTER_KEY and MASTER_KEY_PREVIOUS, until `florin reseal` is done",
    );
  }
  if (mayBind && keyId !== sealedWith) await recordSecondKey(database, keyId);
}

/** Whether the secrets of this database are sealed with some master key. */
async function isBound(database: Database): Promise<boolean> {
  const [facts] = await database.withClient(
    async (client) => (await client.query("select to_regclass('deployment_facts') as found")).rows,
  );
  return facts?.found !== null && (await findFact(database, MASTER_KEY_FACT)) !== undefined;
}

/** The schema is not migrated beside a running server, nor for a command that only reads. */
async function bringUpToDate(
  database: Database,
  {
    migrations,
    isServed,
    mustExist,
  }: {
    readonly migrations: readonly Migration[];
    readonly isServed: boolean;
    readonly mustExist: boolean;
  },
): Promise<readonly string[]> {
  if (!isServed && !mustExist) return migrate(database, migrations);
  await refuseOtherSchema(database, { migrations, isServed });
  return [];
}

const MIGRATIONS = new URL("../../migrations/", import.meta.url);

async function startServer(
  config: Config,
  { clock, log, onDatabaseLost = () => undefined, mayJoin = false, mustExist, signal }: Tools,
) {
  const { POSTGRES_SHARED_BUFFERS: sharedBuffers } = config;
  const options: EmbeddedPostgresOptions = {
    dataDir: config.DATA_DIR,
    log,
    clock,
    settings: sharedBuffers === undefined ? {} : { shared_buffers: sharedBuffers },
    // Without its database the process cannot work; its supervisor restarts it.
    onGaveUp: (error) => onDatabaseLost(error),
    mustExist,
    signal,
  };
  if (mayJoin) return startOrJoinPostgres(options);
  return { ...(await startEmbeddedPostgres(options)), isJoined: false };
}

/** Refuses an unreachable database; the address may hold a password and is not repeated. */
async function reach(database: Database): Promise<void> {
  try {
    await database.withClient((client) => client.query("select 1"));
  } catch (error) {
    throw new StartRefused(`the database cannot be reached: ${messageOf(error)}`);
  }
}
