/**
 * A reference model of the product: the verdict on each order, and all balances. It is written from the contract and shares
 * only the names of states and refusals with the product.
 */
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import { isAccountOrder, isBatchOrder, isBulkOrder } from "./bulk-orders.ts";
import { ModelAgents } from "./model-agents.ts";
import { ModelBatches } from "./model-batches.ts";
import { ModelBulk } from "./model-bulk.ts";
import { ModelHolds } from "./model-holds.ts";
import { ModelOwnAccounts } from "./model-own-accounts.ts";
import { ModelQuotes } from "./model-quotes.ts";
import { ModelRefunds } from "./model-refunds.ts";
import { ModelSchedules } from "./model-schedules.ts";
import { type Asked, isAgentOrder, isHoldOrder, type Order, textOf } from "./orders.ts";
import { isScheduleOrder } from "./schedule-orders.ts";
import { count, isKept, type Tally, type Verdict } from "./verdict.ts";

export interface CallAnswer {
  readonly status: number;
  readonly body: string;
}

interface ModelCustomer {
  readonly platformCustomerId: string;
  readonly currencies: readonly string[];
  readonly isApproved: boolean;
  isDeleted: boolean;
}

export interface ModelInternal {
  readonly customerId: string | null;
  readonly currency: string;
  funded: bigint;
  fundings: number;
  /** Its debits are stopped. */
  isFrozen: boolean;
  /** Null for a default account. */
  name: string | null;
  isClosed: boolean;
}

interface ModelExternal {
  readonly customerId: string | null;
  readonly currency: string;
  readonly accountNumber: string;
  isDeleted: boolean;
}

export interface ModelTransfer {
  readonly direction: "out" | "in";
  readonly internalId: string;
  readonly minor: bigint;
  readonly externalId: string;
  readonly failsAtOnce: boolean;
  /** The ordering agent; null for the platform. */
  readonly agentId: string | null;
  /** The payment that this one gives back. */
  readonly refundOf: string | null;
  readonly members: string;
  status: string;
}

export interface ModelBookTransfer {
  readonly fromId: string;
  readonly toId: string;
  readonly minor: bigint;
  /** The payee's transaction. */
  readonly incomingId: string;
  /** The payment that this one gives back. */
  readonly refundOf: string | null;
  readonly members: string;
}

/** The group, the batch and the reference in the batch that a transaction names. */
const NO_MEMBERS = "- - -";

export interface WantedTransfer {
  readonly type: "TRANSFER_OUT" | "TRANSFER_IN";
  readonly internalId: string;
  readonly externalId: string;
  readonly minor: bigint;
  readonly agentId: string | null;
  readonly refundOf?: string | null;
  readonly members?: string;
}

/** Bounds of the platform's time at which orders were decided. */
export interface Span {
  readonly earliest: number;
  readonly latest: number;
}

/** The limit of the currency whose limits no order changes. */
const EUR_LIMIT = 100_000_000_000n;

export class Model {
  readonly customers = new Map<string, ModelCustomer>();
  readonly internals = new Map<string, ModelInternal>();
  readonly externals = new Map<string, ModelExternal>();
  readonly transfers = new Map<string, ModelTransfer>();
  /** By the payer's transaction. */
  readonly bookTransfers = new Map<string, ModelBookTransfer>();
  readonly bookVerdicts: Tally = new Map();
  readonly quotes = new ModelQuotes(this);
  readonly agents = new ModelAgents(this);
  readonly refunds = new ModelRefunds(this);
  readonly holds = new ModelHolds(this);
  readonly ownAccounts = new ModelOwnAccounts(this);
  readonly bulk = new ModelBulk(this);
  readonly batches = new ModelBatches(this);
  readonly schedules = new ModelSchedules(this);
  clockOffsetMs = 0;
  time: Span = { earliest: 0, latest: 0 };
  /** The rail's answers about a key, which may be recorded at any time from then on. */
  readonly reportsOf: (key: string) => ReadonlySet<string>;
  readonly #keys = new Map<string, { readonly text: string; readonly answer: CallAnswer }>();
  #limits = { min: 1n, max: 100_000_000_000n };

