/** Writes the answer to a lookup, from what was found at the address. */
import { standingOf } from "../../../domain/customers/customer.ts";
import { isCustomerInfoField } from "../../../domain/customers/customer-info.ts";
import type { Platform } from "../../../domain/platform.ts";
import type {
  LookupReceiver,
  OfferedAsset,
  PricedCurrency,
} from "../../../domain/uma/receiving/lookup-receiver.ts";
import { protocolName } from "../../../formats/uma/field-names.ts";
import type {
  LookupAnswer,
  LookupCurrency,
  SettlementOption,
} from "../../../formats/uma/lookup-message.ts";
import type { KycStatus } from "../../../formats/uma/people-data.ts";
import type { Signature } from "../../../formats/uma/signature-members.ts";
import { UMA_VERSION } from "../../../formats/uma/version.ts";
import { getCurrency } from "../../../money/currency.ts";
import { type Multiplier, ratio, scale } from "../../../money/ratio.ts";
import { groupBy } from "../../../std/group.ts";

const LIGHTNING = "ln";
const BITCOIN = "BTC";
const COMMENT_CHARS = 140;
/** The largest amount of a pay request. */
const MOST_SENDABLE = 9_000_000_000_000_000n;
/** Stands for the price in millisatoshis of a currency that has none. The protocol requires a number. */
const NO_PRICE: Multiplier = { value: ratio(1n, 1n), digits: "1" };

const KYC_STATUSES = {
  APPROVED: "VERIFIED",
  PENDING: "PENDING",
  REJECTED: "NOT_VERIFIED",
  UNVERIFIED: "UNKNOWN",
} as const satisfies Record<ReturnType<typeof standingOf>, KycStatus>;

export interface AnswerFacts {
  readonly platform: Pick<Platform, "isRegulatedFinancialInstitution">;
  readonly receiver: LookupReceiver;
  /** The address as the institution has signed it. */
  readonly signedAddress: string;
  readonly callback: string;
  readonly signature: Signature;
}

export function lookupAnswer(facts: AnswerFacts): LookupAnswer {
  const { platform, receiver, signedAddress, callback, signature } = facts;
  const { customer, currencies, requiredPayerFields } = receiver;
  const { umaAddress } = customer;
  return {
    callback,
    ...sendable(receiver),
    metadata: lookupMetadata(umaAddress),
    currencies: currencies.map(toCurrency),
    payerData: new Map([
      ...requiredPayerFields.flatMap(({ name, mandatory }) =>
        isCustomerInfoField(name) ? [[protocolName(name), mandatory] as const] : [],
      ),
      ["identifier", true] as const,
      ["compliance", true] as const,
    ]),
    compliance: {
      kycStatus: KYC_STATUSES[standingOf(customer)],
      isSubjectToTravelRule: platform.isRegulatedFinancialInstitution,
      receiverIdentifier: signedAddress,
      signature,
    },
    umaVersion: UMA_VERSION,
    commentAllowed: COMMENT_CHARS,
    settlementOptions: optionsOf(receiver),
  };
}

function isLightning({ layer, identifier }: OfferedAsset): boolean {
  return layer === LIGHTNING && identifier === BITCOIN;
}

function lightningPrice({ prices }: PricedCurrency): Multiplier | undefined {
  return prices.find(({ asset }) => isLightning(asset))?.multiplier;
}

function toCurrency(priced: PricedCurrency): LookupCurrency {
  const { currency, minMinor, maxMinor } = priced;
  const { name, symbol, decimals } = getCurrency(currency);
  return {
    code: currency,
    name,
    symbol,
    decimals,
    multiplier: lightningPrice(priced) ?? NO_PRICE,
    min: minMinor,
    max: maxMinor,
  };
}

/** In millisatoshis, over the currencies that have a price in them; where none has, over all, as their multipliers say. */
function sendable({
  currencies,
  assets,
}: LookupReceiver): Pick<LookupAnswer, "minSendable" | "maxSendable"> {
  const overLightning = currencies.filter((each) => lightningPrice(each) !== undefined);
  const shown = overLightning.length > 0 ? overLightning : currencies;
  const { minMinor, maxMinor } = assets.find(isLightning) ?? { minMinor: null, maxMinor: null };
  let [minSendable, maxSendable] = [MOST_SENDABLE, 1n];
  for (const each of shown) {
    const { value } = lightningPrice(each) ?? NO_PRICE;
    const [from, to] = [scale(each.minMinor, value, "up"), scale(each.maxMinor, value, "down")];
    if (from < minSendable) minSendable = from;
    if (to > maxSendable) maxSendable = to;
  }
  if (minMinor !== null && minMinor > minSendable) minSendable = minMinor;
  for (const most of [maxMinor ?? MOST_SENDABLE, MOST_SENDABLE])
    if (maxSendable > most) maxSendable = most;
  return { minSendable, maxSendable };
}

/** The layers by priority; of each the assets, with their price in each currency that has one. */
function optionsOf({ currencies, assets }: LookupReceiver): readonly SettlementOption[] {
  const priced = assets.flatMap((asset) => {
    const multipliers = currencies.flatMap(({ currency, prices }) =>
      prices
        .filter((price) => price.asset === asset)
        .map(({ multiplier }) => [currency, multiplier] as const),
    );
    return multipliers.length === 0 ? [] : [{ ...asset, multipliers: new Map(multipliers) }];
  });
  return [...groupBy(priced, ({ layer }) => layer)].map(([layer, own]) => ({
    layer,
    assets: own.map(({ identifier, multipliers }) => ({ identifier, multipliers })),
  }));
}

/** What an invoice for the address is about. */
export function lookupMetadata(umaAddress: string): string {
  return JSON.stringify([
    ["text/plain", `Pay ${umaAddress}`],
    ["text/identifier", umaAddress],
  ]);
}
