import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";

/**
 * The built server as a process of its own, on the data directory of the run. It is started like in production and stopped with
 * SIGTERM. Its standard error is kept for error messages.
 */
export interface BenchServer {
  readonly pid: number;
  readonly port: number;
  readonly metricsUrl: string;
  /** The server's URL with the version segment. */
  readonly baseUrl: string;
  /** From the start of the process to its ready message. */
  readonly readyMs: number;
  /** The code of the console's first sign-in link, which only a new data directory has. */
  readonly startCode: string | undefined;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly main: string;
  readonly dataDir: string;
  readonly credentials: Credentials;
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const START_PATIENCE_MS = 180_000;
const STOP_PATIENCE_MS = 60_000;
const KEPT_OUTPUT = 4_000;
const PACKAGE = new URL("../../../package.json", import.meta.url);

function nodeFlags(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
}

/** The settings of the run. Variables of the environment that name another database or key are removed. */
export function environmentOf({
  dataDir,
  credentials,
  settings,
}: ServerOptions): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, MASTER_KEY: _key, MASTER_KEY_FILE: _file, ...kept } = process.env;
  return {
    ...kept,
    HOST: "127.0.0.1",
    PORT: "0",
    PUBLIC_URL: "",
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    RATE_LIMIT_PER_SECOND: "1000000",
    ENGINE_BATCH_MAX: "",
    ENGINE_LANES: "",
    BOOTSTRAP_CLIENT_ID: credentials.clientId,
    BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
    ...settings,
  };
}

export async function startBenchServer(wish: ServerOptions): Promise<BenchServer> {
  const metricsPort = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeFlags(), wish.main, "start"], {
    env: { ...environmentOf(wish), METRICS_PORT: `${metricsPort}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stderr?.on("data", (piece: Buffer) => {
    output = (output + piece.toString()).slice(-KEPT_OUTPUT);
  });
  const { url, startCode } = await readyLines(child, () => output);
  return {
    pid: child.pid ?? 0,
    port: Number(new URL(url).port),
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    baseUrl: url,
    readyMs: performance.now() - startedAt,
    startCode,
    stop: () => stop(child, () => output),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen({ host: "127.0.0.1", port: 0 });
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

async function readyLines(
  child: ChildProcess,
  output: () => string,
): Promise<{ readonly url: string; readonly startCode: string | undefined }> {
  const { stdout } = child;
  if (stdout === null) throw new Error("the server has no output");
  const lines = createInterface({ input: stdout });
  const patience = setTimeout(() => child.kill("SIGKILL"), START_PATIENCE_MS);
  try {
    return await new Promise((resolve, reject) => {
      let startCode: string | undefined;
      lines.on("line", (line) => {
        startCode = /^console .*#(\S+)$/.exec(line)?.[1] ?? startCode;
        const url = /^florin ready at (\S+)$/.exec(line)?.[1];
        if (url !== undefined) resolve({ url, startCode });
      });
      child.once("error", reject);
      child.once("exit", (code) =>
        reject(new Error(`the server ended before it was ready (${code}): ${output()}`)),
      );
    });
  } finally {
    clearTimeout(patience);
  }
}

async function stop(child: ChildProcess, output: () => string): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const patience = setTimeout(() => child.kill("SIGKILL"), STOP_PATIENCE_MS);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = (await ended) as [number | null];
  clearTimeout(patience);
  if (code !== 0) throw new Error(`the server did not stop cleanly (${code}): ${output()}`);
}
