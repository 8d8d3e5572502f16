import Type from "typebox";
import { entryDirections } from "../../domain/rails/entries/rail-entry.ts";
import {
  itemReasons,
  itemStates,
  partKinds,
  partOutcomes,
  partPrices,
  type RailItem,
} from "../../domain/rails/entries/rail-item.ts";
import { toIso } from "../../std/clock.ts";
import { CurrencyAmountSchema, DateTimeSchema, wireAmount } from "../fields.ts";
import { partiesSchema } from "../reading/party.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const PartSchema = Type.Object({
  kind: Type.Enum([...partKinds]),
  amount: CurrencyAmountSchema,
  accountId: Type.Optional(Type.String()),
  transactionId: Type.Optional(
    Type.String({ description: "Of `ACCOUNT` and `INVOICE`: what was credited." }),
  ),
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
  invoiceId: Type.Optional(Type.String()),
  price: Type.Optional(Type.Enum([...partPrices])),
  fee: Type.Optional(
    Type.Object(CurrencyAmountSchema.properties, {
      description: "Of `INVOICE`: the fee, and what rounding left, as part of the amount.",
    }),
  ),
  multiplier: Type.Optional(
    Type.String({
      description:
        "Of `INVOICE`: the price, in units of the asset for one smallest unit of what was credited.",
    }),
  ),
});

const ResolutionSchema = Type.Object({
  parts: Type.Array(PartSchema),
  note: Type.String(),
  by: Type.String({ description: "`token <id>`" }),
  at: DateTimeSchema,
});

const PartiesSchema = partiesSchema(
  ["from", "to", "by"],
  "Of a `CREDIT`, `from` is the payer, or the payee of an order that came back, and `to` is the account that the money is for; of a `DEBIT` the other way round. `by` resolved it. ",
);

export const {
  schema: RailItemSchema,
  json: railItemJson,
  example: railItemExample,
} = wireObject(
  { $id: "RailItem", writtenFirst: ["id", "amount"] },
  ({ of, maybe }: Kit<RailItem>) => ({
    id: of.id("RailItem", { description: "`RailItem:<uuid>`", example: 25 }),
    connectionId: of.id("RailConnection", { example: 21 }),
    entryId: maybe.id("RailEntry", {
      description: "The entry that the money came by.",
      example: 24,
    }),
    accountId: maybe.id("InternalAccount", {
      description: "Of a `HELD` item: the account that the money is for.",
    }),
    transactionId: maybe.id("Transaction", {
      description: "The payment that failed and whose money it was; its refund ends with the item.",
    }),
    paymentId: maybe.id("RailPayment", {
      description:
        "Without an entry: the order that came back, where no account takes its money or some of it is missing. With one: the order " +
        "that could not give the money back, or by which it came once more.",
    }),
    suggestedPaymentId: maybe.id("RailPayment", {
      description:
        "The order that the text of the entry names, or that the rail says came back while its return was not taken. It decides nothing: a person " +
        "who finds it right resolves the item with a part `PAYMENT`.",
    }),
    reason: of.enum(itemReasons, {
      description:
        "Why the money waits, or waited. `SHORT_RETURN`: a payout came back, and a bank kept this much; the platform's own funds stand in for it. " +
        "`AMOUNT_DIFFERS`, `LATE`: also a return of less than 90 % of a payout, or after `control.returnDays`. `NO_RATE`: the payout of a quote came back, and " +
        "no rate source has a young rate to give it back by.",
      example: "UNREFERENCED",
    }),
    direction: of.enum(entryDirections, {
      description: "As that of the entry.",
      example: "CREDIT",
    }),
    amount: of.amount("amountMinor", { example: 12500n }),
    state: of.enum(itemStates, {
      description: "`HELD`: for an account, and above the connection's `control.creditCeiling`.",
      example: "OPEN",
    }),
    agedDays: of.integer({
      description: "The last age that was told: 0, 1, 5 or 20 banking days.",
      example: 0,
    }),
    openedAt: of.time({ from: "createdAt", example: "2026-11-21T10:00:00.000Z" }),
    resolution: maybe.json(ResolutionSchema, { from: resolutionOf }),
    parties: maybe.json(PartiesSchema, { from: () => undefined }),
  }),
);

function resolutionOf({ resolution, resolvedAt, currency }: RailItem) {
  if (resolution === null || resolvedAt === null) return null;
  const { note, by } = resolution;
  const parts = resolution.parts.map(({ minor, ...part }) => {
    const amount = wireAmount(BigInt(minor), currency);
    if (!("feeMinor" in part)) return { amount, ...part };
    // The transaction tells what was credited.
    const { receivedMinor: _, feeMinor, ...shown } = part;
    return { amount, ...shown, fee: wireAmount(BigInt(feeMinor), currency) };
  });
  return { parts, note, by, at: toIso(resolvedAt) };
}

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
