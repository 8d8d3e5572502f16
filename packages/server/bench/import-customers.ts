import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { residentMegabytes } from "./machine.ts";

/**
 * `npm run bench:import [-- ROWS [wallets]]`: imports a file of customers into a new database. Prints the duration of the
 * upload and of the import and the memory of the server. With `wallets` each customer gets an embedded wallet; the derivation
 * of its keys takes most of the time.
 */

const credentials = { clientId: "bench", clientSecret: randomBytes(32).toString("hex") };
const authorization = `Basic ${Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString("base64")}`;

const COLUMNS =
  "umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country,email";

function csvOf(rows: number, umaDomain: string): Blob {
  const parts = [`${COLUMNS}\n`];
  for (let row = 0; row < rows; row += 1) {
    parts.push(
      `$person-${row}@${umaDomain},person-${row},INDIVIDUAL,"Ana ""A"" Ruiz",1991-02-03,"${row} Main St, rear",`,
      `Springfield,IL,62701,US,person-${row}@example.com\n`,
    );
  }
  return new Blob(parts, { type: "text/csv" });
}

interface JobProgress {
  readonly status: string;
  readonly progress: { readonly processed: number; readonly failed: number };
}

async function call<Answer>(server: BenchServer, path: string, init: RequestInit = {}) {
  const headers = { authorization, ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(`${server.baseUrl}${path}`, { ...init, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Answer;
}

const USD_ALONE = {
  supportedCurrencies: [
    {
      currencyCode: "USD",
      minAmount: 1,
      maxAmount: 1_000_000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["INCOMING", "OUTGOING"],
    },
  ],
};

async function importOn(server: BenchServer, rows: number, hasWallets: boolean): Promise<void> {
  const { umaDomain } = await call<{ umaDomain: string }>(server, "/config");
  if (!hasWallets) {
    await call(server, "/config", {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(USD_ALONE),
    });
  }
  const file = csvOf(rows, umaDomain);
  const form = new FormData();
  form.append("file", file, "customers.csv");
  const startedAt = performance.now();
  const { jobId } = await call<{ jobId: string }>(server, "/customers/bulk/csv", {
    method: "POST",
    body: form,
  });
  const uploadedAt = performance.now();
  const memory: number[] = [];
  let job: JobProgress;
  do {
    await pause(500);
    job = await call<JobProgress>(server, `/customers/bulk/jobs/${jobId}`);
    const now = residentMegabytes(server.pid);
    if (now !== undefined) memory.push(Math.round(now));
  } while (job.status === "PENDING" || job.status === "PROCESSING");
  const seconds = (performance.now() - uploadedAt) / 1000;
  const figures = {
    rows,
    fileMb: Math.round(file.size / 1024 ** 2),
    uploadSeconds: Math.round(uploadedAt - startedAt) / 1000,
    importSeconds: Math.round(seconds * 10) / 10,
    rowsPerSecond: Math.round(rows / seconds),
    memoryMb: memory.filter((_, index) => index % Math.ceil(memory.length / 12) === 0),
    ...job,
  };
  console.log(JSON.stringify(figures, null, 2));
}

const dataDir = await mkdtemp(join(tmpdir(), "florin-import-"));
// Under root, PostgreSQL runs as another account, which must be able to enter this directory.
await chmod(dataDir, 0o711);
try {
  const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
  const server = await startBenchServer({ main, dataDir, credentials });
  try {
    const [rows = "100000", extra] = process.argv.slice(2);
    await importOn(server, Number(rows), extra === "wallets");
  } finally {
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
