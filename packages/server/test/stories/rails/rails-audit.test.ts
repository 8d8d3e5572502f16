/** What `florin verify` finds in the rows of rails: edited on purpose, and rolled back. */
import { beforeAll, expect, it } from "vitest";
import { foundAfter as reconciledAfter } from "../../kit/reconciled.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { credit, fundedDesk, referenceOf } from "../../kit/story-funding.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  payerOf,
  paymentOf,
  routeTo,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let orderId: string;
let settledId: string;
let connectionId: string;
let routeId: string;
let entryId: string;
let suspendedId: string;
let depositId: string;
let fundedId: string;
let backId: string;
let statementId: string;
let returnedId: string;
let collectedId: string;
let heldId: string;
beforeAll(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  const payer = await payerOf(story, 10_000);
  const connection = await activeConnection(story, manualConnection());
  const route = await routeTo(story, connection);
  const orderOf = async (amount = 100) => {
    const { id } = expectStatus(201, await payer.pay(amount)).json;
    return (await paymentOf(story, id)).id as string;
  };
  const [order, settled] = [await orderOf(), await orderOf()];
  await story.call("POST", `/rails/payments/${settled}/mark`, { outcome: "SETTLED" });
  const line = async (bankReference: string, more: Readonly<Record<string, unknown>>) => {
    const body = { bankReference, amount: 100, currency: "USD", bookedOn: "2026-11-24", ...more };
    const told = await story.call("POST", `/rails/connections/${connection}/entries`, body);
    return bare(expectStatus(201, told).json.id);
  };
  entryId = await line("L-1", { direction: "DEBIT", reference: endToEnd(settled) });
  suspendedId = await line("L-2", { direction: "CREDIT" });
  const resolvedId = await line("L-3", { direction: "CREDIT" });
  const typed = { currency: "USD", asOf: "2026-11-24", booked: 1_000 };
  const balances = `/rails/connections/${connection}/balances`;
  statementId = bare(expectStatus(201, await story.call("POST", balances, typed)).json.id);
  const pulling = await routeTo(story, connection, { direction: "PULL" });
  const pulled = await story.call("POST", "/transfer-in", {
    source: { accountId: payer.payeeId },
    destination: { accountId: payer.accountId },
    amount: 20_000,
  });
  const collected = await paymentOf(story, expectStatus(201, pulled).json.id);
  const mark = (id: string, outcome: string) =>
    story.call("POST", `/rails/payments/${id}/mark`, { outcome });
  await mark(collected.id, "SETTLED");
  const spent = await orderOf();
  await mark(spent, "SETTLED");
  const back = await line("L-4", { direction: "CREDIT", amount: 95, reference: endToEnd(spent) });
  const came = { kind: "PAYMENT", amount: 95, paymentId: spent, outcome: "RETURNED" };
  await resolveOf(back, [came]);
  await mark(await orderOf(20_000), "SETTLED");
  await mark(collected.id, "RETURNED");
  await story.call("DELETE", `/rails/routes/${pulling}`);
  const control = { payoutCeiling: 50 };
  expectStatus(200, await story.call("PATCH", `/rails/connections/${connection}`, { control }));
  const gift = { kind: "ACCOUNT", amount: 100, accountId: payer.accountId };
  const lost = await line("L-5", { direction: "CREDIT" });
  await resolveOf(lost, [gift]);
  heldId = bare(await orderOf(51));
  [returnedId, collectedId] = [spent, collected.id].map(bare) as [string, string];
  await resolveOf(resolvedId, [gift]);
  await moneyByReference(payer.accountId);
  [orderId, settledId, connectionId, routeId] = [order, settled, connection, route].map(bare) as [
    string,
    string,
    string,
    string,
  ];
});

/** A credit to an account, and a quote whose payer sent too little, so that it is ordered back. */
async function moneyByReference(accountId: string): Promise<void> {
  const desk = await fundedDesk(story);
  const remittance = await referenceOf(story, accountId);
  depositId = bare((await credit(story, desk, { remittance })).id);
  const quoted = await story.call("POST", "/quotes", {
    source: { sourceType: "REALTIME_FUNDING", currency: "USD" },
    destination: { destinationType: "ACCOUNT", accountId },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 1_000,
  });
  const [told] = expectStatus(201, quoted).json.paymentInstructions;
  const { reference } = told.accountOrWalletInfo;
  fundedId = bare((await credit(story, desk, { remittance: reference, amount: 999 })).id);
  const { json } = await story.call("GET", "/rails/payments?direction=BACK");
  backId = bare(json.data[0].id);
}

