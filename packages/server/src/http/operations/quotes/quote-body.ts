/** The body of a request for a quote, and what it asks for. */
import Type, { type Static } from "typebox";
import { normalizeUmaAddress } from "../../../domain/customers/uma-address.ts";
import { clockOffsetOf, findPlatform } from "../../../domain/platforms/platform.sql.ts";
import type { CreateQuoteInput } from "../../../domain/quotes/create-quote.ts";
import type {
  AccountName,
  DestinationName,
  SourceName,
} from "../../../domain/quotes/quote-parties.ts";
import { receiverFacts } from "../../../domain/uma/receiver.ts";
import { bodyDigestOf } from "../../../domain/wallets/payload-to-sign.ts";
import { type FieldError, invalidFields, Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { parseId } from "../../ids.ts";
import { requestAmount, taggedUnion } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { badUmaAddress, umaAddressField } from "../../wire/uma-address.ts";

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
  Type.Object({
    destinationType: Type.Literal("UMA_ADDRESS"),
    umaAddress: umaAddressField("Looked up before: `lookupId` is required with it."),
    currency: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16,
        description: "One that the lookup listed; the receiver's first one when absent.",
      }),
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
    lookupId: Type.Optional(
      Type.String({ maxLength: 64, description: "Required for UMA addresses." }),
    ),
    // No default is filled in: the owner of a wallet signs for the body as it was sent.
    immediatelyExecute: Type.Optional(Type.Boolean({ description: "False when absent." })),
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

/**
 * What the request asks for, as a look-up to be made. Refuses at once what the body alone shows; the look-up refuses a UMA
 * address that was not looked up or that nobody can be paid at.
 */
export function readQuoteInput(
  services: Services,
  platformId: string,
  body: QuoteRequest,
): () => Promise<CreateQuoteInput> {
  const errors: FieldError[] = [];
  const source = sourceName(body, errors);
  const { destination: wanted } = body;
  const isUma = wanted.destinationType === "UMA_ADDRESS";
  const account = isUma ? undefined : accountDestination(wanted, errors);
  if (isUma && body.lookupId === undefined) {
    errors.push({ field: "lookupId", message: "is required for a UMA address" });
  }
  if (errors.length > 0) throw invalidFields(errors);
  const address = isUma ? requireAddress(wanted) : undefined;
  return async () => ({
    source: present(source, "a source without a fault"),
    destination: account ?? (await umaDestination(services, platformId, { body, address })),
    lockedSide: body.lockedCurrencySide,
    lockedMinor: BigInt(body.lockedCurrencyAmount),
    immediatelyExecute: body.immediatelyExecute ?? false,
    description: body.description,
    purposeOfPayment: body.purposeOfPayment,
    senderCustomerInfo: body.senderCustomerInfo ?? {},
    remittanceInformation: body.remittanceInformation,
    bodySha256: bodyDigestOf(body),
  });
}

function requireAddress({ umaAddress }: UmaWanted): string {
  const address = normalizeUmaAddress(umaAddress);
  if (address !== undefined) return address;
  throw invalidFields([badUmaAddress("destination.umaAddress")], "INVALID_UMA_ADDRESS");
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

type DestinationWanted = QuoteRequest["destination"];
type UmaWanted = Extract<DestinationWanted, { destinationType: "UMA_ADDRESS" }>;

function accountDestination(
  wanted: Exclude<DestinationWanted, UmaWanted>,
  errors: FieldError[],
): DestinationName | undefined {
  const account = accountName(wanted.accountId, "destination.accountId", errors);
  return account === undefined ? undefined : { ...account, paymentRail: wanted.paymentRail };
}

/** The holder of the address, as they can be paid now. Refuses, in this order, as the codes are listed. */
async function umaDestination(
  { lookupIds, receivers, reads, clock }: Services,
  platformId: string,
  request: { readonly body: QuoteRequest; readonly address: string | undefined },
): Promise<DestinationName> {
  const { destination, lookupId = "" } = request.body;
  const { currency } = destination as UmaWanted;
  const address = present(request.address, "an address without a fault");
  const [platform, offsetMs] = await Promise.all([
    findPlatform(reads, platformId),
    clockOffsetOf(reads, platformId),
  ]);
  const id = parseId("Lookup", lookupId);
  const made =
    id === undefined ? undefined : lookupIds.judge(id, { platformId, receiver: address });
  if (made?.kind !== "made" || made.expiresAt <= clock.now() + offsetMs) {
    throw new Refusal("LOOKUP_REQUEST_NOT_FOUND", { field: "lookupId" });
  }
  const receiver = await receivers.find(address, present(platform, "the platform of a token"));
  if (receiver === undefined) throw new Refusal("UMA_NOT_FOUND");
  const facts = receiverFacts(receiver, currency);
  if (facts === undefined) {
    throw new Refusal(
      "INVALID_CURRENCY",
      { field: "destination.currency", supported: receiver.currencies.map((one) => one.currency) },
      "The receiver does not take this currency.",
    );
  }
  return { kind: "uma", receiver: facts };
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
