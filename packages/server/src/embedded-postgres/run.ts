import { type SpawnOptions, spawn } from "node:child_process";
import type { Clock } from "../std/clock.ts";
import type { Account } from "./account.ts";

export interface Run {
  readonly program: string;
  readonly args: readonly string[];
  /** Undefined: the account of this process. */
  readonly account: Account | undefined;
  readonly clock: Clock;
  readonly limitMs: number;
  readonly input?: string;
}

export interface Ran {
  /** Undefined when the program could not be started or was ended by a signal. */
  readonly code: number | undefined;
  readonly output: string;
  readonly complaints: string;
}

/**
 * The options of all child processes. The environment is replaced, so that neither secrets of the server nor locale, PG* or
 * library variables of the operator reach PostgreSQL.
 */
export function spawnOptions(account: Account | undefined): SpawnOptions {
  const identity = account === undefined ? {} : { uid: account.uid | 0, gid: account.gid | 0 };
  return {
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    ...identity,
  };
}

/** Runs a program and returns its output. Never rejects. */
export function run(options: Run): Promise<Ran> {
  return new Promise((resolve) => {
    let output = "";
    let complaints = "";
    const child = spawn(options.program, options.args, {
      ...spawnOptions(options.account),
      stdio: ["pipe", "pipe", "pipe"],
    });
    const cancel = options.clock.after(options.limitMs, () => {
      complaints += `no end within ${options.limitMs} ms`;
      child.kill("SIGKILL");
    });
    const end = (code: number | undefined) => {
      cancel();
      resolve({ code, output, complaints: complaints.trim() });
    };
    child.on("error", (error) => {
      complaints += error.message;
      end(undefined);
    });
    child.on("close", (code) => end(code ?? undefined));
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaints += text;
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.input ?? "");
  });
}
