/**
 * A server process that tests kill, freeze and restart. It uses a free port at each start, so clients must read `baseUrl` for
 * each call.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { present } from "../../src/std/assert.ts";
import { eventually } from "./eventually.ts";

export interface ServerProcess {
  /** With the version segment, of the current or last process. */
  readonly baseUrl: string;
  readonly isRunning: boolean;
  readonly log: readonly string[];
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM"): void;
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Sends SIGTERM and waits; sends SIGKILL after a timeout. */
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Default: the built server. */
  readonly program?: string;
}

export const CLIENT_ID = "fa017fa017fa017fa017fa017fa017fa";
export const CLIENT_SECRET = "a secret that only the fault tests have, and nobody else";
export const AUTHORIZATION = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString("base64")}`;

const BUILT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const READY = /^florin ready at (\S+)$/m;
/** On a machine that other work keeps busy, a start takes many times the usual second. */
const START_LIMIT_MS = 240_000;
const STOP_LIMIT_MS = 20_000;
const LINES_KEPT = 5_000;

export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const log: string[] = [];
  let child: ChildProcess | undefined;
  let baseUrl = "http://127.0.0.1:9";

  const isRunning = () =>
    child !== undefined && child.exitCode === null && child.signalCode === null;
  const gone = () =>
    eventually("the server's end", () => (isRunning() ? undefined : true), STOP_LIMIT_MS);

  const server: ServerProcess = {
    get baseUrl() {
      return baseUrl;
    },
    get isRunning() {
      return isRunning();
    },
    log,
    signal: (name) => void child?.kill(name),
    async kill() {
      child?.kill("SIGKILL");
      await gone();
    },
    async start() {
      const started = spawn(process.execPath, [options.program ?? BUILT, "start"], {
        env: { ...quietEnv(), ...options.env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      let said = "";
      started.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
      keepLines(started, log);
      baseUrl = await eventually(
        "a server that is ready",
        () => {
          if (!isRunning())
            throw new Error(`the server did not start: ${log.slice(-5).join("\n")}`);
          return READY.exec(said)?.[1];
        },
        START_LIMIT_MS,
      );
    },
    async stop() {
      child?.kill("SIGCONT");
      child?.kill("SIGTERM");
      await gone().catch(() => server.kill());
    },
  };
  await server.start();
  return server;
}

function quietEnv(): Record<string, string> {
  return {
    PATH: present(process.env.PATH, "a path to programs"),
    PORT: "0",
    METRICS_PORT: "off",
    LOG_LEVEL: "warn",
    RATE_LIMIT_PER_SECOND: "1000000",
    BOOTSTRAP_CLIENT_ID: CLIENT_ID,
    BOOTSTRAP_CLIENT_SECRET: CLIENT_SECRET,
  };
}

function keepLines(child: ChildProcess, log: string[]): void {
  let rest = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    log.push(...lines);
    if (log.length > LINES_KEPT) log.splice(0, log.length - LINES_KEPT);
  });
}

/** Log lines that report a bug of the server, not a fault of its environment. */
export function bugsIn(server: ServerProcess): readonly string[] {
  return server.log.filter((line) => /on a bug|a bug:|Unhandled|uncaught/i.test(line));
}
