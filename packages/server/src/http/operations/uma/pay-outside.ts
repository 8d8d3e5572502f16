/**
 * A payment to a receiver at another institution, as the destination of a quote. The institution's price and invoice come with its answer to
 * the request to pay, so a quote is decided twice: as a dry run with an estimate, which refuses what this side refuses before anybody is
 * asked, and then with what the institution has answered.
 *
 * Refusals of `request`, in this order: the payer's domain is not served, the platform's key has expired, the rate of messages, what the
 * institution said, what its offer contradicts, an invoice that ends too soon. If the process dies in between, nothing is left here, and the
 * invoice lapses there.
 */
import { type CustomerInfo, isCustomerInfoField } from "../../../domain/customers/customer-info.ts";
import { domainOf } from "../../../domain/customers/uma-address.ts";
import { fractionText } from "../../../domain/payments/quotes/market/quote-price.ts";
import type {
  OutsideTerms,
  QuoteSettlement,
} from "../../../domain/payments/quotes/outside-terms.ts";
import type { QuotedReceiver } from "../../../domain/payments/quotes/parties/quote-parties.ts";
import { type Platform, supportedCurrency } from "../../../domain/platform.ts";
import { findPriceRules, NO_RULES } from "../../../domain/prices/price-rules/price-rules.ts";
import { listLiveSources } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import { openSources } from "../../../domain/prices/rates/market-rate.ts";
import type { LockedSide } from "../../../domain/prices/rates/pricing.ts";
import { findConnection } from "../../../domain/rails/connections/rail-connection.sql.ts";
import type { InspectedInvoice } from "../../../domain/rails/orders/connector.port.ts";
import { findRouting } from "../../../domain/rails/routes/routing.ts";
import {
  isSettlementPaused,
  settlementAssets,
} from "../../../domain/rails/routes/settlement-assets.ts";
import type { ServedDomain } from "../../../domain/uma/domains/served-domain.sql.ts";
import type { StoredLookup } from "../../../domain/uma/lookups/stored-lookup.sql.ts";
import { judgeOffer, type OfferFault } from "../../../domain/uma/outgoing/judge-offer.ts";
import type { PayOffer } from "../../../domain/uma/outgoing/pay-request.port.ts";
import { type PricedPayment, pricePayment } from "../../../domain/uma/outgoing/price-payment.ts";
import { assetsAmong } from "../../../domain/uma/sandbox-layer.ts";
import { Refusal, type RefusalCode } from "../../../engine/refusal.ts";
import { protocolName } from "../../../formats/uma/field-names.ts";
import { type LookupAnswer, readLookupAnswer } from "../../../formats/uma/lookup-message.ts";
import { TRAVEL_RULE_FORMAT } from "../../../formats/uma/travel-rule-message.ts";
import { UMA_VERSION } from "../../../formats/uma/version.ts";
import type { Multiplier } from "../../../money/ratio.ts";
import { toIso } from "../../../std/clock.ts";
import { sha256Hex } from "../../../std/digest.ts";
import type { Services } from "../../request/services.ts";
import { hookUrl } from "../../uma/callback-url.ts";
import {
  admitExchange,
  noted,
  nothingInCommon,
  outsideOf,
  refusalOf,
  servedDomain,
  signingKey,
} from "./outside-exchange.ts";
import {
  findOutsidePayer,
  type GivenPayer,
  missingOf,
  type OutsidePayer,
  toldFields,
  travelRuleOf,
} from "./outside-payer.ts";

/** What the other side, and what is in common with it, can lead to. */
export const outsidePayRefusals = [
  "QUOTE_REQUEST_FAILED",
  "PARSE_PAYREQ_RESPONSE_ERROR",
  "INVALID_PAYREQ_RESPONSE",
  "SENDER_NOT_ACCEPTED",
  "INVALID_TIMESTAMP",
  "INVALID_NONCE",
  "INVALID_PUBKEY_FORMAT",
  "CERT_CHAIN_INVALID",
  "CERT_CHAIN_EXPIRED",
  "COUNTERPARTY_NOT_ALLOWED",
  "VELOCITY_LIMIT_EXCEEDED",
  "UNSUPPORTED_UMA_VERSION",
  "PAYREQ_REQUEST_FAILED",
  "COUNTERPARTY_PUBKEY_FETCH_ERROR",
  "NO_COMPATIBLE_UMA_VERSION",
  "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY",
  "RATE_LIMITED",
] as const satisfies readonly RefusalCode[];

