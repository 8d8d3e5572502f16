import { describe, expect, it } from "vitest";
import { isCurrencyCode } from "../../money/currency.ts";
import { isCountryCode } from "../../std/countries.ts";
import { isDomainName } from "../customers/uma-address.ts";
import {
  listUmaProviders,
  type ProviderSettings,
  providerRows,
  type UmaProviderQuery,
} from "./uma-provider.ts";

const ALL: UmaProviderQuery = { order: "asc", after: undefined, limit: 100, withBlocked: true };
const NOTHING_SET: ProviderSettings = { policy: { counterparties: "ALL" }, counterparties: [] };
const rows = (query: Partial<UmaProviderQuery>, settings = NOTHING_SET) =>
  listUmaProviders({ ...ALL, ...query }, settings).rows;
const domains = (query: Partial<UmaProviderQuery>, settings = NOTHING_SET) =>
  rows(query, settings).map(({ domain }) => domain);

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
      const page = listUmaProviders({ ...ALL, order, after, limit: 2 }, NOTHING_SET);
      seen.push(...page.rows.map(({ domain }) => domain));
      expect(page.totalCount).toBe(providerRows.length);
      more = page.hasMore;
      after = page.rows.at(-1)?.domain;
    }
    expect(seen).toEqual(domains({ order }));
  });
});

describe("what a platform has set", () => {
  const set: ProviderSettings = {
    policy: { counterparties: "ALL" },
    counterparties: [
      { domain: "ripio.com", name: null, status: "BLOCKED" },
      { domain: "vasp.example", name: "Example VASP", status: "ALLOWED" },
      { domain: "coins.ph", name: "Another name", status: "ALLOWED" },
      { domain: "blocked.example", name: null, status: "BLOCKED" },
      { domain: "nameless.example", name: null, status: "ALLOWED" },
    ],
  };
  const allowed = (settings: ProviderSettings) =>
    rows({}, settings)
      .filter(({ isAllowed }) => isAllowed)
      .map(({ domain }) => domain);
  const known = providerRows.map(({ domain }) => domain);

  it("adds the counterparties that it allows, each once", () => {
    expect(domains({}, set)).toEqual([...known, "vasp.example", "nameless.example"]);
    expect(rows({}, set).map(({ name }) => name)).toEqual([
      ...providerRows.map(({ name }) => name),
      "Example VASP",
      "nameless.example",
    ]);
    expect(domains({ countryCode: "PH" }, set)).toEqual(["coins.ph"]);
  });

  it("shows which of them it refuses, and leaves those out where they are not wanted", () => {
    const taken = [...known.filter((one) => one !== "ripio.com"), "vasp.example"];
    expect(allowed(set)).toEqual([...taken, "nameless.example"]);
    expect(domains({ withBlocked: false }, set)).toEqual([...taken, "nameless.example"]);
    const listed: ProviderSettings = { ...set, policy: { counterparties: "LISTED" } };
    expect(allowed(listed)).toEqual(["coins.ph", "vasp.example", "nameless.example"]);
    expect(domains({}, listed)).toEqual(domains({}, set));
  });
});
