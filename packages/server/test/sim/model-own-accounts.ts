/** The model's own accounts: those that a platform opens beside the default ones. */
import { present } from "../../src/std/assert.ts";
import type { AccountOrder } from "./bulk-orders.ts";
import { isOpen, type Model } from "./model.ts";
import { count, type Tally, type Verdict } from "./verdict.ts";

export class ModelOwnAccounts {
  readonly met: Tally = new Map();
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  verdicts(order: AccountOrder): readonly Verdict[] {
    if (order.kind === "open-account") return [this.#opening(order)];
    const account = this.#model.internals.get(order.internalId);
    if (account === undefined) return ["REFERENCE_NOT_FOUND"];
    // A default account is neither named nor closed.
    if (account.isClosed || account.name === null) return ["CONFLICT"];
    return order.kind === "rename-account" ? ["OK"] : this.#closing(order.internalId);
  }

  #opening({ customerId, currency }: Extract<AccountOrder, { kind: "open-account" }>): Verdict {
    if (customerId === null) return "OK";
    const customer = this.#model.customers.get(customerId);
    if (customer === undefined) return "USER_NOT_FOUND";
    if (customer.isDeleted) return "INVALID_INPUT";
    return customer.currencies.includes(currency) ? "OK" : "INVALID_CURRENCY";
  }

  /** Payments that may have ended by now may hinder it or not. */
  #closing(internalId: string): readonly Verdict[] {
    const { holds, quotes, transfers } = this.#model;
    // Other ends of payments than orders only add to a balance, and the money of a hold stays on the account.
    if (this.#model.moneyOf(internalId).balance > 0n) return ["CONFLICT"];
    if (holds.heldOn(internalId) > 0n) return ["CONFLICT"];
    const hinders = quotes.hindersClosing(internalId);
    if (hinders === "yes") return ["CONFLICT"];
    const open = [...transfers].filter(
      ([, transfer]) => transfer.internalId === internalId && isOpen(transfer),
    );
    if (open.some(([id]) => this.#model.reportsOf(id).size === 0)) return ["CONFLICT"];
    return open.length > 0 || hinders === "maybe" ? ["OK", "CONFLICT"] : ["OK"];
  }

  apply(order: AccountOrder, made: unknown): void {
    const { internals } = this.#model;
    if (order.kind === "open-account") {
      const { account } = made as { readonly account: { readonly id: string } };
      const { customerId, currency, name } = order;
      const state = { funded: 0n, fundings: 0, isFrozen: false, isClosed: false };
      internals.set(account.id, { customerId, currency, name, ...state });
      return;
    }
    const account = present(internals.get(order.internalId), "an account");
    if (order.kind === "rename-account") account.name = order.name;
    else account.isClosed = true;
  }

  note(order: AccountOrder, verdict: Verdict): void {
    count(this.met, `${order.kind}: ${verdict}`);
    if (order.kind !== "close-account" || verdict !== "OK") return;
    if (this.#model.balanceEvents(order.internalId) > 0) count(this.met, "closed after use");
  }
}
