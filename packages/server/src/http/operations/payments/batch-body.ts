/** The body of a batch, what its schema cannot say, and the input of its command. */
import Type, { type Static } from "typebox";
import { metadataOf } from "../../../domain/metadata.ts";
import {
  type CreateBatchInput,
  LATEST_BATCH_DAYS,
} from "../../../domain/payments/batches/create-batch.ts";
import {
  batchModes,
  type ItemTerms,
  itemKinds,
  MOST_ITEMS,
  MOST_ITEMS_AT_ONCE,
  type NewItem,
} from "../../../domain/payments/batches/payment-batch.ts";
import { type CodedFault, invalid } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { fromWireId } from "../../../std/ids.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../std/json.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { type Judgement, judgementOf } from "../../../validation/validation.ts";
import { filledText } from "../../../wire/fields.ts";
import { accountIdField, idField } from "../../../wire/id-fields.ts";
import { descriptionField, MetadataSchema } from "../../../wire/metadata.ts";
import { listedText } from "../../../wire/value-lists.ts";
import type { Services } from "../../request/services.ts";

export const MOST_BATCH_BYTES = 8 * 1024 * 1024;

const BatchItemBody = Type.Object(
  {
    reference: filledText(64, { description: "Unique in the batch." }),
    kind: Type.Enum([...itemKinds], {
      description: "`TRANSFER_OUT`: like `POST /transfer-out`. `BOOK`: like `POST /transfers`.",
    }),
    source: Type.Object({ accountId: idField("InternalAccount") }),
    destination: Type.Object({
      accountId: accountIdField({
        description: "Of `TRANSFER_OUT` an external account, of `BOOK` an internal one.",
      }),
      paymentRail: Type.Optional(
        listedText("PaymentRail", { maxLength: 64, description: "Of `TRANSFER_OUT` alone." }),
      ),
    }),
    amount: requestAmount(),
    description: descriptionField,
    metadata: Type.Optional(MetadataSchema),
    remittanceInformation: Type.Optional(
      Type.String({ maxLength: 80, description: "Of `TRANSFER_OUT` alone." }),
    ),
  },
  { $id: "NewPaymentBatchItem" },
);

export const scheduledForField = Type.Optional(
  Type.String({
    format: "date-time",
    description:
      `In the future, at most ${LATEST_BATCH_DAYS} days away. The batch is stored and its form checked at once, and its items run from that time on by the ` +
      "platform's clock; `requireFunds` and each item of an `ALL_OR_NOTHING` batch are judged then. It runs later where no server was up at that time, or an approval came later.",
  }),
);

export const PaymentBatchBody = Type.Object({
  name: Type.Optional(filledText(80)),
  mode: Type.Enum([...batchModes], {
    description: `\`INDEPENDENT\`: the items run after the answer, and a refused item stops no other. \`ALL_OR_NOTHING\`: at most ${MOST_ITEMS_AT_ONCE} items, all of which are made payments before the answer, or none.`,
  }),
  requireFunds: Type.Optional(
    Type.Boolean({
      description:
        "Refuses the batch with `INSUFFICIENT_BALANCE` when a source account has less available than its items need; `details.shortfalls` names " +
        "each such account.",
    }),
  ),
  scheduledFor: scheduledForField,
  metadata: Type.Optional(MetadataSchema),
  items: Type.Array(BatchItemBody, { minItems: 1, maxItems: MOST_ITEMS }),
});
export type PaymentBatchBody = Static<typeof PaymentBatchBody>;

