/**
 * Finds processes through /proc on Linux and through `ps` elsewhere. A zombie counts as dead: it holds neither memory nor
 * files.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { type Clock, pause } from "../std/clock.ts";
import { run } from "./run.ts";
import { codeOf } from "./safe-place.ts";

/** How the processes of one cluster are recognised. */
export interface ClusterMark {
  /** The resolved path of the cluster: the working directory of all its processes. */
  readonly cluster: string;
  /** Part of the title of all processes except the postmaster, whose title shows its arguments. */
  readonly clusterName: string;
}

const POLL_MS = 20;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  return stateOf(pid) !== "Z";
}

/** The state letter in /proc/<pid>/stat; undefined without /proc. */
function stateOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1");
    return line.charAt(line.lastIndexOf(")") + 2);
  } catch {
    return undefined;
  }
}

export async function waitGone(
  pids: readonly number[],
  limit: { clock: Clock; limitMs: number },
): Promise<boolean> {
  const deadline = limit.clock.now() + limit.limitMs;
  while (pids.some(isAlive)) {
    if (limit.clock.now() >= deadline) return false;
    await pause(limit.clock, POLL_MS);
  }
  return true;
}

/** False when the process does not exist. */
export function signal(pid: number, name: "SIGINT" | "SIGQUIT" | "SIGKILL"): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
    throw error;
  }
}

export async function clusterProcesses(
  mark: ClusterMark,
  clock: Clock,
): Promise<readonly number[]> {
  const entries = await readdir("/proc").catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  if (pids.length > 0) return pids.filter((pid) => worksIn(pid, mark.cluster) && isAlive(pid));
  const listed = await run({
    program: "/bin/ps",
    args: ["-axww", "-o", "pid=,stat=,command="],
    account: undefined,
    clock,
    limitMs: 10_000,
  });
  return listedProcesses(listed.output, mark);
}

/** Checks the working directory and the name: a shell of an operator may have the same working directory. */
function worksIn(pid: number, cluster: string): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === cluster &&
      readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres"
    );
  } catch {
    return false;
  }
}

export function listedProcesses(listing: string, mark: ClusterMark): readonly number[] {
  const pids: number[] = [];
  for (const line of listing.split("\n")) {
    const [, pid, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state === undefined || command === undefined) continue;
    const isChild = command.startsWith(`postgres: ${mark.clusterName}: `);
    const isPostmaster = command.includes(`/postgres -D ${mark.cluster} -c `);
    if ((isChild || isPostmaster) && !state.startsWith("Z")) pids.push(Number(pid));
  }
  return pids;
}