  constructor(reportsOf: (key: string) => ReadonlySet<string>) {
    this.reportsOf = reportsOf;
  }

  /** Compares an answer with the expected verdicts, and applies its changes. */
  judge({ order, key }: Asked, answer: CallAnswer): void {
    const text = textOf(order);
    const known = key === undefined ? undefined : this.#keys.get(key);
    if (known !== undefined) {
      if (known.text === text) expect(answer).toEqual(known.answer);
      else expect(answer).toMatchObject({ status: 422, body: '{"code":"IDEMPOTENCY_KEY_REUSED"}' });
      return;
    }
    const verdict = verdictOf(order, answer);
    const right = this.#verdicts(order);
    expect(right, `the answer to ${text}`).toContain(verdict);
    if (order.kind === "book-transfer") count(this.bookVerdicts, verdict);
    if (order.kind === "refund") count(this.refunds.met, verdict);
    if (isHoldOrder(order)) this.holds.note(order, verdict);
    if (isAccountOrder(order)) this.ownAccounts.note(order, verdict);
    if (isBulkOrder(order)) this.bulk.note(order, verdict);
    if (isBatchOrder(order)) this.batches.note(order, verdict);
    if (isScheduleOrder(order)) this.schedules.note(order, verdict);
    if (isAgentOrder(order))
      this.agents.note(order, { verdict, isCertain: new Set(right).size === 1 });
    if (answer.status === 200) this.#apply(order, JSON.parse(answer.body));
    if (key !== undefined && isKept(answer)) this.#keys.set(key, { text, answer });
  }

  /** Whether an answer without changes and without a stored key is possible now. */
  allows({ order }: Asked, answer: CallAnswer): boolean {
    return this.#verdicts(order).includes(verdictOf(order, answer));
  }

  /** Narrows the time by an answer that contains its time of decision. */
  learnTime(at: number): void {
    const { earliest, latest } = this.time;
    expect(at).toBeGreaterThanOrEqual(earliest);
    expect(at).toBeLessThanOrEqual(latest);
    this.time = { earliest: at, latest };
  }

  moneyOf(internalId: string): { readonly balance: bigint; readonly held: bigint } {
    const { funded } = present(this.internals.get(internalId), internalId);
    const quoted = this.quotes.effectOn(internalId);
    const ofHolds = this.holds.heldOn(internalId);
    let balance = funded + quoted.balance - ofHolds;
    let held = quoted.held + ofHolds;
    for (const transfer of this.transfers.values()) {
      if (transfer.internalId !== internalId) continue;
      const { direction, status, minor } = transfer;
      if (direction === "in") balance += status === "COMPLETED" ? minor : 0n;
      else if (status !== "FAILED") balance -= minor;
      if (direction === "out" && isOpen(transfer)) held += minor;
    }
    for (const { fromId, toId, minor } of this.bookTransfers.values()) {
      if (fromId === internalId) balance -= minor;
      if (toId === internalId) balance += minor;
    }
    return { balance, held };
  }

  balanceEvents(internalId: string): number {
    let count = present(this.internals.get(internalId), internalId).fundings;
    for (const { direction, status, failsAtOnce, ...transfer } of this.transfers.values()) {
      if (transfer.internalId !== internalId || failsAtOnce) continue;
      if (direction === "in") count += status === "COMPLETED" ? 1 : 0;
      else count += status === "FAILED" ? 2 : 1;
    }
    for (const { fromId, toId } of this.bookTransfers.values()) {
      if (fromId === internalId || toId === internalId) count++;
    }
    return count + this.quotes.balanceEvents(internalId) + this.holds.balanceEvents(internalId);
  }

