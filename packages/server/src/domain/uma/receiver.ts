/** The data of a receiver that a payer gets. */
import { MAX_AMOUNT_MINOR } from "../../money/money.ts";
import { invert, type Ratio, rateToNumber, ratio } from "../../money/ratio.ts";
import { type Customer, isReady } from "../customers/customer.ts";
import type { RequestedField } from "../customers/customer-info.ts";
import { type Platform, supportedCurrency } from "../platform.ts";
import { rateBetween } from "../prices/rates/corridor.ts";
import { customerRate, type MarketFacts, marketRate } from "../prices/rates/market-rate.ts";
import type { ReceivableCurrency, Receiver } from "./receiver.port.ts";

/** A receiver in one currency. */
export interface ReceiverFacts extends Omit<Receiver, "currencies">, ReceivableCurrency {}

/**
 * The receiver in this currency, or in their first one without a currency; undefined for a currency that they do not
 * receive.
 */
export function receiverFacts(receiver: Receiver, currency?: string): ReceiverFacts | undefined {
  const { currencies, ...facts } = receiver;
  const receivable =
    currency === undefined ? currencies[0] : currencies.find((each) => each.currency === currency);
  return receivable === undefined ? undefined : { ...facts, ...receivable };
}

/** A customer as a receiver of payments; undefined when the customer cannot be paid. */
export function receiverOfCustomer(platform: Platform, customer: Customer): Receiver | undefined {
  if (!isReady(customer)) return undefined;
  const receivable = customer.currencies.flatMap((code) => {
    const supported = supportedCurrency(platform, code);
    return supported?.enabledTransactionTypes.includes("INCOMING") === true ? [supported] : [];
  });
  if (receivable.length === 0) return undefined;
  return {
    umaAddress: customer.umaAddress,
    currencies: receivable.map(({ currencyCode }) => receivableAt(platform, currencyCode)),
    requiredPayerFields: mergedFields(
      receivable.flatMap((currency) => currency.requiredCounterpartyFields),
    ),
    // An address can be guessed, so a lookup discloses no personal data of its customer.
    counterpartyInformation: {},
    home: { kind: "customer", platformId: platform.id, customerId: customer.id },
  };
}

/** The platform's limits for receiving a currency; the default limits when it has set none. */
export function receivableAt(platform: Platform, currency: string): ReceivableCurrency {
  const supported = supportedCurrency(platform, currency);
  return {
    currency,
    minMinor: BigInt(Math.max(supported?.minAmount ?? 1, 1)),
    maxMinor: supported === undefined ? MAX_AMOUNT_MINOR : BigInt(supported.maxAmount),
  };
}

/** Merges duplicate fields; a field is mandatory when any duplicate is. */
export function mergedFields(fields: readonly RequestedField[]): readonly RequestedField[] {
  const merged = new Map<string, boolean>();
  for (const { name, mandatory } of fields) {
    merged.set(name, mandatory || merged.get(name) === true);
  }
  return [...merged].map(([name, mandatory]) => ({ name, mandatory }));
}

/** The default currency of a payer: the platform's first one that it may send and the customer has. */
export function payingCurrency(
  platform: Platform,
  customer: Customer | undefined,
): string | undefined {
  return platform.supportedCurrencies.find(
    ({ currencyCode, enabledTransactionTypes }) =>
      enabledTransactionTypes.includes("OUTGOING") &&
      (customer === undefined || customer.currencies.includes(currencyCode)),
  )?.currencyCode;
}

const ESTIMATE_DECIMALS = 12;

/**
 * Whole receiving units for one whole sending unit, for display; undefined without a price for both. In production it is the rate of the
 * platform's sources with its spread; without a market, that of the sandbox.
 */
export function estimatedRate(
  from: string,
  to: string,
  market: MarketFacts | undefined,
): number | undefined {
  const rate = market === undefined ? rateBetween(from, to) : rateAt(market, { from, to });
  return rate === undefined ? undefined : rateToNumber(invert(rate), ESTIMATE_DECIMALS);
}

function rateAt(
  market: MarketFacts,
  pair: { readonly from: string; readonly to: string },
): Ratio | undefined {
  if (pair.from === pair.to) return ratio(1n, 1n);
  const found = marketRate(pair, market);
  return found.kind === "found" ? customerRate(found.mid, found.spreadBps) : undefined;
}
