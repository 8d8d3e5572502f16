import { setMaxListeners } from "node:events";
import { homedir } from "node:os";
import { UsageError } from "./failures.ts";
import type { Host } from "./host.ts";

/** The first signal aborts the running command; a second one ends the process. */
export function stopOnSignals(): AbortSignal {
  const stopping = new AbortController();
  // Unlimited, because each event that is posted again adds a listener.
  setMaxListeners(0, stopping.signal);
  const stop = () => stopping.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  return stopping.signal;
}

/** This process and its machine. */
export function nodeHost(stopped: AbortSignal): Host {
  const { env, stdin, stdout, stderr } = process;
  const isTerminal = stdout.isTTY === true;
  return {
    env,
    homeDirectory: homedir(),
    isTerminal,
    isColoured: isTerminal && (env.NO_COLOR ?? "") === "",
    rewritesLines: stderr.isTTY === true,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    stopped,
    writeOut: (bytes) => void stdout.write(bytes),
    writeError: (text) => void stderr.write(text),
    readInput,
    ask,
    fetch: (url, init) => globalThis.fetch(url, init),
    now: () => Date.now(),
    pause,
    newKey: () => crypto.randomUUID(),
  };
}

/** The reader of a pipe may exit, as `head` does: that ends the process quietly. */
export function outliveReaders(): void {
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? (process.exitCode ?? 0) : 1);
  });
}

async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8");
}

/** The question goes to standard error. A secret is not echoed. */
async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import("node:readline/promises"),
    import("node:stream"),
  ]);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? silent : process.stderr,
    terminal: true,
  });
  // Without a listener, an interrupt or the end of the input would leave the question open.
  const unanswered = new Promise<never>((_, reject) => {
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => reject(new UsageError("no answer; nothing was sent")));
  });
  try {
    return await Promise.race([lines.question(""), unanswered]);
  } finally {
    lines.close();
    if (isSecret) process.stderr.write("\n");
  }
}

function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal?.addEventListener("abort", end);
  });
}
