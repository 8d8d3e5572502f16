import Type from "typebox";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import { toCustomerId } from "../../domain/customers/customer.ts";
import { toTransactionId } from "../../domain/payments/transactions/transaction.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { toRailPaymentId } from "../../domain/rails/orders/rail-payment.ts";
import {
  type RailReceivable,
  receivableStates,
  toReceivableId,
} from "../../domain/rails/returns/rail-receivable.ts";
import { toIso } from "../../std/clock.ts";
import { amountJson, CurrencyAmountSchema, DateTimeSchema, optional } from "../fields.ts";

export const RailReceivableSchema = Type.Object(
  {
    id: Type.String({ description: "`RailReceivable:<uuid>`" }),
    amount: CurrencyAmountSchema,
    open: CurrencyAmountSchema,
    collected: CurrencyAmountSchema,
    writtenOff: CurrencyAmountSchema,
    internalAccountId: Type.String({
      description: "The account whose money was spent; of a quote, one of the platform.",
    }),
    customerId: Type.Optional(
      Type.String({ description: "Who owes it; absent when the platform does." }),
    ),
    transactionId: Type.String({ description: "The collected payment that was taken back." }),
    paymentId: Type.String({ description: "Its order." }),
    connectionId: Type.String(),
    state: Type.Enum([...receivableStates], {
      description: "`WRITTEN_OFF`: what was not collected was paid from the platform's own funds.",
    }),
    note: Type.Optional(Type.String({ description: "Why it was written off." })),
    decidedBy: Type.Optional(Type.String({ description: "`token <id>`" })),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "RailReceivable" },
);

export function receivableJson(receivable: RailReceivable): string {
  const { customerId, currency } = receivable;
  const members = {
    internalAccountId: toInternalAccountId(receivable.accountId),
    ...optional("customerId", customerId === null ? null : toCustomerId(customerId)),
    transactionId: toTransactionId(receivable.transactionId),
    paymentId: toRailPaymentId(receivable.paymentId),
    connectionId: toConnectionId(receivable.connectionId),
    state: receivable.state,
    ...optional("note", receivable.note),
    ...optional("decidedBy", receivable.decidedBy),
    createdAt: toIso(receivable.createdAt),
    updatedAt: toIso(receivable.updatedAt),
  };
  const amounts = [
    `"amount":${amountJson(receivable.amountMinor, currency)}`,
    `"open":${amountJson(receivable.openMinor, currency)}`,
    `"collected":${amountJson(receivable.collectedMinor, currency)}`,
    `"writtenOff":${amountJson(receivable.writtenOffMinor, currency)}`,
  ];
  const rest = JSON.stringify(members).slice(1);
  return `{"id":"${toReceivableId(receivable.id)}",${amounts.join(",")},${rest}`;
}

const dollars = (amount: number) => ({
  amount,
  currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
});

export const receivableExample = {
  id: "RailReceivable:019a4f00-0000-7000-8000-000000000027",
  amount: dollars(12500),
  open: dollars(12500),
  collected: dollars(0),
  writtenOff: dollars(0),
  internalAccountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
  customerId: "Customer:019a4f00-0000-7000-8000-000000000001",
  transactionId: "Transaction:019a4f00-0000-7000-8000-000000000004",
  paymentId: "RailPayment:019a4f00-0000-7000-8000-000000000023",
  connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
  state: "OPEN",
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};
