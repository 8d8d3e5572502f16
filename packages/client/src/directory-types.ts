import type { Currency, PageQuery } from "./types.ts";

/** A bank or mobile-money operator. */
export interface Discovery {
  /** The value for `bankName` (or `provider`) of an external account, letter for letter. */
  readonly bankName: string;
  readonly displayName: string;
  readonly country: string;
  readonly currency: string;
}

export interface DiscoveryQuery {
  readonly country?: string;
  readonly currency?: string;
}

/** All at once: this list has no pages. */
export interface DiscoveryList {
  readonly data: readonly Discovery[];
}

export interface UmaProvider {
  readonly name: string;
  /** What the provider's UMA addresses end in. */
  readonly domain: string;
  readonly supportedRegions: readonly string[];
  readonly supportedCurrencies: readonly Currency[];
  readonly logoUrl?: string;
  readonly lei?: string;
  /** False for a provider that is blocked. */
  readonly allowListStatus: boolean;
}

export interface UmaProviderQuery extends PageQuery {
  readonly countryCode?: string;
  readonly currencyCode?: string;
  /** False leaves blocked providers out. */
  readonly hasBlockedProviders?: boolean;
  /** `desc`, the last added first, when absent. */
  readonly sortOrder?: "asc" | "desc";
}
