/** Payments of people as orders that may wait: the facts that approvers are shown. */
import { getCurrency } from "../../../money/currency.ts";
import { decimalText } from "../../../money/money.ts";
import { present } from "../../../std/assert.ts";
import {
  type Party,
  type Transaction,
  toTransactionId,
} from "../../payments/transactions/transaction.ts";
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

/** Leaves out an outside address, because it may identify a person. */
function nameOf(party: Party): string {
  return party.type === "ACCOUNT" ? party.accountId : "a payer or payee outside";
}

export const transactionResult = ({ id }: Transaction) => toTransactionId(id);
