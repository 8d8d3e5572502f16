/** Objects of rails, and a valid call of each operation on them. Their routes take a rail that no other call of these asks for. */
import type { Make } from "./made-objects.ts";
import { bankAccount, fundedCustomer, type Story } from "./story.ts";
import { internalAccount } from "./story-money.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  otherToken,
  paymentOf,
} from "./story-rails.ts";

const RAIL = "FEDNOW";

function desk() {
  return {
    ...manualConnection(),
    settings: { accountTypes: ["USD_ACCOUNT"], paymentRails: [RAIL] },
  };
}

/** A connection in SETUP. */
async function connection(story: Story): Promise<string> {
  return expectStatus(201, await story.call("POST", "/rails/connections", desk())).json.id;
}

async function route(story: Story, connectionId: string, priority = 500): Promise<string> {
  const body = {
    name: "dollars",
    priority,
    direction: "OUT",
    currency: "USD",
    paymentRails: [RAIL],
    connectionId,
  };
  return expectStatus(201, await story.call("POST", "/rails/routes", body)).json.id;
}

/** A payment in the queue of a desk. */
async function payment(story: Story): Promise<string> {
  await route(story, await activeConnection(story, desk()));
  const { accountId, customerId } = await fundedCustomer(story, 10_000);
  const paid = await story.call("POST", "/transfer-out", {
    source: { accountId },
    destination: { accountId: await bankAccount(story, { customerId }), paymentRail: RAIL },
    amount: 100,
  });
  return (await paymentOf(story, expectStatus(201, paid).json.id)).id;
}

let lines = 0;

/** A line that no order explains. */
function line() {
  return {
    bankReference: `LINE-${++lines}`,
    direction: "CREDIT",
    amount: 100,
    currency: "USD",
    bookedOn: "2026-11-21",
  };
}

async function entry(story: Story): Promise<string> {
  const path = on(await activeConnection(story, desk()), "/entries");
  return expectStatus(201, await story.call("POST", path, line())).json.id;
}

async function item(story: Story): Promise<string> {
  const entryId = await entry(story);
  const { json } = await story.call("GET", "/rails/items?state=OPEN&limit=100");
  const found = json.data.find((each: { readonly entryId: string }) => each.entryId === entryId);
  return found.id;
}

/** An entry that another token has typed in. */
async function waitingMark(story: Story): Promise<string> {
  const control = { approval: "FOUR_EYES" };
  const path = on(await activeConnection(story, { ...desk(), control }), "/entries");
  const authorization = await otherToken(story);
  const asked = await story.call("POST", path, line(), { authorization });
  return expectStatus(202, asked).json.id;
}

/** What is owed because a collected payment was taken back after its money was spent. The account has a little left. */
async function receivable(story: Story): Promise<string> {
  const connectionId = await activeConnection(story, desk());
  const pulling = {
    name: "dollars",
    priority: 1,
    direction: "PULL",
    currency: "USD",
    connectionId,
  };
  const routing = await story.call("POST", "/rails/routes", { ...pulling, paymentRails: [RAIL] });
  const routeId = expectStatus(201, routing).json.id;
  const { accountId, customerId } = await fundedCustomer(story, 100);
  const payeeId = await bankAccount(story, { customerId });
  const pulled = await story.call("POST", "/transfer-in", {
    source: { accountId: payeeId },
    destination: { accountId },
    amount: 100,
  });
  await story.call("DELETE", `/rails/routes/${routeId}`);
  const order = await paymentOf(story, expectStatus(201, pulled).json.id);
  const mark = (outcome: string) =>
    story.call("POST", `/rails/payments/${order.id}/mark`, { outcome });
  await mark("SETTLED");
  const elsewhere = await internalAccount(story, { currency: "USD" });
  const spent = await story.call("POST", "/transfers", {
    source: { accountId },
    destination: { accountId: elsewhere },
    amount: 150,
  });
  expectStatus(201, spent);
  await mark("RETURNED");
  const { json } = await story.call("GET", `/rails/receivables?internalAccountId=${accountId}`);
  const found = json.data.find(
    (each: { readonly paymentId: string }) => each.paymentId === order.id,
  );
  await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100 });
  return found.id;
}

export const railObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  RailEntry: entry,
  RailItem: item,
  RailMark: waitingMark,
  RailReceivable: receivable,
  RailConnection: connection,
  RailRoute: async (story) => route(story, await connection(story)),
  RailPayment: payment,
};

const on = (id: string, word = "") => `/rails/connections/${id}${word}`;

