/**
 * `npm run bench:rails [-- ROUNDS]`: compares payments that a connector completes with payments of the simulated rail, in alternating
 * order. The connector is a separate process on the same processors, and answers at once.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BenchApi, openApi } from "./bench-api.ts";
import { median } from "./goals.ts";
import { Place } from "./place.ts";
import { makeRoute, startConnector } from "./start-connector.ts";

const ACCOUNTS = 1_000;
const CONNECTIONS = 64;
const RULES = { measureMs: 3_000, warmupMs: 500, coldMs: 6_000 };
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Rails {
  readonly place: Place;
  readonly api: BenchApi;
  readonly routeId: string;
}

async function carried({ place, api, routeId }: Rails): Promise<number> {
  await api.patch(`/rails/routes/${routeId}`, { enabled: true });
  const { completedPerSecond } = await place.completed(CONNECTIONS);
  await api.patch(`/rails/routes/${routeId}`, { enabled: false });
  return completedPerSecond;
}

async function simulated({ place }: Rails): Promise<number> {
  return (await place.completed(CONNECTIONS)).completedPerSecond;
}

async function compare(rails: Rails, rounds: number): Promise<void> {
  await simulated(rails);
  await carried(rails);
  const pairs: { readonly byConnector: number; readonly bySimulated: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const early = round % 2 === 0 ? await simulated(rails) : undefined;
    const byConnector = await carried(rails);
    pairs.push({ byConnector, bySimulated: early ?? (await simulated(rails)) });
  }
  const ratios = pairs.map(({ byConnector, bySimulated }) => byConnector / bySimulated);
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(" ");
  const rate = (pick: (pair: (typeof pairs)[number]) => number) =>
    Math.round(median(pairs.map(pick)));
  console.log(
    `completed by a connector ${rate(({ byConnector }) => byConnector)}/s, by the simulated rail ` +
      `${rate(({ bySimulated }) => bySimulated)}/s, ratio ${median(ratios).toFixed(2)} (${each})`,
  );
}

async function main(rounds: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "florin-bench-"));
  // Under root, PostgreSQL runs as another account, which must be able to enter this directory.
  await chmod(dataDir, 0o711);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted")));
  const credentials = { clientId: "bench", clientSecret: randomBytes(32).toString("hex") };
  const secret = randomBytes(32).toString("hex");
  const connector = await startConnector(secret);
  const settings = { RAIL_ALLOWED_HOSTS: connector.host };
  const server = { main: here("../dist/main.js"), dataDir, credentials, settings };
  const say = (text: string) => console.error(text);
  const place = new Place({ name: "rails", server }, { ...RULES, stop: stop.signal, say });
  try {
    const api = openApi(await place.start(), credentials);
    await place.populate(ACCOUNTS);
    await place.warm();
    const routeId = await makeRoute(api, connector.host, secret);
    await compare({ place, api, routeId }, rounds);
  } finally {
    await place.stop();
    await connector.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main(Number(process.argv[2] ?? 4));
