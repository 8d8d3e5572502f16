/**
 * `node scripts/payment-files.mjs`: the files of the built server that run for one payment, by precise coverage of a running sandbox. Build first.
 * Payments before it have warmed the caches, so that only what each payment needs is counted. Files that also run without a payment are marked.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

const WARM = 50;
/** Followers apply a payment within a second and a half. */
const WINDOW_MS = 2_000;
const place = await mkdtemp(join(tmpdir(), "florin-files-"));
// PostgreSQL runs under another account when this runs as root.
await chmod(place, 0o711);
const listed = join(place, "files.json");
const probe = join(place, "probe.mjs");
await writeFile(
  probe,
  `import inspector from "node:inspector";
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
if (isMainThread) {
  const session = new inspector.Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  process.on("SIGUSR2", () =>
    session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
      const ran = result.filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName !== "" && ranges[0].count > 0));
      writeFileSync(${JSON.stringify(listed)}, JSON.stringify(ran.map(({ url }) => url)));
    }));
}`,
);

const credentials = { id: "files", secret: "f".repeat(64) };
const server = spawn(
  process.execPath,
  ["--import", probe, "packages/server/dist/main.js", "start"],
  {
    env: {
      ...process.env,
      DATA_DIR: join(place, "data"),
      PORT: "0",
      METRICS_PORT: "off",
      BOOTSTRAP_CLIENT_ID: credentials.id,
      BOOTSTRAP_CLIENT_SECRET: credentials.secret,
    },
    stdio: ["ignore", "pipe", "inherit"],
  },
);

async function readyUrl() {
  for await (const line of createInterface(server.stdout)) {
    const [, url] = /florin ready at (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("the server ended before it was ready");
}

const url = await readyUrl();
const authorization = `Basic ${Buffer.from(`${credentials.id}:${credentials.secret}`).toString("base64")}`;
async function call(path, body) {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

const customer = await call("/customers", {
  customerType: "INDIVIDUAL",
  fullName: "Ana Ruiz",
  currencies: ["USD"],
});
const accounts = await call(`/customers/internal-accounts?customerId=${customer.id}&currency=USD`);
const source = { accountId: accounts.data[0].id };
await call(`/sandbox/internal-accounts/${source.accountId}/fund`, { amount: 1_000_000 });
const bank = await call("/customers/external-accounts", {
  customerId: customer.id,
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: "000123456789",
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
  },
});
const pay = () =>
  call("/transfer-out", { source, destination: { accountId: bank.id }, amount: 1_000 });

async function filesSinceLast() {
  await rm(listed, { force: true });
  server.kill("SIGUSR2");
  for (;;) {
    await pause(50);
    const text = await readFile(listed, "utf8").catch(() => "");
    if (text !== "") return JSON.parse(text).filter((file) => file.includes("/server/dist/"));
  }
}

for (let count = 0; count < WARM; count++) await pay();
await pause(3_000);
await filesSinceLast();
await pause(WINDOW_MS);
const idle = new Set(await filesSinceLast());
await pay();
await pause(WINDOW_MS);
const files = (await filesSinceLast()).sort();
for (const file of files)
  console.log(`${idle.has(file) ? "also idle  " : "           "}${file.split("/server/dist/")[1]}`);
const others = files.filter((file) => !idle.has(file)).length;
console.log(`${files.length} files, ${others} of them only with a payment`);
server.kill("SIGTERM");
await once(server, "exit");
await rm(place, { recursive: true, force: true });
