/** The model's batches: the verdicts on new ones, which items have run and how, and what each batch shows of that. */
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { BatchOrder, Payment } from "./bulk-orders.ts";
import type { Model } from "./model.ts";
import { count, type Tally, type Verdict } from "./verdict.ts";

interface ModelBatch {
  readonly mode: "INDEPENDENT" | "ALL_OR_NOTHING";
  readonly items: readonly Payment[];
  /** Of the items that have run, in their order: the payer's transaction, or the code of the refusal. */
  readonly ran: (readonly ["CREATED" | "REFUSED", string])[];
  isCancelled: boolean;
}

export interface ItemRow {
  readonly batchId: string;
  readonly status: string;
  readonly transactionId: string;
  readonly code: string;
  /** The payee's transaction of a book transfer. */
  readonly counterpartId: string;
}

/** An item, or the run of a schedule, that has run since the last check. */
interface News {
  readonly row: Omit<ItemRow, "batchId">;
  readonly payment: Payment;
  readonly members: string;
}

/** What has run in this order since the last check. `ran` records each. */
export interface Queue {
  readonly name: string;
  readonly news: News[];
  ran(row: News["row"]): void;
}

export class ModelBatches {
  readonly all = new Map<string, ModelBatch>();
  readonly met: Tally = new Map();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  isUnderWay({ items, ran, isCancelled }: ModelBatch): boolean {
    return !isCancelled && ran.length < items.length;
  }

  verdicts(order: BatchOrder): readonly Verdict[] {
    if (order.kind === "cancel-batch") {
      const batch = this.all.get(order.batchId);
      if (batch === undefined) return ["REFERENCE_NOT_FOUND"];
      return [this.isUnderWay(batch) ? "OK" : "CONFLICT"];
    }
    const { mode, items, requiresFunds } = order;
    const funds = requiresFunds ? this.#funds(items) : (["OK"] as const);
    const then = mode === "INDEPENDENT" ? (["OK"] as const) : this.#model.bulk.inTurn(items);
    const short = funds.filter((verdict) => verdict !== "OK");
    return funds.includes("OK") ? [...short, ...then] : short;
  }

  /** Whether each known source has what all of its items need. */
  #funds(items: readonly Payment[]): readonly Verdict[] {
    const needs = new Map<string, bigint>();
    for (const { sourceId, minor } of items)
      needs.set(sourceId, (needs.get(sourceId) ?? 0n) + minor);
    const known = [...needs].filter(([id]) => this.#model.internals.has(id));
    const verdicts = known.map(([id, minor]) => this.#model.affords(id, minor));
    if (verdicts.some((each) => !each.includes("OK"))) return ["INSUFFICIENT_BALANCE"];
    return verdicts.some((each) => each.length > 1) ? ["OK", "INSUFFICIENT_BALANCE"] : ["OK"];
  }

  apply(order: BatchOrder, made: { readonly id: string; readonly status: string }): void {
    if (order.kind === "cancel-batch") {
      present(this.all.get(order.batchId), "a batch").isCancelled = true;
      expect(made.status).toBe("CANCELLED");
      return;
    }
    const { mode, items } = order;
    const batch: ModelBatch = { mode, items, ran: [], isCancelled: false };
    this.all.set(made.id, batch);
    expect(made.status).toBe(mode === "INDEPENDENT" ? "PENDING" : "COMPLETED");
    if (mode === "INDEPENDENT") return;
    // The answer has no ids of transactions: the next check learns them.
    for (const [place, payment] of items.entries()) {
      const id = `${made.id}/${place}`;
      batch.ran.push(["CREATED", id]);
      this.#pay(payment, { id, counterpartId: `${id}/in`, members: membersOf(made.id, place) });
    }
  }

  #pay(
    payment: Payment,
    made: { readonly id: string; readonly counterpartId: string; readonly members: string },
  ): void {
    const fails = this.#model.failureAtOnce(payment.destinationId) !== undefined;
    const ofPayout = fails ? "FAILED" : "PENDING";
    const status = payment.kind === "BOOK" ? "COMPLETED" : ofPayout;
    const details = { counterpartTransactionId: `Transaction:${made.counterpartId}` };
    this.#model.bulk.pay(payment, { id: made.id, status, details }, made.members);
  }

  note(order: BatchOrder, verdict: Verdict): void {
    if (order.kind === "cancel-batch") count(this.met, `${order.kind}: ${verdict}`);
    else {
      const [code = "", at] = verdict.split(" at ");
      const isLate = at !== undefined && at !== "0";
      count(this.met, `${order.mode}: ${code}${isLate ? " after others" : ""}`);
    }
  }

