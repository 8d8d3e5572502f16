/**
 * `npm run bench:webhooks [-- ROUNDS]`: what a webhook endpoint costs the payments. Each load with an endpoint stands beside the same
 * load without one, in alternating order; the ratio of the two is the figure. Receivers run in processes of their own, on the
 * same processors.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openApi } from "./bench-api.ts";
import { Place } from "./place.ts";

const KINDS = ["live", "dead", "hanging", "failing"] as const;
type Kind = (typeof KINDS)[number];

const ACCOUNTS = 1_000;
const RULES = { measureMs: 3_000, warmupMs: 500, coldMs: 6_000 };
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Receiver {
  readonly url: string;
  answered(): Promise<number>;
  stop(): Promise<void>;
}

async function startReceiver(kind: Kind): Promise<Receiver> {
  const child: ChildProcess = spawn(process.execPath, [here("./receiver-process.js"), kind], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the receiver has no pipes");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const read = async () => Number((await lines.next()).value);
  const url = `http://127.0.0.1:${await read()}/hook`;
  const stop = async () => {
    const ended = once(child, "exit");
    stdin.end();
    await ended;
  };
  // A dead one had a port, where nothing listens any more.
  if (kind === "dead") await stop();
  return {
    url,
    answered: () => {
      if (kind === "dead") return Promise.resolve(0);
      stdin.write("\n");
      return read();
    },
    stop: kind === "dead" ? () => Promise.resolve() : stop,
  };
}

interface Bench {
  readonly place: Place;
  readonly api: ReturnType<typeof openApi>;
}

/** Accepted payments a second with an endpoint of this kind, and what the receiver answered meanwhile. */
async function withEndpoint({ place, api }: Bench, kind: Kind) {
  const receiver = await startReceiver(kind);
  const added = await api.post("/webhook-endpoints", { url: receiver.url });
  try {
    const before = await receiver.answered();
    const startedAt = performance.now();
    const { perSecond } = await place.accepted({ connections: 64 });
    const seconds = (performance.now() - startedAt) / 1_000;
    return { perSecond, delivered: ((await receiver.answered()) - before) / seconds };
  } finally {
    await api.remove(`/webhook-endpoints/${String(added.id)}`);
    await receiver.stop();
    await place.settle();
  }
}

async function without({ place }: Bench): Promise<number> {
  const { perSecond } = await place.accepted({ connections: 64 });
  await place.settle();
  return perSecond;
}

const median = (values: readonly number[]) =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;

async function measure(bench: Bench, kind: Kind, rounds: number): Promise<string> {
  const ratios: number[] = [];
  const accepted: number[] = [];
  const delivered: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0 ? await without(bench) : undefined;
    const load = await withEndpoint(bench, kind);
    const alone = first ?? (await without(bench));
    ratios.push(load.perSecond / alone);
    accepted.push(load.perSecond);
    delivered.push(load.delivered);
  }
  const figures = [median(accepted), median(delivered)].map((figure) => Math.round(figure));
  return `${kind.padEnd(8)} ${figures[0]} accepted/s, ${figures[1]} delivered/s, ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(" ")})`;
}

async function main(rounds: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "florin-bench-"));
  // Under root, PostgreSQL runs as another account, which must be able to enter this directory.
  await chmod(dataDir, 0o711);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted")));
  const credentials = { clientId: "bench", clientSecret: randomBytes(32).toString("hex") };
  const server = { main: here("../dist/main.js"), dataDir, credentials };
  const say = (text: string) => console.error(text);
  const place = new Place({ name: "webhooks", server }, { ...RULES, stop: stop.signal, say });
  try {
    const api = openApi(await place.start(), credentials);
    await place.populate(ACCOUNTS);
    await place.warm();
    for (const kind of KINDS) console.log(await measure({ place, api }, kind, rounds));
  } finally {
    await place.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main(Number(process.argv[2] ?? 4));
