/** A server is killed during an import of customers: it, or another server, continues where the import stopped. */
import { expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { csvForm, csvOf, csvRow } from "../kit/forms.ts";
import { eventually } from "./eventually.ts";
import { expectReply, type Rig, startRig } from "./rig.ts";
import { limitMs, rounds } from "./rounds.ts";
import { AUTHORIZATION, type ServerProcess } from "./server-process.ts";

const ROWS = 3_000;
/** Every tenth row has the id of the row before it, and is refused. */
const isRefused = (row: number) => row % 10 === 9;
const REFUSED = ROWS / 10;

interface Job {
  readonly status: string;
  readonly progress: { readonly processed: number; readonly successful: number };
  readonly errors: readonly { readonly correlationId: string; readonly code: string }[];
}

const jobAt = (server: ServerProcess, jobId: string) =>
  expectReply(server, 200, {
    method: "GET",
    path: `/customers/bulk/jobs/${jobId}`,
  }) as Promise<unknown> as Promise<Job>;

async function upload(server: ServerProcess): Promise<string> {
  const { umaDomain } = await expectReply(server, 200, { method: "GET", path: "/config" });
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const id = `person-${isRefused(row) ? row - 1 : row}`;
    return csvRow(id, String(umaDomain), { umaAddress: `$row-${row}@${umaDomain}` });
  });
  const response = await fetch(`${server.baseUrl}/customers/bulk/csv`, {
    method: "POST",
    headers: { authorization: AUTHORIZATION },
    body: csvForm(csvOf(rows)),
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { readonly jobId: string }).jobId;
}

async function withoutWallets(server: ServerProcess): Promise<void> {
  const usd = {
    currencyCode: "USD",
    minAmount: 1,
    maxAmount: 1_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
  };
  await expectReply(server, 200, {
    method: "PATCH",
    path: "/config",
    body: { supportedCurrencies: [usd] },
  });
}

const LIMIT_MS = limitMs(30);

/** Waits until this many rows are recorded; false when the import ended before. */
function reaches(server: ServerProcess, jobId: string, processed: number): Promise<boolean> {
  return eventually(
    `${processed} rows`,
    async () => {
      const job = await jobAt(server, jobId);
      if (job.status === "COMPLETED") return false;
      return job.progress.processed >= processed ? true : undefined;
    },
    LIMIT_MS,
  );
}

async function isWhole({ database }: Rig, server: ServerProcess, jobId: string): Promise<void> {
  const job = await eventually(
    "the end of the import",
    async () => {
      const now = await jobAt(server, jobId);
      return now.status === "COMPLETED" ? now : undefined;
    },
    LIMIT_MS,
  );
  expect(job.progress).toEqual({
    total: ROWS,
    processed: ROWS,
    successful: ROWS - REFUSED,
    failed: REFUSED,
  });
  const refused = Array.from({ length: ROWS }, (_, row) => row).filter(isRefused);
  expect(job.errors.map(({ correlationId, code }) => `${correlationId} ${code}`)).toEqual(
    refused.map((row) => `person-${row - 1} CONFLICT`),
  );
  const { totalCount } = await expectReply(server, 200, {
    method: "GET",
    path: "/customers?limit=1",
  });
  expect(totalCount).toBe(ROWS - REFUSED);
  expect(await eventCount(database)).toBe("1");
}

async function eventCount(database: Rig["database"]): Promise<string | undefined> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const found = await client.query(
      "select count(*) from events where type = 'BULK_UPLOAD.COMPLETED'",
    );
    return found.rows[0]?.count;
  } finally {
    await client.end();
  }
}

it("continues where it stopped, and imports no row twice", { timeout: 3 * LIMIT_MS }, async () => {
  const rig = await startRig({ servers: [{}] });
  try {
    const server = present(rig.servers[0], "a server");
    await withoutWallets(server);
    const jobId = await upload(server);
    for (let round = 0; round < rounds(3); round += 1) {
      if (!(await reaches(server, jobId, (round * ROWS) / 4))) break;
      await server.kill();
      await server.start();
    }
    await isWhole(rig, server, jobId);
  } finally {
    await rig.close();
  }
});

it("is continued by another server", { timeout: 3 * LIMIT_MS }, async () => {
  const rig = await startRig({ servers: [{}, {}] });
  try {
    const [first, second] = [present(rig.servers[0], "one"), present(rig.servers[1], "another")];
    await withoutWallets(first);
    const jobId = await upload(first);
    await reaches(second, jobId, ROWS / 4);
    await first.kill();
    await isWhole(rig, second, jobId);
  } finally {
    await rig.close();
  }
});
