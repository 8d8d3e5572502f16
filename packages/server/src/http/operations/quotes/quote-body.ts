/** The body of a request for a quote, and what it asks for. */
import Type, { type Static } from "typebox";
import type { CreateQuoteInput } from "../../../domain/quotes/create-quote.ts";
import type {
  AccountName,
  DestinationName,
  SourceName,
} from "../../../domain/quotes/quote-parties.ts";
import { bodyDigestOf } from "../../../domain/wallets/payload-to-sign.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import { parseId } from "../../ids.ts";
import { requestAmount, taggedUnion } from "../../schema.ts";

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
  "OTHER",
] as const;

const Source = taggedUnion("sourceType", [
  Type.Object({
    sourceType: Type.Literal("ACCOUNT"),
    accountId: Type.String({
      description: "An internal account, or an external one that money can be pulled from.",
    }),
    customerId: Type.Optional(
      Type.String({ description: "For whom an account of the platform itself is used." }),
    ),
  }),
  Type.Object({
    sourceType: Type.Literal("REALTIME_FUNDING"),
    currency: Type.String({ minLength: 1, maxLength: 16 }),
    customerId: Type.Optional(
      Type.String({ description: "Absent when the platform pays for itself." }),
    ),
    cryptoNetwork: Type.Optional(
      Type.String({ maxLength: 32, description: "Required for stablecoins." }),
    ),
  }),
]);

const Destination = taggedUnion("destinationType", [
  Type.Object({
    destinationType: Type.Literal("ACCOUNT"),
    accountId: Type.String({ description: "An internal or external account." }),
    paymentRail: Type.Optional(
      Type.String({ maxLength: 64, description: "One of the destination's rails." }),
    ),
  }),
]);

export const QuoteBody = Type.Object(
  {
    source: Source,
    destination: Destination,
    lockedCurrencySide: Type.Enum(["SENDING", "RECEIVING"], {
      description: "Which of the two amounts is exact; the other one follows.",
    }),
    lockedCurrencyAmount: requestAmount(),
    immediatelyExecute: Type.Optional(Type.Boolean({ default: false })),
    description: Type.Optional(Type.String({ maxLength: 255 })),
    purposeOfPayment: Type.Optional(Type.Enum([...purposesOfPayment])),
    senderCustomerInfo: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 1024 }), {
        maxProperties: 64,
        description: "Facts about the sender, by the names that a lookup asked for.",
      }),
    ),
    remittanceInformation: Type.Optional(Type.String({ maxLength: 80 })),
  },
  { $id: "QuoteRequest" },
);

export type QuoteRequest = Static<typeof QuoteBody>;

export function toQuoteInput(body: QuoteRequest): CreateQuoteInput {
  const errors: FieldError[] = [];
  const source = sourceName(body, errors);
  const destination = destinationName(body, errors);
  if (errors.length > 0 || source === undefined || destination === undefined) {
    throw invalidFields(errors);
  }
  return {
    source,
    destination,
    lockedSide: body.lockedCurrencySide,
    lockedMinor: BigInt(body.lockedCurrencyAmount),
    immediatelyExecute: body.immediatelyExecute ?? false,
    description: body.description,
    purposeOfPayment: body.purposeOfPayment,
    senderCustomerInfo: body.senderCustomerInfo ?? {},
    remittanceInformation: body.remittanceInformation,
    bodySha256: bodyDigestOf(body),
  };
}

function sourceName({ source }: QuoteRequest, errors: FieldError[]): SourceName | undefined {
  const customerId = customerName(source.customerId, errors);
  if (source.sourceType === "REALTIME_FUNDING") {
    const { currency, cryptoNetwork } = source;
    return { kind: "realtime", currency, cryptoNetwork, customerId };
  }
  const account = accountName(source.accountId, "source.accountId", errors);
  return account === undefined ? undefined : { ...account, customerId };
}

function destinationName(
  { destination }: QuoteRequest,
  errors: FieldError[],
): DestinationName | undefined {
  const account = accountName(destination.accountId, "destination.accountId", errors);
  return account === undefined ? undefined : { ...account, paymentRail: destination.paymentRail };
}

function customerName(raw: string | undefined, errors: FieldError[]): string | undefined {
  if (raw === undefined) return undefined;
  const id = parseId("Customer", raw);
  if (id === undefined) {
    errors.push({ field: "source.customerId", message: "names no customer" });
  }
  return id;
}

function accountName(raw: string, field: string, errors: FieldError[]): AccountName | undefined {
  const internal = parseId("InternalAccount", raw);
  if (internal !== undefined) return { kind: "internal", id: internal };
  const external = parseId("ExternalAccount", raw);
  if (external !== undefined) return { kind: "external", id: external };
  errors.push({ field, message: "names no account" });
  return undefined;
}
