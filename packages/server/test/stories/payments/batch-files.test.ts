/** Batches from spreadsheets: each fault is told with its row and column, and refused rows are mended and sent again. */
import { describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { soon } from "../../kit/soon.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  batchCsv,
  batchForm,
  bookItem,
  idOfBatch,
  type Payers,
  payersOf,
  payoutItem,
} from "../../kit/story-batches.ts";
import { holdingsOf, rowCounts } from "../../kit/story-money.ts";

const server = await sharedServer();

const upload = (story: Story, file: string | Buffer, fields: Record<string, string> = {}) =>
  story.call("POST", "/payment-batches/csv", batchForm(file, fields));

const ended = (story: Story, id: string) =>
  soon(async () => {
    const { json } = await story.call("GET", `/payment-batches/${id}`);
    expect(json.counts.waiting).toBe(0);
    return json;
  });

const fileOf = async (story: Story, id: string, query = "") =>
  (await story.call("GET", `/payment-batches/${id}/items.csv${query}`)).text;

describe("a file", () => {
  it("is a batch whose refused rows are mended and sent again, and pays each row once", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story, 1_000);
    const missing = { ...payers, bank: "ExternalAccount:019a4f00-0000-7000-8000-0000000000ee" };
    const items = [
      bookItem(payers, { reference: "a" }),
      payoutItem(missing, { reference: "b" }),
      payoutItem(payers, { reference: "c" }),
    ];
    const sent = await upload(story, batchCsv(items), { name: "Salaries", requireFunds: "true" });
    expect([sent.status, sent.json.name]).toEqual([202, "Salaries"]);
    const { counts } = await ended(story, idOfBatch(sent));
    expect([counts.accepted, counts.refused]).toEqual([2, 1]);
    const refused = await fileOf(story, sent.json.id, "?status=REFUSED");
    expect(refused.split("\r\n")).toHaveLength(3);
    expect(refused).toContain("REFUSED,,REFERENCE_NOT_FOUND,");
    const mended = refused.replace(missing.bank, payers.bank);
    const again = await upload(story, mended);
    expect((await ended(story, idOfBatch(again))).counts).toMatchObject({ total: 1, accepted: 1 });
    expect((await holdingsOf(story, payers.from)).available).toBe(700);
    expect((await fileOf(story, sent.json.id)).split("\r\n")).toHaveLength(5);
  });

  it("begins with the template", async () => {
    const story = await openStory(server);
    const { status, text } = await story.call("GET", "/payment-batches/template.csv");
    expect(status).toBe(200);
    // Its accounts are unknown, so its row is refused as an item.
    const sent = await upload(story, text);
    expect((await ended(story, idOfBatch(sent))).counts).toMatchObject({ total: 1, refused: 1 });
  });
});

describe("a file with a fault", () => {
  const rows = (count: number, payers: Payers) =>
    batchCsv(Array.from({ length: count }, (_, at) => bookItem(payers, { reference: `r${at}` })));
  const CASES: readonly (readonly [
    what: string,
    file: (payers: Payers) => string | Buffer,
    said: string | RegExp,
  ])[] = [
    ["no header", () => "\r\n", "row 1: the file has no header row"],
    ["no rows", (payers) => rows(0, payers), "row 1: the file has no rows under its header"],
    ["semicolons", (payers) => rows(1, payers).replaceAll(",", ";"), /separated by semicolons/],
    [
      "an unknown column",
      (payers) => rows(1, payers).replace("reference", "name"),
      /row 1: there is no column "name"; the columns are reference, kind/,
    ],
    [
      "a column twice",
      (payers) => rows(1, payers).replace("kind", "amount"),
      "row 1: the column amount is there twice",
    ],
    [
      "another encoding",
      (payers) => Buffer.from(rows(2, payers).replace("r1", "Zürich"), "latin1"),
      /row 3: the row is not UTF-8/,
    ],
    [
      "UTF-16",
      (payers) =>
        Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(rows(1, payers), "utf16le")]),
      /row 1: the row is not UTF-8/,
    ],
    ["10,001 rows", (payers) => rows(10_001, payers), /row 10002: the file has 10001 rows/],
    [
      "a reference twice",
      (payers) => rows(3, payers).replace("r2", "r0"),
      "row 4, column reference: is also the reference of row 2",
    ],
    [
      "a decimal point",
      (payers) => rows(2, payers).replace(/,100\r\n$/, ",100.50\r\n"),
      /row 3, column amount: is 100.50, with a decimal point/,
    ],
    [
      "no amount",
      (payers) => rows(1, payers).replace(",100", ","),
      "row 2, column amount: is empty",
    ],
    [
      "a word for an amount",
      (payers) => rows(1, payers).replace(",100", ",much"),
      /row 2, column amount: is "much"/,
    ],
    [
      "a formula",
      (payers) => rows(2, payers).replace("r1", "=1+1"),
      /row 3, column reference: begins with =/,
    ],
    [
      "a sign",
      (payers) => rows(2, payers).replace("r1", "@sum"),
      /row 3, column reference: begins with @/,
    ],
    [
      "a misplaced quote",
      (payers) => rows(1, payers).replace("r0", 'r"0'),
      /row 2: the row has a quote/,
    ],
    [
      "a cell too many",
      (payers) => rows(1, payers).replace(",100", ",1,000"),
      /row 2: the row has 6 cells/,
    ],
    [
      "no account",
      ({ to }) => `reference,sourceAccountId,destinationAccountId,amount\r\na,${to},nobody,5`,
      /row 2, column destinationAccountId: must be/,
    ],
    [
      "an account of another kind",
      (payers) => rows(1, payers).replace(payers.from, payers.bank),
      /row 2, column sourceAccountId: /,
    ],
  ];

  it.each(CASES)("is refused: %s", async (_what, file, said) => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    const before = await rowCounts(story);
    const { status, json } = await upload(story, file(payers));
    expect(status).toBe(400);
    const [first] = json.details.errors;
    expect(first.field).toBe("file");
    if (typeof said === "string") expect(first.message).toBe(said);
    else expect(first.message).toMatch(said);
    const place = `row ${first.row}${first.column === undefined ? "" : `, column ${first.column}`}: `;
    expect(first.message.startsWith(place)).toBe(true);
    expect(await rowCounts(story)).toEqual(before);
  });

  it("is told with all its faults at once, each row by what it says itself", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    const file = rows(6, payers)
      .replace(/^r1,.*$/m, (row) => row.replace(",100", ",1.50"))
      .replace("r2", "=sum")
      .replace("r3", "r0")
      .replace(/^r4,.*$/m, (row) => row.replace(payers.to, "nobody"));
    const { json } = await upload(story, file);
    const told = json.details.errors.map(({ row, column }: Record<string, unknown>) => [
      row,
      column,
    ]);
    expect(told).toEqual([
      [3, "amount"],
      [4, "reference"],
      [5, "reference"],
      [6, "destinationAccountId"],
    ]);
  });
});
