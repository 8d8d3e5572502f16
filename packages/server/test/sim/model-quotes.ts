/** The quotes of the model: verdicts on orders, states, and effects on balances. */
import { expect } from "vitest";
import { assert, present } from "../../src/std/assert.ts";
import type { Model, ModelInternal } from "./model.ts";
import { forbiddenSide } from "./model-policy.ts";
import type { QuoteOrder } from "./orders.ts";
import { type ModelPrice, modelPrice } from "./quote-price.ts";
import { factsOf, type QuoteState, reachable } from "./quote-states.ts";
import { andThen, type Verdict } from "./verdict.ts";

export interface ModelQuote {
  readonly id: string;
  readonly transactionId: string;
  /** Null for a quote that is funded by a push payment. */
  readonly fromId: string | null;
  readonly customerId: string | null;
  readonly toId: string;
  readonly isInHouse: boolean;
  /** The agent that created it; null for the platform. */
  readonly agentId: string | null;
  readonly price: ModelPrice;
  readonly expiresAt: number;
  state: QuoteState;
  /** The received amount; null before. */
  arrived: bigint | null;
}

type MakingOrder = Extract<QuoteOrder, { kind: "make-quote" }>;

interface MadeQuote {
  readonly id: string;
  readonly status: string;
  readonly transactionId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly rateNumerator: string;
  readonly rateDenominator: string;
}

const LIFETIME_MS = 300_000;
const SETTLED: ReadonlySet<string> = new Set(["settled"]);
/** The payment may have been credited before the deletion. */
const UNCREDITABLE: ReadonlySet<string> = new Set(["settled", "uncreditable"]);

export class ModelQuotes {
  readonly all = new Map<string, ModelQuote>();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  verdicts(order: QuoteOrder): readonly Verdict[] {
    switch (order.kind) {
      case "make-quote":
        return this.#making(order);
      case "execute-quote":
        return this.#execution(order.quoteId);
      case "fund-quote":
        return this.#funding(order);
    }
  }

  apply(order: QuoteOrder, made: unknown): void {
    if (order.kind === "make-quote") {
      this.#add(order, made as MadeQuote);
      return;
    }
    const quote = present(this.all.get(order.quoteId), "a quote");
    if (order.kind === "fund-quote") quote.arrived = order.minor ?? quote.price.sent;
    const isWrong = quote.arrived !== null && quote.arrived !== quote.price.sent;
    // Funding for a deleted destination is refunded like an undeliverable payment.
    const isGone = !quote.isInHouse && this.#model.externals.get(quote.toId)?.isDeleted === true;
    quote.state = isWrong ? "mispaid" : isGone ? "declined" : "paying";
    expect(made).toMatchObject({ status: quote.state === "paying" ? "PROCESSING" : "FAILED" });
  }

  ofTransaction(transactionId: string): ModelQuote | undefined {
    return [...this.all.values()].find((quote) => quote.transactionId === transactionId);
  }

  effectOn(internalId: string): { readonly balance: bigint; readonly held: bigint } {
    let [balance, held] = [0n, 0n];
    for (const { fromId, toId, price, state } of this.all.values()) {
      const { money } = factsOf(state);
      if (fromId === internalId && money !== "home") balance -= price.sent;
      if (fromId === internalId && money === "aside") held += price.sent;
      if (toId === internalId && money === "gone") balance += price.received;
    }
    return { balance, held };
  }

  balanceEvents(internalId: string): number {
    let count = 0;
    for (const { fromId, toId, state } of this.all.values()) {
      if (fromId === internalId) count += stepsOfMoney(state);
      if (toId === internalId && factsOf(state).money === "gone") count++;
    }
    return count;
  }

  /** What an account may have got since the last check: refunds, and credits within the books, whose jobs no rail holds back. */
  mayGain(internalId: string): bigint {
    let sum = 0n;
    for (const quote of this.all.values()) {
      const { fromId, toId, price, state } = quote;
      if (fromId !== internalId && toId !== internalId) continue;
      const possible = this.#possible(quote).map((one) => factsOf(one).money);
      const mayBecome = (money: string) =>
        factsOf(state).money !== money && possible.some((one) => one === money);
      if (fromId === internalId && mayBecome("home")) sum += price.sent;
      if (toId === internalId && mayBecome("gone")) sum += price.received;
    }
    return sum;
  }

  hindersDeletion(customerId: string): "yes" | "no" | "maybe" {
    let isMaybe = false;
    for (const quote of this.all.values()) {
      const hinders = this.#possible(quote).map((state) => this.#hinders(quote, state, customerId));
      if (!hinders.includes(false)) return "yes";
      isMaybe ||= hinders.includes(true);
    }
    return isMaybe ? "maybe" : "no";
  }

