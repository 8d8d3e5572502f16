import Type from "typebox";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import { toTransactionId } from "../../domain/payments/transactions/transaction.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { entryDirections, toRailEntryId } from "../../domain/rails/entries/rail-entry.ts";
import {
  itemReasons,
  itemStates,
  partKinds,
  partOutcomes,
  type RailItem,
  toRailItemId,
} from "../../domain/rails/entries/rail-item.ts";
import { toRailPaymentId } from "../../domain/rails/orders/rail-payment.ts";
import { toIso } from "../../std/clock.ts";
import { amountJson, CurrencyAmountSchema, DateTimeSchema, optional } from "../fields.ts";

const PartSchema = Type.Object({
  kind: Type.Enum([...partKinds]),
  amount: CurrencyAmountSchema,
  accountId: Type.Optional(Type.String()),
  transactionId: Type.Optional(Type.String({ description: "Of `ACCOUNT`: what was credited." })),
  quoteId: Type.Optional(Type.String()),
  paymentId: Type.Optional(
    Type.String({
      description: "Of `RETURN`: the order that gives the money back. Of `PAYMENT`: the order.",
    }),
  ),
  outcome: Type.Optional(Type.Enum([...partOutcomes])),
  receivableId: Type.Optional(Type.String()),
  label: Type.Optional(Type.String()),
  entryId: Type.Optional(Type.String()),
});

export const RailItemSchema = Type.Object(
  {
    id: Type.String({ description: "`RailItem:<uuid>`" }),
    connectionId: Type.String(),
    entryId: Type.Optional(Type.String({ description: "The entry that the money came by." })),
    accountId: Type.Optional(
      Type.String({ description: "Of a `HELD` item: the account that the money is for." }),
    ),
    transactionId: Type.Optional(
      Type.String({
        description:
          "The payment that failed and whose money it was; its refund ends with the item.",
      }),
    ),
    paymentId: Type.Optional(
      Type.String({
        description:
          "Without an entry: the order that came back, where no account takes its money or some of it is missing. With one: the order " +
          "that could not give the money back, or by which it came once more.",
      }),
    ),
    suggestedPaymentId: Type.Optional(
      Type.String({
        description:
          "The order that the text of the entry names, or that the rail says came back while its return was not taken. It decides nothing: a person " +
          "who finds it right resolves the item with a part `PAYMENT`.",
      }),
    ),
    reason: Type.Enum([...itemReasons], {
      description:
        "Why the money waits, or waited. `SHORT_RETURN`: a payout came back, and a bank kept this much; the platform's own funds stand in for it. " +
        "`AMOUNT_DIFFERS`, `LATE`: also a return of less than 90 % of a payout, or after `control.returnDays`. `NO_RATE`: the payout of a quote came back, and " +
        "no rate source has a young rate to give it back by.",
    }),
    direction: Type.Enum([...entryDirections], { description: "As that of the entry." }),
    amount: CurrencyAmountSchema,
    state: Type.Enum([...itemStates], {
      description: "`HELD`: for an account, and above the connection's `control.creditCeiling`.",
    }),
    agedDays: Type.Integer({
      description: "The last age that was told: 0, 1, 5 or 20 banking days.",
    }),
    openedAt: DateTimeSchema,
    resolution: Type.Optional(
      Type.Object({
        parts: Type.Array(PartSchema),
        note: Type.String(),
        by: Type.String({ description: "`token <id>`" }),
        at: DateTimeSchema,
      }),
    ),
  },
  { $id: "RailItem" },
);

export function railItemJson(item: RailItem): string {
  const { accountId, transactionId, paymentId, suggestedPaymentId: suggested } = item;
  const members = {
    connectionId: toConnectionId(item.connectionId),
    ...(item.entryId === null ? {} : { entryId: toRailEntryId(item.entryId) }),
    ...optional("accountId", accountId === null ? null : toInternalAccountId(accountId)),
    ...optional("transactionId", transactionId === null ? null : toTransactionId(transactionId)),
    ...optional("paymentId", paymentId === null ? null : toRailPaymentId(paymentId)),
    ...optional("suggestedPaymentId", suggested === null ? null : toRailPaymentId(suggested)),
    reason: item.reason,
    direction: item.direction,
    state: item.state,
    agedDays: item.agedDays,
    openedAt: toIso(item.createdAt),
  };
  const amount = amountJson(item.amountMinor, item.currency);
  const rest = JSON.stringify(members).slice(1, -1);
  return `{"id":"${toRailItemId(item.id)}","amount":${amount},${rest}${resolutionJson(item)}}`;
}

function resolutionJson({ resolution, resolvedAt, currency }: RailItem): string {
  if (resolution === null || resolvedAt === null) return "";
  const parts = resolution.parts.map(({ minor, ...part }) => {
    const rest = JSON.stringify(part).slice(1);
    return `{"amount":${amountJson(BigInt(minor), currency)},${rest}`;
  });
  const { note, by } = resolution;
  const rest = JSON.stringify({ note, by, at: toIso(resolvedAt) }).slice(1);
  return `,"resolution":{"parts":[${parts.join(",")}],${rest}`;
}

export const railItemExample = {
  id: "RailItem:019a4f00-0000-7000-8000-000000000025",
  connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
  entryId: "RailEntry:019a4f00-0000-7000-8000-000000000024",
  reason: "UNREFERENCED",
  direction: "CREDIT",
  amount: {
    amount: 12500,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
  state: "OPEN",
  agedDays: 0,
  openedAt: "2026-11-21T10:00:00.000Z",
};

export const resolvedItemExample = {
  ...railItemExample,
  state: "RESOLVED",
  resolution: {
    parts: [
      {
        kind: "ACCOUNT",
        amount: railItemExample.amount,
        accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
        transactionId: "Transaction:019a4f00-0000-7000-8000-000000000008",
      },
    ],
    note: "Invoice 17 is Ana's",
    by: "token 019a4f00-0000-7000-8000-000000000007",
    at: "2026-11-21T11:00:00.000Z",
  },
};
