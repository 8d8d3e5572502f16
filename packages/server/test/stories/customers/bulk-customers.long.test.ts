/** Imports of more rows than one commit takes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { csvForm, csvOf, csvRow } from "../../kit/forms.ts";
import { soon } from "../../kit/soon.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
let domain: string;

beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  await story.call("PATCH", "/config", { supportedCurrencies: [currency("USD")] });
  domain = (await story.call("GET", "/config")).json.umaDomain;
});
afterAll(() => server.close());

function currency(currencyCode: string) {
  return {
    currencyCode,
    minAmount: 1,
    maxAmount: 1_000_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ["INCOMING", "OUTGOING"],
  };
}

const row = (id: string) => csvRow(id, domain);

/** Uploads, lets the import run to its end, and reads the job. */
async function imported(bytes: string): Promise<RawAnswer> {
  const { json } = await story.call("POST", "/customers/bulk/csv", csvForm(bytes));
  // On a machine with other things to do a turn may outlast its lease, and the next one comes a second later.
  return soon(async () => {
    await story.settle();
    const job = await story.call("GET", `/customers/bulk/jobs/${json.jobId}`);
    expect(["COMPLETED", "FAILED"]).toContain(job.json.status);
    return job;
  });
}

describe("a bulk upload", () => {
  it("creates a wallet for each customer after the platform has enabled USDB, from the first on", async () => {
    const other = await openStory(server);
    await other.call("PATCH", "/config", { supportedCurrencies: [currency("USD")] });
    const { umaDomain } = (await other.call("GET", "/config")).json;
    const rows = Array.from({ length: 1_200 }, (_, at) => csvRow(`late-${at}`, umaDomain));
    const { json } = await other.call("POST", "/customers/bulk/csv", csvForm(csvOf(rows)));
    await soon(async () => {
      const job = await other.call("GET", `/customers/bulk/jobs/${json.jobId}`);
      expect(job.json.progress.processed).toBeGreaterThan(0);
    });
    const supportedCurrencies = [currency("USD"), currency("USDB")];
    const enabled = await other.call("PATCH", "/config", { supportedCurrencies });
    await other.settle();

    // Those of the same moment may have been made by a command before it.
    const since = new Date(Date.parse(enabled.json.updatedAt) + 1).toISOString();
    const later = await other.call("GET", `/customers?createdAfter=${since}&limit=1`);
    const { totalCount } = later.json;
    expect(totalCount).toBeGreaterThan(0);
    const wallets = await other.call(
      "GET",
      "/customers/internal-accounts?type=EMBEDDED_WALLET&limit=1",
    );
    expect(wallets.json.totalCount).toBeGreaterThanOrEqual(totalCount);
  });

  it("imports more rows than fit into one commit", async () => {
    const rows = Array.from({ length: 1_100 }, (_, index) => row(`many-${index}`));
    const job = await imported(csvOf(rows));
    expect(job.json.progress).toEqual({
      total: 1100,
      processed: 1100,
      successful: 1100,
      failed: 0,
    });
    expect(
      present(
        (await story.call("GET", "/customers?platformCustomerId=many-1099")).json.data[0],
        "the last row",
      ),
    ).toBeDefined();
  });

  it("imports many files that are uploaded at once", async () => {
    const files = [1, 2, 3, 4, 5].map((file) =>
      csvOf(Array.from({ length: 300 }, (_, index) => row(`file-${file}-${index}`))),
    );
    const jobs = await Promise.all(files.map(imported));
    for (const { json } of jobs) {
      expect(json).toMatchObject({ status: "COMPLETED", progress: { successful: 300, failed: 0 } });
    }
  });
});