  hindersClosing(internalId: string): "yes" | "no" | "maybe" {
    let isMaybe = false;
    for (const quote of this.all.values()) {
      const { fromId, toId } = quote;
      if (fromId !== internalId && toId !== internalId) continue;
      const hinders = this.#possible(quote).map((state) => {
        const { rows, money } = factsOf(state);
        // Otherwise the money is where the balance shows it, or is held for the payer.
        if (/ (PENDING|PROCESSING)( |$)/.test(rows)) return true;
        if (fromId === internalId && money === "aside") return true;
        // The money of a quote that expired never left.
        if (state === "expired") return false;
        return state !== quote.state && money === (fromId === internalId ? "home" : "gone");
      });
      if (!hinders.includes(false)) return "yes";
      isMaybe ||= hinders.includes(true);
    }
    return isMaybe ? "maybe" : "no";
  }

  #hinders(quote: ModelQuote, state: QuoteState, customerId: string): boolean {
    const { rows, money } = factsOf(state);
    // In flight, or to be refunded.
    const isOpen = / (PENDING|PROCESSING)( |$)/.test(rows);
    if (quote.customerId === customerId && isOpen) return true;
    if (this.#model.internals.get(quote.fromId ?? "")?.customerId !== customerId) return false;
    return money === "aside" || (money === "home" && state !== quote.state && state !== "expired");
  }

  /** The states that a quote may have reached by now. */
  #possible(quote: ModelQuote): readonly QuoteState[] {
    return reachable(quote.state, {
      isTimeOver: this.#model.time.latest >= quote.expiresAt,
      ...this.newsOf(quote),
    });
  }

  newsOf({ isInHouse, fromId, toId, transactionId }: ModelQuote) {
    const refund = this.#model.reportsOf(`${transactionId}/refund`);
    // A refund to an account that was closed meanwhile fails; it may have come before the closing.
    const mayFail = refund.has("settled") && this.#isClosed(fromId ?? "");
    return {
      payout: isInHouse ? this.#credit(toId) : this.#model.reportsOf(transactionId),
      refund: mayFail ? new Set([...refund, "declined"]) : refund,
    };
  }

  #isClosed(accountId: string): boolean {
    return this.#model.internals.get(accountId)?.isClosed === true;
  }

  /** An account cannot be credited any more once its customer is deleted. */
  #credit(accountId: string): ReadonlySet<string> {
    return this.#isPayeeDeleted(accountId) ? UNCREDITABLE : SETTLED;
  }

  #isPayeeDeleted(accountId: string): boolean {
    const owner = this.#model.internals.get(accountId)?.customerId ?? "";
    return this.#model.customers.get(owner)?.isDeleted === true;
  }

  #making(order: MakingOrder): readonly Verdict[] {
    if (order.agentId === null) return this.#makingFor(order);
    const agent = this.#model.agents.live(order.agentId);
    if (agent === undefined) return ["UNAUTHORIZED"];
    const hindrance = this.#model.agents.hindrance(agent, "CREATE_QUOTES");
    if (hindrance !== undefined) return [hindrance];
    if (order.executes) return ["INVALID_INPUT"];
    const { customerId, policy } = agent;
    const sides = order.fromId === null ? [] : [{ kind: "internal", id: order.fromId } as const];
    const named = [...sides, order.to];
    if (named.some((side) => this.#destination(side)?.customerId !== customerId))
      return ["INVALID_INPUT"];
    const accounts = named.filter(({ kind }) => kind === "internal").map(({ id }) => id);
    const payee = order.to.kind === "external" ? order.to.id : null;
    const forbidden = forbiddenSide(policy, { accounts, payee, funding: null });
    if (forbidden !== undefined) return [forbidden];
    return this.#makingFor({ ...order, customerId });
  }

  #makingFor(order: MakingOrder): readonly Verdict[] {
    const { fromId, to, executes } = order;
    const from = fromId === null ? undefined : this.#model.internals.get(fromId);
    const destination = this.#destination(to);
    const customerId = order.customerId ?? from?.customerId ?? null;
    if ((fromId !== null && from === undefined) || destination === undefined)
      return ["INVALID_INPUT"];
    if (from?.isClosed === true || this.#isClosed(to.id)) return ["INVALID_INPUT"];
    if (!this.#isUsable(customerId, from)) return ["INVALID_INPUT"];
    const { customerId: owner, currency } = destination;
    const isBook = from !== undefined && to.kind === "internal";
    if (isBook && this.#isPayeeDeleted(to.id)) return ["INVALID_INPUT"];
    if (!isBook && owner !== null && owner !== customerId) return ["INVALID_INPUT"];
    if (fromId === to.id) return ["SELF_PAYMENT"];
    if (executes && fromId === null) return ["INVALID_INPUT"];
    if (from?.currency === currency) return ["INVALID_CURRENCY"];
    assert((from?.currency ?? "USD") === "USD" && currency === "EUR", "dollars become euros");
    if (customerId !== null && this.#model.customers.get(customerId)?.isApproved !== true)
      return ["USER_NOT_READY"];
    if (isBook && owner !== null && this.#model.customers.get(owner)?.isApproved !== true)
      return ["USER_NOT_READY"];
    if (from?.isFrozen === true) return ["ACCOUNT_FROZEN"];
    const price = modelPrice({ ...order, isInHouse: to.kind === "internal" });
    if (price === undefined || !this.#model.isWithinLimits(price.sent))
      return ["AMOUNT_OUT_OF_RANGE"];
    return executes && fromId !== null ? this.#model.affords(fromId, price.sent) : ["OK"];
  }

  #destination({ kind, id }: { readonly kind: "internal" | "external"; readonly id: string }) {
    if (kind === "internal") return this.#model.internals.get(id);
    const external = this.#model.externals.get(id);
    return external?.isDeleted === false ? external : undefined;
  }

  /** The customer exists and owns the account, unless the account belongs to the platform. */
  #isUsable(customerId: string | null, from: ModelInternal | undefined): boolean {
    if (customerId === null) return true;
    const owner = from?.customerId ?? null;
    return (
      this.#model.customers.get(customerId)?.isDeleted === false &&
      (owner === null || owner === customerId)
    );
  }

  #execution(quoteId: string): readonly Verdict[] {
    return andThen(this.refusals(quoteId), () => {
      const { fromId, price } = present(this.all.get(quoteId), "a quote");
      return this.#model.affords(present(fromId, "the payer"), price.sent);
    });
  }

  /** Refusals of an execution, without the balance check. */
  refusals(quoteId: string): readonly Verdict[] {
    const quote = this.all.get(quoteId);
    if (quote === undefined) return ["QUOTE_NOT_FOUND"];
    const { fromId, toId, isInHouse } = quote;
    if (fromId === null) return ["CONFLICT"];
    return this.#inTime(quote, () => {
      if (!isInHouse && this.#model.externals.get(toId)?.isDeleted !== false) return ["CONFLICT"];
      if (isInHouse && this.#isPayeeDeleted(toId)) return ["CONFLICT"];
      return [this.#model.internals.get(fromId)?.isFrozen === true ? "ACCOUNT_FROZEN" : "OK"];
    });
  }

  #funding({ quoteId, currency }: Extract<QuoteOrder, { kind: "fund-quote" }>): readonly Verdict[] {
    const quote = this.all.get(quoteId);
    if (quote === undefined) return ["QUOTE_NOT_FOUND"];
    if (quote.fromId !== null) return ["INVALID_INPUT"];
    return this.#inTime(quote, () => [currency === "USD" ? "OK" : "INVALID_CURRENCY"]);
  }

  /** Around the expiry of a quote, the verdict is uncertain. */
  #inTime(quote: ModelQuote, verdicts: () => readonly Verdict[]): readonly Verdict[] {
    const { earliest, latest } = this.#model.time;
    const { state, expiresAt } = quote;
    if (state === "expired" || (state === "waiting" && earliest >= expiresAt))
      return ["QUOTE_EXPIRED"];
    if (state !== "waiting") return ["CONFLICT"];
    return latest < expiresAt ? verdicts() : ["QUOTE_EXPIRED", ...verdicts()];
  }

  #add(order: MakingOrder, made: MadeQuote): void {
    const { fromId, to, executes, agentId } = order;
    const isInHouse = to.kind === "internal";
    const price = present(modelPrice({ ...order, isInHouse }), "the price of a quote");
    expect(made).toMatchObject({
      status: executes ? "PROCESSING" : "PENDING",
      sendingMinor: price.sent.toString(),
      receivingMinor: price.received.toString(),
      feesMinor: price.allFees.toString(),
      sendingCurrency: "USD",
      receivingCurrency: "EUR",
    });
    expect(BigInt(made.rateNumerator) * 23n).toBe(BigInt(made.rateDenominator) * 25n);
    this.#model.learnTime(made.createdAt);
    expect(made.expiresAt).toBe(made.createdAt + LIFETIME_MS);
    expect(this.all.has(made.id), "a new quote has a new id").toBe(false);
    const { id, transactionId, expiresAt } = made;
    const owner = this.#model.internals.get(fromId ?? "")?.customerId ?? null;
    const actsFor = this.#model.agents.all.get(agentId ?? "")?.customerId ?? order.customerId;
    this.all.set(id, {
      ...{ id, transactionId, fromId, toId: to.id, isInHouse, price, expiresAt, agentId },
      customerId: actsFor ?? owner,
      state: executes ? "paying" : "waiting",
      arrived: null,
    });
  }
}

/** Number of balance changes by a payment: holds and refunds. */
function stepsOfMoney(state: QuoteState): number {
  if (factsOf(state).money !== "home") return 1;
  return state === "waiting" || state === "expired" ? 0 : 2;
}
