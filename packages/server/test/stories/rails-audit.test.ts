/** What `florin verify` finds in the rows of rails: edited on purpose, and rolled back. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { foundAfter as reconciledAfter } from "../kit/reconciled.ts";
import { openStory, type Story } from "../kit/story.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  payerOf,
  paymentOf,
  routeTo,
} from "../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../kit/test-server.ts";

let server: TestServer;
let story: Story;
let orderId: string;
let settledId: string;
let connectionId: string;
let routeId: string;
let entryId: string;
let suspendedId: string;
beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server, { environment: "PRODUCTION" });
  const payer = await payerOf(story, 10_000);
  const connection = await activeConnection(story, manualConnection());
  const route = await routeTo(story, connection);
  const orderOf = async () => {
    const { id } = expectStatus(201, await payer.pay(100)).json;
    return (await paymentOf(story, id)).id as string;
  };
  const [order, settled] = [await orderOf(), await orderOf()];
  await story.call("POST", `/rails/payments/${settled}/mark`, { outcome: "SETTLED" });
  const line = async (bankReference: string, more: Readonly<Record<string, unknown>>) => {
    const body = { bankReference, amount: 100, currency: "USD", bookedOn: "2026-11-24", ...more };
    const told = await story.call("POST", `/rails/connections/${connection}/entries`, body);
    return bare(expectStatus(201, told).json.id);
  };
  const reference = bare(settled).replaceAll("-", "").toUpperCase();
  entryId = await line("L-1", { direction: "DEBIT", reference });
  suspendedId = await line("L-2", { direction: "CREDIT" });
  const resolvedId = await line("L-3", { direction: "CREDIT" });
  const { json } = await story.call("GET", "/rails/items");
  const item = json.data.find(
    (each: { readonly entryId: string }) => bare(each.entryId) === resolvedId,
  );
  const parts = [{ kind: "ACCOUNT", amount: 100, accountId: payer.accountId }];
  await story.call("POST", `/rails/items/${item.id}/resolve`, { parts, note: "known" });
  [orderId, settledId, connectionId, routeId] = [order, settled, connection, route].map(bare) as [
    string,
    string,
    string,
    string,
  ];
});
afterAll(() => server.close());

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
    /it says ACTIVE REFUSE, there is PAUSED REFUSE/,
  ],
  [
    "an entry booked to no order",
    "update rail_payments set settled_entry_id = null where id = $1",
    () => settledId,
    /rail_entries.*it is booked as PAYMENT, by 0 orders and 0 items/,
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
    /suspense of connection .* in USD[\s\S]*it is booked as SUSPENSE, by 0 orders and 0 items/,
  ],
  [
    "an item that is resolved by nothing",
    'update rail_items set state = \'RESOLVED\', job_id = null, resolved_at = created_at, resolution = \'{"parts": [{"kind": "OWN_FUNDS", "minor": "99"}]}\' where entry_id = $1',
    () => suspendedId,
    /own-funds of connection .* in USD[\s\S]*its parts sum to 99, not to 100/,
  ],
  [
    "a credit that no item names",
    "update transactions set received_minor = 99 where details ->> 'railEntryId' is not null and platform_id <> $1",
    () => suspendedId,
    /is not the credit of 100 to InternalAccount/,
  ],
];

it.each(EDITS)("%s is found", async (_what, edit, id, expected) => {
  expect(await found(edit, [id()])).toMatch(expected);
});
