import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CSV_COLUMNS, csvForm, csvOf, csvRow, formOf } from "../../kit/forms.ts";
import { soon } from "../../kit/soon.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
let domain: string;
let numbers = 0;

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

const newId = () => `bulk-${++numbers}`;
const row = (cells: Parameters<typeof csvRow>[2] = {}, id = newId()) => csvRow(id, domain, cells);

/** Uploads, lets the import run to its end, and reads the job. */
async function imported(bytes: Buffer | string): Promise<RawAnswer> {
  const taken = await story.call("POST", "/customers/bulk/csv", csvForm(bytes));
  expect([taken.status, taken.json.status]).toEqual([202, "PENDING"]);
  // On a machine with other things to do a turn may outlast its lease, and the next one comes a second later.
  return soon(async () => {
    await story.settle();
    const job = await story.call("GET", `/customers/bulk/jobs/${taken.json.jobId}`);
    expect(["COMPLETED", "FAILED"]).toContain(job.json.status);
    return job;
  });
}

async function customerOf(platformCustomerId: string) {
  const path = `/customers?platformCustomerId=${encodeURIComponent(platformCustomerId)}`;
  return (await story.call("GET", path)).json.data[0];
}

async function events(type: string): Promise<readonly { readonly data: unknown }[]> {
  const found = await server.app.store.database.withClient((client) =>
    client.query<{ body: string }>(
      "select body from events where platform_id = $1 and type = $2 order by seq",
      [story.platformId, type],
    ),
  );
  return found.rows.map(({ body }) => JSON.parse(body));
}

