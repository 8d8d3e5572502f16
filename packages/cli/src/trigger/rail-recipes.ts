/** Recipes for events of rails, the books and approvals. Events of a failing connector have none: a sandbox has no such connector. */
import { asObject } from "../json.ts";
import type { Recipe } from "./recipes.ts";
import { makeBank, makeParty, type Sandbox, textOf } from "./sandbox.ts";

/** A rail that no other recipe uses. */
const RAIL = "FEDNOW";

/** An active connection for `RAIL` whose payments people carry out by hand. */
async function desk(sandbox: Sandbox): Promise<string> {
  const connection = await sandbox.call("POST", "/rails/connections", {
    name: `florin trigger ${sandbox.digits()}`,
    kind: "MANUAL",
    currencies: ["USD"],
    account: { holderName: "florin trigger", label: "queue" },
    settings: { accountTypes: ["USD_ACCOUNT"], paymentRails: [RAIL] },
  });
  const connectionId = textOf(connection, "id");
  await sandbox.call("POST", `/rails/connections/${connectionId}/activate`);
  return connectionId;
}

/** A bank entry that no order explains. */
async function unexplained(sandbox: Sandbox): Promise<string> {
  const connectionId = await desk(sandbox);
  await sandbox.call("POST", `/rails/connections/${connectionId}/entries`, {
    bankReference: `florin trigger ${sandbox.digits()}`,
    direction: "CREDIT",
    amount: sandbox.settings.amount,
    currency: "USD",
    bookedOn: "2026-11-21",
  });
  const { data } = await sandbox.call("GET", `/rails/items?connectionId=${connectionId}`);
  const [item] = Array.isArray(data) ? data : [];
  return textOf(asObject(item), "id");
}

/** Two balances a day apart that differ by one unit, without an entry that explains it. */
async function difference(sandbox: Sandbox): Promise<string> {
  const connectionId = await desk(sandbox);
  const path = `/rails/connections/${connectionId}/balances`;
  await sandbox.call("POST", path, { currency: "USD", asOf: "2026-11-20", booked: 0 });
  const told = await sandbox.call("POST", path, { currency: "USD", asOf: "2026-11-21", booked: 1 });
  return textOf(told, "id");
}

/** A payment that a person marks as declined by the bank for being a duplicate. */
async function conflict(sandbox: Sandbox): Promise<string> {
  const connectionId = await desk(sandbox);
  const route = { name: "florin trigger", direction: "OUT", currency: "USD", connectionId };
  await sandbox.call("POST", "/rails/routes", { ...route, paymentRails: [RAIL] });
  const { customerId, accountId } = await makeParty(sandbox);
  const paid = await sandbox.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: await makeBank(sandbox, customerId), paymentRail: RAIL },
    amount: sandbox.settings.amount,
  });
  const path = `/rails/payments?transactionId=${textOf(paid, "id")}`;
  const { data } = await sandbox.call("GET", path);
  const [order] = Array.isArray(data) ? data : [];
  const orderId = textOf(asObject(order), "id");
  const mark = { outcome: "DECLINED", reason: { code: "AM05", text: "duplicate" } };
  await sandbox.call("POST", `/rails/payments/${orderId}/mark`, mark);
  return orderId;
}

const SOURCE = "florin trigger";

/** Fresh rates end an earlier stale state; the same rates with an old time cause a new event. The source is reused: a platform has few. */
async function staleRates(sandbox: Sandbox): Promise<string> {
  const { data } = await sandbox.call("GET", "/rates/sources?limit=100");
  const found = (Array.isArray(data) ? data : [])
    .map(asObject)
    .find((each) => each?.name === SOURCE);
  const source =
    found ?? (await sandbox.call("POST", "/rates/sources", { name: SOURCE, kind: "FIXED" }));
  const sourceId = textOf(source, "id");
  const rates = [{ base: "EUR", quote: "USD", rate: "1.0850" }];
  await sandbox.call("PUT", `/rates/sources/${sourceId}/rates`, { rates });
  const asOf = "2020-01-01T00:00:00Z";
  await sandbox.call("PUT", `/rates/sources/${sourceId}/rates`, { rates, asOf });
  return sourceId;
}

async function checkpoint(sandbox: Sandbox): Promise<string> {
  return textOf(await sandbox.call("POST", "/ledger/checkpoints"), "id");
}

async function rotatedKey(sandbox: Sandbox): Promise<string> {
  const rotation = { use: "SIGNING", compromised: true };
  return textOf(await sandbox.call("POST", "/uma/keys/rotate", rotation), "id");
}

/** An adjustment that a token orders and people must decide. */
async function adjustment(sandbox: Sandbox): Promise<string> {
  const { accountId } = await makeParty(sandbox);
  const approval = await sandbox.call("POST", "/adjustments", {
    accountId,
    direction: "CREDIT",
    amount: sandbox.settings.amount,
    currency: "USD",
    reasonCode: "GOODWILL",
    note: "florin trigger",
  });
  return textOf(approval, "id");
}

export const railRecipes: readonly Recipe[] = [
  { type: "APPROVAL.PENDING", does: "an adjustment that waits for people", run: adjustment },
  { type: "APPROVAL.DONE", does: "people who approve it in the console" },
  { type: "APPROVAL.REJECTED", does: "a person who rejects it in the console" },
  { type: "APPROVAL.CANCELLED", does: "the person who asked, and withdraws it in the console" },
  { type: "APPROVAL.FAILED", does: "people who approve what no longer fits" },
  {
    type: "APPROVAL.EXPIRED",
    does: "an order that is not decided for seven days: APPROVAL.PENDING, then POST /sandbox/clock/advance",
  },
  { type: "ADJUSTMENT.POSTED", does: "people who approve an adjustment in the console" },
  { type: "RAIL_ITEM.OPEN", does: "a bank entry that no order explains", run: unexplained },
  {
    type: "RAIL_ITEM.AGED",
    does: "an item that is open for some days: RAIL_ITEM.OPEN, then POST /sandbox/clock/advance",
  },
  {
    type: "RAIL_RECONCILIATION.DIFFERENCE",
    does: "two balances of a desk, between which no line is told",
    run: difference,
  },
  { type: "RAIL_PAYMENT.CONFLICT", does: "a mark that says duplicate", run: conflict },
  { type: "RAIL_PAYMENT.UNKNOWN", does: "a connector that does not report (docs/rails.md)" },
  { type: "LEDGER.CHECKPOINT", does: "a checkpoint of the command log", run: checkpoint },
  { type: "RATE_SOURCE.STALE", does: "rates that are set with a time long ago", run: staleRates },
  { type: "RATE_SOURCE.REFUSED", does: "a document with a wrong value (docs/rails.md)" },
  { type: "UMA_KEY.ROTATED", does: "a signing key that is replaced at once", run: rotatedKey },
  { type: "UMA_KEY.EXPIRING", does: "a certificate of an authority that expires in 30 days" },
  { type: "UMA_KEY.EXPIRED", does: "a certificate of an authority that has expired" },
  { type: "RAIL_CONNECTION.DEGRADED", does: "a connector that does not answer (docs/rails.md)" },
  { type: "RAIL_CONNECTION.RECOVERED", does: "a connector that answers again (docs/rails.md)" },
];
