/**
 * `npm run bench:cost -- <other checkout> [--rounds N] [--receiver [--batch N]] [--connector] [--connections N]`: measures the CPU time of a completed payment,
 * by thread and backend, in this checkout and in another one that was built. The two alternate on one machine. With a receiver, a
 * payment ends when its events are delivered. With `--batch` the receiver of this checkout takes up to so many events a request. With a
 * connector, a process of its own carries the payments.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pauseMs } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openApi } from "./bench-api.ts";
import { Place } from "./place.ts";
import { ProcessorTime, type Usage, usedBetween } from "./processor-time.ts";
import { makeRoute, startConnector } from "./start-connector.ts";
import { type Receiver, startReceiver } from "./webhook-receiver.ts";

const ACCOUNTS = 500;
const RULES = { measureMs: 5_000, warmupMs: 500, coldMs: 4_000 };
const EVENTS_A_PAYMENT = 4;
/** Background workers finish the remaining work of a load within this time. */
const AFTERWARDS_MS = 2_500;
const DELIVERY_PATIENCE_MS = 600_000;

interface Checkout {
  readonly name: string;
  readonly place: Place;
  readonly time: ProcessorTime;
  readonly receiver: Receiver | undefined;
  readonly connector: Connector | undefined;
}

type Connector = Awaited<ReturnType<typeof startConnector>>;

interface Wish {
  readonly rounds: number;
  readonly connections: number;
  readonly withReceiver: boolean;
  readonly withConnector: boolean;
  /** The most events of a request; undefined for one event a request. */
  readonly batch: number | undefined;
}

const BATCH_WAIT_MS = 200;

async function open(name: string, main: string, dataDir: string, wish: Wish): Promise<Checkout> {
  const credentials = { clientId: "bench", clientSecret: randomBytes(32).toString("hex") };
  const secret = randomBytes(32).toString("hex");
  const connector = wish.withConnector ? await startConnector(secret) : undefined;
  const settings = {
    OUTBOUND_ALLOW_LOOPBACK: "sandbox",
    ...(connector === undefined ? {} : { RAIL_ALLOWED_HOSTS: connector.host }),
  };
  const server = { main, dataDir, credentials, settings };
  const stop = new AbortController().signal;
  const place = new Place({ name, server }, { ...RULES, stop, say: (text) => console.error(text) });
  const running = await place.start();
  await place.populate(ACCOUNTS);
  await place.warmCompletions();
  const time = await ProcessorTime.of(running, dataDir);
  const api = openApi(running, credentials);
  if (connector !== undefined) {
    const route = await makeRoute(api, connector.host, secret);
    await api.patch(`/rails/routes/${route}`, { enabled: true });
    await place.completed(wish.connections);
  }
  if (!wish.withReceiver) return { name, place, time, receiver: undefined, connector };
  const receiver = await startReceiver("live");
  await api.post("/webhook-endpoints", {
    url: receiver.url,
    ...(wish.batch === undefined
      ? {}
      : { delivery: { maxEvents: wish.batch, maxWaitMs: BATCH_WAIT_MS } }),
  });
  return { name, place, time, receiver, connector };
}

/** Runs one load, and returns the CPU time that each payment took. */
async function measure({ place, time, receiver }: Checkout, connections: number): Promise<Usage> {
  const delivered = (await receiver?.answered())?.events ?? 0;
  const before = await time.read();
  const { count } = await place.completed(connections);
  if (receiver !== undefined) await untilDelivered(receiver, delivered + count * EVENTS_A_PAYMENT);
  await pauseMs(AFTERWARDS_MS);
  return usedBetween(before, await time.read(), count);
}

async function untilDelivered(receiver: Receiver, events: number): Promise<void> {
  const giveUpAt = performance.now() + DELIVERY_PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    if ((await receiver.answered()).events >= events) return;
    await pauseMs(50);
  }
  throw new Error("some events were not delivered before the timeout");
}

const median = (values: readonly number[]) =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;

const totalOf = ({ microseconds }: Usage) =>
  [...microseconds.values()].reduce((sum, used) => sum + used, 0);

/** Prints a line for each thread or backend, with the medians of both checkouts and their ratio. */
function render(here: readonly Usage[], other: readonly Usage[]): string {
  const names = new Set(
    [...here, ...other].flatMap(({ microseconds }) => [...microseconds.keys()]),
  );
  const parts: readonly (readonly [string, (usage: Usage) => number])[] = [
    ...[...names].sort().map((name) => {
      return [name, ({ microseconds }: Usage) => microseconds.get(name) ?? 0] as const;
    }),
    ["all, µs a payment", totalOf],
    ["WAL bytes a payment", ({ walBytes }) => walBytes],
    ["WAL records a payment", ({ walRecords }) => walRecords],
  ];
  const lines = parts.map(([name, of]) => {
    const [mine, theirs] = [median(here.map(of)), median(other.map(of))];
    const figures = [theirs.toFixed(1), mine.toFixed(1), (mine / theirs).toFixed(2)];
    return name.padEnd(36) + figures.map((text) => text.padStart(10)).join("");
  });
  return [`${"".padEnd(36)}     other      here     ratio`, ...lines].join("\n");
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "6" },
      connections: { type: "string", default: "64" },
      receiver: { type: "boolean", default: false },
      connector: { type: "boolean", default: false },
      batch: { type: "string" },
    },
  });
  const [otherCheckout] = positionals;
  if (otherCheckout === undefined)
    throw new Error(
      "usage: npm run bench:cost -- <other checkout> [--rounds N] [--receiver [--batch N]] [--connector]",
    );
  const wish: Wish = {
    rounds: Number(values.rounds),
    connections: Number(values.connections),
    withReceiver: values.receiver,
    withConnector: values.connector,
    batch: values.batch === undefined ? undefined : Number(values.batch),
  };
  const dataDir = await mkdtemp(join(tmpdir(), "florin-cost-"));
  // Under root, PostgreSQL runs as another account, which must be able to enter this directory.
  await chmod(dataDir, 0o711);
  const mainOf = (checkout: string) => join(checkout, "packages/server/dist/main.js");
  const own = fileURLToPath(new URL("../../..", import.meta.url));
  const opened: Checkout[] = [];
  try {
    const here = await open("here", mainOf(own), join(dataDir, "here"), wish);
    opened.push(here);
    const plain = { ...wish, batch: undefined };
    const other = await open(
      "other",
      mainOf(resolve(otherCheckout)),
      join(dataDir, "other"),
      plain,
    );
    opened.push(other);
    const used = { here: [] as Usage[], other: [] as Usage[] };
    for (let round = 0; round < wish.rounds; round++) {
      const order = round % 2 === 0 ? [here, other] : [other, here];
      for (const checkout of order) {
        const usage = await measure(checkout, wish.connections);
        used[checkout === here ? "here" : "other"].push(usage);
        console.error(`${checkout.name}: ${totalOf(usage).toFixed(0)} µs a payment`);
      }
    }
    console.log(`\n${render(used.here, used.other)}\n`);
    const ratios = used.here.map(
      (usage, round) => totalOf(usage) / totalOf(used.other[round] ?? usage),
    );
    console.log(`ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}`);
    for (const { name, receiver } of opened) {
      const lag = (await receiver?.answered())?.lagP99Ms;
      if (lag !== undefined) console.log(`${name}: p99 of the lag ${lag} ms`);
    }
  } finally {
    for (const { place, time, receiver, connector } of opened) {
      await time.close();
      await receiver?.stop();
      await connector?.stop();
      await place.remove();
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
