/**
 * `npm run bench:rail-pauses [-- ROUNDS]`: measures how long documents of the largest allowed size delay payments. Payments run
 * alone, and then with feed pages, calls with 500 marks, pools of 10,000 account numbers and rate documents in the same server.
 * Prints the slowest payment, the longest delay of the event loop, and the most CPU time of one turn of it. Linux only.
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BenchApi, openApi } from "./bench-api.ts";
import { median } from "./goals.ts";
import { Place } from "./place.ts";
import { startConnector } from "./start-connector.ts";

const ACCOUNTS = 200;
const CONNECTIONS = 16;
const RULES = { measureMs: 5_000, warmupMs: 500, coldMs: 5_000 };
const MARKS = 500;
const NUMBERS = 10_000;
const ECB_BYTES = 127 * 1024;
const BETWEEN_MS = 500;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Tools {
  readonly place: Place;
  readonly api: BenchApi;
  readonly baseUrl: string;
  readonly pid: number;
  readonly file: string;
  /** Host and port of the connector. */
  readonly host: string;
  readonly secret: string;
}

/** Work that runs beside the payments until the function that `start` returns is called. */
interface Cause {
  readonly name: string;
  start(): Promise<() => Promise<void>>;
}

function repeated(name: string, call: () => Promise<unknown>): Cause {
  return {
    name,
    async start() {
      let isOver = false;
      let calls = 0;
      const running = (async () => {
        while (!isOver) {
          await call();
          calls += 1;
          await pause(BETWEEN_MS);
        }
      })();
      return async () => {
        isOver = true;
        await running;
        console.log(`${name}: ${calls} calls`);
      };
    },
  };
}

async function connection(tools: Tools, kind: "HTTP" | "MANUAL", more: object): Promise<string> {
  const account = { holderName: "Bench", label: "operating" };
  const { api } = tools;
  const body = { name: `${kind} ${randomBytes(4).toString("hex")}`, kind, account, ...more };
  const { id } = await api.post("/rails/connections", { currencies: ["USD"], ...body });
  await api.post(`/rails/connections/${id}/activate`, {});
  return String(id);
}

async function feedPages(tools: Tools): Promise<Cause> {
  const { api, host, secret } = tools;
  const settings = { baseUrl: `http://${host}`, feed: false, pollSeconds: 10 };
  const secrets = { signingSecret: secret, callbackSecret: randomBytes(32).toString("hex") };
  const id = await connection(tools, "HTTP", { settings, secrets });
  const read = (feed: boolean) =>
    api.patch(`/rails/connections/${id}`, { settings: { ...settings, feed } });
  const count = async () =>
    Number((await api.get(`/rails/entries?connectionId=${id}&limit=1`)).totalCount);
  return {
    name: "pages of a feed",
    async start() {
      const before = await count();
      await read(true);
      return async () => {
        await read(false);
        console.log(`pages of a feed: ${(await count()) - before} entries`);
      };
    },
  };
}

/** Creates queued orders for a few calls with marks. */
async function makeOrders({ api }: Tools): Promise<void> {
  const page = await api.get("/transactions?type=OUTGOING&limit=1");
  const [last] = page.data as readonly {
    readonly source: { readonly accountId: string };
    readonly destination: { readonly accountId: string };
  }[];
  if (last === undefined) throw new Error("there is no payment to repeat");
  const { source, destination } = last;
  const body = {
    source: { accountId: source.accountId },
    destination: { accountId: destination.accountId },
    amount: 1,
  };
  let left = MARKS * 6;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) await api.post("/transfer-out", body);
    }),
  );
}

