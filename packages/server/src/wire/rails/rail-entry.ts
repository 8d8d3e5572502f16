import Type from "typebox";
import {
  bookings,
  entryDirections,
  entrySources,
  type RailEntry,
} from "../../domain/rails/entries/rail-entry.ts";
import { maskedIdentifier } from "../../domain/rails/orders/rail-payment.ts";
import { filledText } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const payer = wireObject({}, ({ maybe }: Kit<NonNullable<RailEntry["payer"]>>) => ({
  name: maybe.text(),
  accountMasked: maybe.text({
    from: ({ account }) => account && maskedIdentifier(account),
    description: "Its last four characters.",
  }),
}));

export const wireRailEntry = wireObject(
  { $id: "RailEntry", writtenFirst: ["id", "amount"] },
  ({ of, maybe }: Kit<RailEntry>) => ({
    id: of.id("RailEntry", { description: "`RailEntry:<uuid>`", example: 24 }),
    connectionId: of.id("RailConnection", { example: 21 }),
    bankReference: of.text({
      description: "The keeper's own reference; a connection has one entry under it.",
      example: "BANK-20261121-0042",
    }),
    direction: of.enum(entryDirections, {
      description: "`CREDIT`: the account outside has more.",
      example: "CREDIT",
    }),
    amount: of.amount("amountMinor", { example: 12500n }),
    bookedOn: of.text({ format: "date", example: "2026-11-21" }),
    bookedAt: maybe.time(),
    valueDate: maybe.text({ format: "date" }),
    reference: maybe.text(),
    remittance: maybe.text({ example: "Invoice 17" }),
    payer: maybe.object(payer, { example: { name: "Ana Ruiz", accountMasked: "…6789" } }),
    virtualAccount: maybe.text({ description: "The number to which the payer paid." }),
    bookedAs: of.enum(bookings, {
      description:
        "`PAYMENT`: an order was settled by it, now or before. `RETURN`: an order came back by it. `DEPOSIT`: it credited an internal account. " +
        "`FUNDING`: a quote took it. `INVOICE`: it paid an invoice of a UMA payment. `FEE`: it is the charge of an order, which own funds paid. `SUSPENSE`: nothing explains it, or what it is for does not take it, and an item waits for a person.",
      example: "SUSPENSE",
    }),
    transactionId: maybe.id("Transaction", {
      description:
        "Of `DEPOSIT`: the credit. Of `FUNDING`: that of the quote. Of `INVOICE`: the UMA payment.",
    }),
    invoiceId: maybe.id("UmaInvoice", {
      description: "The invoice that the connector names, also where it was not paid by it.",
    }),
    feeOf: maybe.id("RailPayment", {
      description:
        "The order whose charge it is, as the connector names it, also where it was not booked as that.",
    }),
    paymentId: maybe.id("RailPayment", {
      description: "The order that it names, also where it was not booked as that.",
    }),
    source: of.enum(entrySources, { example: "MANUAL" }),
    bookedBy: of.text({
      description: "`token <id>`, `worker <kind>`.",
      example: "token 019a4f00-0000-7000-8000-000000000007",
    }),
    createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  }),
);

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
