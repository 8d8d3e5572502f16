/** What a person types at the bank for an order, in the order in which banks ask for it, with the full account number. */
import { getCurrency } from "../../../money/currency.ts";
import { decimalText } from "../../../money/money.ts";
import type { RailPayment } from "../orders/rail-payment.ts";

export interface BankDetail {
  /** A member of the account, or `name`, `amount`, `reference`, `remittance`. */
  readonly field: string;
  readonly value: string;
}

/** Members of the account that are no detail of its own. */
const LEFT_OUT = ["accountType", "beneficiary", "paymentRails"];

/** The order of the members that banks ask for first; other members follow as they were given. */
const FIRST = ["iban", "accountNumber", "clabeNumber", "cbu", "pixKey", "phoneNumber"];
const SECOND = ["routingNumber", "swiftCode", "bic", "sortCode", "ifscCode", "bsb", "bankCode"];

/** Name, number, the bank's codes, amount, reference, and the text for the payee. */
export function bankDetailsOf(payment: RailPayment): readonly BankDetail[] {
  const { counterparty, currency, amountMinor, reference, remittance } = payment;
  const members = Object.entries(counterparty.accountInfo).flatMap(([field, value]) =>
    !LEFT_OUT.includes(field) && (typeof value === "string" || typeof value === "number")
      ? [{ field, value: String(value) }]
      : [],
  );
  const amount = `${decimalText(amountMinor, getCurrency(currency).decimals)} ${currency}`;
  return [
    ...(counterparty.name === null ? [] : [{ field: "name", value: counterparty.name }]),
    ...members.toSorted((one, other) => rankOf(one) - rankOf(other)),
    { field: "amount", value: amount },
    { field: "reference", value: reference },
    ...(remittance === null ? [] : [{ field: "remittance", value: remittance }]),
  ];
}

function rankOf({ field }: BankDetail): number {
  const rank = [...FIRST, ...SECOND].indexOf(field);
  return rank === -1 ? FIRST.length + SECOND.length : rank;
}
