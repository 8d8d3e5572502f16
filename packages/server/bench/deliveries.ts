/**
 * `npm run bench:webhooks [-- ROUNDS] [--backlog EVENTS]`: measures how much a webhook endpoint slows payments down. Each load with
 * an endpoint is compared with the same load without one, in alternating order; the figure is their ratio. Also measured: a platform
 * whose neighbour has a dead receiver, and a backlog that is drained under load. Receivers are separate processes on the same
 * processors.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pauseMs } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openApi, settleEverything } from "./bench-api.ts";
import type { ServerOptions } from "./bench-server.ts";
import { makeNeighbour, type Neighbour } from "./neighbour.ts";
import { Place } from "./place.ts";
import { KINDS, type Kind, type Receiver, startReceiver } from "./webhook-receiver.ts";

const ACCOUNTS = 1_000;
const RULES = { measureMs: 3_000, warmupMs: 500, coldMs: 6_000 };
const NEIGHBOURS_LOAD = { warmupMs: RULES.warmupMs, durationMs: RULES.measureMs };
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Bench {
  readonly place: Place;
  readonly api: ReturnType<typeof openApi>;
}

interface DeliveredLoad {
  readonly perSecond: number;
  /** Delivered events per second of the load. */
  readonly delivered: number;
  /** CPU time of the receiver for one payment. */
  readonly receiverUs: number;
  readonly lagP99Ms: number | undefined;
}

/** Runs a load with an endpoint of this kind, and returns what its receiver answered meanwhile. */
async function withEndpoint(
  { place, api }: Bench,
  kind: Kind,
  load: () => Promise<number>,
): Promise<DeliveredLoad> {
  const receiver = await startReceiver(kind);
  const added = await api.post("/webhook-endpoints", { url: receiver.url });
  try {
    const before = await receiver.answered();
    const startedAt = performance.now();
    const perSecond = await load();
    const seconds = (performance.now() - startedAt) / 1_000;
    const { events, processorUs, lagP99Ms } = await receiver.answered();
    const receiverUs = (processorUs - before.processorUs) / (perSecond * seconds);
    return { perSecond, delivered: (events - before.events) / seconds, receiverUs, lagP99Ms };
  } finally {
    await api.remove(`/webhook-endpoints/${String(added.id)}`);
    await receiver.stop();
    await place.settle();
  }
}

const accepting =
  ({ place }: Bench) =>
  async () =>
    (await place.accepted({ connections: 64 })).perSecond;

const completing =
  ({ place }: Bench, connections: number) =>
  async () =>
    (await place.completed(connections)).completedPerSecond;

async function without({ place }: Bench, load: () => Promise<number>): Promise<number> {
  const perSecond = await load();
  await place.settle();
  return perSecond;
}

const median = (values: readonly number[]) =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;

interface Pair {
  readonly ratio: number;
  readonly perSecond: number;
}

/** Runs a load with and without the cause, in an order that alternates by round. */
async function paired<Load extends { readonly perSecond: number }>(
  round: number,
  load: () => Promise<Load>,
  alone: () => Promise<number>,
): Promise<Pair & { readonly load: Load }> {
  const first = round % 2 === 0 ? await alone() : undefined;
  const loaded = await load();
  const bare = first ?? (await alone());
  return { ratio: loaded.perSecond / bare, perSecond: loaded.perSecond, load: loaded };
}

const whole = (values: readonly number[]) => Math.round(median(values));

function inWords(pairs: readonly Pair[]): string {
  const ratios = pairs.map(({ ratio }) => ratio);
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(" ");
  return `ratio ${median(ratios).toFixed(2)} (${each})`;
}

interface Measured {
  readonly name: string;
  readonly kind: Kind;
  readonly load: () => Promise<number>;
  /** The state in which a payment is counted. */
  readonly unit: "accepted" | "completed";
}

/**
 * The ratio that the receiver's own CPU time alone would cause, compared with payments that have all processors to themselves.
 */
function explained(pairs: readonly (Pair & { readonly load: DeliveredLoad })[]): string {
  const shares = pairs.map(({ ratio, perSecond, load }) => {
    const withoutUs = (availableParallelism() * 1e6 * ratio) / perSecond;
    return withoutUs / (withoutUs + load.receiverUs);
  });
  const receiverUs = whole(pairs.map(({ load }) => load.receiverUs));
  return `receiver ${receiverUs} µs a payment (explains ${median(shares).toFixed(2)})`;
}

async function measure(
  bench: Bench,
  { name, kind, load, unit }: Measured,
  rounds: number,
): Promise<string> {
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push(
      await paired(
        round,
        () => withEndpoint(bench, kind, load),
        () => without(bench, load),
      ),
    );
  }
  const rate = whole(pairs.map(({ perSecond }) => perSecond));
  const delivered = whole(pairs.map((pair) => pair.load.delivered));
  const lags = pairs.flatMap((pair) => pair.load.lagP99Ms ?? []);
  const lag = lags.length === 0 ? "" : `lag p99 ${Math.round(Math.max(...lags))} ms, `;
  const why = kind === "live" ? `, ${explained(pairs)}` : "";
  return `${name.padEnd(10)} ${rate} ${unit}/s, ${delivered} delivered/s, ${lag}${inWords(pairs)}${why}`;
}

