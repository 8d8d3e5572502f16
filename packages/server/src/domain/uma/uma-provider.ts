/** UMA providers outside this deployment: those that are generally known, and the counterparties that the platform has allowed. */
import { refusedStatus } from "./policy/judge-counterparty.ts";
import type { CounterpartyStatus } from "./policy/uma-counterparty.ts";
import type { UmaPolicy } from "./policy/uma-policy.ts";

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
  /** Whether providers that the platform refuses are listed. */
  readonly withBlocked: boolean;
}

export interface UmaProviderPage {
  readonly rows: readonly ListedProvider[];
  readonly hasMore: boolean;
  readonly totalCount: number;
}

/** What the platform has set about other institutions. */
export interface ProviderSettings {
  readonly policy: Pick<UmaPolicy, "counterparties">;
  /** Those with a status other than `DEFAULT`, the first made first. */
  readonly counterparties: readonly {
    readonly domain: string;
    readonly name: string | null;
    readonly status: CounterpartyStatus;
  }[];
}

export interface ListedProvider extends UmaProvider {
  /** Whether the platform exchanges messages with it. */
  readonly isAllowed: boolean;
}

/** Where a counterparty serves is not known, so a filter by country or currency leaves it out. */
export function listUmaProviders(
  query: UmaProviderQuery,
  settings: ProviderSettings,
): UmaProviderPage {
  const { countryCode, currencyCode, order, after, limit, withBlocked } = query;
  const all = providersOf(settings);
  const inOrder = order === "asc" ? all : all.toReversed();
  const from = inOrder.findIndex(({ domain }) => domain === after) + 1;
  const matches = (provider: ListedProvider) =>
    (withBlocked || provider.isAllowed) &&
    (countryCode === undefined || provider.supportedRegions.includes(countryCode)) &&
    (currencyCode === undefined || provider.supportedCurrencies.includes(currencyCode));
  const following = inOrder.slice(from).filter(matches);
  return {
    rows: following.slice(0, limit),
    hasMore: following.length > limit,
    totalCount: inOrder.filter(matches).length,
  };
}

function providersOf({ policy, counterparties }: ProviderSettings): readonly ListedProvider[] {
  const statuses = new Map(counterparties.map(({ domain, status }) => [domain, status]));
  const known = new Set(providerRows.map(({ domain }) => domain));
  const own = counterparties
    .filter(({ domain, status }) => status === "ALLOWED" && !known.has(domain))
    .map(({ domain, name }) => ({
      name: name ?? domain,
      domain,
      supportedRegions: [],
      supportedCurrencies: [],
    }));
  return [...providerRows, ...own].map((provider) => ({
    ...provider,
    isAllowed: refusedStatus(policy, statuses.get(provider.domain) ?? "DEFAULT") === undefined,
  }));
}
