/**
 * A lookup at another institution, for a receiver that is not found in the deployment. Refuses in this order: the address is at a domain of
 * this side, the payer's domain is not served, the platform's key has expired, the rate of lookups, what the institution said, no layer or no
 * rate in common. The answer is stored for the quote once all of that holds.
 */

import type { RequestedField } from "../../../domain/customers/customer-info.ts";
import { domainOf } from "../../../domain/customers/uma-address.ts";
import type { SourceName } from "../../../domain/payments/quotes/parties/quote-parties.ts";
import type { Platform } from "../../../domain/platform.ts";
import { findPriceRules, NO_RULES } from "../../../domain/prices/price-rules/price-rules.ts";
import { listLiveSources } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import { assetRate, marketCurrency } from "../../../domain/prices/rates/asset-rate.ts";
import { openSources } from "../../../domain/prices/rates/market-rate.ts";
import { findRouting } from "../../../domain/rails/routes/routing.ts";
import { settlementAssets } from "../../../domain/rails/routes/settlement-assets.ts";
import { findClaimant, findServedDomain } from "../../../domain/uma/domains/served-domain.sql.ts";
import { isAtOwnDomain } from "../../../domain/uma/domains/uma-domain.ts";
import type { LookedUp } from "../../../domain/uma/lookups/looked-up.ts";
import type { FoundOutside, LookupOutcome } from "../../../domain/uma/lookups/lookup.port.ts";
import {
  type PayableCurrency,
  payableCurrencies,
} from "../../../domain/uma/lookups/payable-currencies.ts";
import { assetsAmong } from "../../../domain/uma/sandbox-layer.ts";
import { Refusal, type RefusalCode } from "../../../engine/refusal.ts";
import { requestedFields } from "../../../formats/uma/field-names.ts";
import { present } from "../../../std/assert.ts";
import type { Services } from "../../request/services.ts";
import {
  admitExchange,
  noted,
  nothingInCommon,
  outsideOf,
  refusalOf,
  servedDomain,
  signingKey,
} from "./outside-exchange.ts";
import { payingCustomer } from "./outside-payer.ts";
import { findPayer, type Payer } from "./payer.ts";

/** What the other side, and what is in common with it, can lead to. */
export const outsideRefusals = [
  "LOOKUP_REQUEST_FAILED",
  "PARSE_LNURLP_RESPONSE_ERROR",
  "MISSING_REQUIRED_UMA_PARAMETERS",
  "SENDER_NOT_ACCEPTED",
  "INVALID_TIMESTAMP",
  "INVALID_NONCE",
  "INVALID_PUBKEY_FORMAT",
  "CERT_CHAIN_INVALID",
  "CERT_CHAIN_EXPIRED",
  "COUNTERPARTY_NOT_ALLOWED",
  "USER_NOT_READY",
  "VELOCITY_LIMIT_EXCEEDED",
  "UNSUPPORTED_UMA_VERSION",
  "LNURLP_REQUEST_FAILED",
  "COUNTERPARTY_PUBKEY_FETCH_ERROR",
  "NO_COMPATIBLE_UMA_VERSION",
  "NOT_IMPLEMENTED",
] as const satisfies readonly RefusalCode[];

interface Wanted {
  readonly payer: Payer;
  /** The normalized address. */
  readonly receiver: string;
  readonly lookupId: string;
}

interface OutsideReceiver {
  readonly currencies: readonly PayableCurrency[];
  readonly requiredPayerFields: readonly RequestedField[];
}

export async function lookUpOutside(
  services: Services,
  { payer, receiver, lookupId }: Wanted,
): Promise<OutsideReceiver> {
  const { platform, umaAddress } = payer;
  const ownDomain = domainOf(umaAddress);
  const isPeer = await services.umaOutside.peers.has(platform.id, domainOf(receiver));
  if (!isPeer) await refuseUnlessServed(services, { platform, ownDomain, receiver });
  const key = await signingKey(services, platform);
  admitExchange(services, platform.id, receiver);
  const question = {
    platformId: platform.id,
    receiver,
    ownDomain,
    isSubjectToTravelRule: platform.isRegulatedFinancialInstitution,
    key,
  };
  const exchange = { platformId: platform.id, kind: "LOOKUP", lookupId, receiver } as const;
  // What the answer is compared with is read while the institution is asked.
  const [asked, own] = await Promise.all([
    noted(services, exchange, () => outsideOf(services, isPeer).ask(question)),
    ownSide(services, platform.id, receiver),
  ]);
  const { answer, body } = requireFound(asked);
  const currencies = payableIn(own, payer, { answer, isPeer });
  await services.umaOutside.stored.put(platform.id, lookupId, { receiver, ownDomain, body });
  return { currencies, requiredPayerFields: requestedFields(answer.payerData) };
}

