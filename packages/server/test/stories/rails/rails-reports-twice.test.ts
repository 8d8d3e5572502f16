/** What a report does to each kind of order; told once more under another event, it does nothing. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { openConnector, signedCallback, type TestConnector } from "../../kit/rail-connector.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { bankAccount, openStory, type Story } from "../../kit/story.ts";
import { itemsOf, resolveItem, tellEntry } from "../../kit/story-funding.ts";
import { internalAccount } from "../../kit/story-money.ts";
import { euroAccount } from "../../kit/story-quotes.ts";
import {
  activeConnection,
  expectStatus,
  fixedEuroRate,
  httpConnection,
  type Payer,
  payerOf,
  routeTo,
} from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let connector: TestConnector;
let story: Story;
let payer: Payer;
let bank: string;
beforeAll(async () => {
  connector = await openConnector();
  const euros = { accountTypes: ["EUR_ACCOUNT"], paymentRails: ["SEPA"] };
  connector.capabilities = [
    ...connector.capabilities,
    { direction: "OUT", currency: "EUR", ...euros },
  ];
  connector.report = () => ({ status: "accepted", askAgainSeconds: 86_400 });
  server = await startTestServer({
    settings: { RAIL_ALLOWED_HOSTS: `127.0.0.1:${connector.port}` },
  });
});
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  payer = await payerOf(story, 10_000);
  await fixedEuroRate(story);
  const currencies = ["USD", "EUR"];
  bank = await activeConnection(story, { ...httpConnection(connector), currencies });
  for (const direction of ["OUT", "PULL"]) await routeTo(story, bank, { direction });
  await routeTo(story, bank, { currency: "EUR" });
});
afterEach(async () => {
  await story.settle();
  expect(await foundAfter({ server, story }, "select 1")).toEqual([]);
});
afterAll(async () => {
  await server.close();
  await connector.close();
});

const bare = (wireId: string) => wireId.slice(wireId.indexOf(":") + 1);
const account = (accountId: string) => ({ accountId });
const named = (accountId: string, kind: "source" | "destination") =>
  kind === "source"
    ? { sourceType: "ACCOUNT", accountId }
    : { destinationType: "ACCOUNT", accountId };

async function executed(from: string, to: string): Promise<void> {
  const made = await story.call("POST", "/quotes", {
    source: named(from, "source"),
    destination: named(to, "destination"),
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 700,
  });
  const { id } = expectStatus(201, made).json;
  expectStatus(200, await story.call("POST", `/quotes/${id}/execute`));
}

/** Makes an order of each kind, which the connector has accepted. */
const ORDERS = {
  "OUT of a transfer": async () => expectStatus(201, await payer.pay(700)),
  "PULL of a transfer": async () => {
    const source = account(payer.payeeId);
    const body = { source, destination: account(payer.accountId), amount: 700 };
    expectStatus(201, await story.call("POST", "/transfer-in", body));
  },
  "OUT of a quote": async () => executed(payer.accountId, await euroAccount(story)),
  "PULL of a quote": async () =>
    executed(await bankAccount(story), await internalAccount(story, { currency: "EUR" })),
  BACK: async () => {
    const told = { id: "B-1", currency: "USD", amount: "700", direction: "CREDIT" };
    const entry = { ...told, bookedAt: "2026-11-24", payer: { account: "99887766" } };
    expectStatus(204, await tellEntry(story, bank, entry));
    const { json } = await story.call("GET", `/rails/entries?connectionId=${bank}`);
    const [item] = await itemsOf(story, json.data[0].id);
    const part = { kind: "RETURN", amount: 700 };
    expectStatus(200, await resolveItem(story, item.id, part));
  },
} as const;
type Kind = keyof typeof ORDERS;

async function ordered(kind: Kind): Promise<string> {
  await ORDERS[kind]();
  await story.settle();
  const { json } = await story.call("GET", `/rails/payments?connectionId=${bank}`);
  expect(json.data[0].state).toBe("ACCEPTED");
  return json.data[0].id;
}

async function tell(orderId: string, status: string): Promise<void> {
  const path = `/rails/callbacks/${bare(bank)}`;
  const payment = { id: bare(orderId), status, reason: { code: "AC04", text: "closed" } };
  const { text, headers } = signedCallback(`/2025-10-13${path}`, payment);
  expectStatus(204, await story.call("POST", path, text, { authorization: null, headers }));
  await story.settle();
}

/** Everything that a report may change. */
async function standing(orderId: string) {
  const read = async (path: string) => (await story.call("GET", path)).json;
  const order = await read(`/rails/payments/${orderId}`);
  const transaction =
    order.transactionId === undefined ? {} : await read(`/transactions/${order.transactionId}`);
  return {
    order,
    transaction,
    events: (await read("/events?limit=100")).data.map(({ id }: { readonly id: string }) => id),
    accounts: (await read("/ledger/accounts?limit=100")).data,
    items: (await read("/rails/items?limit=100")).data,
  };
}

/** One report of each order; all of them: src/domain/rails/orders/reports-twice.test.ts. */
const CASES: readonly (readonly [
  Kind,
  report: string,
  state: string,
  status: string | undefined,
])[] = [
  ["OUT of a transfer", "settled", "SETTLED", "COMPLETED"],
  ["PULL of a transfer", "settled", "SETTLED", "COMPLETED"],
  ["OUT of a quote", "returned", "RETURNED", "FAILED"],
  ["PULL of a quote", "settled", "SETTLED", "COMPLETED"],
  ["PULL of a quote", "cancelled", "DECLINED", "FAILED"],
  ["BACK", "declined", "DECLINED", undefined],
];

it.each(CASES)("%s, %s: %s", async (kind, report, state, status) => {
  const orderId = await ordered(kind);
  await tell(orderId, report);
  const once = await standing(orderId);
  expect([once.order.state, once.order.conflict]).toEqual([state, false]);
  expect(once.transaction.status).toBe(status);
  await tell(orderId, report);
  expect(await standing(orderId)).toEqual(once);
});