export const railCalls: Readonly<Record<string, Make>> = {
  createRailConnection: () => ({ path: "/rails/connections", body: desk() }),
  getRailConnection: async (story) => ({ path: on(await connection(story)) }),
  updateRailConnection: async (story) => ({
    path: on(await connection(story)),
    body: { account: { townName: "Boston" } },
  }),
  testRailConnection: async (story) => ({ path: on(await connection(story), "/test") }),
  activateRailConnection: async (story) => ({ path: on(await connection(story), "/activate") }),
  pauseRailConnection: async (story) => ({
    path: on(await activeConnection(story, desk()), "/pause"),
    body: { newPayments: "QUEUE" },
  }),
  resumeRailConnection: async (story) => {
    const id = await activeConnection(story, desk());
    await story.call("POST", on(id, "/pause"));
    return { path: on(id, "/resume") };
  },
  archiveRailConnection: async (story) => ({ path: on(await connection(story)) }),
  getRailQueueFile: async (story) => ({ path: on(await connection(story), "/queue.csv") }),
  addVirtualAccounts: async (story) => ({
    path: on(
      await activeConnection(story, { ...desk(), funding: { mode: "VIRTUAL_ACCOUNTS" } }),
      "/virtual-accounts",
    ),
    body: { accounts: [{ routingNumber: "021000021", accountNumber: "900001" }] },
  }),
  createRailRoute: async (story) => ({
    path: "/rails/routes",
    body: {
      name: "dollars",
      direction: "OUT",
      currency: "USD",
      paymentRails: [RAIL],
      connectionId: await connection(story),
    },
  }),
  resolveRailRoute: () => ({
    path: "/rails/routes/resolve",
    body: { direction: "OUT", currency: "USD", accountType: "USD_ACCOUNT", amount: 100 },
  }),
  getRailRoute: async (story) => ({
    path: `/rails/routes/${await route(story, await connection(story))}`,
  }),
  updateRailRoute: async (story) => ({
    path: `/rails/routes/${await route(story, await connection(story))}`,
    body: { priority: 400, connectionId: await connection(story) },
  }),
  deleteRailRoute: async (story) => ({
    path: `/rails/routes/${await route(story, await connection(story))}`,
  }),
  createRailEntry: async (story) => ({
    path: on(await activeConnection(story, desk()), "/entries"),
    body: line(),
  }),
  getRailEntry: async (story) => ({ path: `/rails/entries/${await entry(story)}` }),
  createRailBalance: async (story) => ({
    path: on(await activeConnection(story, desk()), "/balances"),
    body: { currency: "USD", asOf: "2026-11-21", booked: 1_000 },
  }),
  getRailReconciliation: async (story) => ({
    path: on(await connection(story), "/reconciliation"),
  }),
  getRailReconciliationFile: async (story) => ({
    path: on(await connection(story), "/reconciliation.csv"),
  }),
  adjustFxPositions: async (story) => ({
    path: "/fx/adjustments",
    body: {
      connectionId: await connection(story),
      legs: [{ currency: "USD", amount: -100 }],
      note: "sold elsewhere",
    },
  }),
  getRailMark: async (story) => ({ path: `/rails/marks/${await waitingMark(story)}` }),
  confirmRailMark: async (story) => ({
    path: `/rails/marks/${await waitingMark(story)}/confirm`,
  }),
  refuseRailMark: async (story) => ({
    path: `/rails/marks/${await waitingMark(story)}/refuse`,
    body: { note: "not on the statement" },
  }),
  getReceivable: async (story) => ({ path: `/rails/receivables/${await receivable(story)}` }),
  collectReceivable: async (story) => ({
    path: `/rails/receivables/${await receivable(story)}/collect`,
  }),
  writeReceivableOff: async (story) => ({
    path: `/rails/receivables/${await receivable(story)}/write-off`,
    body: { note: "gone" },
  }),
  getRailItem: async (story) => ({ path: `/rails/items/${await item(story)}` }),
  resolveRailItem: async (story) => ({
    path: `/rails/items/${await item(story)}/resolve`,
    body: { parts: [{ kind: "OWN_FUNDS", amount: 100, label: "interest" }], note: "January" },
  }),
  getRailPayment: async (story) => ({ path: `/rails/payments/${await payment(story)}` }),
  markRailPayment: async (story) => ({
    path: `/rails/payments/${await payment(story)}/mark`,
    body: { outcome: "SENT", reference: "W-1" },
  }),
  markRailPayments: async (story) => ({
    path: "/rails/marks",
    body: { marks: [{ paymentId: await payment(story), outcome: "SENT" }] },
  }),
  rerouteRailPayment: async (story) => {
    const id = await payment(story);
    const other = await activeConnection(story, desk());
    await route(story, other, 900);
    return { path: `/rails/payments/${id}/reroute`, body: { connectionId: other } };
  },
  recallRailPayment: async (story) => ({
    path: `/rails/payments/${await payment(story)}/recall`,
    body: { reason: "OTHER" },
  }),
};

/** The places of these calls outside the path that name an object, and the kind of the object. Of the items of a list see rails-manual.test.ts. */
export const railPlaces = {
  listRailEntries: { query: { connectionId: "RailConnection" } },
  adjustFxPositions: { body: { connectionId: "RailConnection" } },
  listRailMarks: { query: { connectionId: "RailConnection" } },
  listReceivables: { query: { internalAccountId: "InternalAccount", customerId: "Customer" } },
  listRailItems: { query: { connectionId: "RailConnection" } },
  createRailRoute: { body: { connectionId: "RailConnection" } },
  listRailRoutes: { query: { connectionId: "RailConnection" } },
  updateRailRoute: { body: { connectionId: "RailConnection" } },
  listRailPayments: { query: { connectionId: "RailConnection", transactionId: "Transaction" } },
  rerouteRailPayment: { body: { connectionId: "RailConnection" } },
} as const;
