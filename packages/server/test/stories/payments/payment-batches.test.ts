/** Batches of payments: each item once, as the single call would decide it, and counts that agree with the items. */
import { describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { eventsOf } from "../../kit/platform-rows.ts";
import { foundAfter } from "../../kit/reconciled.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { soon } from "../../kit/soon.ts";
import { bankAccount, openStory, type Story } from "../../kit/story.ts";
import {
  bookItem,
  idOfBatch,
  longBatch,
  payersOf,
  payoutItem,
  sendBatch,
} from "../../kit/story-batches.ts";
import { holdingsOf, rowCounts } from "../../kit/story-money.ts";

const server = await sharedServer();
const NOBODY = "ExternalAccount:019a4f00-0000-7000-8000-0000000000ee";

function ended(story: Story, id: string) {
  return soon(async () => {
    const { json } = await story.call("GET", `/payment-batches/${id}`);
    expect(json.counts.waiting).toBe(0);
    return json;
  });
}

interface Item {
  readonly index: number;
  readonly reference: string;
  readonly status: string;
  readonly transactionId: string;
  readonly error: { readonly code: string };
}

interface Fault {
  readonly index: number;
  readonly reference: string;
  readonly field: string;
}

async function itemsOf(story: Story, id: string, query = "") {
  const { json } = await story.call("GET", `/payment-batches/${id}/items${query}`);
  return json.data as readonly Item[];
}

describe("an independent batch", () => {
  it("pays each item as the single call would, and refuses the others with the single call's answer", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story, 1_000);
    const items = [
      payoutItem(payers, {
        reference: "bank",
        more: { description: "Salary", metadata: { n: "1" } },
      }),
      bookItem(payers, { reference: "book", amount: 200 }),
      payoutItem({ ...payers, bank: NOBODY }, { reference: "unknown" }),
      bookItem(payers, { reference: "too-much", amount: 5_000 }),
      payoutItem(
        { ...payers, bank: await bankAccount(story, { ...payers, suffix: "004" }) },
        { reference: "fails" },
      ),
      bookItem(payers, { reference: "last", amount: 300 }),
    ];
    const single = await story.call("POST", "/transfers", {
      ...bookItem(payers, { amount: 5_000 }),
      reference: undefined,
      kind: undefined,
    });
    const sent = await sendBatch(story, items, { name: "Salaries", metadata: { run: "11" } });
    expect([sent.status, sent.json.status, sent.json.name]).toEqual([202, "PENDING", "Salaries"]);
    expect(sent.json.currencyTotals).toMatchObject([
      { currency: "USD", count: 6, sum: { amount: 5_800 } },
    ]);
    const id = idOfBatch(sent);
    await ended(story, id);
    await story.settle();
    const { json } = await story.call("GET", `/payment-batches/${id}`);
    expect(json).toMatchObject({
      status: "COMPLETED",
      counts: {
        total: 6,
        accepted: 4,
        refused: 2,
        completed: 3,
        failed: 1,
        waiting: 0,
        cancelled: 0,
      },
    });
    const all = await itemsOf(story, id);
    expect(all.map(({ reference, status }) => [reference, status])).toEqual([
      ["bank", "CREATED"],
      ["book", "CREATED"],
      ["unknown", "REFUSED"],
      ["too-much", "REFUSED"],
      ["fails", "CREATED"],
      ["last", "CREATED"],
    ]);
    expect(all[2]?.error).toMatchObject({
      code: "REFERENCE_NOT_FOUND",
      details: { field: "destination.accountId" },
    });
    expect(all[3]?.error.code).toBe(single.json.code);
    const refused = await itemsOf(story, id, "?status=REFUSED");
    expect(refused.map(({ index }) => index)).toEqual([2, 3]);
    const paid = await story.call("GET", `/transactions/${all[0]?.transactionId}`);
    expect(paid.json).toMatchObject({
      batchId: id,
      batchReference: "bank",
      description: "Salary",
      metadata: { n: "1" },
      status: "COMPLETED",
    });
    const told = (await eventsOf(story)).filter(({ type }) => type === "PAYMENT_BATCH.COMPLETED");
    expect(told).toHaveLength(1);
    expect(present(told[0], "an event").body).toMatchObject({
      data: { id, counts: { accepted: 4, refused: 2 } },
    });
  });

  it("is stored once under its key, and its list can be filtered", async () => {
    const story = await openStory(server);
    const items = [bookItem(await payersOf(story))];
    const options = { key: "november" };
    const body = { mode: "INDEPENDENT", items };
    const first = await story.call("POST", "/payment-batches", body, options);
    const again = await story.call("POST", "/payment-batches", body, options);
    expect(again.text).toBe(first.text);
    await ended(story, idOfBatch(first));
    const { json } = await story.call("GET", "/payment-batches?status=COMPLETED");
    expect([json.totalCount, json.data.length]).toEqual([1, 1]);
  });

  it("with requireFunds is refused when an account has too little, with what is short", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story, 500);
    const before = await rowCounts(story);
    const items = ["a", "b"].map((reference) => bookItem(payers, { reference, amount: 400 }));
    const { status, json } = await sendBatch(story, items, { requireFunds: true });
    expect([status, json.code]).toEqual([400, "INSUFFICIENT_BALANCE"]);
    expect(json.details.shortfalls).toEqual([
      { accountId: payers.from, currency: "USD", available: 500, needed: 800, shortfall: 300 },
    ]);
    expect(await rowCounts(story)).toEqual(before);
  });

  it("can be cancelled: what has not run never runs", async () => {
    const story = await openStory(server);
    const id = await longBatch(story);
    const cancelled = await story.call("POST", `/payment-batches/${id}/cancel`);
    expect([cancelled.status, cancelled.json.status]).toEqual([200, "CANCELLED"]);
    await story.settle();
    const { json } = await story.call("GET", `/payment-batches/${id}`);
    expect(json).toEqual(cancelled.json);
    const { accepted, cancelled: left } = json.counts;
    expect(accepted + left).toBe(3_000);
    const page = await story.call("GET", `/payment-batches/${id}/items?status=CANCELLED&limit=1`);
    expect([page.json.totalCount, page.json.data[0].index]).toEqual([left, accepted]);
    const again = await story.call("POST", `/payment-batches/${id}/cancel`);
    expect([again.status, again.json.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("a batch of all or nothing", () => {
  it("is paid in one commit", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    const items = [bookItem(payers), payoutItem(payers, { reference: "two" })];
    const { status, json } = await sendBatch(story, items, { mode: "ALL_OR_NOTHING" });
    expect([status, json.status]).toEqual([201, "COMPLETED"]);
    expect(json.counts).toMatchObject({ accepted: 2, completed: 1, waiting: 0 });
    expect((await itemsOf(story, json.id)).map(({ status: of }) => of)).toEqual([
      "CREATED",
      "CREATED",
    ]);
  });

  it("leaves nothing when an item is refused, and names it", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story, 1_000);
    const before = [await rowCounts(story), await holdingsOf(story, payers.from)];
    const items = ["a", "b", "c"].map((reference) => bookItem(payers, { reference, amount: 400 }));
    const { status, json } = await sendBatch(story, items, { mode: "ALL_OR_NOTHING" });
    expect([status, json.code]).toEqual([400, "INSUFFICIENT_BALANCE"]);
    expect(json.details).toMatchObject({ index: 2, reference: "c", available: 200, needed: 400 });
    expect(json.message).toMatch(/^items\[2\] \(c\): /);
    expect([await rowCounts(story), await holdingsOf(story, payers.from)]).toEqual(before);
  });
});

describe("verify", () => {
  it.each([
    [
      "a count that is not that of the items",
      "update payment_batches set refused = 1, accepted = 0, completed = 0",
    ],
    [
      "an item whose payment is another item's",
      "update payment_batch_items set transaction_id = gen_random_uuid()",
    ],
    [
      "a payment that names an item twice",
      "update payment_batch_items set status = 'WAITING', transaction_id = null",
    ],
  ])("finds %s", async (_what, edit) => {
    const story = await openStory(server);
    const { json } = await sendBatch(story, [bookItem(await payersOf(story))]);
    await ended(story, json.id);
    await story.settle();
    expect(
      await foundAfter({ server, story }, `${edit} where platform_id = '${story.platformId}'`),
    ).not.toEqual([]);
  });
});

describe("a batch with faults", () => {
  it("is refused as a whole, with the place and the reference of each fault", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    const before = await rowCounts(story);
    const items = [
      bookItem(payers, { reference: "a" }),
      bookItem(payers, { reference: "a" }),
      bookItem(payers, { reference: "c", amount: 1.5 }),
      { ...bookItem(payers, { reference: "d" }), kind: "TRANSFER_OUT" },
      bookItem(payers, { reference: "e", more: { remittanceInformation: "x" } }),
      { ...bookItem(payers), reference: "f", source: { accountId: payers.bank } },
    ];
    const { status, json } = await sendBatch(story, items);
    expect([status, json.code]).toEqual([400, "INVALID_INPUT"]);
    const places = (json.details.errors as readonly Fault[]).map(({ field, index, reference }) => [
      index,
      reference,
      field,
    ]);
    expect(places.toSorted(([left], [right]) => Number(left) - Number(right))).toEqual([
      [1, "a", "items.1.reference"],
      [2, "c", "items.2.amount"],
      [3, "d", "items.3.destination.accountId"],
      [4, "e", "items.4.remittanceInformation"],
      [5, "f", "items.5.source.accountId"],
    ]);
    expect(await rowCounts(story)).toEqual(before);
  });

  it.each([
    ["no item", 0, "INDEPENDENT"],
    ["more items than a batch may have", 10_001, "INDEPENDENT"],
    ["more items than one commit may have", 501, "ALL_OR_NOTHING"],
  ] as const)("is refused with %s", async (_what, count, mode) => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    const items = Array.from({ length: count }, (_, at) =>
      bookItem(payers, { reference: `${at}` }),
    );
    const { status, json } = await sendBatch(story, items, { mode });
    expect([status, json.details.field]).toEqual([400, "items"]);
  });

  it("of which all are wrong names the first hundred", async () => {
    const story = await openStory(server);
    const payers = await payersOf(story);
    const items = Array.from({ length: 500 }, (_, at) =>
      bookItem(payers, { reference: `${at}`, amount: 0 }),
    );
    const { json } = await sendBatch(story, items);
    expect([json.code, json.details.errors.length]).toEqual(["INVALID_AMOUNT", 100]);
    expect(json.details.errors[99]).toMatchObject({ index: 99, reference: "99" });
  });
});