export interface OutsideOrder extends Omit<GivenPayer, "ownDomain"> {
  readonly platform: Platform;
  /** Platform time. */
  readonly at: number;
  readonly lookupId: string;
  readonly lookup: StoredLookup;
  /** The receiver's currency; undefined: the first one that can be paid. */
  readonly currency: string | undefined;
  readonly lockedSide: LockedSide;
  readonly lockedMinor: bigint;
  readonly description: string | undefined;
}

export interface OutsidePayment {
  /** With an estimate, for a dry run. No quote can be stored with it. */
  readonly estimate: QuotedReceiver;
  /** Asks the institution for its price and its invoice. */
  request(): Promise<QuotedReceiver>;
}

/** What a payment is made from. */
interface Plan {
  readonly order: OutsideOrder;
  readonly answer: LookupAnswer;
  readonly payer: OutsidePayer;
  /** Whether the receiver is at another sandbox of the deployment. */
  readonly isPeer: boolean;
  readonly priced: PricedPayment;
  readonly payeeData: ReadonlyMap<string, boolean>;
  /** What is told under the travel rule. */
  readonly travelRule: string | undefined;
}

/** Refuses a lookup for another payer, no layer or rate in common, and a currency in which the receiver cannot be paid. */
export async function payOutside(services: Services, order: OutsideOrder): Promise<OutsidePayment> {
  const { platform, lookup } = order;
  const { ownDomain, receiver } = lookup;
  const answer = readLookupAnswer(Buffer.from(lookup.body, "utf8"));
  const payer = await findOutsidePayer(services.reads, platform, { ...order, ownDomain });
  const isPeer = await services.umaOutside.peers.has(platform.id, domainOf(receiver));
  const priced = await priceOf(services, { order, answer, payer, isPeer });
  const isTold =
    platform.isRegulatedFinancialInstitution || answer.compliance.isSubjectToTravelRule;
  const plan: Plan = {
    order,
    answer,
    payer,
    isPeer,
    priced,
    payeeData: payeeDataOf(platform, payer.currency),
    travelRule: isTold ? travelRuleOf(payer, { receiver, platform }) : undefined,
  };
  return { estimate: estimateOf(plan, services), request: () => offeredTo(services, plan) };
}

async function priceOf(
  { reads, umaPolicies }: Services,
  { order, answer, payer, isPeer }: Pick<Plan, "order" | "answer" | "payer" | "isPeer">,
): Promise<PricedPayment> {
  const { platform, at, currency, lockedSide, lockedMinor, lookup } = order;
  const [sources, rules, routing, { layers }] = await Promise.all([
    listLiveSources(reads, platform.id),
    findPriceRules(reads, platform.id),
    findRouting(reads, platform.id),
    umaPolicies.settingsFor(platform.id, domainOf(lookup.receiver)),
  ]);
  const price = pricePayment(answer, {
    sendingCurrency: payer.currency,
    locked: { side: lockedSide, minor: lockedMinor },
    wanted: currency,
    ownAssets: assetsAmong(settlementAssets(routing, "OUT"), isPeer),
    layers,
    sources: openSources(sources),
    rules: rules ?? NO_RULES,
    at,
  });
  if (price.kind === "priced") return price;
  if (price.kind === "missing") {
    const isPaused = price.missing === "SETTLEMENT" && isSettlementPaused(routing, "OUT");
    throw isPaused ? new Refusal("RAIL_PAUSED") : nothingInCommon(price.missing, answer);
  }
  throw new Refusal(
    "INVALID_CURRENCY",
    { field: "destination.currency", supported: price.supported },
    "The receiver does not take this currency.",
  );
}

/** What is asked about the payee: what the platform requires, the parts of the protocol, and nothing that has no name there. */
function payeeDataOf(platform: Platform, sending: string): ReadonlyMap<string, boolean> {
  const required = supportedCurrency(platform, sending)?.requiredCounterpartyFields ?? [];
  const fields = required.flatMap(({ name, mandatory }) =>
    isCustomerInfoField(name) ? [[protocolName(name), mandatory] as const] : [],
  );
  return new Map([...fields, [protocolName("IDENTIFIER"), true], ["compliance", true]]);
}

