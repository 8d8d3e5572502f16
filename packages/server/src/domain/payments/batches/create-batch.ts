import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { Metadata } from "../../metadata.ts";
import type { RailRulesOf } from "../transfers/payment-rail.port.ts";
import { type FundsNeed, fundsNeeds, refuseShortfalls } from "./batch-funds.ts";
import { itemNeeds } from "./batch-item.ts";
import { payAll } from "./pay-all.ts";
import {
  type BatchItem,
  type BatchMode,
  batchItems,
  type CurrencyTotal,
  type NewItem,
  type PaymentBatch,
  paymentBatches,
} from "./payment-batch.ts";

export interface CreateBatchInput {
  readonly name: string | undefined;
  readonly mode: BatchMode;
  /** Platform time from which the items run; undefined: now. */
  readonly scheduledFor?: number | undefined;
  /** People have agreed to the batch, so it runs at once when its time has passed meanwhile. */
  readonly isAgreed?: boolean;
  /** Refuses the batch when a source account has less than its items need. */
  readonly requiresFunds: boolean;
  readonly metadata: Metadata | null;
  /** Their references differ. */
  readonly items: readonly NewItem[];
  readonly rails: RailRulesOf;
}

/** How far ahead a batch may be scheduled. */
export const LATEST_BATCH_DAYS = 366;
const LATEST_BATCH_MS = LATEST_BATCH_DAYS * 86_400_000;

/**
 * Stores a batch. The items of an INDEPENDENT one are run by a job, and so is a scheduled batch of either mode, whose funds and items are
 * judged then. Refuses, in this order: a time that is past or too far away; with `requiresFunds`, too low a balance of a source account; of
 * an ALL_OR_NOTHING batch, the first item that the single call would refuse.
 */
export const createBatch: Command<CreateBatchInput, PaymentBatch> = {
  name: "create-payment-batch",
  isLarge: true,
  needs(world, { mode, items, scheduledFor }) {
    if (mode === "ALL_OR_NOTHING" && scheduledFor === undefined)
      return items.flatMap((item) => itemNeeds(world, item));
    return fundsNeeds(sourcesOf(items));
  },
  decide(world, input) {
    const { mode, requiresFunds, scheduledFor } = input;
    if (scheduledFor !== undefined) return takeForLater(world, input, scheduledFor);
    if (requiresFunds) refuseShortfalls(world, fundsOf(input.items));
    if (mode === "INDEPENDENT") return takeIn(world, input, world.at);
    const outcome = world.attempt(() => payNow(world, input));
    if (outcome instanceof Refusal) throw outcome;
    return outcome;
  },
};

function takeForLater(world: World, input: CreateBatchInput, scheduledFor: number): PaymentBatch {
  if (input.isAgreed !== true) refuseTime(scheduledFor, world.at);
  return takeIn(world, input, Math.max(scheduledFor, world.at));
}

function refuseTime(scheduledFor: number, now: number): void {
  if (scheduledFor <= now) throw invalidField("scheduledFor", `must be later than ${toIso(now)}`);
  if (scheduledFor > now + LATEST_BATCH_MS)
    throw invalidField("scheduledFor", `must be at most ${LATEST_BATCH_DAYS} days away`);
}

/** Stores the batch, and the job that runs it. */
function takeIn(world: World, input: CreateBatchInput, dueAt: number): PaymentBatch {
  const { batch } = newBatch(world, input);
  const payload = { batchId: batch.id };
  const jobId = scheduleJob(world, { kind: "run-payment-batch", payload, dueAt });
  return world.put(paymentBatches, { ...batch, jobId });
}

/** Makes every payment in this commit. A refusal undoes them all. */
function payNow(world: World, input: CreateBatchInput): PaymentBatch {
  const { batch, items } = newBatch(world, input);
  const nameOf = ({ position, reference }: BatchItem) => `items[${position}] (${reference})`;
  return payAll(world, batch, { items, rails: input.rails, nameOf });
}

/** Stores the items, and answers the row of their batch, which is not stored yet. */
function newBatch(world: World, input: CreateBatchInput) {
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
    status: "PENDING",
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
    scheduledFor: input.scheduledFor ?? null,
    requiresFunds: input.scheduledFor === undefined ? null : input.requiresFunds,
    error: null,
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

function fundsOf(items: readonly NewItem[]): readonly FundsNeed[] {
  const needs = needBy(items, ({ sourceId }) => sourceId);
  return [...needs].map(([accountId, { minor }]) => ({ accountId, minor }));
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
