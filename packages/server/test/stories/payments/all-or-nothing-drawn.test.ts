/** Drawn batches of all or nothing, with a refusal at a drawn place: nothing is left of any, and the refusal names the item. */
import type { Client } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { chanceFrom } from "../../kit/chance.ts";
import { sampleOf } from "../../kit/sample.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { sendBatch } from "../../kit/story-batches.ts";
import { internalAccount } from "../../kit/story-money.ts";
import { euroAccount } from "../../kit/story-quotes.ts";

const server = await sharedServer();
const BATCHES = Array.from({ length: 1_000 }, (_, index) => index);
/** Of so many items is every hundredth batch. */
const LARGE = 500;
const NOBODY = "InternalAccount:019a4f00-0000-7000-8000-0000000000ee";
const NOWHERE = "ExternalAccount:019a4f00-0000-7000-8000-0000000000ee";
const RICH = 1_000_000;
const POOR = 100;

interface Item {
  readonly kind: "BOOK" | "TRANSFER_OUT";
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

interface Refused {
  readonly code: string;
  /** Comes before: what it takes makes the refused item impossible. */
  readonly before?: Item;
  readonly item: Item;
}

interface Scene {
  readonly story: Story;
  /** Items that are paid wherever they are. */
  readonly good: readonly Item[];
  readonly refused: readonly Refused[];
}

let scene: Scene;
const chance = chanceFrom(46);
const pick = <One>(from: readonly One[]): One => present(from[chance(from.length)], "a choice");

const book = (from: string, to: string, amount = 1): Item => ({ kind: "BOOK", from, to, amount });
const payout = (from: string, to: string, amount = 1): Item => ({
  ...book(from, to, amount),
  kind: "TRANSFER_OUT",
});

async function made(story: Story, path: string, body: object = {}): Promise<string> {
  const { status, json, text } = await story.call("POST", path, body);
  expect(status, text).toBeLessThan(300);
  return json.id;
}

beforeAll(async () => {
  const story = await openStory(server);
  const [payer, payee] = [await fundedCustomer(story, RICH), await fundedCustomer(story, RICH)];
  const [poor, empty] = [await fundedCustomer(story, POOR), await fundedCustomer(story, 0)];
  const [frozen, stopped] = [await fundedCustomer(story, RICH), await fundedCustomer(story, RICH)];
  await made(story, `/internal-accounts/${frozen.accountId}/freeze`, {
    reason: "OTHER",
    scope: "ALL",
  });
  await made(story, `/customers/${stopped.customerId}/freeze`, { reason: "OTHER" });
  const closed = await made(story, "/internal-accounts", { name: "Closed", currency: "USD" });
  await made(story, `/internal-accounts/${closed}/close`);
  const own = await made(story, "/internal-accounts", { name: "Fees", currency: "USD" });
  const euros = await internalAccount(story, { currency: "EUR" });
  const unready = await made(story, "/customers", {
    ...{ customerType: "INDIVIDUAL", fullName: "Bo Lind 001", currencies: ["USD"] },
  });
  const waiting = await internalAccount(story, { customerId: unready, currency: "USD" });
  const [bank, houses] = [await bankAccount(story, payer), await bankAccount(story)];
  const others = await bankAccount(story, payee);
  const deleted = await bankAccount(story, payer);
  await story.call("DELETE", `/customers/external-accounts/${deleted}`);
  // Money that is held is not available.
  await made(story, `/internal-accounts/${poor.accountId}/holds`, { amount: POOR / 2 });
  const [a, b, p, e] = [payer.accountId, payee.accountId, poor.accountId, empty.accountId];
  const refused: readonly Refused[] = [
    { code: "INSUFFICIENT_BALANCE", item: book(p, a, POOR / 2 + 1) },
    { code: "INSUFFICIENT_BALANCE", before: book(p, a, 30), item: payout(p, houses, 21) },
    { code: "INSUFFICIENT_BALANCE", before: payout(p, houses, 30), item: book(p, e, 21) },
    { code: "INSUFFICIENT_BALANCE", before: book(a, e, 7), item: book(e, b, 8) },
    { code: "INSUFFICIENT_BALANCE", item: payout(a, bank, 2 * RICH) },
    { code: "REFERENCE_NOT_FOUND", item: book(NOBODY, a) },
    { code: "REFERENCE_NOT_FOUND", item: book(a, NOBODY) },
    { code: "REFERENCE_NOT_FOUND", item: payout(a, NOWHERE) },
    { code: "REFERENCE_NOT_FOUND", item: payout(a, deleted) },
    { code: "SELF_PAYMENT", item: book(a, a) },
    { code: "INVALID_CURRENCY", item: book(a, euros) },
    { code: "INVALID_CURRENCY", item: payout(a, await euroAccount(story, payer.customerId)) },
    { code: "INVALID_INPUT", item: payout(a, others) },
    { code: "INVALID_INPUT", item: book(a, closed) },
    { code: "INVALID_INPUT", item: book(closed, a) },
    { code: "INVALID_INPUT", item: payout(closed, houses) },
    { code: "USER_NOT_READY", item: book(a, waiting) },
    { code: "ACCOUNT_FROZEN", item: book(frozen.accountId, a) },
    { code: "ACCOUNT_FROZEN", item: book(a, frozen.accountId) },
    { code: "ACCOUNT_FROZEN", item: payout(frozen.accountId, houses) },
    { code: "CUSTOMER_FROZEN", item: book(stopped.accountId, a) },
    { code: "AMOUNT_OUT_OF_RANGE", item: book(a, b, 100_000_000_000_000) },
  ];
  const good = [
    ...[book(a, b, 3), book(b, a, 2), book(a, own, 5)],
    ...[payout(a, bank, 4), payout(a, houses, 2), payout(b, others, 1)],
  ];
  scene = { story, good, refused };
}, 120_000);

/** The log, the balances and the rows of the platform. */
async function stateOf(client: Client, { platformId }: Story) {
  const tables = [
    ...["payment_batches", "payment_batch_items", "transactions", "ledger_entries"],
    ...["events", "jobs", "holds"],
  ];
  const counts = tables.map((table) => `(select count(*) from ${table} where platform_id = $1)`);
  const { rows } = await client.query({
    text:
      `select array[${counts.join(", ")}]::text[], ` +
      "(select seq::text from platform_heads where platform_id = $1), " +
      "(select string_agg(concat_ws(' ', id, balance_minor, held_minor, version), ',' order by id) " +
      "from ledger_accounts where platform_id = $1)",
    values: [platformId],
    rowMode: "array",
  });
  const [counted, seq, balances] = present(rows[0], "a state");
  return { counted, seq: Number(seq), balances };
}

function drawBatch(index: number) {
  const { good, refused } = scene;
  const bad = pick(refused);
  const length = index % 100 === 50 ? LARGE : 2 + chance(19);
  const items: Item[] = Array.from({ length }, () => pick(good));
  const place = bad.before === undefined ? chance(length) : 1 + chance(length - 1);
  if (bad.before !== undefined) items[chance(place)] = bad.before;
  items[place] = bad.item;
  // A later item that would be refused too is not the one that the answer names.
  if (place + 1 < length && chance(2) === 0) items[length - 1] = pick(refused).item;
  return { code: bad.code, place, items: items.map(shown) };
}

function shown({ kind, from, to, amount }: Item, at: number) {
  const [source, destination] = [{ accountId: from }, { accountId: to }];
  return { reference: `item-${at}`, kind, source, destination, amount };
}

describe("a batch of all or nothing", () => {
  it("leaves nothing when any item is refused in any way, and names the item", {
    timeout: 300_000,
  }, async () => {
    const { story, refused } = scene;
    const batches = sampleOf(BATCHES);
    const codes = new Set<string>();
    await story.settle();
    await story.server.database.asSuperuser(async (client) => {
      const before = await stateOf(client, story);
      for (const [at, index] of batches.entries()) {
        const { code, place, items } = drawBatch(index);
        const key = chance(4) === 0 ? `batch-${at}` : undefined;
        const body = { mode: "ALL_OR_NOTHING", items };
        const options = key === undefined ? {} : { key };
        const answer = await story.call("POST", "/payment-batches", body, options);
        expect([answer.json.code, answer.json.details]).toEqual([
          code,
          expect.objectContaining({ index: place, reference: `item-${place}` }),
        ]);
        const { seq, ...left } = await stateOf(client, story);
        codes.add(code);
        // An answer under a key is in the log; nothing else is.
        const logged = key === undefined ? 0 : 1;
        expect({ ...left, seq: seq - logged }, `batch ${index}`).toEqual(before);
        Object.assign(before, { seq });
      }
    });
    if (batches.length === BATCHES.length)
      expect(codes.size).toBe(new Set(refused.map(({ code }) => code)).size);
  });

  it("is paid when none is", async () => {
    const { story, good } = scene;
    const { status, json } = await sendBatch(story, good.map(shown), { mode: "ALL_OR_NOTHING" });
    expect([status, json.counts.accepted]).toEqual([201, good.length]);
  });
});
