import Type from "typebox";
import { toExternalAccountId } from "../../domain/accounts/external/external-account.ts";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import {
  type BatchItem,
  batchModes,
  batchStatuses,
  type CurrencyTotal,
  cancelledIn,
  itemKinds,
  type PaymentBatch,
  shownStatus,
  shownStatuses,
  waitingIn,
} from "../../domain/payments/batches/payment-batch.ts";
import { exampleId } from "../id-fields.ts";
import { MetadataSchema } from "../metadata.ts";
import { listedText } from "../value-lists.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const total = wireObject("PaymentBatchTotal", ({ of }: Kit<CurrencyTotal>) => ({
  currency: of.currency({ example: "USD" }),
  count: of.integer({ description: "Items in this currency.", example: 200 }),
  sum: of.amount(({ sumMinor }) => BigInt(sumMinor), { example: 48000000n }),
}));

const counts = wireObject("PaymentBatchCounts", ({ of }: Kit<PaymentBatch>) => ({
  total: of.integer({ description: "Items of the batch.", example: 200 }),
  accepted: of.integer({ description: "Items that were made a payment.", example: 150 }),
  refused: of.integer({ description: "Items that were refused.", example: 2 }),
  completed: of.integer({
    description: "Payments of the batch that have completed.",
    example: 120,
  }),
  failed: of.integer({ description: "Payments of the batch that have failed.", example: 1 }),
  waiting: of.integer({ from: waitingIn, description: "Items that have not run.", example: 48 }),
  cancelled: of.integer({
    from: cancelledIn,
    description: "Items that had not run when the batch was cancelled.",
    example: 0,
  }),
}));

const refused = (facts: { readonly $id: string; readonly description: string }) =>
  Type.Object(
    {
      code: listedText("RefusalCode"),
      message: Type.String(),
      details: Type.Optional(Type.Object({}, { additionalProperties: true })),
    },
    facts,
  );

const ErrorSchema = refused({
  $id: "PaymentBatchItemError",
  description: "What the single call would have answered.",
});
const BatchErrorSchema = refused({
  $id: "PaymentBatchError",
  description:
    "Why a scheduled batch was not run: too low a balance with `requireFunds`, or the first item that an `ALL_OR_NOTHING` batch could not pay.",
});

export const wirePaymentBatch = wireObject("PaymentBatch", ({ of, maybe }: Kit<PaymentBatch>) => ({
  id: of.id("PaymentBatch", { description: "`PaymentBatch:<uuid>`", example: 30 }),
  name: maybe.text({ example: "Salaries November" }),
  mode: of.enum(batchModes, {
    description:
      "`INDEPENDENT`: a refused item stops no other. `ALL_OR_NOTHING`: all payments are made, or none.",
    example: "INDEPENDENT",
  }),
  status: of.enum(batchStatuses, {
    description:
      "`COMPLETED`: each item was made a payment or was refused; payments may still be under way, see `counts`.",
    example: "PROCESSING",
  }),
  currencyTotals: of.list(total, {
    description: "Sums of the items by the currencies of their source accounts.",
    example: [total.example],
  }),
  counts: of.object(counts, {
    from: (batch: PaymentBatch) => batch,
    description: "They agree with the items at every moment.",
    example: counts.example,
  }),
  scheduledFor: maybe.time({ description: "The time from which the items run." }),
  error: maybe.json(BatchErrorSchema, {}),
  metadata: maybe.json(MetadataSchema, { example: { payrollId: "2026-11" } }),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  completedAt: maybe.time({ description: "When the last item ran, or the batch was cancelled." }),
}));

export const endedBatchExample = {
  ...wirePaymentBatch.example,
  status: "COMPLETED" as const,
  counts: { ...counts.example, accepted: 198, completed: 120, waiting: 0 },
  completedAt: "2026-11-21T10:00:04.000Z",
};

const SourceSchema = Type.Object({ accountId: Type.String() });
const DestinationSchema = Type.Object({
  accountId: Type.String(),
  paymentRail: Type.Optional(listedText("PaymentRail")),
});

export const wireBatchItem = wireObject(
  "PaymentBatchItem",
  ({ of, maybe }: Kit<BatchItem, PaymentBatch>) => ({
    index: of.integer({
      from: "position",
      description: "The place in the batch, from 0.",
      example: 17,
    }),
    reference: of.text({ example: "salary-0018" }),
    kind: of.enum(itemKinds, { example: "TRANSFER_OUT" }),
    source: of.json(SourceSchema, {
      from: ({ sourceId }: BatchItem) => ({ accountId: toInternalAccountId(sourceId) }),
      example: { accountId: exampleId("InternalAccount") },
    }),
    destination: of.json(DestinationSchema, {
      from: destinationOf,
      example: { accountId: exampleId("ExternalAccount", "3") },
    }),
    amount: of.integer({
      from: "amountMinor",
      description: "Whole number of the currency's smallest unit.",
      example: 240000,
    }),
    description: maybe.text({ from: ({ terms }: BatchItem) => terms?.description }),
    remittanceInformation: maybe.text({
      from: ({ terms }: BatchItem) => terms?.remittanceInformation,
    }),
    metadata: maybe.json(MetadataSchema, { from: ({ terms }: BatchItem) => terms?.metadata }),
    status: of.enum(shownStatuses, {
      from: (item: BatchItem, batch: PaymentBatch) => shownStatus(batch, item),
      description: "`CREATED`: a payment was made of it, whose own status says how it goes on.",
      example: "REFUSED",
    }),
    transactionId: maybe.id("Transaction", { description: "The payment that was made of it." }),
    error: maybe.json(ErrorSchema, {
      example: {
        code: "REFERENCE_NOT_FOUND",
        message: "destination.accountId: names no external account",
        details: { field: "destination.accountId" },
      },
    }),
  }),
);

function destinationOf({ kind, destinationId, terms }: BatchItem) {
  const accountId =
    kind === "BOOK" ? toInternalAccountId(destinationId) : toExternalAccountId(destinationId);
  return { accountId, paymentRail: terms?.paymentRail };
}
