/** What a page of a feed books, whatever one of its entries holds. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { connection as bank } from "../../../../test/kit/rail-rows.ts";
import {
  connectionAccountKinds,
  ledgerAccounts,
  newSystemAccount,
  systemAccount,
} from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import {
  NO_REFUSED_ENTRIES,
  type RailConnection,
  railConnections,
} from "../connections/rail-connection.ts";
import { railRoutings } from "../routes/routing.ts";
import { entriesByReference, type ToldEntry } from "./rail-entry.ts";
import { type FeedPage, recordRailFeed } from "./record-rail-feed.ts";

const PLATFORM = "018f0000-0000-7000-8000-0000000000e0";
const CONNECTION = "018f0000-0000-7000-8000-0000000000e1";
const JOB = "018f0000-0000-7000-8000-0000000000e2";

const connection: RailConnection = {
  ...bank,
  id: CONNECTION,
  settings: { feed: true },
  feedCursor: "before",
  feedJobId: JOB,
  lastReportAt: DECIDED_AT,
  lastImportAt: DECIDED_AT,
};

function entry(bankReference: string, more: Partial<ToldEntry> = {}): ToldEntry {
  return {
    bankReference,
    direction: "CREDIT",
    currency: "USD",
    amountMinor: 100n,
    bookedOn: "2026-11-24",
    bookedAt: null,
    valueDate: null,
    reference: null,
    remittance: null,
    payer: null,
    virtualAccount: null,
    references: [],
    instructionId: undefined,
    invoiceId: null,
    feeOf: null,
    paymentId: undefined,
    returnOf: undefined,
    ...more,
  };
}

/** The books in euros are full. */
const full = connectionAccountKinds.map((system) => ({
  ...newSystemAccount({ system, currency: "EUR", connectionId: CONNECTION }, DECIDED_AT),
  balanceMinor: system === "clearing" ? -(INT8_MAX / 2n) : INT8_MAX / 2n,
}));

function read(page: Partial<FeedPage>) {
  const input = {
    connectionId: CONNECTION,
    jobId: JOB,
    after: "before",
    outcome: { kind: "good" },
    page: { entries: [], refused: [], nextCursor: "behind", hasMore: false, ...page },
  } as const;
  const tables = [
    rowsOf(railConnections, connection),
    rowsOf(railRoutings, { id: PLATFORM, routes: [], connections: [] }),
    rowsOf(ledgerAccounts, ...full),
  ];
  const world = worldFor({ command: recordRailFeed, input, platformId: PLATFORM, tables });
  world.begin({ kind: "worker", id: "read-rail-feed" }, 5n);
  recordRailFeed.decide(world, input);
  const bookedOf = (reference: string) => world.all(entriesByReference.of(reference));
  return { world, bookedOf, after: world.get(railConnections.ref(CONNECTION)) };
}

const balanceIn = (world: ReturnType<typeof read>["world"], currency: string) =>
  world.find(systemAccount("suspense", currency, CONNECTION))?.balanceMinor;

const first = entry("first");

describe("an entry that cannot be taken", () => {
  it.each<readonly [what: string, bad: ToldEntry, message: RegExp]>([
    ["of an unknown currency", entry("bad", { currency: "XXY" }), /^currency is unknown/],
    ["told with another amount", entry("first", { amountMinor: 7n }), /^it was told before with/],
    ["told with another direction", entry("first", { direction: "DEBIT" }), /^it was told before/],
    ["for which there is no room", entry("bad", { currency: "EUR" }), /largest total/],
  ])("%s is counted, and those beside it are booked", (_what, bad, message) => {
    const { world, bookedOf, after } = read({ entries: [first, bad, entry("next")] });
    expect(bookedOf("first")).toHaveLength(1);
    expect(bookedOf("next")).toHaveLength(1);
    expect(balanceIn(world, "USD")).toBe(200n);
    expect(after.feedCursor).toBe("behind");
    expect(after.refusedEntries).toMatchObject({
      count: 1,
      latest: [{ entryId: bad.bankReference, message: expect.stringMatching(message) }],
    });
    expect(after.lastError).toMatchObject({ code: "FEED" });
  });

  it("is counted when it could not be read, and the last 20 are kept", () => {
    const refused = Array.from({ length: 25 }, (_, index) => ({
      entryId: `bad-${index}`,
      message: "amount is missing or not sound.",
    }));
    const { bookedOf, after } = read({ entries: [first], refused });
    expect(bookedOf("first")).toHaveLength(1);
    const { count, latest } = after.refusedEntries;
    expect([count, latest.length, latest[0]?.entryId]).toEqual([25, 20, "bad-24"]);
  });
});

it("an entry in a currency that the connection does not have is an item in that currency", () => {
  const { world, bookedOf, after } = read({ entries: [entry("yen", { currency: "JPY" }), first] });
  expect(bookedOf("yen")).toMatchObject([{ bookedAs: "SUSPENSE", currency: "JPY" }]);
  expect([balanceIn(world, "JPY"), balanceIn(world, "USD")]).toEqual([100n, 100n]);
  expect(after).toMatchObject({ feedCursor: "behind", refusedEntries: NO_REFUSED_ENTRIES });
});

it("a page without faults leaves what was refused before", () => {
  const { after } = read({ entries: [first] });
  expect([after.refusedEntries, after.lastError]).toEqual([NO_REFUSED_ENTRIES, null]);
});