/** Each completed payment causes four events. Two connections leave processors idle, 64 do not. */
function phases(bench: Bench): readonly Measured[] {
  const load = accepting(bench);
  return [
    ...KINDS.map((kind) => ({ name: kind, kind, load, unit: "accepted" }) as const),
    { name: "completed", kind: "live", load: completing(bench, 64), unit: "completed" },
    { name: "calm", kind: "live", load: completing(bench, 2), unit: "completed" },
  ];
}

/** Both platforms send payments all the time; the neighbour has a dead receiver or none. */
async function besideDeadReceiver(bench: Bench, neighbour: Neighbour, rounds: number) {
  async function both(): Promise<number> {
    const loads = [bench.place.accepted({ connections: 32 }), neighbour.load(NEIGHBOURS_LOAD)];
    const [own] = await Promise.all(loads);
    await bench.place.settle();
    await settleEverything(neighbour.api);
    return own?.perSecond ?? 0;
  }
  async function withDead() {
    const receiver = await startReceiver("dead");
    const added = await neighbour.api.post("/webhook-endpoints", { url: receiver.url });
    const perSecond = await both();
    await neighbour.api.remove(`/webhook-endpoints/${String(added.id)}`);
    return { perSecond };
  }
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) pairs.push(await paired(round, withDead, both));
  const accepted = whole(pairs.map(({ perSecond }) => perSecond));
  return `${"neighbour".padEnd(10)} ${accepted} accepted/s beside a dead receiver, ${inWords(pairs)}`;
}

const CALIBRATING_PAYMENTS = 200;
const LOOK_AGAIN_MS = 500;

/** Waits until the receiver gets no further events; returns their number. */
async function untilQuiet(receiver: Receiver): Promise<number> {
  for (let last = -1; ; ) {
    const { events } = await receiver.answered();
    if (events === last) return events;
    last = events;
    await pauseMs(2 * LOOK_AGAIN_MS);
  }
}

/** Gathers events while the endpoint is disabled, then enables it under load. */
async function drainBacklog({ place, api }: Bench, backlog: number): Promise<string> {
  const alone = await without({ place, api }, accepting({ place, api }));
  const receiver = await startReceiver("live");
  const added = await api.post("/webhook-endpoints", { url: receiver.url });
  const path = `/webhook-endpoints/${String(added.id)}`;
  try {
    await place.fill(CALIBRATING_PAYMENTS, 64);
    const eventsAPayment = (await untilQuiet(receiver)) / CALIBRATING_PAYMENTS;
    await api.patch(path, { state: "DISABLED" });
    await place.fill(Math.ceil(backlog / eventsAPayment), 64);
    const before = (await receiver.answered()).events;
    const accepted: number[] = [];
    let isDrained = false;
    const startedAt = performance.now();
    await api.patch(path, { state: "ACTIVE" });
    const draining = (async () => {
      while ((await receiver.answered()).events < before + backlog) await pauseMs(LOOK_AGAIN_MS);
      isDrained = true;
      return (performance.now() - startedAt) / 1_000;
    })();
    while (!isDrained) accepted.push((await place.accepted({ connections: 64 })).perSecond);
    const perSecond = Math.round(backlog / (await draining));
    const ratio = (median(accepted) / alone).toFixed(2);
    return `${"backlog".padEnd(10)} ${backlog} events, ${perSecond} delivered/s, ${whole(accepted)} accepted/s meanwhile, ratio ${ratio}`;
  } finally {
    await api.remove(path);
    await receiver.stop();
    await place.settle();
  }
}

async function main(rounds: number, backlog: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "florin-bench-"));
  // Under root, PostgreSQL runs as another account, which must be able to enter this directory.
  await chmod(dataDir, 0o711);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted")));
  const credentials = { clientId: "bench", clientSecret: randomBytes(32).toString("hex") };
  const server: ServerOptions = { main: here("../dist/main.js"), dataDir, credentials };
  const say = (text: string) => console.error(text);
  const place = new Place({ name: "webhooks", server }, { ...RULES, stop: stop.signal, say });
  try {
    const started = await place.start();
    const api = openApi(started, credentials);
    await place.populate(ACCOUNTS);
    await place.warm();
    const bench = { place, api };
    await place.warmCompletions();
    for (const phase of phases(bench)) console.log(await measure(bench, phase, rounds));
    console.log(await besideDeadReceiver(bench, await makeNeighbour(started, server), rounds));
    console.log(await drainBacklog(bench, backlog));
  } finally {
    await place.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { backlog: { type: "string", default: "20000" } },
});
await main(Number(positionals[0] ?? 4), Number(values.backlog));
