/** UMA providers outside this deployment. None is blocked, because this deployment has no means to block one. */

/**
 * Providers that have announced, in public, that their customers have UMA addresses. Written down by hand
 * from general public knowledge; compare with the providers' own pages before relying on a row. What is not commonly known,
 * such as a legal entity identifier, is left out. Newest last: new rows are added at the end, because a row's place is its age.
 */
export const providerRows: readonly UmaProvider[] = [
  {
    name: "Bitnob",
    domain: "bitnob.com",
    supportedRegions: ["GH", "KE", "NG"],
    supportedCurrencies: ["GHS", "KES", "NGN"],
  },
  {
    name: "Coins.ph",
    domain: "coins.ph",
    supportedRegions: ["PH"],
    supportedCurrencies: ["PHP"],
  },
  {
    name: "Foxbit",
    domain: "foxbit.com.br",
    supportedRegions: ["BR"],
    supportedCurrencies: ["BRL"],
  },
  {
    name: "Ripio",
    domain: "ripio.com",
    supportedRegions: ["AR", "BR"],
    supportedCurrencies: ["ARS", "BRL"],
  },
  {
    name: "Xapo Bank",
    domain: "xapobank.com",
    supportedRegions: ["GI"],
    supportedCurrencies: ["USD", "BTC"],
  },
  {
    name: "SoFi",
    domain: "sofi.com",
    supportedRegions: ["US"],
    supportedCurrencies: ["USD"],
  },
];

export interface UmaProvider {
  readonly name: string;
  /** The domain of its addresses; unique among providers. */
  readonly domain: string;
  /** ISO 3166-1 alpha-2. */
  readonly supportedRegions: readonly string[];
  readonly supportedCurrencies: readonly string[];
}

export interface UmaProviderQuery {
  readonly countryCode?: string | undefined;
  readonly currencyCode?: string | undefined;
  /** `asc` is oldest first. */
  readonly order: "asc" | "desc";
  /** The domain of the last provider of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface UmaProviderPage {
  readonly rows: readonly UmaProvider[];
  readonly hasMore: boolean;
  readonly totalCount: number;
}

export function listUmaProviders(query: UmaProviderQuery): UmaProviderPage {
  const { countryCode, currencyCode, order, after, limit } = query;
  const inOrder = order === "asc" ? providerRows : providerRows.toReversed();
  const from = inOrder.findIndex(({ domain }) => domain === after) + 1;
  const matches = (provider: UmaProvider) =>
    (countryCode === undefined || provider.supportedRegions.includes(countryCode)) &&
    (currencyCode === undefined || provider.supportedCurrencies.includes(currencyCode));
  const following = inOrder.slice(from).filter(matches);
  return {
    rows: following.slice(0, limit),
    hasMore: following.length > limit,
    totalCount: inOrder.filter(matches).length,
  };
}
