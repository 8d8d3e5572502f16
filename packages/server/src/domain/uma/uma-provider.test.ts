import { describe, expect, it } from "vitest";
import { isCurrencyCode } from "../../money/currency.ts";
import { isCountryCode } from "../../std/countries.ts";
import { isDomainName } from "../customers/uma-address.ts";
import { listUmaProviders, providerRows, type UmaProviderQuery } from "./uma-provider.ts";

const ALL: UmaProviderQuery = { order: "asc", after: undefined, limit: 100 };
const domains = (query: Partial<UmaProviderQuery>) =>
  listUmaProviders({ ...ALL, ...query }).rows.map(({ domain }) => domain);

describe("the providers", () => {
  it("have a domain of their own, regions and currencies that exist", () => {
    expect(new Set(domains({})).size).toBe(providerRows.length);
    for (const { name, domain, supportedRegions, supportedCurrencies } of providerRows) {
      expect(name).not.toBe("");
      expect(isDomainName(domain)).toBe(true);
      expect(supportedRegions.every(isCountryCode) && supportedRegions.length > 0).toBe(true);
      expect(supportedCurrencies.every(isCurrencyCode)).toBe(true);
    }
  });

  it("come in the order in which they were added, or the other way round", () => {
    expect(domains({ order: "desc" })).toEqual(domains({}).toReversed());
  });

  it("are narrowed by country and by currency", () => {
    expect(domains({ countryCode: "BR" })).toEqual(["foxbit.com.br", "ripio.com"]);
    expect(domains({ countryCode: "BR", currencyCode: "ARS" })).toEqual(["ripio.com"]);
    expect(domains({ countryCode: "FR" })).toEqual([]);
  });

  it.each(["asc", "desc"] as const)("are paged without a gap or a repeat, %s", (order) => {
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = listUmaProviders({ order, after, limit: 2 });
      seen.push(...page.rows.map(({ domain }) => domain));
      expect(page.totalCount).toBe(providerRows.length);
      more = page.hasMore;
      after = page.rows.at(-1)?.domain;
    }
    expect(seen).toEqual(domains({ order }));
  });
});
