/** Items of a batch on given rows: what each becomes, the counts of the batch, and a worker that comes second. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../../test/kit/decided.ts";
import { internal, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { platforms } from "../../platform.ts";
import { transactions } from "../transactions/transaction.ts";
import type { FundsNeed } from "./batch-funds.ts";
import { cancelBatch } from "./cancel-batch.ts";
import { type CreateBatchInput, createBatch, LATEST_BATCH_DAYS } from "./create-batch.ts";
import {
  type BatchItem,
  batchItems,
  type NewItem,
  type PaymentBatch,
  paymentBatches,
} from "./payment-batch.ts";
import { runBatchItems } from "./run-batch-items.ts";

const idOf = (end: number) => `018f0000-0000-7000-8000-${String(end).padStart(12, "0")}`;
const [BATCH, PAYEE] = [idOf(11), idOf(12)];
const itemId = (position: number) => idOf(100 + position);

const newItem = (amountMinor: bigint, reference = "one"): NewItem => ({
  reference,
  kind: "BOOK",
  sourceId: internal.id,
  destinationId: PAYEE,
  amountMinor,
  terms: null,
});

const accounts = (balanceMinor: bigint) => {
  const ledger = newInternalLedgerAccount(internal.id, internal.currency, internal.createdAt);
  const owned = { ...internal, customerId: null };
  return [
    rowsOf(platforms, platform),
    rowsOf(internalAccounts, owned, { ...owned, id: PAYEE }),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor }, { ...ledger, id: PAYEE }),
  ];
};

function stored(amounts: readonly bigint[], batch: Partial<PaymentBatch> = {}) {
  const items = amounts.map(
    (amount, position): BatchItem => ({
      ...newItem(amount, `item-${position}`),
      id: itemId(position),
      batchId: BATCH,
      position,
      status: "WAITING",
      transactionId: null,
      error: null,
    }),
  );
  const row: PaymentBatch = {
    id: BATCH,
    name: null,
    mode: "INDEPENDENT",
    status: "PENDING",
    actorId: PLATFORM,
    isPerson: false,
    people: [],
    lastItemId: itemId(amounts.length - 1),
    ranItemId: null,
    total: amounts.length,
    accepted: 0,
    refused: 0,
    completed: 0,
    failed: 0,
    currencyTotals: [],
    metadata: null,
    scheduledFor: null,
    requiresFunds: null,
    error: null,
    jobId: idOf(9),
    createdAt: DECIDED_AT,
    updatedAt: DECIDED_AT,
    completedAt: null,
    ...batch,
  };
  return [rowsOf(batchItems, ...items), rowsOf(paymentBatches, row)];
}

function ran(
  amounts: readonly bigint[],
  {
    from = 0,
    count = amounts.length,
    batch,
    funds,
  }: {
    readonly from?: number;
    readonly count?: number;
    readonly batch?: Partial<PaymentBatch>;
    readonly funds?: readonly FundsNeed[];
  } = {},
) {
  const itemIds = Array.from({ length: count }, (_, at) => itemId(from + at));
  const needed = funds === undefined ? {} : { funds };
  const input = { batchId: BATCH, from, itemIds, rails: () => undefined, ...needed };
  const tables = [...accounts(700n), ...stored(amounts, batch)];
  return decided({ command: runBatchItems, input, platformId: PLATFORM, tables });
}

describe("items of a batch", () => {
  it("each take what the items before them have left, and one that is refused stops no other", () => {
    const { world, output } = ran([400n, 301n, 300n]);
    expect(output).toMatchObject({
      status: "COMPLETED",
      accepted: 2,
      refused: 1,
      completed: 2,
      failed: 0,
      ranItemId: itemId(2),
      completedAt: DECIDED_AT,
    });
    const items = written(world, batchItems);
    expect(items.map(({ status, error }) => error?.code ?? status)).toEqual([
      "CREATED",
      "INSUFFICIENT_BALANCE",
      "CREATED",
    ]);
    const paid = written(world, transactions).filter(({ type }) => type === "OUTGOING");
    expect(paid.map(({ id, details }) => [id, details?.batchReference])).toEqual([
      [items[0]?.transactionId, "item-0"],
      [items[2]?.transactionId, "item-2"],
    ]);
    expect(world.events.at(-1)?.type).toBe("PAYMENT_BATCH.COMPLETED");
  });

  it("leave the batch under way while others wait", () => {
    const { world, output } = ran([1n, 1n, 1n], { count: 2 });
    expect(output).toMatchObject({ status: "PROCESSING", accepted: 2, ranItemId: itemId(1) });
    expect(world.events.map(({ type }) => type)).not.toContain("PAYMENT_BATCH.COMPLETED");
  });

  it.each([
    ["that have run already", { batch: { accepted: 1, refused: 1 } }],
    ["that are not the next ones", { from: 1, count: 1 }],
    ["of a cancelled batch", { batch: { status: "CANCELLED", completedAt: 1 } }],
    ["of a batch that has completed", { batch: { status: "COMPLETED", completedAt: 1 } }],
  ] as const)("%s are not run", (_which, how) => {
    expect(named(ran([1n, 1n, 1n], how).refusal)).toBe("CONFLICT");
  });
});

describe("items of a scheduled batch", () => {
  it.each([
    [1, "CONFLICT PENDING"],
    [0, "decided"],
    [-1, "decided"],
    [-90 * 86_400_000, "decided"],
  ])("%i ms before their time: %s", (aheadMs, expected) => {
    const { world, refusal } = ran([1n, 1n], { batch: { scheduledFor: DECIDED_AT + aheadMs } });
    expect(named(refusal, "status")).toBe(expected);
    expect(written(world, batchItems)).toHaveLength(expected === "decided" ? 2 : 0);
  });

  const funds = (minor: bigint) => [{ accountId: internal.id, minor }];
  const needy = { scheduledFor: DECIDED_AT, requiresFunds: true } as const;
  it.each([
    [700n, {}, "COMPLETED undefined"],
    [701n, {}, "CANCELLED INSUFFICIENT_BALANCE"],
    [701n, { requiresFunds: false }, "COMPLETED undefined"],
    // The first of them took its money already.
    [701n, { accepted: 1 }, "COMPLETED undefined"],
  ] as const)("that need %i of 700 together, %o: %s", (minor, batch, expected) => {
    const from = "accepted" in batch ? 1 : 0;
    const count = 3 - from;
    const wish = { batch: { ...needy, ...batch }, funds: funds(minor), from, count };
    const { world, output } = ran([1n, 1n, 1n], wish);
    expect(`${output?.status} ${output?.error?.code}`).toBe(expected);
    const isCancelled = output?.status === "CANCELLED";
    expect(written(world, transactions).length > 0).toBe(!isCancelled);
    expect(world.events.at(-1)?.type).toBe("PAYMENT_BATCH.COMPLETED");
    if (isCancelled) expect(output).toMatchObject({ completedAt: DECIDED_AT, jobId: null });
  });

  it.each([
    [[400n, 300n], "COMPLETED 2", undefined],
    [[400n, 301n, 1n], "CANCELLED 0", { index: 1, available: 300, needed: 301 }],
  ] as const)("of all or nothing, %o: %s", (amounts, expected, details) => {
    const batch = { mode: "ALL_OR_NOTHING", scheduledFor: DECIDED_AT } as const;
    const { world, output } = ran(amounts, { batch });
    expect(`${output?.status} ${output?.completed}`).toBe(expected);
    if (details === undefined) return;
    expect(output?.error).toMatchObject({ code: "INSUFFICIENT_BALANCE", details });
    // The reference of an item may be about a person.
    expect(output?.error?.message).toMatch(/^items\[1\]: /);
    expect([written(world, transactions), written(world, batchItems)]).toEqual([[], []]);
    expect(world.events.map(({ type }) => type)).toEqual(["PAYMENT_BATCH.COMPLETED"]);
  });
});

describe("a cancellation", () => {
  it.each([
    ["PENDING", "CANCELLED"],
    ["PROCESSING", "CANCELLED"],
    ["COMPLETED", "CONFLICT COMPLETED"],
    ["CANCELLED", "CONFLICT CANCELLED"],
  ] as const)("of a %s batch: %s", (status, expected) => {
    const tables = stored([1n, 1n], { status, accepted: 1 });
    const input = { batchId: BATCH };
    const { world, refusal, output } = decided({
      command: cancelBatch,
      input,
      platformId: PLATFORM,
      tables,
    });
    expect(output?.status ?? named(refusal, "status")).toBe(expected);
    expect(written(world, batchItems)).toEqual([]);
  });

  it("of an unknown batch is refused", () => {
    const input = { batchId: BATCH };
    const { refusal } = decided({ command: cancelBatch, input, platformId: PLATFORM, tables: [] });
    expect(named(refusal)).toBe("REFERENCE_NOT_FOUND");
  });
});

describe("a new batch", () => {
  const made = (wish: Partial<CreateBatchInput>) => {
    const input: CreateBatchInput = {
      name: undefined,
      mode: "ALL_OR_NOTHING",
      requiresFunds: false,
      metadata: null,
      items: [newItem(400n), newItem(300n, "two")],
      rails: () => undefined,
      ...wish,
    };
    const actor = { kind: "token", id: PLATFORM } as const;
    const tables = accounts(700n);
    return decided({ command: createBatch, input, platformId: PLATFORM, tables, actor });
  };

  it("of all or nothing pays every item, or names the first that is refused and writes nothing", () => {
    expect(made({}).output).toMatchObject({ status: "COMPLETED", accepted: 2, completed: 2 });
    const { refusal } = made({ items: [newItem(400n), newItem(301n, "two"), newItem(9_999n)] });
    expect(refusal).toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      details: { index: 1, reference: "two", available: 300, needed: 301 },
    });
  });

  it("of independent items stores them and its sums, and pays nothing yet", () => {
    const unknown = { ...newItem(5n, "three"), sourceId: idOf(77) };
    const items = [newItem(400n), newItem(9_999n, "two"), unknown];
    const { world, output } = made({ mode: "INDEPENDENT", items });
    expect(output).toMatchObject({
      status: "PENDING",
      total: 3,
      currencyTotals: [{ currency: internal.currency, count: 2, sumMinor: "10399" }],
    });
    expect(world.jobs.map(({ kind }) => kind)).toEqual(["run-payment-batch"]);
    expect(written(world, transactions)).toEqual([]);
  });

  const latest = LATEST_BATCH_DAYS * 86_400_000;
  it.each([
    [-1, "INVALID_INPUT scheduledFor"],
    [0, "INVALID_INPUT scheduledFor"],
    [1, "decided"],
    [latest, "decided"],
    [latest + 1, "INVALID_INPUT scheduledFor"],
  ])("for %i ms ahead: %s", (aheadMs, expected) => {
    const scheduledFor = DECIDED_AT + aheadMs;
    for (const mode of ["INDEPENDENT", "ALL_OR_NOTHING"] as const) {
      const { refusal } = made({ mode, scheduledFor });
      expect(named(refusal, "field")).toBe(expected);
    }
  });

  it.each(["INDEPENDENT", "ALL_OR_NOTHING"] as const)(
    "for later, %s, is stored with its job, whatever its accounts have now",
    (mode) => {
      const scheduledFor = DECIDED_AT + 60_000;
      const items = [newItem(400n), newItem(9_999n, "two")];
      const { world, output } = made({ mode, scheduledFor, requiresFunds: true, items });
      expect(output).toMatchObject({ status: "PENDING", scheduledFor, requiresFunds: true });
      expect(world.jobs.map(({ kind, dueAt }) => [kind, dueAt])).toEqual([
        ["run-payment-batch", scheduledFor],
      ]);
      expect([written(world, transactions), world.events]).toEqual([[], []]);
    },
  );

  it("that people agreed to after its time runs at once", () => {
    const scheduledFor = DECIDED_AT - 60_000;
    const { world, output } = made({ scheduledFor, isAgreed: true });
    expect(output).toMatchObject({ status: "PENDING", scheduledFor });
    expect(world.jobs.map(({ dueAt }) => dueAt)).toEqual([DECIDED_AT]);
  });

  it.each([
    [300, "decided"],
    [301, "INSUFFICIENT_BALANCE"],
  ] as const)("that requires funds, with items of 400 and %i: %s", (second, expected) => {
    const items = [newItem(400n), newItem(BigInt(second), "two")];
    const { refusal } = made({ mode: "INDEPENDENT", requiresFunds: true, items });
    expect(named(refusal)).toBe(expected);
  });
});
