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

/** Two accounts are in the database, the funding account is not. */
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

it("a part on behalf of another actor sees that actor, and the rest the command's own, also after a refusal", () => {
  const batch = loaded();
  batch.begin(ACTOR, 5n);
  const asker = { kind: "person", id: B, people: [B] } as const;
  expect(batch.onBehalfOf(asker, () => batch.actor)).toEqual(asker);
  expect(batch.actor).toEqual(ACTOR);
  const refused = () =>
    batch.onBehalfOf(asker, () => {
      throw new Refusal("CONFLICT");
    });
  expect(refused).toThrow(Refusal);
  expect(batch.actor).toEqual(ACTOR);
});

describe("an attempted part of a command", () => {
  it("is rolled back when it refuses; earlier changes of the command stay", () => {
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

  it("returns its outcome and rethrows errors other than refusals", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    expect(batch.attempt(() => 7)).toBe(7);
    const broken = () => batch.attempt(() => batch.get(ledgerAccounts.ref(PLATFORM)));
    expect(broken).toThrow(Bug);
  });
});

describe("a row", () => {
  it("that needs did not name is a bug", () => {
    const batch = openBatch();
    batch.closeLoading();
    expect(() => batch.find(refA)).toThrow(Bug);
    expect(() => batch.get(refA)).toThrow(Bug);
  });

  it("that was loaded and does not exist is absent, and a bug in `get`", () => {
    const batch = openBatch();
    batch.receiveRows(ledgerAccounts, [A], []);
    batch.closeLoading();
    expect(batch.find(refA)).toBeUndefined();
    expect(() => batch.get(refA)).toThrow(Bug);
    expect(batch.isUnknown(refA)).toBe(false);
  });

  it("may be missing while rows are loaded", () => {
    const batch = openBatch();
    expect(batch.find(refA)).toBeUndefined();
    expect(batch.isUnknown(refA)).toBe(true);
  });

  it("that was not loaded cannot be overwritten, unless its id is new", () => {
    const batch = openBatch();
    batch.closeLoading();
    expect(() => batch.put(ledgerAccounts, account(A))).toThrow(Bug);
    const id = batch.newId();
    expect(batch.put(ledgerAccounts, account(id)).id).toBe(id);
    expect(batch.dirty.get(ledgerAccounts)?.get(id)).toHaveProperty("before", undefined);
  });

  it("keeps its version from before the batch through several puts", () => {
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

  it("is visible to the next command with the changes of the previous one", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    fund(batch, A, 5n);
    batch.begin(ACTOR, 6n);
    expect(batch.get(refA).balanceMinor).toBe(5n);
  });
});

describe("a batch that is rolled back", () => {
  it("restores the rows from before its first command", () => {
    const batch = loaded();
    const before = batch.get(refA);
    for (const seq of [5n, 6n]) {
      batch.begin(ACTOR, seq);
      fund(batch, A, 5n);
      batch.emit("TEST", { kind: "nothing", id: A });
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
  it("are the rows of the database with the changes of the batch applied", () => {
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

  it("do not replace a cached row by an older one", () => {
    const batch = openBatch();
    batch.receiveRows(ledgerAccounts, [A], [account(A, { balanceMinor: 9n })]);
    batch.receiveChildren(byCurrency.of("USD"), [account(A)]);
    expect(batch.all(byCurrency.of("USD"))).toMatchObject([{ balanceMinor: 9n }]);
  });

  it("of a new row are the new rows of the batch", () => {
    const batch = openBatch();
    const ofId = defineLookup(ledgerAccounts, { by: "id" });
    batch.closeLoading();
    batch.begin(ACTOR, 5n);
    const made = batch.put(ledgerAccounts, newInternalLedgerAccount(batch.newId(), "USD", AT));
    expect(batch.all(ofId.of(made.id))).toEqual([made]);
    batch.undo();
    expect(() => batch.all(ofId.of(made.id))).toThrow(Bug);
  });

  it("that needs did not name are a bug", () => {
    const batch = openBatch();
    expect(batch.isUnknown(byCurrency.of("USD"))).toBe(true);
    expect(batch.all(byCurrency.of("USD"))).toEqual([]);
    batch.closeLoading();
    expect(() => batch.all(byCurrency.of("USD"))).toThrow(Bug);
  });
});

describe("the effects of a command", () => {
  it("number events from the head on, and lines from zero for each command", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    batch.emit("TEST", { kind: "nothing", id: "one" });
    fund(batch, A, 1n);
    fund(batch, B, 1n);
    batch.begin(ACTOR, 6n);
    batch.emit("TEST", { kind: "nothing", id: "two" });
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

  it("render the bytes of an event immediately", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    batch.emit("TEST", { kind: "nothing", id: "Thing:1" });
    expect(JSON.parse(batch.events[0]?.body ?? "")).toEqual({
      id: `Webhook:${batch.events[0]?.id}`,
      type: "TEST",
      timestamp: "2025-10-13T00:00:00.000Z",
      data: { id: "Thing:1" },
    });
  });

  it("refuse a posting that would overdraw a guarded account", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    expect(() => fund(batch, A, -1n)).toThrow(Refusal);
  });

  it("cancel a job that the same command scheduled", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    const id = batch.schedule({ kind: "k", payload: {}, dueAt: AT });
    const kept = batch.schedule({ kind: "k", payload: {}, dueAt: AT });
    batch.cancel(id);
    expect(batch.pendingJobs().map((job) => job.id)).toEqual([kept]);
  });

  it("move a clock forward only", () => {
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

/** Steps without prerequisites. */
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
      batch.emit("TEST", { kind: "nothing", id: "x" });
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

/** Everything a batch would write, with ids replaced by the order of their first appearance. */
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
  it("restores exactly the state of the commands that were not refused", () => {
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

  it("knows whether the open command has changed anything", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    expect(batch.hasChanged).toBe(false);
    fund(batch, A, 1n);
    expect(batch.hasChanged).toBe(true);
    batch.undo();
    expect([batch.hasChanged, batch.isEmpty]).toEqual([false, true]);
  });

  it("restores the absence of a row", () => {
    const batch = loaded();
    batch.begin(ACTOR, 5n);
    fund(batch, A, 1n);
    batch.undo();
    expect(batch.find(funding)).toBeUndefined();
    expect(batch.isUnknown(funding)).toBe(false);
  });
});
