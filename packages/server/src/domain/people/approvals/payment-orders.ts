/** Payments of people as orders that may wait: the facts that approvers are shown. */
import { getCurrency } from "../../../money/currency.ts";
import { decimalText } from "../../../money/money.ts";
import { present } from "../../../std/assert.ts";
import {
  type Party,
  type Transaction,
  toTransactionId,
} from "../../payments/transactions/transaction.ts";
import { toPersonId } from "../person.ts";
import { noteOf } from "./approval-kinds.ts";
import { type Amount, type ApprovalPolicy, approvalsNeeded, ruleFor } from "./approval-policy.ts";
import { type ApprovalPlace, hasTwoOwners, isBlocked } from "./eligible-people.ts";
import type { OrderFacts } from "./hold-order.ts";

/** `12.50 USD` */
export function amountText(minor: bigint, currency: string): string {
  return `${decimalText(minor, getCurrency(currency).decimals)} ${currency}`;
}

/** The facts of an order, from the transaction that it would make. */
export function paymentFacts(what: string): (transaction: Transaction) => OrderFacts {
  return (transaction) => {
    const { source, destination, sentMinor, receivedMinor } = transaction;
    const minor = present(sentMinor ?? receivedMinor, "the amount of a payment");
    const currency = present(
      transaction.sentCurrency ?? transaction.receivedCurrency,
      "the currency of a payment",
    );
    const amount = amountText(minor, currency);
    const summary = `${what} of ${amount} from ${nameOf(source)} to ${nameOf(destination)}`;
    return { summary, amount: { currency, minor } };
  };
}

/** The facts of a transfer of several legs, from the payers' transactions. */
export function legsFacts(legs: readonly Transaction[]): OrderFacts {
  const sums = new Map<string, bigint>();
  for (const { sentMinor, sentCurrency } of legs) {
    const currency = present(sentCurrency, "the currency of a leg");
    const minor = present(sentMinor, "the amount of a leg");
    sums.set(currency, (sums.get(currency) ?? 0n) + minor);
  }
  const amounts = [...sums].map(([currency, minor]) => ({ currency, minor }));
  const told = amounts.map(({ minor, currency }) => amountText(minor, currency)).join(" and ");
  return { summary: `Book transfer of ${told} in ${legs.length} legs`, amounts };
}

/** Leaves out an outside address, because it may identify a person. */
function nameOf(party: Party): string {
  return party.type === "ACCOUNT" ? party.accountId : "a payer or payee outside";
}

export const transactionResult = ({ id }: Transaction) => toTransactionId(id);

/** Whether a payment of a person would wait, and by which amounts of the rule. */
export interface PaymentWait {
  readonly approvalsNeeded: number;
  /** Payments up to this amount do not wait; undefined where none waits. */
  readonly above: Amount | undefined;
  /** Payments above this amount need two people; undefined where none does. */
  readonly twoAbove: Amount | undefined;
  /** Too few people may decide about it. */
  readonly isBlocked: boolean;
}

interface ThoughtOf {
  readonly amount: Amount;
  readonly policy: Pick<ApprovalPolicy, "rules"> | undefined;
  readonly place: ApprovalPlace;
  readonly by: { readonly personId: string; readonly people: readonly string[] };
}

/** Judges a payment that is not made yet, by the rules of `holding`. */
export function paymentWait({ amount, policy, place, by }: ThoughtOf): PaymentWait {
  const rule = ruleFor("PAYMENT", place.platform?.environment ?? "PRODUCTION", policy);
  const needed = approvalsNeeded(rule, { amount, hasTwoOwners: hasTwoOwners(place.people) });
  const { currency } = amount;
  const limit = (minor: number | undefined) =>
    minor === undefined ? undefined : { currency, minor: BigInt(minor) };
  const asked = {
    kind: "PAYMENT",
    state: "PENDING",
    capabilities: [noteOf("PAYMENT").capability],
    requestedBy: toPersonId(by.personId),
    requesterId: by.personId,
    requesterPeople: by.people,
    gainers: [],
    decisions: [],
    approvalsNeeded: needed,
  } as const;
  return {
    approvalsNeeded: needed,
    above: rule.waits === false ? undefined : limit(rule.above?.[currency] ?? 0),
    twoAbove: rule.waits === false ? undefined : limit(rule.twoAbove?.[currency]),
    isBlocked: needed > 0 && isBlocked(asked, place),
  };
}
