/** Connections that payers pay to, and what payers are told. */
import { present } from "../../src/std/assert.ts";
import { signedCallback } from "./rail-connector.ts";
import type { RawAnswer, Story } from "./story.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  otherToken,
  routeTo,
} from "./story-rails.ts";

const AT_THE_BANK = {
  holderName: "Acme Payments",
  routingNumber: "021000021",
  accountNumber: "777000",
  bankName: "House Bank",
};

/** A desk whose payers quote a reference, with a route that shows it to them. */
export async function fundedDesk(
  story: Story,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { funding, ...rest } = more;
  const desk = await activeConnection(story, {
    ...manualConnection(),
    account: AT_THE_BANK,
    funding: { mode: "REFERENCE", ...(funding as object | undefined) },
    ...rest,
  });
  await routeTo(story, desk, { direction: "FUNDING", name: "money in" });
  return desk;
}

export async function instructionsOf(story: Story, accountId: string): Promise<RawAnswer["json"]> {
  const { json } = expectStatus(200, await story.call("GET", `/internal-accounts/${accountId}`));
  return json.fundingPaymentInstructions;
}

/** The reference that the first instruction asks for. */
export async function referenceOf(story: Story, accountId: string): Promise<string> {
  const [first] = await instructionsOf(story, accountId);
  return present(first?.accountOrWalletInfo.reference, "a reference");
}

let lines = 0;

export function creditLine(more: Readonly<Record<string, unknown>> = {}) {
  lines += 1;
  return {
    bankReference: `C-${lines}`,
    direction: "CREDIT",
    amount: 1_000,
    currency: "USD",
    bookedOn: "2026-11-24",
    payer: { name: "Ana Ruiz", account: "123456789" },
    ...more,
  };
}

/** Types a credit in; the entry. */
export async function credit(
  story: Story,
  connectionId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<RawAnswer["json"]> {
  const path = `/rails/connections/${connectionId}/entries`;
  return expectStatus(201, await story.call("POST", path, creditLine(more))).json;
}

/** Tells an entry as the connector of a connection does. */
export function tellEntry(
  story: Story,
  connectionId: string,
  entry: object,
  atMs?: number,
): Promise<RawAnswer> {
  const path = `/rails/callbacks/${connectionId.slice(connectionId.indexOf(":") + 1)}`;
  const signed = signedCallback(`/2025-10-13${path}`, undefined, {
    entry,
    ...(atMs === undefined ? {} : { atMs }),
  });
  return story.call("POST", path, signed.text, { authorization: null, headers: signed.headers });
}

/** The items of an entry, oldest first. */
export async function itemsOf(
  story: Story,
  entryId: string,
): Promise<readonly RawAnswer["json"][]> {
  const { json } = expectStatus(200, await story.call("GET", "/rails/items?limit=100"));
  return json.data
    .filter((item: { readonly entryId: string }) => item.entryId === entryId)
    .toReversed();
}

export function resolveItem(story: Story, itemId: string, ...parts: readonly unknown[]) {
  return story.call("POST", `/rails/items/${itemId}/resolve`, { parts, note: "known" });
}

/** Balances of the accounts of a connection. */
export async function booksOf(
  story: Story,
  connectionId: string,
): Promise<Readonly<Record<string, number>>> {
  const { json } = await story.call("GET", `/ledger/accounts?connectionId=${connectionId}`);
  const data = json.data as readonly {
    readonly kind: string;
    readonly balance: { readonly amount: string };
  }[];
  return Object.fromEntries(data.map(({ kind, balance }) => [kind, Number(balance.amount)]));
}

/** Releases an order that is HELD, by another token; one that is not stays as it is. Answers the order. */
export async function releaseOrder(story: Story, orderId: string): Promise<RawAnswer["json"]> {
  const path = `/rails/payments/${orderId}`;
  const { json: order } = expectStatus(200, await story.call("GET", path));
  if (order.state !== "HELD") return order;
  const { json } = await story.call("GET", "/rails/marks?state=WAITING&limit=100");
  const mark = json.data.find((each: RawAnswer["json"]) => each.request.paymentId === orderId);
  const authorization = await otherToken(story);
  const confirm = `/rails/marks/${present(mark, "what releases an order").id}/confirm`;
  expectStatus(200, await story.call("POST", confirm, undefined, { authorization }));
  return expectStatus(200, await story.call("GET", path)).json;
}
