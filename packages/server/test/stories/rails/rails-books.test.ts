/** The books of each connection: what settles through it moves its own account. */
import { beforeEach, expect, it } from "vitest";
import { foundAfter } from "../../kit/reconciled.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  paymentOf,
  routeTo,
} from "../../kit/story-rails.ts";

const server = await sharedServer();
let story: Story;
let payer: Payer;
beforeEach(async () => {
  story = await openStory(server, { environment: "PRODUCTION" });
  payer = await payerOf(story, 10_000);
});

interface LedgerAccountBody {
  readonly kind: string;
  readonly connectionId: string;
  readonly balance: { readonly amount: string };
}

async function clearingOf(connectionId: string): Promise<readonly unknown[]> {
  const { json } = await story.call("GET", `/ledger/accounts?connectionId=${connectionId}`);
  const { data } = json as { readonly data: readonly LedgerAccountBody[] };
  return data.map(({ kind, connectionId: owner, balance }) => [kind, owner, balance.amount]);
}

/** A payout that the connection carries, with its order. */
async function payoutBy(connectionId: string, amount: number): Promise<string> {
  const route = await routeTo(story, connectionId);
  const { id } = expectStatus(201, await payer.pay(amount)).json;
  await story.call("DELETE", `/rails/routes/${route}`);
  return (await paymentOf(story, id)).id;
}

const mark = (orderId: string, outcome: string) =>
  story.call("POST", `/rails/payments/${orderId}/mark`, { outcome });

it("settles a payout against the account of its own connection", async () => {
  const [one, other] = [
    await activeConnection(story, manualConnection()),
    await activeConnection(story, manualConnection()),
  ];
  await mark(await payoutBy(one, 700), "SETTLED");
  await mark(await payoutBy(other, 40), "SETTLED");
  const back = await payoutBy(other, 9);
  expect(await clearingOf(one)).toEqual([["clearing", one, "700"]]);
  expect(await clearingOf(other)).toEqual([["clearing", other, "40"]]);
  await mark(back, "RETURNED");
  expect(await clearingOf(other)).toEqual([["clearing", other, "40"]]);
  const simulated = await story.call("GET", "/ledger/accounts?kind=rail-clearing");
  expect(simulated.json.data).toEqual([]);
});

it("settles against the connection to which a queued order was moved", async () => {
  const [one, other] = [
    await activeConnection(story, manualConnection()),
    await activeConnection(story, manualConnection()),
  ];
  const order = await payoutBy(one, 700);
  await routeTo(story, other);
  const moved = await story.call("POST", `/rails/payments/${order}/reroute`, {
    connectionId: other,
  });
  expect(moved.status).toBe(200);
  await mark(order, "SETTLED");
  expect([await clearingOf(one), await clearingOf(other)]).toEqual([
    [],
    [["clearing", other, "700"]],
  ]);
});

it("is read by its own platform alone", async () => {
  const one = await activeConnection(story, manualConnection());
  await mark(await payoutBy(one, 700), "SETTLED");
  const stranger = await openStory(server, { environment: "PRODUCTION" });
  const { json } = await stranger.call("GET", `/ledger/accounts?connectionId=${one}`);
  expect(json.data).toEqual([]);
});

it("is compared with its payments by the check of the books", async () => {
  const one = await activeConnection(story, manualConnection());
  const order = await payoutBy(one, 700);
  await mark(order, "SETTLED");
  const bare = (wireId: string) => wireId.slice(wireId.indexOf(":") + 1);
  const other = await activeConnection(story, manualConnection());
  const edit = "update rail_payments set connection_id = $2 where id = $1";
  const found = await foundAfter({ server, story }, edit, [bare(order), bare(other)]);
  const books = found.filter((line) => line.startsWith("ledger_accounts"));
  const moved = [bare(one), bare(other)].map((id) => `clearing of connection ${id} in USD`);
  expect(books.map((line) => line.split(" | ")[1]).toSorted()).toEqual(moved.toSorted());
});
