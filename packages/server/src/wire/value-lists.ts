/**
 * Values that a text field can have in this version, by the name under which the document lists them. A field that names a
 * list is not validated by it: the operation refuses an unknown value with a code of its own, and the lists may grow.
 */
import Type from "typebox";
import { accountTypes, railsOfType } from "../domain/accounts/external/account-types.ts";
import { customerInfoFields } from "../domain/customers/customer-info.ts";
import { BOOK_RAIL, UMA_RAIL } from "../domain/payments/transactions/delivery.ts";
import {
  failureCodes,
  failureReasons,
  failureStages,
} from "../domain/payments/transactions/failure.ts";
import { refusalCodes } from "../engine/refusal.ts";
import { currencies } from "../money/currency.ts";
import { type SchemaNode, valuesKeyword } from "../validation/schema.ts";

export const purposesOfPayment = [
  "GIFT",
  "SELF",
  "GOODS_OR_SERVICES",
  "EDUCATION",
  "HEALTH_OR_MEDICAL",
  "REAL_ESTATE_PURCHASE",
  "TAX_PAYMENT",
  "LOAN_PAYMENT",
  "UTILITY_BILL",
  "DONATION",
  "TRAVEL",
  "SALARY",
  "OTHER",
] as const;

const lists = {
  CurrencyCode: {
    description:
      "The code of a currency: ISO 4217, or a token's ticker. Rail connections, with their routes, orders, entries and books, and limits of positions may also " +
      "have `MSAT`: 1,000 of it are one smallest unit of `BTC`. More may come.",
    values: currencies.map(({ code }) => code),
  },
  PaymentRail: {
    description:
      "The rail of a bank payment, or the network of a token; in answers also UMA for a UMA address, and BOOK for a payment " +
      "within the books. More may come.",
    values: [...new Set([...accountTypes.flatMap(railsOfType), UMA_RAIL, BOOK_RAIL])].sort(),
  },
  AccountType: { description: "The type of an external account.", values: accountTypes },
  PurposeOfPayment: { description: "What a payment is for.", values: purposesOfPayment },
  PayerDataFieldName: {
    description:
      "A field about a person, by its name here. Another institution's field that has none has its own name. More may come.",
    values: customerInfoFields,
  },
  FailureCode: { description: "What stood in the way of a payment.", values: failureCodes },
  FailureStage: { description: "Where in its course a payment failed.", values: failureStages },
  FailureReason: { description: "Why a payment failed. More may come.", values: failureReasons },
  RefusalCode: { description: "Why a call was refused. More may come.", values: refusalCodes },
} as const satisfies Readonly<
  Record<string, { readonly description: string; readonly values: readonly string[] }>
>;

export type ValueList = keyof typeof lists;

/** Text with the values of the list; the document's reader finds them under `components/schemas`. */
export function listedText(
  list: ValueList,
  options: {
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly description?: string;
    readonly examples?: readonly string[];
  } = {},
) {
  return Type.String({ ...options, [valuesKeyword]: list });
}

/** The lists as the document holds them under `components/schemas`. */
export const valueListSchemas: Readonly<Record<string, SchemaNode>> = Object.fromEntries(
  Object.entries(lists).map(([name, { description, values }]) => [
    name,
    { type: "string", description, enum: [...values] },
  ]),
);
