/** A dry run refuses like its command, tells what the command changes, and leaves nothing in the batch. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testSealer } from "../../test/kit/bookkeeping.ts";
import { deposit } from "../../test/kit/small-commands.ts";
import { ledgerAccounts, newInternalLedgerAccount, systemAccount } from "../ledger/chart.ts";
import { randomIds } from "../std/ids.ts";
import { Batch } from "./batch.ts";
import { RowCache } from "./cache/row-cache.ts";
import type { Command, World } from "./command.ts";
import { decideAll, type Pending } from "./decide.ts";
import { changedRows, dryRunOf } from "./dry-run.ts";
import { GENESIS_HASH } from "./head.ts";
import { Refusal } from "./refusal.ts";

const AT = Date.UTC(2025, 9, 13);
const PLATFORM = "018f0000-0000-7000-8000-0000000000aa";
const A = "018f0000-0000-7000-8000-00000000000a";
const B = "018f0000-0000-7000-8000-00000000000b";
const accountA = ledgerAccounts.ref(A);

const acts = {
  pay: (world: World, minor: bigint) => fund(world, { id: A, minor }),
  payOther: (world: World, minor: bigint) => fund(world, { id: B, minor }),
  open: (world: World) =>
    world.put(ledgerAccounts, newInternalLedgerAccount(world.newId(), "USD", world.at)),
  tell: (world: World) => world.emit("TOLD", { kind: "nothing", id: A }),
  schedule: (world: World) => world.schedule({ kind: "job", payload: {}, dueAt: world.at }),
  cancel: (world: World) => world.cancel(A),
  claim: (world: World) => world.claimHandle("name"),
  domain: (world: World) => world.claimDomain({ namespace: "n", domain: "a.test" }),
  release: (world: World) => world.releaseDomain({ namespace: "n", domain: "a.test" }),
  clock: (world: World) => world.advanceClock(60),
  attempt: (world: World, minor: bigint) =>
    world.attempt(() => fund(world, { id: A, minor: -minor })),
  refuse: () => {
    throw new Refusal("CONFLICT");
  },
} as const;

function fund(world: World, { id, minor }: { readonly id: string; readonly minor: bigint }): void {
  world.post({
    reason: "sandbox.fund",
    legs: [
      { system: "sandbox-funding", currency: "USD", minor: -minor },
      { account: id, minor },
    ],
  });
}

type Step = { readonly act: keyof typeof acts; readonly minor: bigint };

const steps: Command<readonly Step[], string> = {
  name: "steps",
  needs: () => [accountA, ledgerAccounts.ref(B), systemAccount("sandbox-funding", "USD")],
  decide(world, list) {
    for (const { act, minor } of list) acts[act](world, minor);
    return world.get(accountA).balanceMinor.toString();
  },
};

function openBatch(): { readonly batch: Batch; readonly rows: RowCache } {
  const rows = new RowCache(100);
  const batch = new Batch({
    platformId: PLATFORM,
    head: { seq: 4n, eventSeq: 9n, clockOffsetMs: 0, lastAt: AT - 1, chainHash: GENESIS_HASH },
    at: AT,
    rows,
    ids: randomIds(),
    renderEvent: () => "{}",
  });
  const accounts = [A, B].map((id) => ({
    ...newInternalLedgerAccount(id, "USD", AT),
    balanceMinor: 100n,
  }));
  const funding = systemAccount("sandbox-funding", "USD");
  batch.receiveRows(ledgerAccounts, [A, B, funding.id], accounts);
  batch.closeLoading();
  return { batch, rows };
}

/** Everything in the batch that would be written, and the rows that the next command would see. */
function stateOf(batch: Batch) {
  const { entries, events, jobs, cancelledJobs, handles, domainChanges, auditEntries } = batch;
  const funding = systemAccount("sandbox-funding", "USD");
  return structuredClone({
    lists: [entries, events, jobs, cancelledJobs, handles, domainChanges, auditEntries],
    dirty: [...batch.dirty.values()].map((rows) => [...rows.entries()]),
    clock: [batch.clockOffsetMs, batch.clockAdvanceMs, batch.eventSeq],
    rows: [accountA, ledgerAccounts.ref(B), funding].map((ref) => batch.find(ref)),
    isEmpty: batch.isEmpty,
  });
}

interface Outcome<Output> {
  readonly output?: Output;
  readonly refused?: string;
}

function outcomeOf<Output>(decide: () => Output): Outcome<Output> {
  try {
    return { output: decide() };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return { refused: thrown.code };
  }
}

