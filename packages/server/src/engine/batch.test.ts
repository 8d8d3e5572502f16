import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LedgerAccount,
  ledgerAccounts,
  newInternalLedgerAccount,
  systemAccount,
} from "../ledger/chart.ts";
import { Bug } from "../std/assert.ts";
import { randomIds } from "../std/ids.ts";
import { defineLookup } from "../tables/tables.ts";
import { Batch } from "./batch.ts";
import { RowCache } from "./cache/row-cache.ts";
import { GENESIS_HASH, type Head } from "./head.ts";
import { Refusal } from "./refusal.ts";

const AT = Date.UTC(2025, 9, 13);
const PLATFORM = "018f0000-0000-7000-8000-0000000000aa";
const ACTOR = { kind: "token", id: "t" } as const;
const A = "018f0000-0000-7000-8000-00000000000a";
const B = "018f0000-0000-7000-8000-00000000000b";
const refA = ledgerAccounts.ref(A);
const refB = ledgerAccounts.ref(B);
const funding = systemAccount("sandbox-funding", "USD");

const head: Head = {
  seq: 4n,
  eventSeq: 9n,
  clockOffsetMs: 0,
  lastAt: AT,
  chainHash: GENESIS_HASH,
};

const byCurrency = defineLookup(ledgerAccounts, {
  by: "currency",
  where: { sql: "t.kind = 'internal'", holds: (account) => account.kind === "internal" },
});

/** The same ids every time, so that two runs can be compared. */
function sameIds() {
  return randomIds((size) => Buffer.alloc(size, 7));
}

function openBatch(rows = new RowCache(1_000)): Batch {
  return new Batch({
    platformId: PLATFORM,
    head,
    at: AT,
    rows,
    ids: sameIds(),
    renderEvent: (subject) => JSON.stringify({ id: subject.id }),
  });
}

function account(id: string, change: Partial<LedgerAccount> = {}): LedgerAccount {
  return { ...newInternalLedgerAccount(id, "USD", AT), ...change };
}

/** Two accounts in the database, the funding account not yet. */
function loaded(): Batch {
  const batch = openBatch();
  batch.receiveRows(ledgerAccounts, [A, B, funding.id], [account(A), account(B)]);
  batch.closeLoading();
  return batch;
}

function fund(batch: Batch, id: string, minor: bigint): void {
  batch.post({
    reason: "sandbox.fund",
    legs: [
      { system: "sandbox-funding", currency: "USD", minor: -minor },
      { account: id, minor },
    ],
  });
}

describe("a part of a command that is attempted", () => {
  it("leaves nothing behind when it refuses, and what the command did before it stays", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    fund(batch, A, 500n);
    const refused = batch.attempt(() => {
      fund(batch, B, 300n);
      batch.emit("T", { kind: "thing", id: "Thing:1" });
      batch.schedule({ kind: "later", payload: {}, dueAt: AT });
      throw new Refusal("CONFLICT");
    });
    expect(refused).toBeInstanceOf(Refusal);
    expect([batch.get(refA).balanceMinor, batch.get(refB).balanceMinor]).toEqual([500n, 0n]);
    expect([batch.events, batch.jobs]).toEqual([[], []]);
    fund(batch, B, 200n);
    expect(batch.entries.map(({ posting, line }) => [posting, line])).toEqual([
      [0, 0],
      [0, 1],
      [1, 2],
      [1, 3],
    ]);
    batch.undo();
    expect(batch.isEmpty).toBe(true);
  });

  it("gives its outcome, and passes on what is no refusal", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    expect(batch.attempt(() => 7)).toBe(7);
    const broken = () => batch.attempt(() => batch.get(ledgerAccounts.ref(PLATFORM)));
    expect(broken).toThrow(Bug);
  });
});

describe("a row", () => {
  it("that was not asked for is a bug", () => {
    const batch = openBatch();
    batch.closeLoading();
    expect(() => batch.find(refA)).toThrow(Bug);
    expect(() => batch.get(refA)).toThrow(Bug);
  });

  it("that was asked for and does not exist is absent, and a bug to `get`", () => {
    const batch = openBatch();
    batch.receiveRows(ledgerAccounts, [A], []);
    batch.closeLoading();
    expect(batch.find(refA)).toBeUndefined();
    expect(() => batch.get(refA)).toThrow(Bug);
    expect(batch.isUnknown(refA)).toBe(false);
  });

  it("may be missing while rows still arrive", () => {
    const batch = openBatch();
    expect(batch.find(refA)).toBeUndefined();
    expect(batch.isUnknown(refA)).toBe(true);
  });

  it("that was never loaded cannot be written over, unless its id was made just now", () => {
    const batch = openBatch();
    batch.closeLoading();
    expect(() => batch.put(ledgerAccounts, account(A))).toThrow(Bug);
    const id = batch.newId();
    expect(batch.put(ledgerAccounts, account(id)).id).toBe(id);
    expect(batch.dirty.get(ledgerAccounts)?.get(id)).toHaveProperty("before", undefined);
  });

  it("is remembered as it was before the batch, however often it is put", () => {
    const batch = loaded();
    const before = batch.find(refA);
    batch.begin(ACTOR, 5n);
    fund(batch, A, 5n);
    batch.begin(ACTOR, 6n);
    fund(batch, A, 5n);
    const dirty = batch.dirty.get(ledgerAccounts);
    expect(dirty?.get(funding.id)).toHaveProperty("before", undefined);
    expect(dirty?.get(A)?.before).toBe(before);
  });

  it("is seen by the next command as the one before left it", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    fund(batch, A, 5n);
    batch.begin(ACTOR, 6n);
    expect(batch.get(refA).balanceMinor).toBe(5n);
  });
});

