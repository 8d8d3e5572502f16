import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const KINDS = ["live", "dead", "hanging", "failing"] as const;
export type Kind = (typeof KINDS)[number];

export interface Answered {
  /** Events answered with 200. */
  readonly events: number;
  /** CPU time of the receiver, in microseconds. */
  readonly processorUs: number;
  /** 99th percentile of the time from an event's commit to its arrival, relative to the fastest event; undefined without events. */
  readonly lagP99Ms: number | undefined;
}

/** A webhook receiver in a process of its own (receiver-process.ts). */
export interface Receiver {
  readonly url: string;
  answered(): Promise<Answered>;
  stop(): Promise<void>;
}

export async function startReceiver(kind: Kind): Promise<Receiver> {
  const program = fileURLToPath(new URL("./receiver-process.js", import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [program, kind], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the receiver has no pipes");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const read = async () => String((await lines.next()).value);
  const url = `http://127.0.0.1:${await read()}/hook`;
  const stop = async () => {
    const ended = once(child, "exit");
    stdin.end();
    await ended;
  };
  // A dead receiver has stopped, so nothing listens on its port.
  if (kind === "dead") await stop();
  return {
    url,
    async answered() {
      if (kind === "dead") return { events: 0, processorUs: 0, lagP99Ms: undefined };
      stdin.write("\n");
      return JSON.parse(await read()) as Answered;
    },
    stop: kind === "dead" ? () => Promise.resolve() : stop,
  };
}