/** Addresses at domains of this side are not looked up over the network, and a sandbox without a served domain knows this deployment alone. */
async function refuseUnlessServed(
  services: Services,
  {
    platform,
    ownDomain,
    receiver,
  }: { readonly platform: Platform; readonly ownDomain: string; readonly receiver: string },
): Promise<void> {
  const { reads } = services;
  if (await isOfThisSide(services, platform, receiver)) throw new Refusal("UMA_NOT_FOUND");
  if (platform.environment === "SANDBOX") {
    const served = await findServedDomain(reads, ownDomain);
    if (served?.platformId !== platform.id) throw new Refusal("UMA_NOT_FOUND");
  } else await servedDomain(services, platform, ownDomain);
}

/** Whether the address is found without the network, or not at all. */
async function isOfThisSide(
  { reads }: Services,
  platform: Platform,
  receiver: string,
): Promise<boolean> {
  if (isAtOwnDomain(platform, receiver)) return true;
  if (platform.environment !== "SANDBOX") return false;
  return (await findClaimant(reads, "SANDBOX", domainOf(receiver))) !== undefined;
}

/**
 * A quote whose lookup id is good and names nothing: who was found on this side is gone; what another institution answered was lost in a crash,
 * because it is stored without waiting for the disk.
 */
export async function lostLookup(
  services: Services,
  platform: Platform,
  receiver: string,
): Promise<Refusal> {
  const isPeer = await services.umaOutside.peers.has(platform.id, domainOf(receiver));
  return !isPeer && (await isOfThisSide(services, platform, receiver))
    ? new Refusal("UMA_NOT_FOUND")
    : new Refusal("LOOKUP_REQUEST_NOT_FOUND", { field: "lookupId" });
}

function requireFound(outcome: LookupOutcome): FoundOutside {
  if (outcome.kind === "found") return outcome;
  throw refusalOf(outcome.code, outcome.details);
}

/** The rates, routes and preferences of the platform. */
async function ownSide({ reads, umaPolicies }: Services, platformId: string, receiver: string) {
  const [sources, rules, routing, { layers }] = await Promise.all([
    listLiveSources(reads, platformId),
    findPriceRules(reads, platformId),
    findRouting(reads, platformId),
    umaPolicies.settingsFor(platformId, domainOf(receiver)),
  ]);
  return { sources: openSources(sources), ...(rules ?? NO_RULES), routing, layers };
}

function payableIn(
  { sources, spreads, routing, layers }: Awaited<ReturnType<typeof ownSide>>,
  { payingCurrency, at }: Payer,
  { answer, isPeer }: { readonly answer: LookedUp; readonly isPeer: boolean },
): readonly PayableCurrency[] {
  const market = { sources, spreads, at };
  const payable = payableCurrencies(answer, {
    payingCurrency,
    ownAssets: assetsAmong(settlementAssets(routing, "OUT"), isPeer),
    rateTo(to) {
      if (payingCurrency === undefined) return undefined;
      const found = assetRate({ from: payingCurrency, to }, market);
      return found.kind === "found" ? found.perUnit : undefined;
    },
    isOwnMoney: (asset) => marketCurrency(asset).currency === payingCurrency,
    layers,
  });
  if (payable.kind === "payable") return payable.currencies;
  throw nothingInCommon(payable.missing, answer);
}

/** The lookup of a receiver for an order that waited: its own lookup has expired. */
export async function lookUpAgain(
  services: Services,
  platform: Platform,
  { address: receiver, source }: { readonly address: string; readonly source: SourceName },
) {
  const customerId = await payingCustomer(services.reads, platform.id, source);
  const named = { sender: undefined, customerId: customerId ?? undefined };
  const payer = await findPayer(services, { platformId: platform.id, named });
  const lookupId = services.lookupIds.make({ platformId: platform.id, receiver }, payer.at);
  await lookUpOutside(services, { payer, receiver, lookupId });
  const lookup = await services.umaOutside.stored.find(platform.id, lookupId, receiver);
  return { at: payer.at, lookupId, lookup: present(lookup, "a lookup that was stored") };
}
