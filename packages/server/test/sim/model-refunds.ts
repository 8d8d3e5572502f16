/** The model's refunds of incoming payments: the verdicts, what was given back, and what is on its way. */
import { isOpen, type Model, type ModelTransfer } from "./model.ts";
import type { Order } from "./orders.ts";
import type { Tally, Verdict } from "./verdict.ts";

type RefundOrder = Extract<Order, { kind: "refund" }>;

interface Received {
  readonly minor: bigint;
  /** The accounts that a refund goes from and to. */
  readonly fromId: string;
  readonly toId: string;
  readonly way: "book" | "payout";
}

interface Counts {
  readonly done: bigint;
  readonly pending: bigint;
}

export class ModelRefunds {
  readonly met: Tally = new Map();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  candidates(): readonly string[] {
    const { bookTransfers, transfers } = this.#model;
    const pulls = [...transfers].filter(([, { direction }]) => direction === "in");
    return [
      ...[...bookTransfers.values()].map(({ incomingId }) => incomingId),
      ...pulls.map(([id]) => id),
    ];
  }

  /** Several verdicts while payouts of earlier refunds, or the pull itself, may end at any time. */
  verdicts(order: RefundOrder): readonly Verdict[] {
    const { transactionId } = order;
    const { bookTransfers, transfers } = this.#model;
    const verdicts = new Set<Verdict>();
    if (!this.#isReceived(transactionId)) {
      const isKnown = bookTransfers.has(transactionId) || transfers.has(transactionId);
      verdicts.add(isKnown ? "CONFLICT" : "TRANSACTION_NOT_FOUND");
    }
    const received = this.#receivedBy(transactionId);
    if (received === undefined) return [...verdicts];
    for (const counts of this.#possibleCounts(transactionId)) {
      for (const verdict of this.#verdictsWith(order, received, counts)) verdicts.add(verdict);
    }
    return [...verdicts];
  }

  #verdictsWith(
    { minor }: RefundOrder,
    received: Received,
    { done, pending }: Counts,
  ): readonly Verdict[] {
    if (done === received.minor) return ["CONFLICT"];
    const left = received.minor - done - pending;
    if (left === 0n || (minor ?? left) > left) return ["AMOUNT_OUT_OF_RANGE"];
    const { fromId, toId, way } = received;
    const wanted = minor ?? left;
    if (way === "book") return this.#model.bookVerdictsOn({ fromId, toId, minor: wanted });
    if (this.#model.externals.get(toId)?.isDeleted === true) return ["CONFLICT"];
    const order = { internalId: fromId, externalId: toId, minor: wanted };
    const refusal = this.#model.transferRefusal(order, true);
    return refusal === "OK" ? this.#model.affords(fromId, wanted) : [refusal];
  }

  apply(
    { transactionId, minor }: RefundOrder,
    made: { readonly id: string; readonly status: string },
  ): void {
    const received = this.#receivedBy(transactionId);
    if (received === undefined) throw new Error(`${transactionId} was never received`);
    const { done, pending } = this.countsOf(transactionId);
    const amount = minor ?? received.minor - done - pending;
    const { fromId, toId, way } = received;
    const refundOf = transactionId;
    if (way === "book") this.#model.bookTransfer({ fromId, toId, minor: amount, refundOf }, made);
    else {
      const order = {
        internalId: fromId,
        externalId: toId,
        minor: amount,
        agentId: null,
        refundOf,
      };
      this.#model.startTransfer({ ...order, type: "TRANSFER_OUT" }, made);
    }
  }

  /** What was given back of a payment, and what is on its way. */
  countsOf(id: string): Counts {
    const sum = (refunds: readonly { readonly minor: bigint }[]) =>
      refunds.reduce((total, { minor }) => total + minor, 0n);
    const payouts = this.payoutsOf(id);
    return {
      done: sum([
        ...this.bookRefundsOf(id),
        ...payouts.filter(({ status }) => status === "COMPLETED"),
      ]),
      pending: sum(payouts.filter(isOpen)),
    };
  }

  /** The counts now, and those after the rail's answers about open payouts that no server has recorded yet. */
  #possibleCounts(id: string): readonly Counts[] {
    let possible: readonly Counts[] = [this.countsOf(id)];
    for (const [payoutId, { refundOf, status, minor }] of this.#model.transfers) {
      if (refundOf !== id || !isOpen({ status })) continue;
      const reports = this.#model.reportsOf(payoutId);
      possible = possible.flatMap(({ done, pending }) => [
        { done, pending },
        ...(reports.has("settled") ? [{ done: done + minor, pending: pending - minor }] : []),
        ...(reports.has("declined") ? [{ done, pending: pending - minor }] : []),
      ]);
    }
    return possible;
  }

  bookRefundsOf(id: string) {
    return [...this.#model.bookTransfers.values()].filter(({ refundOf }) => refundOf === id);
  }

  payoutsOf(id: string): readonly ModelTransfer[] {
    return [...this.#model.transfers.values()].filter(({ refundOf }) => refundOf === id);
  }

  statusOf(id: string, minor: bigint): "COMPLETED" | "REFUNDED" {
    return this.countsOf(id).done === minor ? "REFUNDED" : "COMPLETED";
  }

  /** Events about the original payment, in any order. */
  eventsOf(id: string): readonly string[] {
    const ofPayout = ({ status, failsAtOnce }: ModelTransfer) => {
      if (failsAtOnce) return [];
      if (isOpen({ status })) return ["REFUND_PENDING"];
      return ["REFUND_PENDING", status === "COMPLETED" ? "REFUND_COMPLETED" : "REFUND_FAILED"];
    };
    return [
      ...this.bookRefundsOf(id).map(() => "REFUND_COMPLETED"),
      ...this.payoutsOf(id).flatMap(ofPayout),
    ].sort();
  }

  #isReceived(id: string): boolean {
    const { bookTransfers, transfers } = this.#model;
    const isBook = [...bookTransfers.values()].some(({ incomingId }) => incomingId === id);
    const pull = transfers.get(id);
    return isBook || (pull?.direction === "in" && pull.status === "COMPLETED");
  }

  /** A payment that came in and is completed, or may be by now; undefined for any other transaction. */
  #receivedBy(id: string): Received | undefined {
    const { bookTransfers, transfers } = this.#model;
    const book = [...bookTransfers.values()].find(({ incomingId }) => incomingId === id);
    if (book !== undefined)
      return { minor: book.minor, fromId: book.toId, toId: book.fromId, way: "book" };
    const pull = transfers.get(id);
    if (pull?.direction !== "in") return undefined;
    const mayBeCompleted = isOpen(pull) && this.#model.reportsOf(id).has("settled");
    if (pull.status !== "COMPLETED" && !mayBeCompleted) return undefined;
    return { minor: pull.minor, fromId: pull.internalId, toId: pull.externalId, way: "payout" };
  }
}