const tried = dryRunOf(steps, (output, changed) => ({
  output,
  events: changed.events,
  balances: changedRows(changed, ledgerAccounts).map(({ before, after }) => [
    after.kind,
    before?.balanceMinor,
    after.balanceMinor,
  ]),
}));

const anyStep = fc.record({
  act: fc.constantFrom(...(Object.keys(acts) as Step["act"][])),
  minor: fc.bigInt({ min: 1n, max: 150n }),
});

describe("a dry run", () => {
  it("leaves nothing behind, whatever the command does and whatever came before it", () => {
    fc.assert(
      fc.property(fc.array(anyStep), fc.array(anyStep), (earlier, list) => {
        const { batch } = openBatch();
        batch.begin({ kind: "token", id: "t" }, 5n, true);
        if (outcomeOf(() => steps.decide(batch, earlier)).refused !== undefined) batch.undo();
        batch.begin({ kind: "token", id: "t" }, 6n, true);
        const before = stateOf(batch);
        outcomeOf(() => tried.decide(batch, list));
        expect(batch.hasChanged).toBe(false);
        expect(batch.rowChanges).toEqual([]);
        expect(stateOf(batch)).toEqual(before);
      }),
    );
  });

  it("has the refusal or the effects of the command that runs after it", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 6 }), (list) => {
        const { batch } = openBatch();
        batch.begin({ kind: "token", id: "t" }, 5n);
        const dry = outcomeOf(() => tried.decide(batch, list));
        const real = outcomeOf(() => steps.decide(batch, list));
        expect([dry.output?.output, dry.refused]).toEqual([real.output, real.refused]);
        if (dry.output === undefined) return;
        expect(dry.output.events).toEqual(batch.events.map(({ type }) => type));
        const after = dry.output.balances.map(([, , minor]) => minor);
        const rows = [...(batch.dirty.get(ledgerAccounts as never)?.values() ?? [])];
        expect(after.toSorted()).toEqual(
          rows
            .map(({ row }) => (row as unknown as { balanceMinor: bigint }).balanceMinor)
            .toSorted(),
        );
      }),
    );
  });

  it("tells balances as they were before it and not before the batch", () => {
    const { batch } = openBatch();
    batch.begin({ kind: "token", id: "t" }, 5n);
    steps.decide(batch, [{ act: "pay", minor: 7n }]);
    batch.begin({ kind: "token", id: "t" }, 6n);
    const list = [
      { act: "pay", minor: 1n },
      { act: "pay", minor: 2n },
    ] as const;
    expect(tried.decide(batch, list).balances).toContainEqual(["internal", 107n, 110n]);
  });

  it("is not logged, and the commands around it are as without it", () => {
    const { batch } = openBatch();
    const ask = (command: Command<never, unknown>) =>
      ({
        submission: {
          platformId: PLATFORM,
          command,
          input: { accountId: A, minor: 5n },
          actor: { kind: "person", id: "p" },
          toAnswer: (output: unknown) => ({ status: 200, body: String(output) }),
        },
        idempotencyDigest: null,
        enqueuedAt: AT,
        forced: undefined,
        resolve: () => undefined,
        reject: () => undefined,
      }) as unknown as Pending;
    const dry = dryRunOf(deposit, (balance, { events }) => `${balance} ${events}`);
    const { decisions, logged, next, traced } = decideAll(
      batch,
      [ask(deposit), ask(dry), ask(deposit)],
      {
        head: { seq: 4n, eventSeq: 9n, clockOffsetMs: 0, lastAt: AT - 1, chainHash: GENESIS_HASH },
        recalled: new Map(),
        renderRefusal: ({ code, status }) => ({ status, body: code }),
        describeChanges: () => ({ target: null, changes: [] }),
        sealer: testSealer,
      },
    );
    const bodies = decisions.map((one) => (one.kind === "answered" ? one.answered.body : one));
    expect(bodies).toEqual(["105", "110 TEST", "110"]);
    expect(logged.map(({ seq }) => seq)).toEqual([5n, 6n]);
    expect([next.eventSeq, traced.length, batch.auditEntries.length]).toEqual([11n, 0, 0]);
  });

  it("keeps the mark of a large command and its needs", () => {
    const large = dryRunOf({ ...steps, isLarge: true }, () => null);
    expect(large.isLarge).toBe(true);
    expect(large.needs({} as World, [])).toEqual(steps.needs({} as World, []));
    expect(tried).not.toHaveProperty("isLarge");
  });
});
