/**
 * Searches, and lists by texts and by conditions without an index, at a platform with a long history: what is found first, how long a page takes, how
 * many rows it reads, and that pages go through the whole list. `ROWS=1000000 SLACK=1` is the measurement of docs/adr/0145; FIGURES names a file for
 * the figures. Without it the history is short, and no time is judged closely.
 */
import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { systemClock } from "../../src/std/clock.ts";
import { ONE_GIVEN_BACK_OF } from "../../test/kit/large-platform.ts";
import { type LargeServer, openLargeServer } from "../../test/kit/large-server.ts";
import { recordReads } from "../../test/kit/sql/recorded-reads.ts";
import { costOf } from "../../test/kit/sql/rows-read.ts";

const ROWS = Number(process.env.ROWS ?? 20_000);
const SLACK = Number(process.env.SLACK ?? 10);
const ROUNDS = 20;
const PAGE_MS = 150 * SLACK;
/** What a search walks at most, and twenty rows for each that is answered or counted. */
const MOST_READ = 25_000;
const SEARCHED_AT_ONCE = 20_000;

type Query = Readonly<Record<string, string>>;

interface Figure {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
  readonly read: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
type Json = any;

describe("a search at a platform with a long history", () => {
  let large: LargeServer;
  const figures: Figure[] = [];
  /** Of a customer and a payment from the middle of the history. */
  let customer: Json;
  let payment: Json;
  /** The number of the customer with a phone number, and of the payment. */
  let n: number;
  let m: number;

  beforeAll(async () => {
    large = await openLargeServer(ROWS);
    const before = new Date(systemClock.now() - 45 * 86_400_000).toISOString();
    const people = await get("/customers", { createdBefore: before, limit: "100" });
    customer = people.data.find((one: Json) => one.platformCustomerId.endsWith("1"));
    n = Number(customer.platformCustomerId.slice("cust-".length));
    const paid = { endDate: before, type: "OUTGOING", status: "COMPLETED", limit: "100" };
    const payments = await get("/transactions", paid);
    payment = payments.data.find((one: Json) => numberOf(one) % 7 === 0);
    m = numberOf(payment);
  }, 3_600_000);
  afterAll(async () => {
    const { FIGURES: path } = process.env;
    if (path !== undefined)
      await writeFile(path, JSON.stringify({ ROWS, load: loadavg(), figures }, null, 1));
    await large?.close();
  }, 600_000);

  const numberOf = ({ reference }: Json) => Number(reference.slice(2)) - 8_000_000_000_000;

  const urlOf = (path: string, query: Query) =>
    `${large.server.baseUrl}${path}?${new URLSearchParams(query)}`;

  /** Without the check against the document: rows that SQL made are not complete. */
  const ask = async (path: string, query: Query): Promise<string> => {
    const headers = { authorization: large.story.authorization };
    const answer = await fetch(urlOf(path, query), { headers });
    const text = await answer.text();
    expect([path, query, answer.status]).toEqual([path, query, 200]);
    return text;
  };

  const get = async (path: string, query: Query): Promise<Json> =>
    JSON.parse(await ask(path, query));

  /** Rows that the statements of one call read. */
  async function rowsReadBy(path: string, query: Query): Promise<number> {
    const recording = recordReads();
    await get(path, query);
    recording.stop();
    return large.server.database.asSuperuser(async (client) => {
      let read = 0;
      for (const each of recording.reads) read += (await costOf(client, each)).read;
      return read;
    });
  }

  async function measure(name: string, path: string, query: Query): Promise<void> {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      await ask(path, query);
      took.push(performance.now() - began);
    }
    const sorted = took.toSorted((one, other) => one - other);
    const at = (share: number) => Math.round(present(sorted[Math.ceil(ROUNDS * share) - 1], name));
    const read = await rowsReadBy(path, query);
    const figure = { name, median: at(0.5), p95: at(0.95), read };
    figures.push(figure);
    expect(figure).toEqual({ ...figure, p95: Math.min(figure.p95, PAGE_MS) });
    expect(figure).toEqual({ ...figure, read: Math.min(figure.read, MOST_READ) });
  }

  it.each<[string, () => string, string, (() => string) | undefined]>([
    ["any word of a name", () => family(), "name", undefined],
    [
      "beginnings of a name",
      () => `${customer.fullName.slice(0, 3)} ${family()}`,
      "name",
      undefined,
    ],
    ["a reference", () => payment.reference, "reference", () => payment.id],
    ["an amount", () => amount(), "amount", undefined],
    ["an amount with its currency", () => `${amount()} usd`, "amount", undefined],
    ["the last four", () => String(10_000_000 + n).slice(-4), "lastFour", undefined],
    ["a mail address", () => `U${n}@Example.com`, "email", () => customer.id],
    ["a phone number", () => String(2_000_000_000 + n), "phoneNumber", () => customer.id],
    ["the platform's own id", () => `cust-${n}`, "platformCustomerId", () => customer.id],
    ["a bare id", () => payment.id.split(":")[1], "id", () => payment.id],
    ["an id with its kind", () => payment.id, "id", () => payment.id],
    ["a UMA address", () => `$u${n}@large.test`, "umaAddress", () => customer.id],
    ["a description", () => `order ${m}`, "description", () => payment.id],
    ["a reference of the bank", () => `BK${m}`, "bankReference", () => payment.id],
  ])(
    "by %s finds it first",
    async (name, text, matched, id) => {
      const { groups } = await get("/search", { q: text() });
      expect(groups[0].results[0]).toMatchObject({ matched, ...(id && { id: id() }) });
      await measure(`search by ${name}`, "/search", { q: text() });
      await measure(`search by ${name}, parties`, "/search", { q: text(), expand: "parties" });
    },
    600_000,
  );

  const family = () => customer.fullName.split(" ")[1];
  const amount = () => (payment.sentAmount.amount / 100).toFixed(2);

  it("by a frequent word, by two of them, and by none takes no longer", async () => {
    for (const q of ["m", "maria", "rent", "rent order", "zzqqxx"])
      await measure(`search by ${q}`, "/search", { q });
  }, 600_000);

  it("is a condition of lists", async () => {
    const paths = [
      "/transactions",
      "/customers",
      "/customers/internal-accounts",
      "/customers/external-accounts",
      "/rails/payments",
      "/rails/entries",
      "/webhook-deliveries",
    ];
    for (const path of paths)
      for (const q of [family(), "maria", "rent", `BK${m}`, amount()])
        await measure(`${path} by q ${q}`, path, { q, limit: "100" });
  }, 600_000);

  const filters: readonly [string, readonly (readonly [string, () => Query])[]][] = [
    [
      "/transactions",
      [
        ["counterparty", () => ({ counterparty: family() })],
        ["frequent counterparty", () => ({ counterparty: "maria" })],
        ["frequent description", () => ({ description: "rent" })],
        ["currency of most", () => ({ currency: "USD" })],
        ["currency of few", () => ({ currency: "EUR" })],
        ["currency of none", () => ({ currency: "GBP" })],
        ["amounts", () => ({ currency: "USD", minAmount: "100", maxAmount: "5000" })],
        ["amounts of none", () => ({ currency: "USD", minAmount: "99000000" })],
        ["rail", () => ({ paymentRail: "WIRE" })],
        ["rail of none", () => ({ paymentRail: "SEPA" })],
        ["connection", () => ({ connectionId: large.connectionId })],
        ["connection of none", () => ({ connectionId: NO_CONNECTION })],
        ["refund", () => ({ hasRefund: "true" })],
        ["refund and status", () => ({ hasRefund: "true", status: "FAILED" })],
        ["rail and type", () => ({ paymentRail: "SEPA", type: "INCOMING" })],
        ["frequent q and currency", () => ({ q: "maria", currency: "EUR" })],
        ["reference of the beneficiary", () => ({ reference: payment.reference })],
        ["reference of the bank", () => ({ reference: `BK${m}` })],
        ["reference of none", () => ({ reference: "none" })],
      ],
    ],
    [
      "/customers",
      [
        ["name", () => ({ name: family() })],
        ["frequent name", () => ({ name: "maria" })],
        ["status of few", () => ({ verificationStatus: "PENDING" })],
        ["status of most", () => ({ verificationStatus: "APPROVED" })],
        ["status of none", () => ({ verificationStatus: "REJECTED" })],
        ["frozen", () => ({ isFrozen: "true" })],
        ["not frozen", () => ({ isFrozen: "false" })],
        ["balance", () => ({ hasBalance: "true" })],
        ["no balance", () => ({ hasBalance: "false" })],
        ["balance and frozen", () => ({ hasBalance: "true", isFrozen: "true" })],
        ["balance and region", () => ({ hasBalance: "true", region: "DE" })],
        ["balance and name", () => ({ hasBalance: "true", name: "maria" })],
      ],
    ],
  ];

  it.each(filters)(
    "leaves a page of %s short enough by each filter",
    async (path, queries) => {
      for (const [name, query] of queries)
        await measure(`${path} by ${name}`, path, { limit: "100", ...query() });
    },
    600_000,
  );

  it.each<[string, string, Query, number]>([
    ["/transactions", "a currency of none", { currency: "GBP" }, 0],
    ["/transactions", "refunds", { hasRefund: "true" }, Math.ceil(ROWS / ONE_GIVEN_BACK_OF)],
    [
      "/transactions",
      "refunds, oldest first",
      { hasRefund: "true", sortOrder: "asc" },
      Math.ceil(ROWS / ONE_GIVEN_BACK_OF),
    ],
  ])(
    "goes through %s by %s",
    async (path, name, query, least) => {
      const found = new Set<string>();
      const took: number[] = [];
      let [pages, rows] = [0, 0];
      for (let cursor: string | undefined, hasMore = true; hasMore; pages++) {
        const began = performance.now();
        const at = cursor === undefined ? {} : { cursor };
        const page = await get(path, { ...query, ...at, limit: "100" });
        took.push(performance.now() - began);
        expect(page).not.toHaveProperty("totalCount");
        for (const { id } of page.data) found.add(id);
        rows += page.data.length;
        hasMore = page.hasMore;
        cursor = page.nextCursor;
        expect(cursor !== undefined).toBe(hasMore);
      }
      expect(pages).toBe(Math.ceil(ROWS / SEARCHED_AT_ONCE));
      expect(rows).toBe(found.size);
      expect(found.size).toBeGreaterThanOrEqual(least);
      const p95 = Math.round(
        present(took.toSorted((one, other) => one - other)[Math.ceil(pages * 0.95) - 1], name),
      );
      figures.push({ name: `${path}, all pages by ${name}`, median: 0, p95, read: 0 });
      expect(p95).toBeLessThan(100 * SLACK);
    },
    600_000,
  );
});

const NO_CONNECTION = "RailConnection:0190f2ae-0000-7000-8000-000000000000";
