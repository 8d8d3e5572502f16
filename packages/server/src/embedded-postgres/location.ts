/**
 * The directory of the cluster and the account that owns it. By default the cluster is `DATA_DIR/postgres` and belongs to the
 * account of this process. Under root, PostgreSQL runs as another account; when that account cannot enter DATA_DIR, the
 * cluster is in a shelter, a directory outside of DATA_DIR, and the file `postgres-location` in DATA_DIR names the shelter.
 *
 * Steps for a shelter: create a directory with a free name → write a marker with the DATA_DIR into it → write the pointer into
 * DATA_DIR → create the cluster. If the process dies before the pointer, an empty directory is left; after it, the next start
 * continues in the same shelter. A shelter serves one DATA_DIR: a copy of a DATA_DIR is refused while the original points to
 * the shelter; a DATA_DIR that was moved keeps its shelter.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, realpath, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { type Account, isRoot, may, osAccount, ownUid } from "./account.ts";
import { readIfThere } from "./pid-file.ts";
import { codeOf, makeDirectory, shortHash, statsOf, syncDirectory } from "./safe-place.ts";

export interface Location {
  /** The directory that holds `postgres/` and no file of another program. */
  readonly place: string;
  readonly cluster: string;
  readonly account: Account | undefined;
}

export interface LocationWanted {
  readonly dataDir: string;
  readonly shelters: string;
  readonly clock: Clock;
  readonly log: Log;
}

const POINTER = "postgres-location";
const MARKER = "data-dir";
const NAMES_TRIED = 100;

export async function locateCluster(wanted: LocationWanted): Promise<Location> {
  const pointed = await readLine(join(wanted.dataDir, POINTER));
  if (pointed !== undefined) await adoptShelter(pointed, wanted);
  const place = pointed ?? wanted.dataDir;
  const cluster = await clusterIn(place);
  const owner = await statsOf(cluster);
  if (!isRoot()) {
    if (owner !== undefined && owner.uid !== ownUid()) throw foreign(cluster, owner.uid);
    return { place, cluster, account: undefined };
  }
  const account =
    owner === undefined || owner.uid === 0
      ? await osAccount()
      : { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  if (await may("enter", dirname(cluster), { account, clock: wanted.clock }))
    return { place, cluster, account };
  if (pointed !== undefined || owner !== undefined) {
    throw new StartRefused(
      `PostgreSQL runs as ${account.name} (uid ${account.uid}), which cannot enter ${dirname(cluster)}; allow access to its parent directories (chmod o+x)`,
    );
  }
  const shelter = await takeShelter(account, wanted);
  return { place: shelter, cluster: await clusterIn(shelter), account };
}

export async function findCluster(dataDir: string): Promise<string> {
  return clusterIn((await readLine(join(dataDir, POINTER))) ?? dataDir);
}

/** Resolves symbolic links: an operator may have moved the cluster to another disk. */
async function clusterIn(place: string): Promise<string> {
  const path = join(await realpath(place), "postgres");
  return realpath(path).catch(() => path);
}

function foreign(cluster: string, uid: number): StartRefused {
  return new StartRefused(
    `${cluster} belongs to the user with uid ${uid}; start as that user or as root, or set another DATA_DIR`,
  );
}

async function takeShelter(account: Account, wanted: LocationWanted): Promise<string> {
  await makeDirectory(wanted.shelters, 0o755);
  const place = await freeShelter(wanted);
  await chmod(place, 0o711);
  if (!(await may("enter", place, { account, clock: wanted.clock }))) {
    throw new StartRefused(
      `PostgreSQL runs as ${account.name} (uid ${account.uid}), which can enter neither ${wanted.dataDir} nor ${place}; set DATA_DIR to a directory whose parents have the mode o+x`,
    );
  }
  await writeLine(place, MARKER, wanted.dataDir);
  await writeLine(wanted.dataDir, POINTER, place);
  wanted.log.info(
    { dataDir: wanted.dataDir, cluster: join(place, "postgres") },
    `${account.name} cannot enter the data directory, so the database is outside of it; ${POINTER} names its directory`,
  );
  return place;
}

/** A shelter of a deleted data directory is neither reused nor deleted, because it may hold the only copy of its data. */
async function freeShelter(wanted: LocationWanted): Promise<string> {
  for (let attempt = 0; attempt < NAMES_TRIED; attempt++) {
    const path = join(
      wanted.shelters,
      shortHash(wanted.dataDir) + (attempt === 0 ? "" : `-${attempt}`),
    );
    try {
      await mkdir(path, { mode: 0o711 });
      return path;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  throw new StartRefused(
    `${wanted.shelters} holds ${NAMES_TRIED} databases of ${wanted.dataDir}; remove the old ones`,
  );
}

async function adoptShelter(place: string, wanted: LocationWanted): Promise<void> {
  const marked = await readLine(join(place, MARKER));
  if (marked === wanted.dataDir) return;
  if (marked === undefined) {
    throw new StartRefused(
      `${join(wanted.dataDir, POINTER)} names ${place}, which has no database of Florin; restore it, or delete that file to start with an empty database`,
    );
  }
  const rival = await readLine(join(marked, POINTER));
  if (rival === place) {
    throw new StartRefused(
      `the database in ${place} belongs to ${marked}, of which ${wanted.dataDir} is a copy; delete ${join(wanted.dataDir, POINTER)} to start the copy with an empty database`,
    );
  }
  await writeLine(place, MARKER, wanted.dataDir);
  wanted.log.info(
    { from: marked, to: wanted.dataDir },
    "the data directory was moved; it keeps its database",
  );
}

async function readLine(path: string): Promise<string | undefined> {
  const text = await readIfThere(path);
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

async function writeLine(directory: string, name: string, line: string): Promise<void> {
  const temporary = join(directory, `${name}.${randomBytes(4).toString("hex")}`);
  await writeFile(temporary, `${line}\n`, { mode: 0o644, flush: true });
  await rename(temporary, join(directory, name));
  await syncDirectory(directory);
}