describe("a batch that is taken back", () => {
  it("leaves the rows as they were before its first command", () => {
    const batch = loaded();
    const before = batch.get(refA);
    for (const seq of [5n, 6n]) {
      batch.begin(ACTOR, seq);
      fund(batch, A, 5n);
      batch.emit("TEST", { kind: "test", id: A });
      batch.schedule({ kind: "count", payload: {}, dueAt: 0 });
    }
    const made = batch.put(ledgerAccounts, account(batch.newId()));
    batch.undoAll();
    expect(batch.get(refA)).toBe(before);
    expect(batch.isUnknown(ledgerAccounts.ref(made.id))).toBe(true);
    expect(batch.isEmpty).toBe(true);
  });
});

describe("children", () => {
  it("are those of the database with the batch's own changes over them", () => {
    const batch = openBatch();
    batch.receiveChildren(byCurrency.of("USD"), [account(A), account(B)]);
    batch.receiveRows(ledgerAccounts, [A, B], [account(A), account(B)]);
    batch.closeLoading();
    batch.begin(ACTOR, 5n);
    batch.put(ledgerAccounts, account(A, { balanceMinor: 3n }));
    batch.put(ledgerAccounts, account(B, { kind: "fees" }));
    const made = batch.put(ledgerAccounts, account(batch.newId()));
    batch.put(ledgerAccounts, account(batch.newId(), { currency: "EUR" }));
    const found = batch.all(byCurrency.of("USD"));
    expect(found.map((row) => [row.id, row.balanceMinor])).toEqual([
      [A, 3n],
      [made.id, 0n],
    ]);
    batch.undo();
    expect(batch.all(byCurrency.of("USD")).map((row) => row.id)).toEqual([A, B]);
  });

  it("do not bring back an older row than the one in memory", () => {
    const batch = openBatch();
    batch.receiveRows(ledgerAccounts, [A], [account(A, { balanceMinor: 9n })]);
    batch.receiveChildren(byCurrency.of("USD"), [account(A)]);
    expect(batch.all(byCurrency.of("USD"))).toMatchObject([{ balanceMinor: 9n }]);
  });

  it("of a row that was just made are those that were just made", () => {
    const batch = openBatch();
    const ofId = defineLookup(ledgerAccounts, { by: "id" });
    batch.closeLoading();
    batch.begin(ACTOR, 5n);
    const made = batch.put(ledgerAccounts, newInternalLedgerAccount(batch.newId(), "USD", AT));
    expect(batch.all(ofId.of(made.id))).toEqual([made]);
    batch.undo();
    expect(() => batch.all(ofId.of(made.id))).toThrow(Bug);
  });

  it("that were not asked for are a bug", () => {
    const batch = openBatch();
    expect(batch.isUnknown(byCurrency.of("USD"))).toBe(true);
    expect(batch.all(byCurrency.of("USD"))).toEqual([]);
    batch.closeLoading();
    expect(() => batch.all(byCurrency.of("USD"))).toThrow(Bug);
  });
});