describe("a bulk upload", () => {
  it("creates a customer for each row, with accounts, and emits an event when it is done", async () => {
    const ids = [newId(), newId(), newId()];
    const job = await imported(csvOf(ids.map((id) => row({}, id))));
    expect(job.json).toEqual({
      id: expect.stringMatching(/^Job:/),
      status: "COMPLETED",
      progress: { total: 3, processed: 3, successful: 3, failed: 0 },
      errors: [],
      completedAt: expect.any(String),
    });
    for (const id of ids) {
      const customer = await customerOf(id);
      expect(customer).toMatchObject({
        customerType: "INDIVIDUAL",
        umaAddress: `$${id}@${domain}`,
        fullName: "Ana Ruiz",
        birthDate: "1991-02-03",
        kycStatus: "APPROVED",
        address: {
          line1: "1 Main St",
          city: "Springfield",
          state: "IL",
          postalCode: "62701",
          country: "US",
        },
      });
      const accounts = await story.call(
        "GET",
        `/customers/internal-accounts?customerId=${customer.id}`,
      );
      expect(accounts.json.totalCount).toBe(1);
    }
    expect((await events("BULK_UPLOAD.COMPLETED")).at(-1)?.data).toEqual(job.json);
  });

  it("refuses a row with a cell too many, and reports its number of cells", async () => {
    const job = await imported(csvOf([row(), `${row()},`]));
    expect(job.json.progress).toEqual({ total: 2, processed: 2, successful: 1, failed: 1 });
    const columns = CSV_COLUMNS.length;
    expect(job.json.errors).toMatchObject([
      { correlationId: "row_2", details: { field: "row", cells: columns + 1, columns } },
    ]);
  });

  it("takes the cells that a short row lacks for empty ones, and an address without its $", async () => {
    const id = newId();
    const header = [...CSV_COLUMNS, "addressLine2", "email"].join(",");
    const short = row({ umaAddress: `${id}@${domain}` }, id);
    const bare = row().split(",").slice(0, 2).join(",");
    const job = await imported([header, short, bare].join("\n"));
    expect(job.json.progress).toEqual({ total: 2, processed: 2, successful: 1, failed: 1 });
    expect(await customerOf(id)).toMatchObject({ umaAddress: `$${id}@${domain}` });
    expect(job.json.errors[0].message).not.toContain("cells");
  });

  it("takes quotes, line ends, a byte order mark, empty lines and other columns as they come", async () => {
    const [first, second] = [newId(), newId()];
    const header = `note,${CSV_COLUMNS.join(",")},addressLine2,email,description,platformAccountId`;
    const cells = (id: string, name: string) =>
      `"a, ""b""\r\n\u000bc",${row({ fullName: name }, id)},"Apt 4, rear",ana@example.com,new,acct-1`;
    const text = `\uFEFF${header}\r\n\r\n${cells(first, '"Zoë ""Z"" O\'Hara"')}\r\n${cells(second, '"Ana, the first"')}`;
    const job = await imported(text);
    expect(job.json).toMatchObject({ status: "COMPLETED", progress: { total: 2, successful: 2 } });
    expect(await customerOf(first)).toMatchObject({
      fullName: 'Zoë "Z" O\'Hara',
      email: "ana@example.com",
      address: { line2: "Apt 4, rear" },
    });
    expect(await customerOf(second)).toMatchObject({ fullName: "Ana, the first" });
  });

  it("makes businesses of the rows that are businesses, with as little as a row can say", async () => {
    const [full, bare] = [newId(), newId()];
    const header = `${CSV_COLUMNS.join(",")},businessLegalName,businessRegistrationNumber,businessTaxId`;
    const business = (id: string, more: string) =>
      `${row({ customerType: "BUSINESS", fullName: "", birthDate: "" }, id)},${more}`;
    const person = newId();
    const job = await imported(
      [
        header,
        business(full, "Lind Boats LLC,7700100,12-345"),
        business(bare, "Bare Ltd,,"),
        business("no-name", ",1,2"),
        `${row({}, person)},,,`,
      ].join("\n"),
    );
    expect(job.json).toMatchObject({
      progress: { total: 4, successful: 3, failed: 1 },
      errors: [
        {
          correlationId: "no-name",
          code: "INVALID_INPUT",
          details: { errors: [{ field: "businessLegalName" }] },
        },
      ],
    });
    expect(await customerOf(full)).toMatchObject({
      customerType: "BUSINESS",
      kybStatus: "UNVERIFIED",
      businessInfo: { legalName: "Lind Boats LLC", registrationNumber: "7700100", taxId: "12-345" },
      address: { city: "Springfield" },
    });
    expect((await customerOf(bare)).businessInfo).toEqual({ legalName: "Bare Ltd" });
    expect(await customerOf(person)).toMatchObject({ customerType: "INDIVIDUAL" });
    const submitted = await story.call("POST", "/verifications", {
      customerId: (await customerOf(bare)).id,
    });
    expect([submitted.status, submitted.json.errors]).toEqual([200, expect.any(Array)]);
  });

  it("keeps a formula as text", async () => {
    const id = newId();
    await imported(
      csvOf([row({ fullName: "=HYPERLINK(1)", city: "@SUM(A1)", state: "-1+1" }, id)]),
    );
    expect(await customerOf(id)).toMatchObject({
      fullName: "=HYPERLINK(1)",
      address: { city: "@SUM(A1)", state: "-1+1" },
    });
  });

  it("refuses rows one by one and says why, all that is wrong at once", async () => {
    const taken = newId();
    await imported(csvOf([row({}, taken)]));
    const twice = newId();
    const good = newId();
    const job = await imported(
      csvOf([
        row(
          { fullName: "", birthDate: "2026-02-30", country: "us", umaAddress: "a", city: "\u0000" },
          "bad-1",
        ),
        row({}, taken),
        row({}, twice),
        row({ umaAddress: `$other@${domain}` }, twice),
        row({ umaAddress: `$${taken}@${domain}` }),
        row({ umaAddress: "ana" }, "bad-2"),
        row({ umaAddress: "$ana@elsewhere.test" }, "bad-3"),
        row({ customerType: "ROBOT" }, "bad-4"),
        row({ platformCustomerId: "" }),
        "a,b,c",
        row({ fullName: "x".repeat(5000) }, "bad-5"),
        row({ city: "a\u0000b" }, "bad-6"),
        row({}, good),
      ]),
    );
    expect(job.json).toMatchObject({
      status: "COMPLETED",
      progress: { total: 13, processed: 13, successful: 2, failed: 11 },
    });
    const listed = job.json.errors.map(
      (error: { correlationId: string; code: string }) => `${error.correlationId} ${error.code}`,
    );
    expect(listed).toEqual([
      "bad-1 INVALID_INPUT",
      `${taken} CONFLICT`,
      `${twice} CONFLICT`,
      expect.stringMatching(/^bulk-\d+ UMA_ADDRESS_EXISTS$/),
      "bad-2 INVALID_UMA_ADDRESS",
      "bad-3 INVALID_UMA_ADDRESS",
      "bad-4 INVALID_INPUT",
      "row_9 INVALID_INPUT",
      "b INVALID_INPUT",
      "bad-5 INVALID_INPUT",
      "bad-6 INVALID_INPUT",
    ]);
    expect(job.json.errors.map(({ row: line }: { readonly row: number }) => line)).toEqual([
      1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
    const named = job.json.errors[0].details.errors.map(({ field }: { field: string }) => field);
    expect(new Set(named)).toEqual(
      new Set(["city", "fullName", "birthDate", "country", "umaAddress"]),
    );
    expect(await customerOf(good)).toBeDefined();
  });

  it("keeps the first thousand errors and counts them all", async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => row({ fullName: "" }, `no-${index}`));
    const job = await imported(csvOf(rows));
    expect(job.json.progress).toEqual({
      total: 1200,
      processed: 1200,
      successful: 0,
      failed: 1200,
    });
    expect(job.json.errors).toHaveLength(1_000);
    expect(job.json.errors[999].correlationId).toBe("no-999");
  });

  const bytes = (...parts: (string | Buffer)[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part)));
  const LATIN = Buffer.from("Zo\xeb", "latin1");
  it.each([
    ["has no header but spaces and lines", () => "\n\n\r\n", ["header"]],
    ["has a header and nothing else", () => csvOf([]), ["header"]],
    ["lacks a column", () => csvOf([row()]).replaceAll("umaAddress", "uma"), ["header"]],
    ["has an own column twice", () => `email,email,${csvOf([row()])}`, ["header"]],
    ["has a column twice", () => csvOf([row()]).replace("city", "city,city"), ["header"]],
    [
      "uses semicolons",
      () => csvOf([row()]).replaceAll(",", ";"),
      CSV_COLUMNS.filter((name) => name !== "fullName" && name !== "birthDate").map(() => "header"),
    ],
    ["is a PDF", () => bytes("%PDF-1.7\n", Buffer.from([0xff, 0xfe, 0x00]), "\n"), undefined],
    ["is UTF-16", () => Buffer.from(csvOf([row()]), "utf16le"), undefined],
    [
      "has rows that are not UTF-8",
      () => bytes(csvOf([row(), row()]), row(), LATIN, "\n", row(), "\n", LATIN, "\n"),
      ["row_3", "row_5"],
    ],
    ["has a quote inside a cell", () => csvOf([row(), row({ city: 'Spring"field"' })]), ["row_2"]],
    [
      "has a quote that is never closed",
      () => csvOf([row(), row({ city: '"Springfield' }), row()]),
      ["row_2"],
    ],
    [
      "has a quote that is not closed for long",
      () => csvOf([row({ city: `"${"a\n".repeat(200_000)}` })]),
      ["row_1"],
    ],
  ])(
    "of a file that %s fails as a whole and takes nothing from it",
    async (_name, make, labels) => {
      const before = (await story.call("GET", "/customers?limit=1")).json.totalCount;
      const job = await imported(make());
      expect(job.json).toMatchObject({
        status: "FAILED",
        progress: { total: 0, processed: 0, successful: 0, failed: 0 },
        completedAt: expect.any(String),
      });
      const found = job.json.errors.map(
        ({ correlationId }: { correlationId: string }) => correlationId,
      );
      if (labels !== undefined) expect(found).toEqual(labels);
      expect(found.length).toBeGreaterThan(0);
      expect((await story.call("GET", "/customers?limit=1")).json.totalCount).toBe(before);
      // The bytes of events are older than the numbers of rows.
      const errors = job.json.errors.map(({ row: _, ...error }: { readonly row: number }) => error);
      const sent = (await events("BULK_UPLOAD.FAILED")).at(-1)?.data;
      expect(sent).toEqual({ ...job.json, errors });
    },
  );

  it("is shown with the errors that it had when it was as it is shown", async () => {
    const { id } = (await imported(csvOf([row()]))).json;
    const uuid = id.slice("Job:".length);
    const read = await server.database.asSuperuser(async (client) => {
      // The job is read while rows are recorded: it is looked at when they are, and its errors had been before.
      await client.query("begin");
      await client.query("lock table bulk_jobs in access exclusive mode");
      const reading = story.call("GET", `/customers/bulk/jobs/${id}`);
      await soon(async () => {
        const waiting =
          "select 1 from pg_locks where relation = 'bulk_jobs'::regclass and not granted";
        expect((await client.query(waiting)).rowCount).toBe(1);
      });
      const change =
        "update bulk_jobs set successful = 0, failed = 1, listed_errors = 1 where id = $1";
      await client.query(change, [uuid]);
      const error =
        "insert into bulk_job_errors select platform_id, id, id, 1, 'late', 'CONFLICT', '', null from bulk_jobs where id = $1";
      await client.query(error, [uuid]);
      await client.query("commit");
      return { reading };
    });
    const { progress, errors } = (await read.reading).json;
    expect([progress.failed, errors]).toEqual([1, [expect.objectContaining({ code: "CONFLICT" })]]);

    const listed =
      "update bulk_jobs set successful = 1, failed = 0, listed_errors = 0 where id = $1";
    await server.database.asSuperuser((client) => client.query(listed, [uuid]));
    const earlier = await story.call("GET", `/customers/bulk/jobs/${id}`);
    expect(earlier.json.errors).toEqual([]);
  });

  it("keeps its file sealed while it needs it, and erases it in the end", async () => {
    await imported(csvOf([row()]));
    const left = await server.app.store.database.withClient((client) =>
      client.query<{ count: string }>("select count(*) from file_chunks"),
    );
    expect(left.rows[0]?.count).toBe("0");
  });

  it("is refused when there is no file in it", async () => {
    for (const form of [new FormData(), formOf({ file: "text" }), csvForm("")]) {
      const answer = await story.call("POST", "/customers/bulk/csv", form);
      expect([answer.status, answer.json.details.errors[0].field]).toEqual([400, "file"]);
    }
  });

  it("under a key happens once", async () => {
    const form = () => csvForm(csvOf([row({}, "keyed")]));
    const first = await story.call("POST", "/customers/bulk/csv", form(), { key: "bulk-1" });
    const again = await story.call("POST", "/customers/bulk/csv", form(), { key: "bulk-1" });
    expect([again.status, again.text]).toEqual([202, first.text]);
    await story.settle();
    const job = await story.call("GET", `/customers/bulk/jobs/${first.json.jobId}`);
    expect(job.json.progress).toEqual({ total: 1, processed: 1, successful: 1, failed: 0 });
  });

  it("gives each customer a wallet where the platform has USDB", async () => {
    const other = await openStory(server);
    const uma = (await other.call("GET", "/config")).json.umaDomain;
    const form = csvForm(csvOf([csvRow("with-wallet", uma)]));
    await other.call("POST", "/customers/bulk/csv", form);
    await other.settle();
    const [customer] = (await other.call("GET", "/customers")).json.data;
    const accounts = await other.call(
      "GET",
      `/customers/internal-accounts?customerId=${customer.id}`,
    );
    const types = accounts.json.data.map(({ type }: { type: string }) => type);
    expect(types).toContain("EMBEDDED_WALLET");
  });

  it("reports the number of cells of a row that has only commas", async () => {
    const commas = ",".repeat(250_000);
    const job = await imported(csvOf([row({}, "before"), commas, commas, row({}, "after")]));
    expect(job.json.progress).toMatchObject({ total: 4, successful: 2, failed: 2 });
    for (const error of job.json.errors) expect(error.details).toMatchObject({ cells: 250_001 });
  });
});
