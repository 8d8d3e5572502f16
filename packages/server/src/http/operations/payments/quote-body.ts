/** The body of a quote request and the input of its command. */
import Type, { type Static } from "typebox";
import { normalizeUmaAddress } from "../../../domain/customers/uma-address.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import type { CreateQuoteInput } from "../../../domain/payments/quotes/create-quote.ts";
import type {
  AccountName,
  DestinationName,
  SourceName,
} from "../../../domain/payments/quotes/parties/quote-parties.ts";
import { findPlatform } from "../../../domain/platform.sql.ts";
import type { Receiver } from "../../../domain/uma/receiver.port.ts";
import { receiverFacts } from "../../../domain/uma/receiver.ts";
import { bodyDigestOf } from "../../../domain/wallets/payload-to-sign.ts";
import { invalid, Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { requestAmount, taggedUnion, valuesKeyword } from "../../../validation/schema.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { judgementOf } from "../../../validation/validation.ts";
import { currencyField } from "../../../wire/fields.ts";
import { accountIdField, idField } from "../../../wire/id-fields.ts";
import { parseId, soundId } from "../../../wire/ids.ts";
import { MetadataSchema } from "../../../wire/metadata.ts";
import { isNoUmaAddress, umaAddressFault, umaAddressField } from "../../../wire/uma/uma-address.ts";
import { listedText, purposesOfPayment } from "../../../wire/value-lists.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import type { FoundInput } from "../../request/submit-for-caller.ts";
import { lookUpAgain, lostLookup } from "../uma/look-up-outside.ts";
import { type OutsideOrder, type OutsidePayment, payOutside } from "../uma/pay-outside.ts";

const NO_ACCOUNT = "names no account";

const payerField = (description: string) =>
  Type.Optional(idField("Customer", { description, complaint: "names no customer" }));

const Source = taggedUnion("sourceType", [
  Type.Object({
    sourceType: Type.Literal("ACCOUNT"),
    accountId: accountIdField({
      description: "An internal account, or an external one that money can be pulled from.",
      complaint: NO_ACCOUNT,
    }),
    customerId: payerField("For whom an account of the platform itself is used."),
  }),
  Type.Object({
    sourceType: Type.Literal("REALTIME_FUNDING"),
    currency: currencyField(),
    customerId: payerField("Absent when the platform pays for itself."),
    cryptoNetwork: Type.Optional(
      Type.String({ maxLength: 32, description: "Required for stablecoins." }),
    ),
  }),
]);

const Destination = taggedUnion("destinationType", [
  Type.Object({
    destinationType: Type.Literal("ACCOUNT"),
    accountId: accountIdField({
      description: "An internal or external account.",
      complaint: NO_ACCOUNT,
    }),
    paymentRail: Type.Optional(
      listedText("PaymentRail", {
        maxLength: 64,
        description:
          "One of the destination's rails; of a wallet, its network. An internal account has none.",
      }),
    ),
  }),
  Type.Object({
    destinationType: Type.Literal("UMA_ADDRESS"),
    umaAddress: umaAddressField("Looked up before: `lookupId` is required with it."),
    currency: Type.Optional(
      currencyField({
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
    // No default is added: the owner of a wallet signs the body as it was sent.
    immediatelyExecute: Type.Optional(Type.Boolean({ description: "False when absent." })),
    description: Type.Optional(Type.String({ maxLength: 255 })),
    purposeOfPayment: Type.Optional(
      Type.Enum([...purposesOfPayment], { [valuesKeyword]: "PurposeOfPayment" }),
    ),
    senderCustomerInfo: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 1024 }), {
        maxProperties: 64,
        description: "Facts about the sender, by the names that a lookup asked for.",
      }),
    ),
    remittanceInformation: Type.Optional(Type.String({ maxLength: 80 })),
    metadata: Type.Optional(MetadataSchema),
  },
  { $id: "QuoteRequest" },
);

export type QuoteRequest = Static<typeof QuoteBody>;

/** Checks the additional fields of a payment to a UMA address. */
export function judgeQuote({ destination, lookupId }: JsonObject): Judgement<undefined> {
  if (!isJsonObject(destination) || destination.destinationType !== "UMA_ADDRESS") {
    return judgementOf([]);
  }
  const { umaAddress } = destination;
  return judgementOf([
    ...(isNoUmaAddress(umaAddress) ? [umaAddressFault("destination.umaAddress")] : []),
    ...(lookupId === undefined ? [invalid("lookupId", "is required for a UMA address")] : []),
  ]);
}

/** Who asks for a quote: a platform, or an agent for its customer. */
export interface QuoteCaller {
  readonly platformId: string;
  readonly agentCustomerId?: string;
}

/**
 * Reads the input of a valid request. Refuses a UMA address without a look-up, or one whose platform cannot be paid, and what `payOutside`
 * refuses. The input of a payment to another institution is completed by that institution.
 */
export async function readQuoteInput(
  services: Services,
  caller: QuoteCaller,
  body: QuoteRequest,
): Promise<FoundInput<CreateQuoteInput>> {
  const { destination, lookupId = "" } = body;
  if (destination.destinationType === "UMA_ADDRESS") {
    const found = await umaReceiver(services, caller, { body, wanted: destination, lookupId });
    return "request" in found ? ofOutside(body, found) : { input: quoteInput(body, found) };
  }
  const { accountId, paymentRail } = destination;
  return { input: quoteInput(body, { ...accountName(accountId), paymentRail }) };
}

function ofOutside(
  body: QuoteRequest,
  { estimate, request }: OutsidePayment,
): FoundInput<CreateQuoteInput> {
  return {
    input: quoteInput(body, { kind: "uma", receiver: estimate }),
    complete: async () => quoteInput(body, { kind: "uma", receiver: await request() }),
  };
}

function quoteInput(body: QuoteRequest, destination: DestinationName): CreateQuoteInput {
  return {
    source: sourceName(body),
    destination,
    lockedSide: body.lockedCurrencySide,
    lockedMinor: BigInt(body.lockedCurrencyAmount),
    immediatelyExecute: body.immediatelyExecute ?? false,
    description: body.description,
    metadata: metadataOf(body.metadata),
    purposeOfPayment: body.purposeOfPayment,
    senderCustomerInfo: body.senderCustomerInfo ?? {},
    remittanceInformation: body.remittanceInformation,
    bodySha256: bodyDigestOf(body),
  };
}

/** Reads the input from the terms of an order that waited. Its look-up has expired, so the UMA address is looked up again. */
export async function readHeldTerms(
  services: Services,
  platformId: string,
  terms: Omit<QuoteRequest, "lookupId" | "immediatelyExecute">,
): Promise<CreateQuoteInput> {
  const { destination } = terms;
  const body = { ...terms, immediatelyExecute: true };
  if (destination.destinationType !== "UMA_ADDRESS") {
    return (await readQuoteInput(services, { platformId }, body)).input;
  }
  const { umaAddress: address, currency } = destination;
  const platform = present(await findPlatform(services.reads, platformId), "the platform");
  const receiver = await services.receivers.find(address, platform);
  if (receiver !== undefined) return quoteInput(body, payableIn(receiver, currency));
  const lookedUp = await lookUpAgain(services, platform, { address, source: sourceName(body) });
  const { request } = await payOutside(services, outsideOrder(body, { platform, ...lookedUp }));
  return quoteInput(body, { kind: "uma", receiver: await request() });
}

function sourceName({ source }: QuoteRequest): SourceName {
  const customerId =
    source.customerId === undefined ? undefined : soundId("Customer", source.customerId);
  if (source.sourceType === "REALTIME_FUNDING") {
    const { currency, cryptoNetwork } = source;
    return { kind: "realtime", currency, cryptoNetwork, customerId };
  }
  return { ...accountName(source.accountId), customerId };
}

type UmaWanted = Extract<QuoteRequest["destination"], { destinationType: "UMA_ADDRESS" }>;

/** The holder of the UMA address, as payable now. Refuses in the order in which the codes are listed. */
async function umaReceiver(
  services: Services,
  { platformId, agentCustomerId }: QuoteCaller,
  {
    body,
    wanted,
    lookupId,
  }: { readonly body: QuoteRequest; readonly wanted: UmaWanted; readonly lookupId: string },
): Promise<DestinationName | OutsidePayment> {
  const { lookupIds, receivers, umaOutside, reads, clock } = services;
  const address = present(normalizeUmaAddress(wanted.umaAddress), "an address without a fault");
  const [found, at] = await Promise.all([
    findPlatform(reads, platformId),
    platformTime({ reads, clock }, platformId),
  ]);
  const id = parseId("Lookup", lookupId);
  const made =
    id === undefined ? undefined : lookupIds.judge(id, { platformId, receiver: address });
  if (id === undefined || made?.kind !== "made" || made.expiresAt <= at) {
    throw new Refusal("LOOKUP_REQUEST_NOT_FOUND", { field: "lookupId" });
  }
  const platform = present(found, "the platform of a token");
  const receiver = await receivers.find(address, platform);
  if (receiver !== undefined) return payableIn(receiver, wanted.currency);
  const lookup = await umaOutside.stored.find(platformId, id, address);
  if (lookup === undefined) throw await lostLookup(services, platform, address);
  const order = outsideOrder(body, { platform, at, lookupId: id, lookup });
  return payOutside(services, { ...order, agentCustomerId });
}

function outsideOrder(
  body: QuoteRequest,
  at: Pick<OutsideOrder, "platform" | "at" | "lookupId" | "lookup">,
): OutsideOrder {
  const { destination } = body;
  return {
    ...at,
    currency: destination.destinationType === "UMA_ADDRESS" ? destination.currency : undefined,
    source: sourceName(body),
    senderCustomerInfo: body.senderCustomerInfo ?? {},
    purposeOfPayment: body.purposeOfPayment,
    agentCustomerId: undefined,
    lockedSide: body.lockedCurrencySide,
    lockedMinor: BigInt(body.lockedCurrencyAmount),
    description: body.description,
  };
}

function payableIn(receiver: Receiver, currency: string | undefined): DestinationName {
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

function accountName(raw: string): AccountName {
  const internal = parseId("InternalAccount", raw);
  if (internal !== undefined) return { kind: "internal", id: internal };
  return { kind: "external", id: soundId("ExternalAccount", raw) };
}
