import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { present } from "../../../std/assert.ts";
import type { JsonObject } from "../../../std/json.ts";
import { internalAccounts, toInternalAccountId } from "../../accounts/internal/internal-account.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Metadata } from "../../metadata.ts";
import type { RailRulesOf } from "../transfers/payment-rail.port.ts";
import { itemNeeds, payItem } from "./batch-item.ts";
import {
  type BatchItem,
  type BatchMode,
  batchItems,
  type CurrencyTotal,
  endBatch,
  type NewItem,
  type PaymentBatch,
  paymentBatches,
} from "./payment-batch.ts";

export interface CreateBatchInput {
  readonly name: string | undefined;
  readonly mode: BatchMode;
  /** Refuses the batch when a source account has less than its items need. */
  readonly requiresFunds: boolean;
  readonly metadata: Metadata | null;
  /** Their references differ. */
  readonly items: readonly NewItem[];
  readonly rails: RailRulesOf;
}

/**
 * Stores a batch. The items of an INDEPENDENT one are run by a job. Refuses, in this order: with `requiresFunds`, too low a balance of a
 * source account; of an ALL_OR_NOTHING batch, the first item that the single call would refuse.
 */
export const createBatch: Command<CreateBatchInput, PaymentBatch> = {
  name: "create-payment-batch",
  isLarge: true,
  needs(world, { mode, items }) {
    if (mode === "ALL_OR_NOTHING") return items.flatMap((item) => itemNeeds(world, item));
    return sourcesOf(items).flatMap((id) => [internalAccounts.ref(id), ledgerAccounts.ref(id)]);
  },
  decide(world, input) {
    const { mode, requiresFunds } = input;
    if (requiresFunds) refuseShortfalls(world, input.items);
    if (mode === "INDEPENDENT") return takeIn(world, input);
    const outcome = world.attempt(() => payAll(world, input));
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  },
};

function takeIn(world: World, input: CreateBatchInput): PaymentBatch {
  const { batch } = newBatch(world, input, "PENDING");
  const payload = { batchId: batch.id };
  const jobId = scheduleJob(world, { kind: "run-payment-batch", payload, dueAt: world.at });
  return world.put(paymentBatches, { ...batch, jobId });
}

/** Makes every payment in this commit. A refusal undoes them all. */
function payAll(world: World, input: CreateBatchInput): PaymentBatch {
  const { batch, items } = newBatch(world, input, "COMPLETED");
  let [completed, failed] = [0, 0];
  for (const item of items) {
    const { id, status } = payOrNameItem(world, item, input.rails);
    if (status === "COMPLETED") completed += 1;
    if (status === "FAILED") failed += 1;
    world.put(batchItems, { ...item, status: "CREATED", transactionId: id });
  }
  const ranItemId = batch.lastItemId;
  return endBatch(world, { ...batch, ranItemId, accepted: batch.total, completed, failed });
}

/** The refusal of an item says which one it is. */
function payOrNameItem(world: World, item: BatchItem, rails: RailRulesOf) {
  try {
    return payItem(world, item, rails);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const { position: index, reference } = item;
    const details = { ...thrown.details, index, reference };
    throw new Refusal(thrown.code, details, `items[${index}] (${reference}): ${thrown.message}`);
  }
}

/** Stores the items, and answers the row of their batch, which is not stored yet. */
function newBatch(world: World, input: CreateBatchInput, status: PaymentBatch["status"]) {
  const id = world.newId();
  const items = input.items.map((item, position) =>
    world.put(batchItems, {
      id: world.newId(),
      batchId: id,
      position,
      ...item,
      status: "WAITING",
      transactionId: null,
      error: null,
    }),
  );
  const batch: PaymentBatch = {
    id,
    name: input.name ?? null,
    mode: input.mode,
    status,
    actorId: world.actor.id,
    isPerson: world.actor.kind === "person",
    people: world.actor.people ?? [],
    lastItemId: present(items.at(-1), "the last item").id,
    ranItemId: null,
    total: items.length,
    accepted: 0,
    refused: 0,
    completed: 0,
    failed: 0,
    currencyTotals: totalsOf(world, input.items),
    metadata: input.metadata,
    jobId: null,
    createdAt: world.at,
    updatedAt: world.at,
    completedAt: null,
  };
  return { batch, items };
}

function sourcesOf(items: readonly NewItem[]): readonly string[] {
  return [...new Set(items.map(({ sourceId }) => sourceId))];
}

interface Need {
  readonly count: number;
  readonly minor: bigint;
}

/** What the items need, by a key of each. */
function needBy(items: readonly NewItem[], keyOf: (item: NewItem) => string | undefined) {
  const needs = new Map<string, Need>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const { count, minor } = needs.get(key) ?? { count: 0, minor: 0n };
    needs.set(key, { count: count + 1, minor: minor + item.amountMinor });
  }
  return needs;
}

function totalsOf(world: World, items: readonly NewItem[]): readonly CurrencyTotal[] {
  const needs = needBy(items, ({ sourceId }) => currencyOf(world, sourceId));
  return [...needs]
    .map(([currency, { count, minor }]) => ({ currency, count, sumMinor: minor.toString() }))
    .sort((left, right) => (left.currency < right.currency ? -1 : 1));
}

function currencyOf(world: Loaded, accountId: string): string | undefined {
  return world.find(internalAccounts.ref(accountId))?.currency;
}

const MOST_SHORTFALLS = 100;

/** Names the source accounts whose balance is lower than the sum of their items. An unknown account is left to its items. */
function refuseShortfalls(world: World, items: readonly NewItem[]): void {
  const short: JsonObject[] = [];
  for (const [id, { minor }] of needBy(items, ({ sourceId }) => sourceId)) {
    const currency = currencyOf(world, id);
    const available = world.find(ledgerAccounts.ref(id))?.balanceMinor ?? 0n;
    if (currency === undefined || available >= minor) continue;
    short.push({
      accountId: toInternalAccountId(id),
      currency,
      available: Number(available),
      needed: Number(minor),
      shortfall: Number(minor - available),
    });
  }
  const [first] = short;
  if (first === undefined) return;
  const others = short.length > 1 ? ` ${short.length - 1} more accounts have too little.` : "";
  throw new Refusal(
    "INSUFFICIENT_BALANCE",
    { shortfalls: short.slice(0, MOST_SHORTFALLS) },
    `The items need ${first.needed} of ${first.accountId}, which has ${first.available} available, in the smallest unit of ${first.currency}.${others}`,
  );
}