/** The longest life of a quote, and the time that is kept free before the end of its invoice. */
const ESTIMATED_LEFT_MS = 315_000;

function estimateOf(plan: Plan, { clock }: Services): QuotedReceiver {
  const { estimate, asset } = plan.priced;
  const { invoiceMinor, receivingMinor } = estimate;
  const { multiplier } = asset;
  return receiverOf(plan, {
    invoiceMinor,
    receivingMinor,
    counterpartyFeeMinor: 0n,
    invoice: "",
    multiplier: { value: multiplier, digits: fractionText(multiplier) },
    feeMinor: 0n,
    payBy: clock.now() + ESTIMATED_LEFT_MS,
    leftMs: ESTIMATED_LEFT_MS,
    payeeFields: new Map(),
  });
}

interface Amounts {
  /** Units of the asset. */
  readonly invoiceMinor: bigint;
  readonly feeMinor: bigint;
  readonly receivingMinor: bigint;
  readonly counterpartyFeeMinor: bigint;
  readonly invoice: string;
  readonly multiplier: Multiplier;
  /** Host time. */
  readonly payBy: number;
  readonly leftMs: number;
  readonly payeeFields: ReadonlyMap<string, string>;
}

const NO_LOCK_MS = 24 * 60 * 60_000;

function receiverOf(plan: Plan, amounts: Amounts, hook?: QuoteSettlement["hook"]): QuotedReceiver {
  const { order, answer, payer, priced, travelRule } = plan;
  const { receivable, corridor, price, lockMs, asset, connectionId } = priced;
  const { receivingMinor, counterpartyFeeMinor, leftMs, payeeFields } = amounts;
  const terms: OutsideTerms = {
    corridor,
    price,
    lockMs: lockMs ?? NO_LOCK_MS,
    receivingMinor,
    counterpartyFeeMinor,
    leftMs,
    settlement: {
      layer: asset.layer,
      identifier: asset.identifier,
      currency: asset.currency,
      minor: amounts.invoiceMinor.toString(),
      invoice: amounts.invoice,
      payBy: toIso(amounts.payBy),
      connectionId,
      vaspDomain: domainOf(order.lookup.receiver),
      umaVersion: UMA_VERSION,
      multiplier: amounts.multiplier.digits,
      unitsPerMinor: fractionText(amounts.multiplier.value),
      fee: amounts.feeMinor.toString(),
      perUnit: fractionText(corridor.smallestUnitRate),
      receiverKyc: answer.compliance.kycStatus,
      isSubjectToTravelRule: answer.compliance.isSubjectToTravelRule,
      ...(travelRule === undefined
        ? {}
        : { travelRule: { format: TRAVEL_RULE_FORMAT, sha256: sha256Hex(travelRule) } }),
      fieldsSent: [...toldFields(answer.payerData, payer.information).keys()],
      fieldsReceived: [...payeeFields.keys()],
      ...(hook === undefined ? {} : { hook }),
    },
  };
  const missing = missingOf(answer.payerData, payer, travelRule !== undefined);
  return {
    umaAddress: order.lookup.receiver,
    currency: receivable.currency,
    minMinor: receivable.minMinor,
    maxMinor: receivable.maxMinor,
    // What is known was taken out, so the command refuses the rest.
    requiredPayerFields: missing.map((name) => ({ name, mandatory: true })),
    counterpartyInformation: informationIn(order.platform, payer.currency, payeeFields),
    home: { kind: "outside", terms },
  };
}

