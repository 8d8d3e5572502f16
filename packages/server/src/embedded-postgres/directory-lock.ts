/**
 * One server a data directory. The lock is a listening socket below the directory: the system closes it when its process
 * ends in whatever way, so it cannot go stale, and it can be asked who holds it.
 *
 * 1. Listen on a name of our own (`<pid>-<chance>.sock`); until we hold the lock we answer "starting".
 * 2. Ask every other socket there. One without a listener is a leftover. One that answers "holding", or does not
 *    answer in time (a frozen process), has the lock: we refuse. Of two that are starting the smaller name goes on; the
 *    other refuses.
 * 3. No other holder: answer "holding", and sweep up the leftovers of dead processes.
 *
 * Each listens before it asks, so of two at once at least one sees the other: they never both hold. A process that dies
 * anywhere in between leaves a socket file without a listener, which is a leftover. It works between the processes
 * of one machine; it does not work between two machines that mount one directory.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, pause } from "../std/clock.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import { isAlive } from "./processes.ts";
import { codeOf, makeDirectory, statsOf } from "./safe-place.ts";

export interface DirectoryLock {
  release(): Promise<void>;
}

/** Another process holds the directory. */
export class DirectoryTaken extends StartRefused {
  readonly directory: string;
  readonly holder: number;

  constructor(directory: string, holder: number) {
    super(
      `another Florin server (process ${holder}) uses the data directory ${directory}; stop it, or set another DATA_DIR`,
    );
    this.directory = directory;
    this.holder = holder;
  }
}

type Standing = "starting" | "holding";
type Answer = Standing | "gone";

const ANSWER_LIMIT_MS = 1_000;
const ROUND_PAUSE_MS = 20;
const MAX_ROUNDS = 250;
/** A socket's path has 104 bytes on one system and 108 on the other, the closing zero included. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Whether there was ever a server here; there may be one that is still making its database. */
export async function wasEverLocked(directory: string): Promise<boolean> {
  return (await statsOf(placeOf(directory))) !== undefined;
}

function placeOf(directory: string): string {
  return join(directory, "lock");
}

export async function lockDirectory(directory: string, clock: Clock): Promise<DirectoryLock> {
  const place = placeOf(directory);
  await makeDirectory(place, 0o700).catch((error: unknown) => {
    throw cannotLock(error);
  });
  const own = `${process.pid}-${randomBytes(4).toString("hex")}.sock`;
  let standing: Standing = "starting";
  return throughShortPath(place, own, async (short) => {
    const server = await listen(join(short, own), () => standing);
    const release = async () => {
      await rm(join(place, own), { force: true });
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    try {
      await outlastRivals({ directory, place, short, own, clock });
      standing = "holding";
      await sweep(place, own);
    } catch (error) {
      await release();
      throw error;
    }
    return { release };
  });
}

interface Contest {
  readonly directory: string;
  readonly place: string;
  readonly short: string;
  readonly own: string;
  readonly clock: Clock;
}

async function outlastRivals(contest: Contest): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let rival: string | undefined;
    for (const other of await socketsIn(contest.place)) {
      if (other === contest.own) continue;
      const answer = await ask(join(contest.short, other), contest.clock);
      if (answer === "gone") continue;
      if (answer === "holding" || other < contest.own) {
        throw new DirectoryTaken(contest.directory, pidOf(other));
      }
      rival = other;
    }
    if (rival === undefined) return;
    await pause(contest.clock, ROUND_PAUSE_MS);
  }
  throw new StartRefused(
    `another server keeps starting on the data directory ${contest.directory}`,
  );
}

async function socketsIn(place: string): Promise<readonly string[]> {
  return (await readdir(place)).filter((name) => /^\d+-[0-9a-f]{8}\.sock$/.test(name));
}

function pidOf(socketName: string): number {
  return Number.parseInt(socketName, 10);
}

/** Leaves the files of living processes alone: one of them may be between making its socket and listening on it. */
async function sweep(place: string, own: string): Promise<void> {
  for (const name of await socketsIn(place)) {
    if (name !== own && !isAlive(pidOf(name))) await rm(join(place, name), { force: true });
  }
}

function listen(path: string, standing: () => Standing): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(standing());
      socket.resume();
    });
    server.on("error", (error) => reject(cannotLock(error)));
    server.listen({ path }, () => resolve(server));
  });
}

function cannotLock(error: unknown): StartRefused {
  return new StartRefused(
    `the data directory cannot be locked (${messageOf(error)}); choose a DATA_DIR that this account can write to, on a local file system`,
    { cause: error },
  );
}

function ask(path: string, clock: Clock): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    let text = "";
    const settle = (answer: Answer) => {
      cancel();
      socket.destroy();
      resolve(answer);
    };
    const cancel = clock.after(ANSWER_LIMIT_MS, () => settle("holding"));
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("end", () => settle(text === "starting" ? "starting" : "holding"));
    socket.on("error", (error) => settle(isNobody(error) ? "gone" : "holding"));
  });
}

/** A reset connection was accepted by a process that then ended. */
function isNobody(error: Error): boolean {
  return ["ECONNREFUSED", "ENOENT", "ENOTSOCK", "ECONNRESET"].includes(codeOf(error) ?? "");
}

/** A long path is reached through a link in a fresh directory that only we can enter, gone when the work is done. */
async function throughShortPath<T>(
  place: string,
  name: string,
  work: (short: string) => Promise<T>,
): Promise<T> {
  if (Buffer.byteLength(join(place, name)) <= MAX_SOCKET_PATH_BYTES) return work(place);
  const parent = Buffer.byteLength(tmpdir()) > 60 ? "/tmp" : tmpdir();
  const passage = await mkdtemp(join(parent, "florin-"));
  try {
    const short = join(passage, "l");
    await symlink(place, short);
    return await work(short);
  } finally {
    await rm(passage, { recursive: true, force: true });
  }
}
