/** Compares transactions, balances, jobs and events in one snapshot of the database with the model. */
import type { Client } from "pg";
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { ChanceRail } from "./chance-rail.ts";
import {
  AGENT_QUERIES,
  checkActionEvents,
  checkActionJobs,
  checkAgents,
  checkExpiryJobs,
  EXPIRE_ACTION,
  FOLLOW_PAYMENT,
  learnActions,
} from "./check-agents.ts";
import {
  BATCH_QUERIES,
  checkBatchEvents,
  checkBatches,
  checkBatchJobs,
  learnBatches,
} from "./check-batches.ts";
import { jobsOf, learnQuotes, QUOTES } from "./check-quotes.ts";
import {
  checkScheduleEvents,
  checkScheduleJobs,
  checkSchedules,
  newRuns,
  SCHEDULE_QUERIES,
} from "./check-schedules.ts";
import { expectedBooks } from "./expected-books.ts";
import { isOpen, type Model, type ModelTransfer } from "./model.ts";
import { checkHolds } from "./model-holds.ts";
import { factsOf } from "./quote-states.ts";

export interface Checked {
  readonly platformId: string;
  readonly model: Model;
  readonly rail: ChanceRail;
  readonly hostNow: number;
}

type Cells = readonly string[];

const QUERIES = {
  transactions:
    "select id, type, status, coalesce(sent_minor, received_minor), coalesce(agent_id::text, '-'), " +
    "concat_ws(' ', coalesce(details->>'groupId', '-'), coalesce(details->>'batchId', '-'), coalesce(details->>'batchReference', '-')) " +
    "from transactions " +
    "where platform_id = $1 and quote_id is null",
  quotes: QUOTES,
  holds: "select id, status, captured_minor from holds where platform_id = $1",
  ...AGENT_QUERIES,
  ...BATCH_QUERIES,
  ...SCHEDULE_QUERIES,
  internals:
    "select i.id, coalesce(i.customer_id::text, ''), i.currency, l.balance_minor, l.held_minor, coalesce(i.name, ''), i.status " +
    "from internal_accounts i join ledger_accounts l using (platform_id, id) where platform_id = $1",
  books:
    "select kind || ' ' || currency, balance_minor from ledger_accounts " +
    "where platform_id = $1 and kind <> 'internal' and balance_minor <> 0 order by 1",
  jobs:
    "select kind, coalesce(payload->>'quoteId', payload->>'transactionId', payload->>'actionId', payload->>'holdId', payload->>'accountId', payload->>'batchId', payload->>'scheduleId') " +
    "from jobs where platform_id = $1",
  events: "select subject, type from events where platform_id = $1 order by seq",
  head: "select clock_offset_ms from platform_heads where platform_id = $1",
} as const;

type Snapshot = Readonly<Record<keyof typeof QUERIES, readonly Cells[]>>;

async function takeSnapshot(client: Client, platformId: string): Promise<Snapshot> {
  const found: Partial<Record<keyof typeof QUERIES, readonly Cells[]>> = {};
  await client.query("begin isolation level repeatable read read only");
  for (const name of Object.keys(QUERIES) as (keyof typeof QUERIES)[]) {
    const query = { text: QUERIES[name], values: [platformId], rowMode: "array" } as const;
    const { rows } = await client.query<unknown[]>(query);
    found[name] = rows.map((cells) => cells.map(String));
  }
  await client.query("commit");
  return found as Snapshot;
}

/** Updates the model with the new states of payments, and compares everything. */
export async function checkState(client: Client, checked: Checked): Promise<void> {
  const { platformId, model } = checked;
  const snapshot = await takeSnapshot(client, platformId);
  learnAccounts(model, snapshot.internals);
  const now = checked.hostNow + model.clockOffsetMs;
  learnBatches(model, { ...snapshot, runs: newRuns(model, snapshot.runs, now) });
  checkTransfers(checked, snapshot.transactions);
  checkBatches(model, snapshot.batches);
  checkSchedules(model, snapshot.schedules);
  checkHolds(model, { rows: snapshot.holds, now });
  learnQuotes(model.quotes, { rows: snapshot.quotes, now });
  learnActions(model, { rows: snapshot.actions, now });
  checkAgents(model, { ...snapshot, now });
  for (const [id, , , balance, held] of snapshot.internals) {
    const money = model.moneyOf(present(id, "an id"));
    expect(money.balance, `what is free on ${id}`).toBeGreaterThanOrEqual(0n);
    expect({ balance, held }).toEqual({
      balance: money.balance.toString(),
      held: money.held.toString(),
    });
  }
  const books = snapshot.books.map(([account, minor]) => [account, BigInt(minor ?? "")]);
  expect(Object.fromEntries(books), "the house's accounts").toEqual(expectedBooks(model));
  checkJobs(checked, { rows: snapshot.jobs, now });
  expect(snapshot.head).toEqual([[String(model.clockOffsetMs)]]);
  checkEvents(model, snapshot.events);
}