/** What the platform requires of receivers, in our words. */
function informationIn(
  platform: Platform,
  sending: string,
  payeeFields: ReadonlyMap<string, string>,
): CustomerInfo {
  const required = supportedCurrency(platform, sending)?.requiredCounterpartyFields ?? [];
  return Object.fromEntries(
    required.flatMap(({ name }) => {
      const value = isCustomerInfoField(name) ? payeeFields.get(protocolName(name)) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function offeredTo(services: Services, plan: Plan): Promise<QuotedReceiver> {
  const { platform, lookup, lookupId } = plan.order;
  const { receiver } = lookup;
  const served = plan.isPeer ? undefined : await servedDomain(services, platform, lookup.ownDomain);
  const key = await signingKey(services, platform);
  admitExchange(services, platform.id, receiver);
  const about = { platformId: platform.id, kind: "PAY_REQUEST", lookupId, receiver } as const;
  const own = ownHook(services, plan, served);
  const judged = await noted(services, about, async () => {
    const outcome = await outsideOf(services, plan.isPeer).request({
      ...{ platformId: platform.id, key, receiver, utxoCallback: own?.url },
      ...questionOf(plan),
    });
    if (outcome.kind === "refused") return outcome;
    const { offer, signer } = outcome;
    return { signer, offer, ...(await judge(services, plan, offer)) };
  });
  if (judged.kind === "refused") throw refusalOf(judged.code, judged.details);
  return receiverOf(plan, judged.amounts, hookOf(plan, own?.id, judged.offer.utxoCallback));
}

const LIGHTNING = "ln";

/**
 * Where the institution may tell of the payment, and what stands for the payment there. Other layers have no channels, and sandboxes of the
 * deployment do not tell each other.
 */
function ownHook(
  { umaOutside, clock, publicUrl }: Services,
  { order, priced }: Plan,
  served: ServedDomain | undefined,
) {
  if (served === undefined || priced.asset.layer !== LIGHTNING) return undefined;
  const id = umaOutside.newHookId();
  const token = umaOutside.hookTokens.make({
    ...{ direction: "OUT", reference: id, platformId: order.platform.id },
    vaspDomain: domainOf(order.lookup.receiver),
    at: clock.now(),
  });
  return { id, url: hookUrl(served, publicUrl(), token) };
}

function hookOf(
  { order, isPeer }: Plan,
  id: string | undefined,
  callback: string | undefined,
): QuoteSettlement["hook"] {
  if (isPeer || (id === undefined && callback === undefined)) return undefined;
  return {
    ownDomain: order.lookup.ownDomain,
    ...(id === undefined ? {} : { id }),
    ...(callback === undefined ? {} : { callback }),
  };
}

function questionOf({ order, answer, payer, priced, payeeData, travelRule }: Plan) {
  const { asset, asked, receivable } = priced;
  const { description } = order;
  const { layer, identifier: assetIdentifier } = asset;
  const comment = description?.slice(0, answer.commentAllowed) ?? "";
  return {
    callback: answer.callback,
    receiverKyc: answer.compliance.kycStatus,
    isSubjectToTravelRule: answer.compliance.isSubjectToTravelRule,
    payer: {
      identifier: payer.umaAddress,
      kycStatus: payer.kycStatus,
      fields: toldFields(answer.payerData, payer.information),
      travelRule,
    },
    amount: asked,
    convert: receivable.currency,
    payeeData,
    comment: comment === "" ? undefined : comment,
    settlement: layer === LIGHTNING ? undefined : { layer, assetIdentifier },
  };
}

async function judge(services: Services, plan: Plan, offer: PayOffer) {
  const { priced, payeeData } = plan;
  const read = await inspected(services, plan, offer.invoice);
  const now = services.clock.now();
  const sound = judgeOffer(offer, { ...priced, payeeData, now }, read);
  if ("fault" in sound) return contradiction(sound.fault);
  const { multiplier, fee, amount } = offer.converted;
  const amounts: Amounts = {
    ...sound,
    receivingMinor: amount,
    invoice: offer.invoice,
    multiplier,
    feeMinor: fee,
    payeeFields: offer.payeeFields,
  };
  return { kind: "offered", amounts } as const;
}

function contradiction(reason: OfferFault) {
  const code = reason === "ENDS_SOON" ? "QUOTE_REQUEST_FAILED" : "INVALID_PAYREQ_RESPONSE";
  return { kind: "refused", code, details: { reason } } as const;
}

/** What the invoice asks for, as the connection reads it that will pay it. */
async function inspected(
  { reads, connectors }: Services,
  { order: { platform }, priced: { connectionId, asset } }: Plan,
  invoice: string,
): Promise<InspectedInvoice | "none"> {
  const address = await findConnection(reads, platform.id, connectionId);
  const read =
    address === undefined
      ? undefined
      : (await connectors.inspectInvoice({ ...address, layer: asset.layer, invoice })).inspected;
  if (read !== undefined) return read;
  const message =
    "The connection that would pay did not read the invoice of the receiver's institution; try again.";
  throw new Refusal("SERVICE_UNAVAILABLE", undefined, message);
}