/** What the schema cannot say: references that are used twice, members that belong to the other kind, and the size of one commit. */
export function judgeBatch({ mode, items }: JsonObject): Judgement<undefined> {
  if (!Array.isArray(items)) return judgementOf([]);
  const faults: CodedFault[] = [];
  if (mode === "ALL_OR_NOTHING" && items.length > MOST_ITEMS_AT_ONCE) {
    faults.push(invalid("items", `must have at most ${MOST_ITEMS_AT_ONCE} items with ${mode}`));
  }
  const first = new Map<string, number>();
  for (const [index, item] of items.slice(0, MOST_ITEMS).entries()) {
    if (!isJsonObject(item)) continue;
    faults.push(...kindFaults(item, `items.${index}`));
    const { reference } = item;
    if (typeof reference !== "string") continue;
    const earlier = first.get(reference);
    if (earlier === undefined) first.set(reference, index);
    else {
      const message = `is also the reference of items.${earlier}`;
      faults.push(invalid(`items.${index}.reference`, message));
    }
  }
  return judgementOf(faults);
}

function kindFaults(item: JsonObject, at: string): readonly CodedFault[] {
  const { kind, destination, remittanceInformation } = item;
  if (!isJsonObject(destination)) return [];
  const { accountId, paymentRail } = destination;
  const isBook = kind === "BOOK";
  const wanted = isBook ? "InternalAccount" : "ExternalAccount";
  const faults: CodedFault[] = [];
  const isOther = typeof accountId === "string" && !accountId.startsWith(`${wanted}:`);
  if (isOther && itemKinds.some((each) => each === kind)) {
    const message = `must be an ${isBook ? "internal" : "external"} account of an item of kind ${kind}`;
    faults.push(invalid(`${at}.destination.accountId`, message));
  }
  if (!isBook) return faults;
  const ofPayouts = "belongs to items of kind TRANSFER_OUT";
  if (paymentRail !== undefined) faults.push(invalid(`${at}.destination.paymentRail`, ofPayouts));
  if (remittanceInformation !== undefined)
    faults.push(invalid(`${at}.remittanceInformation`, ofPayouts));
  return faults;
}

/** The item to which a faulty field belongs. */
export function itemOfField(
  body: Json,
  field: string,
): { readonly index: number; readonly reference?: string } | undefined {
  const place = /^items\.(\d+)/.exec(field)?.[1];
  if (place === undefined || !isJsonObject(body) || !Array.isArray(body.items)) return undefined;
  const index = Number(place);
  const item = body.items[index];
  const reference = isJsonObject(item ?? null) ? (item as JsonObject).reference : undefined;
  return typeof reference === "string" ? { index, reference: reference.slice(0, 64) } : { index };
}

export function batchInput(
  body: PaymentBatchBody,
  { rails, isAgreed = false }: Pick<Services, "rails"> & { readonly isAgreed?: boolean },
): CreateBatchInput {
  const { scheduledFor } = body;
  return {
    scheduledFor: scheduledFor === undefined ? undefined : Date.parse(scheduledFor.toUpperCase()),
    isAgreed,
    name: body.name,
    mode: body.mode,
    requiresFunds: body.requireFunds === true,
    metadata: metadataOf(body.metadata),
    items: body.items.map(newItem),
    rails,
  };
}

function newItem({
  reference,
  kind,
  source,
  destination,
  amount,
  ...terms
}: BatchItemBody): NewItem {
  const destinationKind = kind === "BOOK" ? "InternalAccount" : "ExternalAccount";
  return {
    reference,
    kind,
    sourceId: present(fromWireId("InternalAccount", source.accountId), "an internal account"),
    destinationId: present(fromWireId(destinationKind, destination.accountId), "a destination"),
    amountMinor: BigInt(amount),
    terms: termsOf({ ...terms, paymentRail: destination.paymentRail }),
  };
}

type BatchItemBody = Static<typeof BatchItemBody>;

function termsOf({
  paymentRail,
  remittanceInformation,
  description,
  metadata,
}: Pick<BatchItemBody, "remittanceInformation" | "description" | "metadata"> & {
  readonly paymentRail: string | undefined;
}): ItemTerms | null {
  const kept = metadataOf(metadata);
  const terms: ItemTerms = {
    ...(paymentRail === undefined ? {} : { paymentRail }),
    ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
    ...(description === undefined ? {} : { description }),
    ...(kept === null ? {} : { metadata: kept }),
  };
  return Object.keys(terms).length === 0 ? null : terms;
}