async function marks(tools: Tools): Promise<Cause> {
  const { api } = tools;
  const settings = { accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH", "WIRE"] };
  const connectionId = await connection(tools, "MANUAL", { settings });
  const route = { name: "desk", direction: "OUT", currency: "USD", connectionId, enabled: false };
  const { id: routeId } = await api.post("/rails/routes", route);
  const name = "calls with 500 marks";
  /** Returns the number of marked orders. */
  async function markSome(): Promise<number> {
    const ids: string[] = [];
    for (let cursor = ""; ids.length < MARKS; ) {
      const path = `/rails/payments?connectionId=${connectionId}&state=QUEUED&limit=100${cursor}`;
      const { data, nextCursor } = await api.get(path);
      ids.push(...(data as readonly { readonly id: string }[]).map(({ id }) => id));
      if (nextCursor === undefined) break;
      cursor = `&cursor=${nextCursor}`;
    }
    const marks = ids.map((paymentId) => ({ paymentId, outcome: "SETTLED" }));
    if (marks.length > 0) await api.post("/rails/marks", { marks });
    return marks.length;
  }
  return {
    name,
    async start() {
      await api.patch(`/rails/routes/${routeId}`, { enabled: true });
      await makeOrders(tools);
      await api.patch(`/rails/routes/${routeId}`, { enabled: false });
      const stop = await repeated(name, markSome).start();
      return async () => {
        await stop();
        while ((await markSome()) > 0);
      };
    },
  };
}

/** Uploads documents of the largest allowed size: a rate, followed by empty elements. */
async function ecbUploads({ api, baseUrl }: Tools): Promise<Cause> {
  const source = { name: "bank", kind: "ECB", settings: { acknowledged: true } };
  const { id } = await api.post("/rates/sources", source);
  const head = '<Envelope><Cube><Cube time="2025-11-21"><Cube currency="USD" rate="1.0850"/>';
  const filler = "<Cube/>".repeat(Math.floor((ECB_BYTES - 200) / 7));
  const file = new Blob([head, filler, "</Cube></Cube></Envelope>"]);
  return repeated("reference rates", async () => {
    const form = new FormData();
    form.append("file", file, "daily.xml");
    const url = `${baseUrl}/rates/sources/${id}/upload`;
    const headers = { authorization: api.authorization };
    const answer = await fetch(url, { method: "POST", headers, body: form });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  });
}

async function jsonRates({ api, host }: Tools): Promise<Cause> {
  const pairs = [{ base: "EUR", quote: "USD", pointer: "/rates/USD" }];
  const settings = { url: `http://${host}/rates`, everySeconds: 3_600, pairs };
  const { id } = await api.post("/rates/sources", { name: "feed", kind: "HTTP", settings });
  return repeated("rates as JSON", () => api.post(`/rates/sources/${id}/refresh`, {}));
}

/** A German IBAN with valid check digits. */
function iban(n: number): string {
  const account = String(n).padStart(18, "0");
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, "0")}${account}`;
}

async function numberPools(tools: Tools): Promise<Cause> {
  const settings = { accountTypes: ["USD_ACCOUNT"], paymentRails: ["ACH"] };
  const funding = { mode: "VIRTUAL_ACCOUNTS" };
  const id = await connection(tools, "MANUAL", { currencies: ["EUR"], settings, funding });
  let next = 1;
  return repeated("pools of 10,000 numbers", async () => {
    const accounts = Array.from({ length: NUMBERS }, () => iban(next++));
    await tools.api.post(`/rails/connections/${id}/virtual-accounts`, { accounts });
  });
}

interface Pauses {
  readonly maxMs: number;
  readonly delayMs: number;
  readonly busyMs: number;
}

async function pauses({ pid, file }: Tools): Promise<Omit<Pauses, "maxMs">> {
  const lines = async () => (await readFile(file, "utf8").catch(() => "")).trimEnd().split("\n");
  const before = (await lines()).length;
  process.kill(pid, "SIGUSR2");
  for (;;) {
    const now = await lines();
    const last = now.at(-1) ?? "";
    if (last !== "" && (before === 1 || now.length > before)) return JSON.parse(last);
    await pause(10);
  }
}

async function measured(tools: Tools, cause?: Cause): Promise<Pauses> {
  const stop = await cause?.start();
  await pauses(tools);
  const { maxMs } = await tools.place.accepted({ connections: CONNECTIONS });
  const found = await pauses(tools);
  await stop?.();
  await tools.place.settle();
  return { maxMs, ...found };
}

function report(name: string, rounds: readonly Pauses[]): void {
  const of = (pick: (pauses: Pauses) => number) =>
    `${median(rounds.map(pick)).toFixed(1)} (${rounds.map((each) => pick(each).toFixed(1)).join(" ")})`;
  console.log(
    `${name}: slowest payment ${of(({ maxMs }) => maxMs)} ms, longest delay ${of(({ delayMs }) => delayMs)} ms, ` +
      `busiest turn ${of(({ busyMs }) => busyMs)} ms`,
  );
}

async function compare(tools: Tools, rounds: number): Promise<void> {
  const causes = [feedPages, ecbUploads, jsonRates, numberPools, marks];
  await measured(tools);
  for (const make of causes) {
    const cause = await make(tools);
    const quiet: Pauses[] = [];
    const beside: Pauses[] = [];
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(await measured(tools));
      beside.push(await measured(tools, cause));
    }
    report("payments alone", quiet);
    report(`beside ${cause.name}`, beside);
  }
}

async function main(rounds: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "florin-bench-"));
  // Under root, PostgreSQL runs as another account, which must be able to enter this directory.
  await chmod(dataDir, 0o711);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Error("interrupted")));
  const credentials = { clientId: "bench", clientSecret: randomBytes(32).toString("hex") };
  const secret = randomBytes(32).toString("hex");
  const { host, stop: stopConnector } = await startConnector(secret);
  const file = join(dataDir, "pauses.jsonl");
  const settings = {
    RAIL_ALLOWED_HOSTS: host,
    PAUSE_FILE: file,
    NODE_OPTIONS: `--import=${pathToFileURL(here("./pause-probe.js"))}`,
  };
  const server = { main: here("../dist/main.js"), dataDir, credentials, settings };
  const say = (text: string) => console.error(text);
  const place = new Place({ name: "pauses", server }, { ...RULES, stop: stop.signal, say });
  try {
    const started = await place.start();
    const { baseUrl, pid } = started;
    const api = openApi(started, credentials);
    await place.populate(ACCOUNTS);
    await place.warm();
    await compare({ place, api, baseUrl, pid, file, host, secret }, rounds);
  } finally {
    await place.stop();
    await stopConnector();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main(Number(process.argv[2] ?? 3));
