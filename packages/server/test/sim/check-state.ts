/** Holds the database against the model: transactions, balances, jobs and events, all as of one moment. */
import type { Client } from "pg";
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { ChanceRail } from "./chance-rail.ts";
import { isOpen, type Model, type ModelTransfer } from "./model.ts";

export interface Checked {
  readonly platformId: string;
  readonly model: Model;
  readonly rail: ChanceRail;
}

type Cells = readonly string[];

const QUERIES = {
  transactions:
    "select id, type, status, coalesce(sent_minor, received_minor) from transactions where platform_id = $1",
  internals:
    "select i.id, coalesce(i.customer_id::text, ''), i.currency, l.balance_minor, l.held_minor " +
    "from internal_accounts i join ledger_accounts l using (platform_id, id) where platform_id = $1",
  jobs: "select payload->>'transactionId' from jobs where platform_id = $1",
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

/** Takes over what payments have become since the last look, and compares everything. */
export async function checkState(client: Client, checked: Checked): Promise<void> {
  const { platformId, model } = checked;
  const snapshot = await takeSnapshot(client, platformId);
  learnAccounts(model, snapshot.internals);
  checkTransactions(checked, snapshot.transactions);
  for (const [id, , , balance, held] of snapshot.internals) {
    const money = model.moneyOf(present(id, "an id"));
    expect({ balance, held }).toEqual({
      balance: money.balance.toString(),
      held: money.held.toString(),
    });
  }
  const open = [...model.transfers].filter(([, transfer]) => isOpen(transfer)).map(([id]) => id);
  expect(snapshot.jobs.map(([id]) => id).sort(), "each open payment has one job").toEqual(
    open.sort(),
  );
  expect(snapshot.head).toEqual([[String(model.clockOffsetMs)]]);
  checkEvents(model, snapshot.events);
}

/** A new customer has one account in the one currency that was asked for. */
function learnAccounts(model: Model, rows: readonly Cells[]): void {
  for (const [id = "", owner = "", currency = ""] of rows) {
    if (model.internals.has(id)) continue;
    const customerId = owner === "" ? null : owner;
    model.internals.set(id, { customerId, currency, funded: 0n });
  }
  const owners = rows.map(([, owner]) => owner).filter((owner) => owner !== "");
  expect(owners.sort()).toEqual([...model.customers.keys()].sort());
}

function checkTransactions({ model, rail }: Checked, rows: readonly Cells[]): void {
  expect(rows).toHaveLength(model.transfers.size + model.fundings);
  const byId = new Map(rows.map((cells) => [cells[0], cells]));
  for (const [id, transfer] of model.transfers) {
    const [, type, status = "", minor] = present(byId.get(id), `transaction ${id}`);
    expect([type, minor]).toEqual([
      transfer.direction === "out" ? "OUTGOING" : "INCOMING",
      transfer.minor.toString(),
    ]);
    expect(waysTo(transfer), `${id} from ${transfer.status}`).toContain(status);
    const payment = rail.received.get(id);
    if (transfer.failsAtOnce) expect(payment, "nothing was sent").toBeUndefined();
    else if (status === "COMPLETED" || status === "FAILED") {
      const { fate, wasTold } = present(payment, "what the rail was told");
      expect(wasTold).toBe(true);
      expect(fate.kind).toBe(status === "COMPLETED" ? "settled" : "declined");
    }
    transfer.status = status;
  }
}

function waysTo({ status, direction }: ModelTransfer): readonly string[] {
  if (status === "PENDING")
    return ["PENDING", "COMPLETED", "FAILED", ...(direction === "out" ? ["PROCESSING"] : [])];
  if (status === "PROCESSING") return ["PROCESSING", "COMPLETED", "FAILED"];
  return [status];
}

/** The events of a payment tell its whole story, once and in order. */
function checkEvents(model: Model, rows: readonly Cells[]): void {
  const told = new Map<string, string[]>();
  for (const [subject = "", type = ""] of rows) {
    const id = subject.slice(subject.indexOf(":") + 1);
    const types = told.get(id) ?? [];
    types.push(type.slice(type.indexOf(".") + 1));
    told.set(id, types);
  }
  for (const [id, transfer] of model.transfers) {
    expect((told.get(id) ?? []).join(" "), `events of ${id}`).toMatch(storyOf(transfer));
  }
}

function storyOf({ direction, status, failsAtOnce }: ModelTransfer): RegExp {
  if (status === "PENDING") return /^PENDING$/;
  if (failsAtOnce || (direction === "in" && status === "FAILED")) return /^PENDING FAILED$/;
  if (direction === "in") return /^PENDING COMPLETED$/;
  if (status === "PROCESSING") return /^PENDING PROCESSING$/;
  if (status === "COMPLETED") return /^PENDING PROCESSING COMPLETED$/;
  return /^PENDING( PROCESSING)? FAILED REFUND_PENDING REFUND_COMPLETED$/;
}