describe("what a command does", () => {
  it("numbers events on from the head, and lines from zero for each command", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    batch.emit("TEST", { kind: "test", id: "one" });
    fund(batch, A, 1n);
    fund(batch, B, 1n);
    batch.begin(ACTOR, 6n);
    batch.emit("TEST", { kind: "test", id: "two" });
    fund(batch, A, 1n);
    expect(batch.events.map((event) => [event.seq, event.commandSeq])).toEqual([
      [10n, 5n],
      [11n, 6n],
    ]);
    expect(batch.entries.map((entry) => [entry.commandSeq, entry.line, entry.posting])).toEqual([
      [5n, 0, 0],
      [5n, 1, 0],
      [5n, 2, 1],
      [5n, 3, 1],
      [6n, 0, 0],
      [6n, 1, 0],
    ]);
    expect(batch.eventSeq).toBe(11n);
  });

  it("writes the event's bytes at once", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    batch.emit("TEST", { kind: "test", id: "Thing:1" });
    expect(JSON.parse(batch.events[0]?.body ?? "")).toEqual({
      id: `Webhook:${batch.events[0]?.id}`,
      type: "TEST",
      timestamp: "2025-10-13T00:00:00.000Z",
      data: { id: "Thing:1" },
    });
  });

  it("refuses a posting that would overdraw a guarded account", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    expect(() => fund(batch, A, -1n)).toThrow(Refusal);
  });

  it("ends a job that it has itself scheduled", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    const id = batch.schedule({ kind: "k", payload: {}, dueAt: AT });
    const kept = batch.schedule({ kind: "k", payload: {}, dueAt: AT });
    batch.cancel(id);
    expect(batch.pendingJobs().map((job) => job.id)).toEqual([kept]);
  });

  it("moves a clock forward only", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    expect(batch.advanceClock(20)).toBe(AT + 20_000);
    expect(batch.advanceClock(10)).toBe(AT + 30_000);
    expect([batch.clockOffsetMs, batch.clockAdvanceMs]).toEqual([30_000, 30_000]);
    expect(() => batch.advanceClock(0)).toThrow(Bug);
    batch.undo();
    expect(batch.clockAdvanceMs).toBe(0);
  });
});

/** Steps that need nothing else. */
const BARE = [
  "new",
  "emit",
  "schedule",
  "cancel",
  "claim",
  "claim-domain",
  "release-domain",
  "clock",
] as const;

type Step =
  | { readonly kind: "fund"; readonly on: string; readonly minor: bigint }
  | { readonly kind: (typeof BARE)[number] };

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("fund" as const),
      on: fc.constantFrom(A, B),
      minor: fc.bigInt({ min: 1n, max: 20n }),
    }),
    fc.record({
      kind: fc.constantFrom(...BARE),
    }),
  ) as fc.Arbitrary<Step>,
  { minLength: 1, maxLength: 6 },
);
const commands = fc.array(fc.record({ steps, isRefused: fc.boolean() }), { maxLength: 12 });

function take(batch: Batch, step: Step): void {
  switch (step.kind) {
    case "fund":
      fund(batch, step.on, step.minor);
      return;
    case "new":
      batch.put(ledgerAccounts, account(batch.newId()));
      return;
    case "emit":
      batch.emit("TEST", { kind: "test", id: "x" });
      return;
    case "schedule":
      batch.schedule({ kind: "k", payload: {}, dueAt: AT });
      return;
    case "cancel":
      batch.cancel(batch.jobs.at(-1)?.id ?? A);
      return;
    case "claim":
      batch.claimHandle("h");
      return;
    case "claim-domain":
      batch.claimDomain({ namespace: "n", domain: "a.b" });
      return;
    case "release-domain":
      batch.releaseDomain({ namespace: "n", domain: "a.b" });
      return;
    case "clock":
      batch.advanceClock(1);
      return;
  }
}

/** Everything a batch would write, with ids replaced by the order in which they first show up. */
function stateOf(batch: Batch): string {
  const seen = new Map<string, number>();
  const text = JSON.stringify(
    {
      entries: batch.entries,
      events: batch.events,
      jobs: batch.jobs,
      cancelled: batch.cancelledJobs,
      handles: batch.handles,
      domains: batch.domainChanges,
      offset: batch.clockOffsetMs,
      dirty: [...batch.dirty].map(([table, rows]) => [
        table.name,
        [...rows.values()].map(({ row, before }) => ({
          row,
          before,
          now: batch.find(table.ref(row.id)),
        })),
      ]),
      accounts: [batch.find(refA), batch.find(refB), batch.find(funding)],
      isEmpty: batch.isEmpty,
    },
    (_key, value) => (typeof value === "bigint" ? `${value}n` : value),
  );
  return text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    if (!seen.has(id)) seen.set(id, seen.size);
    return `id-${seen.get(id)}`;
  });
}

describe("undo", () => {
  it("leaves exactly the state of the commands that were not refused", () => {
    fc.assert(
      fc.property(commands, (asked) => {
        const withRefusals = loaded();
        const without = loaded();
        let seq = head.seq;
        for (const command of asked) {
          withRefusals.begin(ACTOR, seq + 1n);
          for (const step of command.steps) take(withRefusals, step);
          if (command.isRefused) {
            withRefusals.undo();
            continue;
          }
          without.begin(ACTOR, ++seq);
          for (const step of command.steps) take(without, step);
        }
        expect(stateOf(withRefusals)).toBe(stateOf(without));
      }),
    );
  });

  it("says whether the open command has changed anything", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    expect(batch.hasChanged).toBe(false);
    fund(batch, A, 1n);
    expect(batch.hasChanged).toBe(true);
    batch.undo();
    expect([batch.hasChanged, batch.isEmpty]).toEqual([false, true]);
  });

  it("makes a row absent again that was absent before", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    fund(batch, A, 1n);
    batch.undo();
    expect(batch.find(funding)).toBeUndefined();
    expect(batch.isUnknown(funding)).toBe(false);
  });
});
