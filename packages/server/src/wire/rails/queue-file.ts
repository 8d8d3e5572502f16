/** The queue of a connection as CSV, for the people who make its payments by hand: with full account numbers. */
import {
  endToEndIdOf,
  type RailPayment,
  toRailPaymentId,
} from "../../domain/rails/orders/rail-payment.ts";
import { getCurrency } from "../../money/currency.ts";
import { decimalText } from "../../money/money.ts";
import { toIso } from "../../std/clock.ts";
import type { Json, JsonObject } from "../../std/json.ts";
import { csvLine } from "../reading/csv.ts";

const HEAD = [
  "id",
  "createdAt",
  "direction",
  "paymentRail",
  "currency",
  "amount",
  "name",
  "accountType",
  "account",
  "reference",
  "remittance",
  "endToEndId",
  "recall",
];

/** Members of `accountInfo` that do not identify the account. */
const NOT_OF_ACCOUNT = new Set(["accountType", "beneficiary", "paymentRails"]);

export async function* queueFile(
  pages: AsyncIterable<readonly RailPayment[]>,
): AsyncIterable<string> {
  yield csvLine(HEAD);
  for await (const payments of pages) yield payments.map(lineOf).join("");
}

function lineOf(payment: RailPayment): string {
  const { counterparty, currency } = payment;
  return csvLine([
    toRailPaymentId(payment.id),
    toIso(payment.createdAt),
    payment.direction,
    payment.paymentRail,
    currency,
    decimalText(payment.amountMinor, getCurrency(currency).decimals),
    counterparty.name ?? "",
    counterparty.accountType,
    accountIn(counterparty.accountInfo),
    payment.reference,
    payment.remittance ?? "",
    endToEndIdOf(payment.id),
    payment.recall?.reason ?? "",
  ]);
}

/** `accountNumber 123456789; routingNumber 021000021` */
function accountIn(accountInfo: JsonObject): string {
  return Object.entries(accountInfo)
    .filter(([name, value]) => !NOT_OF_ACCOUNT.has(name) && isPlain(value))
    .map(([name, value]) => `${name} ${String(value)}`)
    .join("; ");
}

function isPlain(value: Json): boolean {
  return typeof value === "string" || typeof value === "number";
}