/** Each open payment has one job. */
function checkJobs(
  { model, rail }: Checked,
  { rows, now }: { readonly rows: readonly Cells[]; readonly now: number },
): void {
  const jobs = new Map<string, string[]>();
  const failures = new Map<string, number>();
  const expiries = new Map<string, number>();
  const count = (counts: Map<string, number>, id: string) =>
    counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const [kind = "", id = ""] of rows) {
    if (kind === FOLLOW_PAYMENT) count(failures, id);
    else if (kind === EXPIRE_ACTION) count(expiries, id);
    else jobs.set(id, [...(jobs.get(id) ?? []), kind]);
  }
  checkActionJobs(model, failures);
  checkExpiryJobs(model, expiries, now);
  for (const [id, transfer] of model.transfers) {
    const kind = transfer.direction === "out" ? "send-payout" : "pull-funds";
    expect(jobs.get(id), `the job of ${id}`).toEqual(isOpen(transfer) ? [kind] : undefined);
    jobs.delete(id);
  }
  for (const [id, quote] of model.quotes.all) {
    const [job, ...more] = jobs.get(id) ?? [];
    expect(more, `the jobs of ${id}`).toEqual([]);
    expect(jobsOf(quote, rail), `the job of ${id}, ${quote.state}`).toContain(job);
    jobs.delete(id);
  }
  for (const [id, { status }] of model.holds.all) {
    expect(jobs.get(id), `the job of ${id}`).toEqual(
      status === "OPEN" ? ["expire-hold"] : undefined,
    );
    jobs.delete(id);
  }
  checkBatchJobs(model, jobs);
  checkScheduleJobs(model, jobs);
  for (const [id, { accountNumber }] of model.externals) {
    const job = jobs.get(id);
    const isPending = accountNumber.endsWith("104") && job !== undefined;
    expect(job, `the job of ${id}`).toEqual(isPending ? ["conclude-name-check"] : undefined);
    jobs.delete(id);
  }
  expect([...jobs], "jobs that nobody needs").toEqual([]);
}

/** A new customer has an account in each requested currency. */
function learnAccounts(model: Model, rows: readonly Cells[]): void {
  for (const [id = "", owner = "", currency = "", , , name = "", status] of rows) {
    const customerId = owner === "" ? null : owner;
    const known = model.internals.get(id) ?? {
      ...{ customerId, currency, funded: 0n, fundings: 0 },
      ...{ isFrozen: false, name: null, isClosed: false },
    };
    model.internals.set(id, known);
    const shown = [known.customerId ?? "", known.currency, known.name ?? ""];
    const wanted = [...shown, known.isClosed ? "CLOSED" : "ACTIVE"];
    expect([owner, currency, name, status], `account ${id}`).toEqual(wanted);
  }
  expect(rows).toHaveLength(model.internals.size);
  const opened = rows.filter(([, owner, , , , name]) => owner !== "" && name === "");
  const asked = [...model.customers].flatMap(([id, { currencies }]) =>
    currencies.map((currency) => `${id} ${currency}`),
  );
  expect(opened.map(([, owner, currency]) => `${owner} ${currency}`).sort()).toEqual(asked.sort());
}

