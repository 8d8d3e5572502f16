import Type from "typebox";
import { toTransactionId } from "../../domain/payments/transactions/transaction.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import {
  bookings,
  entryDirections,
  entrySources,
  type RailEntry,
  toRailEntryId,
} from "../../domain/rails/entries/rail-entry.ts";
import { maskedIdentifier, toRailPaymentId } from "../../domain/rails/orders/rail-payment.ts";
import { toIso } from "../../std/clock.ts";
import {
  amountJson,
  CurrencyAmountSchema,
  DateTimeSchema,
  filledText,
  optional,
} from "../fields.ts";

export const RailEntrySchema = Type.Object(
  {
    id: Type.String({ description: "`RailEntry:<uuid>`" }),
    connectionId: Type.String(),
    bankReference: Type.String({
      description: "The keeper's own reference; a connection has one entry under it.",
    }),
    direction: Type.Enum([...entryDirections], {
      description: "`CREDIT`: the account outside has more.",
    }),
    amount: CurrencyAmountSchema,
    bookedOn: Type.String({ format: "date" }),
    bookedAt: Type.Optional(DateTimeSchema),
    valueDate: Type.Optional(Type.String({ format: "date" })),
    reference: Type.Optional(Type.String()),
    remittance: Type.Optional(Type.String()),
    payer: Type.Optional(
      Type.Object({
        name: Type.Optional(Type.String()),
        accountMasked: Type.Optional(Type.String({ description: "Its last four characters." })),
      }),
    ),
    virtualAccount: Type.Optional(
      Type.String({ description: "The number to which the payer paid." }),
    ),
    bookedAs: Type.Enum([...bookings], {
      description:
        "`PAYMENT`: an order was settled by it, now or before. `RETURN`: an order came back by it. `DEPOSIT`: it credited an internal account. " +
        "`FUNDING`: a quote took it. `SUSPENSE`: nothing explains it, or what it is for does not take it, and an item waits for a person.",
    }),
    transactionId: Type.Optional(
      Type.String({ description: "Of `DEPOSIT`: the credit. Of `FUNDING`: that of the quote." }),
    ),
    paymentId: Type.Optional(
      Type.String({
        description: "The order that it names, also where it was not booked as that.",
      }),
    ),
    source: Type.Enum([...entrySources]),
    bookedBy: Type.String({ description: "`token <id>`, `worker <kind>`." }),
    createdAt: DateTimeSchema,
  },
  { $id: "RailEntry" },
);

export function railEntryJson(entry: RailEntry): string {
  const { payer, paymentId, transactionId } = entry;
  const members = {
    connectionId: toConnectionId(entry.connectionId),
    bankReference: entry.bankReference,
    direction: entry.direction,
    bookedOn: entry.bookedOn,
    ...optional("bookedAt", entry.bookedAt === null ? null : toIso(entry.bookedAt)),
    ...optional("valueDate", entry.valueDate),
    ...optional("reference", entry.reference),
    ...optional("remittance", entry.remittance),
    ...optional("payer", payer === null ? null : payerOf(payer)),
    ...optional("virtualAccount", entry.virtualAccount),
    bookedAs: entry.bookedAs,
    ...optional("transactionId", transactionId === null ? null : toTransactionId(transactionId)),
    ...optional("paymentId", paymentId === null ? null : toRailPaymentId(paymentId)),
    source: entry.source,
    bookedBy: entry.bookedBy,
    createdAt: toIso(entry.createdAt),
  };
  const rest = JSON.stringify(members).slice(1);
  const amount = amountJson(entry.amountMinor, entry.currency);
  return `{"id":"${toRailEntryId(entry.id)}","amount":${amount},${rest}`;
}

function payerOf({ name, account }: NonNullable<RailEntry["payer"]>) {
  const accountMasked = account === undefined ? null : maskedIdentifier(account);
  return { ...optional("name", name ?? null), ...optional("accountMasked", accountMasked) };
}

export const railEntryExample = {
  id: "RailEntry:019a4f00-0000-7000-8000-000000000024",
  connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
  bankReference: "BANK-20261121-0042",
  direction: "CREDIT",
  amount: {
    amount: 12500,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
  bookedOn: "2026-11-21",
  remittance: "Invoice 17",
  payer: { name: "Ana Ruiz", accountMasked: "…6789" },
  bookedAs: "SUSPENSE",
  source: "MANUAL",
  bookedBy: "token 019a4f00-0000-7000-8000-000000000007",
  createdAt: "2026-11-21T10:00:00.000Z",
};

export const entryMembers = {
  bankReference: filledText(140),
  direction: Type.Enum([...entryDirections]),
  bookedOn: Type.String({ format: "date" }),
  valueDate: Type.Optional(Type.String({ format: "date" })),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 140,
      description:
        "As the payment carried it. The `endToEndId` of an order settles it where the line is the debit of a payout, and is a suggestion elsewhere; the reference of an account or of a quote names that.",
    }),
  ),
  remittance: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  virtualAccount: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        "The number to which the payer paid: an IBAN, or a routing number and an account number with a slash between.",
    }),
  ),
  payer: Type.Optional(
    Type.Object({ name: Type.Optional(filledText(140)), account: Type.Optional(filledText(64)) }),
  ),
};

export const createEntryExample = {
  bankReference: "BANK-20261121-0042",
  direction: "CREDIT",
  amount: 12500,
  currency: "USD",
  bookedOn: "2026-11-21",
  remittance: "Invoice 17",
  payer: { name: "Ana Ruiz", account: "123456789" },
};
