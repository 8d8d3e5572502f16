/**
 * The lock of a data directory: at most one server uses it. The lock is a listening Unix socket in the directory. The kernel
 * closes the socket when its process ends, so the lock cannot become stale.
 *
 * 1. Listen on a socket of our own (`<pid>-<random>.sock`) and answer "starting".
 * 2. Connect to every other socket. One without a listener is stale. One that answers "holding", or does not answer in time
 *    (a frozen process), holds the lock: refuse. Of two that answer "starting", the smaller name wins.
 * 3. Without a rival answer "holding", and delete the stale sockets of dead processes.
 *
 * Each process listens before it connects, so of two at least one sees the other, and never both hold the lock. A process
 * that dies in between leaves a stale socket. The lock does not work between machines that mount the same directory.
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

type LockState = "starting" | "holding";
type Answer = LockState | "gone";

const ANSWER_LIMIT_MS = 1_000;
const ROUND_PAUSE_MS = 20;
const MAX_ROUNDS = 250;
/** The path of a socket has 104 bytes on macOS and 108 on Linux, with the terminating zero. */
const MAX_SOCKET_PATH_BYTES = 103;

/** Whether a server has ever locked the directory; that server may still be creating its database. */
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
  let state: LockState = "starting";
  return throughShortPath(place, own, async (short) => {
    const server = await listen(join(short, own), () => state);
    const release = async () => {
      await rm(join(place, own), { force: true });
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    try {
      await waitForRivals({ directory, place, short, own, clock });
      state = "holding";
      await sweep(place, own);
    } catch (error) {
      await release();
      throw error;
    }
    return { release };
  });
}

interface LockAttempt {
  readonly directory: string;
  readonly place: string;
  readonly short: string;
  readonly own: string;
  readonly clock: Clock;
}

async function waitForRivals(attempt: LockAttempt): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let rival: string | undefined;
    for (const other of await socketsIn(attempt.place)) {
      if (other === attempt.own) continue;
      const answer = await ask(join(attempt.short, other), attempt.clock);
      if (answer === "gone") continue;
      if (answer === "holding" || other < attempt.own) {
        throw new DirectoryTaken(attempt.directory, pidOf(other));
      }
      rival = other;
    }
    if (rival === undefined) return;
    await pause(attempt.clock, ROUND_PAUSE_MS);
  }
  throw new StartRefused(
    `another server keeps starting on the data directory ${attempt.directory}`,
  );
}

async function socketsIn(place: string): Promise<readonly string[]> {
  return (await readdir(place)).filter((name) => /^\d+-[0-9a-f]{8}\.sock$/.test(name));
}

function pidOf(socketName: string): number {
  return Number.parseInt(socketName, 10);
}

/** Keeps the sockets of living processes: one of them may have bound its socket and not listen yet. */
async function sweep(place: string, own: string): Promise<void> {
  for (const name of await socketsIn(place)) {
    if (name !== own && !isAlive(pidOf(name))) await rm(join(place, name), { force: true });
  }
}

function listen(path: string, state: () => LockState): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(state());
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
    socket.on("error", (error) => settle(hasNoListener(error) ? "gone" : "holding"));
  });
}

/** Whether no process holds the socket. ECONNRESET: a process accepted the connection and then ended. */
function hasNoListener(error: Error): boolean {
  return ["ECONNREFUSED", "ENOENT", "ENOTSOCK", "ECONNRESET"].includes(codeOf(error) ?? "");
}

/** Accesses a path that is too long for a socket through a symbolic link in a temporary directory with mode 0700. */
async function throughShortPath<T>(
  place: string,
  name: string,
  work: (short: string) => Promise<T>,
): Promise<T> {
  if (Buffer.byteLength(join(place, name)) <= MAX_SOCKET_PATH_BYTES) return work(place);
  const parent = Buffer.byteLength(tmpdir()) > 60 ? "/tmp" : tmpdir();
  const temporary = await mkdtemp(join(parent, "florin-"));
  try {
    const short = join(temporary, "l");
    await symlink(place, short);
    return await work(short);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