  /**
   * Adds what has run since the last check; `rows` are all items, by batch and place. `tellsFirst` orders transactions by their first event,
   * also those of `others`, which ran beside the batches.
   */
  learn(
    rows: readonly ItemRow[],
    tellsFirst: (transactionId: string) => number,
    others: readonly Queue[],
  ): void {
    const byBatch = new Map<string, ItemRow[]>();
    for (const row of rows) byBatch.set(row.batchId, [...(byBatch.get(row.batchId) ?? []), row]);
    expect([...byBatch.keys()].sort(), "the batches").toEqual([...this.all.keys()].sort());
    const queues: Queue[] = [...others];
    for (const [id, batch] of this.all) {
      const items = present(byBatch.get(id), "the items of a batch");
      expect(items).toHaveLength(batch.items.length);
      this.#rename(batch, items);
      const news = items.slice(batch.ran.length).filter(({ status }) => status !== "WAITING");
      queues.push({
        name: `batch ${id}`,
        news: news.map((row, at) => newsOf(batch, { id, row, place: batch.ran.length + at })),
        ran: ({ status, transactionId, code }) => {
          const isPaid = status === "CREATED";
          batch.ran.push(isPaid ? ["CREATED", transactionId] : ["REFUSED", code]);
          count(this.met, `item: ${isPaid ? "OK" : code}`);
        },
      });
      const after = items.slice(batch.ran.length + news.length);
      expect(
        after.every(({ status }) => status === "WAITING"),
        "items run in order",
      ).toBe(true);
    }
    this.#run(queues, tellsFirst);
  }

  /** The transactions of a batch of all or nothing get their ids. */
  #rename({ ran }: ModelBatch, rows: readonly ItemRow[]): void {
    const { bookTransfers, transfers } = this.#model;
    for (const [place, [status, id]] of ran.entries()) {
      const {
        transactionId,
        counterpartId: incomingId,
        code,
        ...row
      } = present(rows[place], "a row");
      expect(row.status).toBe(status);
      if (status === "REFUSED") expect(code).toBe(id);
      else if (id !== transactionId) {
        const [book, transfer] = [bookTransfers.get(id), transfers.get(id)];
        if (book !== undefined) bookTransfers.set(transactionId, { ...book, incomingId });
        if (transfer !== undefined) transfers.set(transactionId, transfer);
        bookTransfers.delete(id);
        transfers.delete(id);
        ran[place] = ["CREATED", transactionId];
      }
    }
  }

  /** Payments ran in the order of their events. A refusal was possible at some moment between the payments before and after it. */
  #run(queues: readonly Queue[], tellsFirst: (transactionId: string) => number): void {
    const takeRefusals = () => {
      for (const { news, ran } of queues) {
        for (let [head] = news; head !== undefined && this.#isRefused(head); [head] = news) {
          ran(head.row);
          news.shift();
        }
      }
    };
    const paid = queues.flatMap((queue) =>
      queue.news
        .filter(({ row }) => row.status === "CREATED")
        .map((news) => ({ queue, news, at: tellsFirst(news.row.transactionId) })),
    );
    takeRefusals();
    for (const { queue, news } of paid.sort((one, other) => one.at - other.at)) {
      expect(queue.news[0]?.row, `the next payment of ${queue.name}`).toBe(news.row);
      this.#create(news);
      queue.ran(news.row);
      queue.news.shift();
      takeRefusals();
    }
    for (const { name, news } of queues) expect(news, `impossible refusals in ${name}`).toEqual([]);
  }

  #isRefused({ row, payment }: News): boolean {
    if (row.status !== "REFUSED") return false;
    return this.#model.bulk.paymentVerdicts(payment).includes(row.code);
  }

  /**
   * The money may have come from a transfer or a quote that ended since the last check, and the model learns those later: then a balance is
   * below zero until they are learned.
   */
  #create({ row, payment, members }: News): void {
    const verdicts = this.#model.bulk.paymentVerdicts(payment);
    const isPossible = verdicts.some((one) => one === "OK" || one === "INSUFFICIENT_BALANCE");
    expect(isPossible, `a payment that was made: ${verdicts.join()}`).toBe(true);
    const { transactionId, counterpartId } = row;
    this.#pay(payment, { id: transactionId, counterpartId, members });
  }

  /** What a batch shows: its status and its counts. */
  shownOf(id: string): readonly string[] {
    const { items, ran, isCancelled } = present(this.all.get(id), "a batch");
    const { bookTransfers, transfers } = this.#model;
    const made = ran.filter(([status]) => status === "CREATED").map(([, made]) => made);
    const books = made.filter((one) => bookTransfers.has(one)).length;
    const ended = (status: string) =>
      made.filter((one) => transfers.get(one)?.status === status).length;
    const open = ran.length === 0 ? "PENDING" : "PROCESSING";
    const status = ran.length === items.length ? "COMPLETED" : open;
    const counts = [
      made.length,
      ran.length - made.length,
      books + ended("COMPLETED"),
      ended("FAILED"),
    ];
    return [isCancelled ? "CANCELLED" : status, ...counts.map(String)];
  }
}

function newsOf(
  { items }: ModelBatch,
  { id, row, place }: { readonly id: string; readonly row: ItemRow; readonly place: number },
): News {
  return { row, payment: present(items[place], "an item"), members: membersOf(id, place) };
}

function membersOf(id: string, place: number): string {
  return `- PaymentBatch:${id} item-${place}`;
}