function checkTransfers({ model, rail }: Checked, rows: readonly Cells[]): void {
  const fundings = [...model.internals.values()].reduce(
    (sum, account) => sum + account.fundings,
    0,
  );
  expect(rows).toHaveLength(model.transfers.size + 2 * model.bookTransfers.size + fundings);
  const byId = new Map(rows.map((cells) => [cells[0], cells]));
  for (const [id, { incomingId, minor, members }] of model.bookTransfers) {
    const terms = [minor.toString(), "-", members];
    const status = model.refunds.statusOf(incomingId, minor);
    expect(byId.get(id)?.slice(1), `transaction ${id}`).toEqual([
      "OUTGOING",
      "COMPLETED",
      ...terms,
    ]);
    expect(byId.get(incomingId)?.slice(1), `the other side of ${id}`).toEqual([
      "INCOMING",
      status,
      ...terms,
    ]);
  }
  for (const [id, transfer] of model.transfers) {
    const [, type, shown = "", ...terms] = present(byId.get(id), `transaction ${id}`);
    const status = shown === "REFUNDED" ? "COMPLETED" : shown;
    expect([type, ...terms]).toEqual([
      transfer.direction === "out" ? "OUTGOING" : "INCOMING",
      transfer.minor.toString(),
      transfer.agentId ?? "-",
      transfer.members,
    ]);
    expect(waysTo(transfer), `${id} from ${transfer.status}`).toContain(status);
    const payment = rail.received.get(id);
    if (transfer.failsAtOnce) expect(payment, "nothing was sent").toBeUndefined();
    else if (status === "COMPLETED" || status === "FAILED") {
      const { reported } = present(payment, "the rail's reports");
      const [report] = reported;
      expect(report?.kind).toBe(status === "COMPLETED" ? "settled" : "declined");
    }
    transfer.status = status;
  }
  for (const [id, { status, minor }] of model.transfers) {
    if (status !== "COMPLETED") continue;
    const [, , shown] = present(byId.get(id), `transaction ${id}`);
    expect(shown, `${id} with its refunds`).toBe(model.refunds.statusOf(id, minor));
  }
}

function waysTo({ status, direction }: ModelTransfer): readonly string[] {
  if (status === "PENDING")
    return ["PENDING", "COMPLETED", "FAILED", ...(direction === "out" ? ["PROCESSING"] : [])];
  if (status === "PROCESSING") return ["PROCESSING", "COMPLETED", "FAILED"];
  return [status];
}

/** Each payment has its events once and in order. */
function checkEvents(model: Model, rows: readonly Cells[]): void {
  const emitted = new Map<string, string[]>();
  for (const [subject = "", type = ""] of rows) {
    const id = subject.slice(subject.indexOf(":") + 1);
    const types = emitted.get(id) ?? [];
    types.push(type.slice(type.indexOf(".") + 1));
    emitted.set(id, types);
  }
  for (const [id, transfer] of model.transfers) {
    const [own, ofRefunds] = divide(emitted.get(id), transfer);
    expect(own.join(" "), `events of ${id}`).toMatch(storyOf(transfer));
    expect(ofRefunds, `refunds of ${id}`).toEqual(model.refunds.eventsOf(id));
  }
  for (const [id, { incomingId }] of model.bookTransfers) {
    expect(emitted.get(id), `events of ${id}`).toEqual(["COMPLETED"]);
    const [first, ...ofRefunds] = emitted.get(incomingId) ?? [];
    expect(first, `events of ${incomingId}`).toBe("COMPLETED");
    expect(ofRefunds.sort(), `refunds of ${incomingId}`).toEqual(
      model.refunds.eventsOf(incomingId),
    );
  }
  for (const { transactionId, state } of model.quotes.all.values()) {
    const story = emitted.get(transactionId)?.join(" ");
    expect(story, `events of ${transactionId}`).toBe(factsOf(state).story);
  }
  for (const [id, hold] of model.holds.all)
    expect(emitted.get(id), `events of ${id}`).toEqual(model.holds.eventsOf(hold));
  checkBatchEvents(model, emitted);
  checkScheduleEvents(model, emitted);
  checkActionEvents(model, emitted);
  for (const id of model.internals.keys()) {
    const changes = Array.from({ length: model.balanceEvents(id) }, () => "BALANCE_UPDATED");
    const told = (emitted.get(id) ?? []).filter((type) => !type.endsWith("FROZEN"));
    expect(told, `balance events of ${id}`).toEqual(changes);
  }
}

/** Its own events, and those of refunds of a payment that came in. */
function divide(types: readonly string[] = [], { direction }: ModelTransfer) {
  const isOfRefund = (type: string) => direction === "in" && type.startsWith("REFUND_");
  return [types.filter((type) => !isOfRefund(type)), types.filter(isOfRefund).sort()] as const;
}

function storyOf({ direction, status, failsAtOnce }: ModelTransfer): RegExp {
  if (status === "PENDING") return /^PENDING$/;
  if (failsAtOnce || (direction === "in" && status === "FAILED")) return /^PENDING FAILED$/;
  if (direction === "in") return /^PENDING COMPLETED$/;
  if (status === "PROCESSING") return /^PENDING PROCESSING$/;
  if (status === "COMPLETED") return /^PENDING PROCESSING COMPLETED$/;
  return /^PENDING( PROCESSING)? FAILED REFUND_PENDING REFUND_COMPLETED$/;
}