async function resolveOf(entryId: string, parts: readonly unknown[]): Promise<void> {
  const { json } = await story.call("GET", "/rails/items?limit=100");
  const item = json.data.find(
    (each: { readonly entryId?: string }) => each.entryId === `RailEntry:${entryId}`,
  );
  expectStatus(
    200,
    await story.call("POST", `/rails/items/${item.id}/resolve`, { parts, note: "known" }),
  );
}

const endToEnd = (id: string) => bare(id).replaceAll("-", "").toUpperCase();
const bare = (wireId: string) => wireId.slice(wireId.indexOf(":") + 1);
const found = async (edit: string, values: readonly string[]) => {
  return (await reconciledAfter({ server, story }, edit, values)).join("\n");
};

const EDITS: readonly (readonly [
  what: string,
  edit: string,
  id: () => string,
  expected: RegExp,
])[] = [
  [
    "an order that says more than its transaction",
    "update rail_payments set state = 'SETTLED' where id = $1",
    () => orderId,
    /it is SETTLED, its transaction PENDING/,
  ],
  [
    "a settled order that is open again",
    "update rail_payments set state = 'QUEUED' where id = $1",
    () => settledId,
    /it is QUEUED, its transaction COMPLETED/,
  ],
  [
    "another amount",
    "update rail_payments set amount_minor = 99 where id = $1",
    () => orderId,
    /another direction or amount/,
  ],
  [
    "an order that was sent twice",
    "update rail_payments set history = json_build_array(json_build_object('state', 'SENDING', 'why', 'the order is sent'), " +
      "json_build_object('state', 'SENDING', 'why', 'the order is sent')) where id = $1",
    () => settledId,
    /it was sent 2 times/,
  ],
  [
    "an open order of an archived connection",
    "update rail_connections set status = 'ARCHIVED' where id = $1",
    () => connectionId,
    /it is QUEUED and its connection is archived/,
  ],
  [
    "a route that the routing row does not have as it is",
    "update rail_routes set priority = 7 where id = $1",
    () => routeId,
    /rail_routings.*it says 100 OUT USD/,
  ],
  [
    "a connection of another state",
    "update rail_connections set status = 'PAUSED' where id = $1",
    () => connectionId,
    /it says ACTIVE REFUSE NONE, there is PAUSED REFUSE NONE/,
  ],
  [
    "an entry booked to no order",
    "update rail_payments set settled_entry_id = null where id = $1",
    () => settledId,
    /rail_entries.*it is booked as PAYMENT, by 0 orders, 0 items, 0 credits/,
  ],
  [
    "an order that names another entry",
    "update rail_payments set returned_entry_id = settled_entry_id where id = $1",
    () => settledId,
    /it names an entry that is not its return/,
  ],
  [
    "an entry of another amount",
    "update rail_entries set amount_minor = 99 where id = $1",
    () => entryId,
    /it is booked as PAYMENT, by 0 orders/,
  ],
  [
    "an entry in suspense without an item",
    "delete from rail_items where entry_id = $1",
    () => suspendedId,
    /suspense of connection .* in USD[\s\S]*it is booked as SUSPENSE, by 0 orders, 0 items/,
  ],
  [
    "an item that is resolved by nothing",
    'update rail_items set state = \'RESOLVED\', job_id = null, resolved_at = created_at, resolution = \'{"parts": [{"kind": "OWN_FUNDS", "minor": "99"}]}\' where entry_id = $1',
    () => suspendedId,
    /own-funds of connection .* in USD[\s\S]*its parts sum to 99, not to 100/,
  ],
  [
    "a credit that no entry has the amount of",
    "update transactions set received_minor = 1001 where id = (select transaction_id from rail_entries where id = $1)",
    () => depositId,
    /it is booked as DEPOSIT, by 0 orders, 0 items, 0 credits/,
  ],
  [
    "an entry that credited another account than its reference says",
    "update funding_addresses set account_id = platform_id where id = (select address_id from rail_entries where id = $1)",
    () => depositId,
    /it is booked as DEPOSIT, by 0 orders, 0 items, 0 credits/,
  ],
  [
    "money of a quote that is counted with another amount",
    "update quote_fundings set amount_minor = 998 where entry_id = $1",
    () => fundedId,
    /it is booked as FUNDING, by 0 orders, 0 items, 0 credits, 0 parts[\s\S]*an item that is not there/,
  ],
  [
    "money of a quote that failed and kept it",
    "update quote_fundings set item_id = null where entry_id = $1",
    () => fundedId,
    /its quote is FAILED, and its money is with the quote/,
  ],
  [
    "an order back of another amount than its item",
    "update rail_payments set amount_minor = 1 where id = $1",
    () => backId,
    /suspense of connection[\s\S]*no part of its item says that it goes back/,
  ],
  [
    "an order back that was declined and whose money no item has",
    "update rail_payments set state = 'DECLINED' where id = $1",
    () => backId,
    /suspense of connection[\s\S]*it is DECLINED, and no item has its money/,
  ],
  [
    "an order back that is not there",
    "delete from rail_payments where id = $1",
    () => backId,
    /a part of it goes back by an order that is not there/,
  ],
  [
    "a virtual account that two have",
    "insert into funding_addresses select platform_id, id, connection_id, platform_id, null, 'USD', 'VIRTUAL_ACCOUNTS', null, '1/1', null, null, created_at from rail_entries where id = $1",
    () => depositId,
    /the pool and the address that has it do not name each other/,
  ],
  [
    "a credit that no item names",
    "update transactions set received_minor = 99 where details ->> 'railEntryId' is not null and platform_id <> $1",
    () => suspendedId,
    /is not the credit of 100 to InternalAccount/,
  ],
  [
    "another amount that came back",
    "update rail_payments set returned_minor = 94 where id = $1",
    () => returnedId,
    /it names an entry that is not its return[\s\S]*94 of 100 back; its items have 5 missing/,
  ],
  [
    "an item of an order that was lost",
    "delete from rail_items where payment_id = $1",
    () => returnedId,
    /suspense of connection .* in USD[\s\S]*its items have 0 missing and 0 aside/,
  ],
  [
    "a receivable that was collected by nothing",
    "update rail_receivables set open_minor = 0, collected_minor = amount_minor, state = 'COLLECTED' where payment_id = $1",
    () => collectedId,
    /receivables in USD \| it comes to -\d+, the payments to 0/,
  ],
  [
    "a receivable of more than was taken back",
    "update rail_receivables set open_minor = 30000, amount_minor = 30000 where payment_id = $1",
    () => collectedId,
    /it is RETURNED with 20000 of 20000 back; .* its receivable 30000/,
  ],
  [
    "an order that is held by no mark",
    "update rail_marks set state = 'REFUSED', decided_at = created_at, decided_by = 'x', job_id = null where request ->> 'paymentId' = $1",
    () => heldId,
    /it is HELD, and 0 marks wait to release it/,
  ],
  [
    "a book that says another sum",
    "update rail_books set told_minor = told_minor + 1 where connection_id = $1",
    () => connectionId,
    /rail_books.*it says 296 of 5, the entries come to 295 of 5/,
  ],
  [
    "a book that was lost",
    "delete from rail_books where connection_id = $1",
    () => connectionId,
    /it says 0 of 0, the entries come to 295 of 5[\s\S]*between the opening and the closing/,
  ],
  [
    "another opening",
    "update rail_books set opening_minor = opening_minor - 1 where connection_id = $1",
    () => connectionId,
    /own-funds of connection .* in USD[\s\S]*its opening is 704, which no statement of its day leaves/,
  ],
  [
    "a statement of another day",
    "update rail_statements set day = '2026-11-23' where id = $1",
    () => statementId,
    /rail_statements.*between the opening and the closing/,
  ],
  [
    "an order whose untold money is another",
    "update rail_payments set untold_minor = 7 where id = $1",
    () => settledId,
    /it has 7 untold, by its reports and entries it is 0/,
  ],
];

it.each(EDITS)("%s is found", async (_what, edit, id, expected) => {
  expect(await found(edit, [id()])).toMatch(expected);
});
