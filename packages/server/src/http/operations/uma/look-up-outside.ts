/**
 * A lookup at another institution, for a receiver that is not found in the deployment. Refuses in this order: the address is at a domain of
 * this side, the payer's domain is not served, the platform's key has expired, the rate of lookups, what the institution said, no layer or no
 * rate in common. The answer is stored for the quote once all of that holds.
 */

import type { RequestedField } from "../../../domain/customers/customer-info.ts";
import { domainOf } from "../../../domain/customers/uma-address.ts";
import type { Platform } from "../../../domain/platform.ts";
import { findPriceRules, NO_RULES } from "../../../domain/prices/price-rules/price-rules.ts";
import { listLiveSources } from "../../../domain/prices/rate-sources/rate-source.sql.ts";
import { openSources } from "../../../domain/prices/rates/market-rate.ts";
import { findRouting } from "../../../domain/rails/routes/routing.ts";
import { settlementAssets } from "../../../domain/rails/routes/settlement-assets.ts";
import { findServedDomain, isClaimedIn } from "../../../domain/uma/domains/served-domain.sql.ts";
import { isAtOwnDomain } from "../../../domain/uma/domains/uma-domain.ts";
import { currentKey, type UmaKey } from "../../../domain/uma/keys/uma-key.ts";
import type { LookedUp } from "../../../domain/uma/lookups/looked-up.ts";
import type {
  FoundOutside,
  LookupOutcome,
  LookupQuestion,
} from "../../../domain/uma/lookups/lookup.port.ts";
import {
  offeredOptions,
  type PayableCurrency,
  payableCurrencies,
} from "../../../domain/uma/lookups/payable-currencies.ts";
import { assetRate, marketCurrency } from "../../../domain/uma/prices/asset-prices.ts";
import { Refusal, type RefusalCode } from "../../../engine/refusal.ts";
import { requestedFields } from "../../../formats/uma/field-names.ts";
import { present } from "../../../std/assert.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { Services } from "../../request/services.ts";
import { rateLimited } from "../../server/errors.ts";
import { ownUmaKeys } from "./own-keys.ts";
import type { Payer } from "./payer.ts";

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

/** Sentences in place of those of the codes, which speak of this side elsewhere. */
const messages: Readonly<Partial<Record<RefusalCode, string>>> = {
  INVALID_TIMESTAMP:
    "The answer of the receiver's institution is of another time than this host's.",
  USER_NOT_READY: "The receiver's institution says that the receiver cannot be paid yet.",
};

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
  await refuseUnlessServed(services, { platform, ownDomain, receiver });
  const key = await signingKey(services, platform);
  const seconds = services.umaOutside.take(platform.id, domainOf(receiver));
  if (seconds > 0) throw rateLimited(seconds);
  const question = {
    platformId: platform.id,
    receiver,
    ownDomain,
    isSubjectToTravelRule: platform.isRegulatedFinancialInstitution,
    key,
  };
  const { answer, body } = requireFound(await asked(services, question, lookupId));
  const { layers } = await services.umaPolicies.settingsFor(platform.id, domainOf(receiver));
  const currencies = await payableIn(services, payer, { answer, layers });
  await services.umaOutside.stored.put(platform.id, lookupId, { receiver, ownDomain, body });
  return { currencies, requiredPayerFields: requestedFields(answer.payerData) };
}

/** Addresses at domains of this side are not looked up over the network, and a sandbox without a served domain knows this deployment alone. */
async function refuseUnlessServed(
  { reads }: Services,
  {
    platform,
    ownDomain,
    receiver,
  }: { readonly platform: Platform; readonly ownDomain: string; readonly receiver: string },
): Promise<void> {
  const isSandbox = platform.environment === "SANDBOX";
  if (isAtOwnDomain(platform, receiver)) throw new Refusal("UMA_NOT_FOUND");
  if (isSandbox && (await isClaimedIn(reads, "SANDBOX", domainOf(receiver))))
    throw new Refusal("UMA_NOT_FOUND");
  const served = await findServedDomain(reads, ownDomain);
  if (served?.platformId === platform.id) return;
  if (isSandbox) throw new Refusal("UMA_NOT_FOUND");
  throw new Refusal(
    "CONFLICT",
    { rule: "UMA_DOMAIN_NOT_ACTIVE", domain: ownDomain },
    `The domain ${ownDomain} is CLAIMED; only an ACTIVE domain can look up addresses at other institutions. POST /uma/domains/{domainId}/check checks its routing.`,
  );
}

async function signingKey(services: Services, platform: Platform): Promise<UmaKey> {
  const key = present(
    currentKey(await ownUmaKeys(services, platform), "SIGNING"),
    "the signing key of a platform",
  );
  if (services.clock.now() < key.notAfter) return key;
  throw new Refusal(
    "CONFLICT",
    { rule: "UMA_KEY_EXPIRED" },
    "The certificates of the platform's signing key have expired. PUT /uma/keys/{keyId}/chain sets new ones.",
  );
}

/** Asks, and notes how it ended and whose keys answered. */
async function asked(
  { umaOutside, umaNotes: { exchangeLog, sightings }, clock }: Services,
  question: LookupQuestion,
  lookupId: string,
): Promise<LookupOutcome> {
  const { platformId, receiver } = question;
  const vaspDomain = domainOf(receiver);
  const beganAt = clock.now();
  const outcome = await umaOutside.ask(question);
  const { signer } = outcome;
  const code = outcome.kind === "found" ? "OK" : outcome.code;
  exchangeLog.record({
    ...{ platformId, vaspDomain, direction: "OUT", kind: "LOOKUP" },
    umaVersion: signer?.version,
    outcome: code,
    ms: clock.now() - beganAt,
    ...(code === "OK" ? { lookupId } : {}),
  });
  if (signer !== undefined) sightings.note({ platformId, domain: vaspDomain, ...signer });
  if (code === "CERT_CHAIN_EXPIRED") sightings.noteExpired(platformId, vaspDomain);
  return outcome;
}

function requireFound(outcome: LookupOutcome): FoundOutside {
  if (outcome.kind === "found") return outcome;
  const { code, details } = outcome;
  throw new Refusal(code, Object.keys(details).length === 0 ? undefined : details, messages[code]);
}

async function payableIn(
  { reads }: Services,
  { platform, payingCurrency, at }: Payer,
  { answer, layers }: { readonly answer: LookedUp; readonly layers: readonly string[] },
): Promise<readonly PayableCurrency[]> {
  const [sources, rules, routing] = await Promise.all([
    listLiveSources(reads, platform.id),
    findPriceRules(reads, platform.id),
    findRouting(reads, platform.id),
  ]);
  const { spreads } = rules ?? NO_RULES;
  const market = { sources: openSources(sources), spreads, at };
  const payable = payableCurrencies(answer, {
    payingCurrency,
    ownAssets: settlementAssets(routing, "OUT"),
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

function nothingInCommon(missing: "SETTLEMENT" | "RATE", answer: LookedUp): Refusal {
  if (missing === "RATE") {
    const message =
      "No rate source has a young rate from the payer's currency to an asset in which the receiver's institution settles. POST /rates/sources adds one.";
    return new Refusal("NOT_IMPLEMENTED", { missing }, message);
  }
  const offered: readonly JsonObject[] = offeredOptions(answer).map(({ layer, assets }) => ({
    layer,
    assets: assets.map(({ identifier }) => identifier),
  }));
  const message =
    "No connection of the platform pays in a layer and an asset in which the receiver's institution settles. Attach one, with a route for UMA_ADDRESS.";
  return new Refusal("NOT_IMPLEMENTED", { missing, offered }, message);
}