  #mayEnd(transferId: string): boolean {
    return this.reportsOf(transferId).size > 0;
  }

  /** The possible verdicts; several only while payments end concurrently. */
  #verdicts(order: Order): readonly Verdict[] {
    if (isHoldOrder(order)) return this.holds.verdicts(order);
    if (isAccountOrder(order)) return this.ownAccounts.verdicts(order);
    if (isBulkOrder(order)) return this.bulk.verdicts(order);
    if (isBatchOrder(order)) return this.batches.verdicts(order);
    if (isScheduleOrder(order)) return this.schedules.verdicts(order);
    switch (order.kind) {
      case "create-customer": {
        const { platformCustomerId } = order;
        const others = [...this.customers.values()];
        const isTaken = others.some(
          (other) => !other.isDeleted && other.platformCustomerId === platformCustomerId,
        );
        return [isTaken ? "CONFLICT" : "OK"];
      }
      case "delete-customer":
        return this.#deletion(order.customerId);
      case "create-external":
        return [this.#newExternal(order)];
      case "delete-external": {
        const external = this.externals.get(order.externalId);
        const isThere =
          external !== undefined &&
          !external.isDeleted &&
          (external.customerId === null) === order.isPlatforms;
        return [isThere ? "OK" : "REFERENCE_NOT_FOUND"];
      }
      case "fund": {
        const internal = this.internals.get(order.internalId);
        if (internal === undefined) return ["REFERENCE_NOT_FOUND"];
        const owner = this.customers.get(internal.customerId ?? "");
        return [owner?.isDeleted === true || internal.isClosed ? "CONFLICT" : "OK"];
      }
      case "transfer-out":
      case "transfer-in": {
        const refusal = this.transferRefusal(order, order.kind === "transfer-out");
        if (refusal !== "OK" || order.kind === "transfer-in") return [refusal];
        return this.affords(order.internalId, order.minor);
      }
      case "book-transfer":
        return this.bookVerdictsOn(order);
      case "refund":
        return this.refunds.verdicts(order);
      case "freeze":
        return [this.internals.has(order.internalId) ? "OK" : "REFERENCE_NOT_FOUND"];
      case "unfreeze": {
        const internal = this.internals.get(order.internalId);
        if (internal === undefined) return ["REFERENCE_NOT_FOUND"];
        return [internal.isFrozen ? "OK" : "CONFLICT"];
      }
      case "set-limits":
      case "advance":
        return ["OK"];
      case "make-quote":
      case "execute-quote":
      case "fund-quote":
        return this.quotes.verdicts(order);
      default:
        return this.agents.verdicts(order);
    }
  }

  bookVerdictsOn(order: Pick<ModelBookTransfer, "fromId" | "toId" | "minor">): readonly Verdict[] {
    const refusal = this.bookRefusal(order);
    return refusal === "OK" ? this.affords(order.fromId, order.minor) : [refusal];
  }

  /** The refusal of a book transfer, without the balance check. */
  bookRefusal(order: Pick<ModelBookTransfer, "fromId" | "toId" | "minor">): Verdict {
    const { fromId, toId, minor } = order;
    const from = this.internals.get(fromId);
    const to = this.internals.get(toId);
    if (from === undefined || to === undefined) return "REFERENCE_NOT_FOUND";
    if (fromId === toId) return "SELF_PAYMENT";
    if (from.isClosed || to.isClosed) return "INVALID_INPUT";
    if (from.currency !== to.currency) return "INVALID_CURRENCY";
    const isWithin = from.currency === "USD" ? this.isWithinLimits(minor) : minor <= EUR_LIMIT;
    if (!isWithin) return "AMOUNT_OUT_OF_RANGE";
    for (const { customerId } of [from, to]) {
      const customer = this.customers.get(customerId ?? "");
      if (customer !== undefined && (!customer.isApproved || customer.isDeleted))
        return "USER_NOT_READY";
    }
    return from.isFrozen ? "ACCOUNT_FROZEN" : "OK";
  }

  #deletion(customerId: string): readonly Verdict[] {
    const customer = this.customers.get(customerId);
    if (customer === undefined) return ["USER_NOT_FOUND"];
    if (customer.isDeleted) return ["CUSTOMER_DELETED"];
    const hinders = this.quotes.hindersDeletion(customerId);
    if (hinders === "yes") return ["CONFLICT"];
    let isEnding = hinders === "maybe";
    for (const [id, internal] of this.internals) {
      if (internal.customerId !== customerId) continue;
      const open = [...this.transfers].filter(
        ([, transfer]) => transfer.internalId === id && isOpen(transfer),
      );
      const { balance } = this.moneyOf(id);
      // The money of a hold that has expired is available.
      if (
        balance > 0n ||
        this.holds.heldOn(id) > 0n ||
        open.some(([transferId]) => !this.#mayEnd(transferId))
      )
        return ["CONFLICT"];
      isEnding ||= open.length > 0 || this.quotes.mayGain(id) > 0n;
    }
    return isEnding ? ["OK", "CONFLICT"] : ["OK"];
  }

  #newExternal(order: Extract<Order, { kind: "create-external" }>): Verdict {
    const { customerId, accountNumber } = order;
    if (customerId !== null) {
      const customer = this.customers.get(customerId);
      if (customer === undefined) return "USER_NOT_FOUND";
      if (customer.isDeleted) return "INVALID_INPUT";
    }
    if (accountNumber.endsWith("105")) return "INVALID_BANK_ACCOUNT";
    const isTaken = [...this.externals.values()].some(
      (other) =>
        !other.isDeleted &&
        other.customerId === customerId &&
        other.currency === order.currency &&
        other.accountNumber === accountNumber,
    );
    return isTaken ? "CONFLICT" : "OK";
  }

  /** The refusal of a transfer, without the balance check. */
  transferRefusal(
    { internalId, externalId, minor }: Omit<WantedTransfer, "type" | "agentId">,
    isOut: boolean,
  ): Verdict {
    const internal = this.internals.get(internalId);
    const external = this.externals.get(externalId);
    if (internal === undefined || external === undefined || external.isDeleted)
      return "REFERENCE_NOT_FOUND";
    if (external.customerId !== null && external.customerId !== internal.customerId)
      return "INVALID_INPUT";
    if (internal.isClosed) return "INVALID_INPUT";
    if (internal.currency !== external.currency) return "INVALID_CURRENCY";
    if (!this.isWithinLimits(minor)) return "AMOUNT_OUT_OF_RANGE";
    if (internal.customerId !== null) {
      const customer = present(this.customers.get(internal.customerId), "the owner of an account");
      if (!customer.isApproved || customer.isDeleted) return "USER_NOT_READY";
    }
    return isOut && internal.isFrozen ? "ACCOUNT_FROZEN" : "OK";
  }

  /** The reason of an immediate failure of transfers to or from this account. */
  failureAtOnce(externalId: string): string | undefined {
    const accountNumber = this.externals.get(externalId)?.accountNumber ?? "";
    if (accountNumber.endsWith("002")) return "QUOTE_EXECUTION_FAILED";
    return accountNumber.endsWith("003") ? "COUNTERPARTY_POST_TX_FAILED" : undefined;
  }

  isWithinLimits(minor: bigint): boolean {
    return minor >= this.#limits.min && minor <= this.#limits.max;
  }

  /** Concurrent ends of payments can only increase a balance. */
  affords(internalId: string, minor: bigint): readonly Verdict[] {
    const least = this.moneyOf(internalId).balance;
    if (minor <= least) return ["OK"];
    let most = least + this.quotes.mayGain(internalId) + this.holds.mayComeBack(internalId);
    for (const [id, transfer] of this.transfers) {
      if (transfer.internalId === internalId && isOpen(transfer) && this.#mayEnd(id))
        most += transfer.minor;
    }
    return minor <= most ? ["OK", "INSUFFICIENT_BALANCE"] : ["INSUFFICIENT_BALANCE"];
  }

  #apply(order: Order, made: { readonly id: string; readonly status: string }): void {
    if (isScheduleOrder(order)) {
      this.schedules.apply(order, made);
      return;
    }
    if (isHoldOrder(order)) {
      this.holds.apply(order, made);
      return;
    }
    if (isAccountOrder(order)) {
      this.ownAccounts.apply(order, made);
      return;
    }
    switch (order.kind) {
      case "book-legs":
        this.bulk.apply(order, made);
        return;
      case "create-batch":
      case "cancel-batch":
        this.batches.apply(order, made);
        return;
      case "create-customer": {
        const { platformCustomerId, currencies, fullName } = order;
        const isApproved = !/00[123]$/.test(fullName);
        const id = made.id.replace("Customer:", "");
        const state = { isApproved, isDeleted: false };
        this.customers.set(id, { platformCustomerId, currencies, ...state });
        return;
      }
      case "delete-customer":
        present(this.customers.get(order.customerId), "a customer").isDeleted = true;
        return;
      case "create-external": {
        const { customerId, currency, accountNumber } = order;
        this.externals.set(made.id, { customerId, currency, accountNumber, isDeleted: false });
        return;
      }
      case "delete-external":
        present(this.externals.get(order.externalId), "an account").isDeleted = true;
        return;
      case "fund": {
        const internal = present(this.internals.get(order.internalId), "an account");
        internal.funded += order.minor;
        internal.fundings++;
        return;
      }
      case "transfer-out":
      case "transfer-in": {
        const type = order.kind === "transfer-out" ? "TRANSFER_OUT" : "TRANSFER_IN";
        this.startTransfer({ ...order, type, agentId: null }, made);
        return;
      }
      case "book-transfer":
        this.bookTransfer({ ...order, refundOf: null }, made);
        return;
      case "refund":
        this.refunds.apply(order, made);
        return;
      case "freeze":
      case "unfreeze":
        present(this.internals.get(order.internalId), "an account").isFrozen =
          order.kind === "freeze";
        return;
      case "set-limits":
        this.#limits = { min: BigInt(order.min), max: BigInt(order.max) };
        return;
      case "advance":
        this.clockOffsetMs += order.seconds * 1000;
        return;
      case "make-quote":
      case "execute-quote":
      case "fund-quote":
        this.quotes.apply(order, made);
        return;
      default:
        this.agents.apply(order, made);
    }
  }

  bookTransfer(
    {
      fromId,
      toId,
      minor,
      refundOf,
      members = NO_MEMBERS,
    }: Omit<ModelBookTransfer, "incomingId" | "members"> & { readonly members?: string },
    made: { readonly id: string; readonly status: string },
  ): void {
    const { details } = made as { readonly details?: Readonly<Record<string, string>> };
    expect(made.status).toBe("COMPLETED");
    expect(this.bookTransfers.has(made.id), "a new transaction has a new id").toBe(false);
    const incomingId = details?.counterpartTransactionId?.slice("Transaction:".length) ?? "";
    this.bookTransfers.set(made.id, { fromId, toId, minor, incomingId, refundOf, members });
  }

  startTransfer(
    { type, internalId, externalId, minor, agentId, ...more }: WantedTransfer,
    made: { readonly id: string; readonly status: string },
  ): void {
    const failsAtOnce = this.failureAtOnce(externalId) !== undefined;
    const status = failsAtOnce ? "FAILED" : "PENDING";
    expect(made.status).toBe(status);
    expect(this.transfers.has(made.id), "a new transaction has a new id").toBe(false);
    const direction = type === "TRANSFER_OUT" ? "out" : "in";
    const { refundOf = null, members = NO_MEMBERS } = more;
    const terms = { direction, internalId, externalId, minor, agentId, refundOf, members } as const;
    this.transfers.set(made.id, { ...terms, failsAtOnce, status });
  }
}

export function isOpen({ status }: { readonly status: string }): boolean {
  return status === "PENDING" || status === "PROCESSING";
}

/** The rule or code of a refusal, or the status of an action. */
function verdictOf({ kind }: Order, { status, body }: CallAnswer): Verdict {
  const said = JSON.parse(body);
  if (status !== 200) {
    const code = said.rule ?? said.code;
    return said.place === undefined ? code : `${code} at ${said.place}`;
  }
  if (kind !== "submit" && kind !== "decide") return "OK";
  const { status: became, failureReason } = said.action;
  return became === "FAILED" ? `${became} ${failureReason}` : became;
}
