/**
 * What a platform adds to the rates of its sources: a spread on the rate, and a fee on the amount. Both are tables of rules, of which the
 * most specific one applies. A table is replaced as a whole and gets the next version; a quote keeps the version that it was priced with.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { platformRowFinderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

/** Any currency. */
export const ANY = "*";

export type SpreadRule = {
  readonly from: string;
  readonly to: string;
  /** Basis points by which the customer's rate is worse than the source's. */
  readonly bps: number;
};

/** Amounts are whole numbers of the smallest unit of the sending currency, as text. */
export type FeeRule = {
  readonly from: string;
  readonly to: string;
  /** Null matches any type, and payments without an external account too. */
  readonly accountType: string | null;
  readonly paymentRail: string | null;
  readonly fixed: string;
  /** Basis points of the sent amount less the fixed fee. */
  readonly bps: number;
  /** Bounds of the variable fee. */
  readonly least: string | null;
  readonly most: string | null;
};

const priceRulesColumns = {
  /** The platform's id. */
  id: fixed("uuid"),
  spreads: mutable<readonly SpreadRule[]>("json"),
  spreadsVersion: mutable("int4"),
  fees: mutable<readonly FeeRule[]>("json"),
  feesVersion: mutable("int4"),
  updatedAt: mutable("time"),
};

export interface PriceRules extends RowOf<typeof priceRulesColumns> {}

export const priceRules = defineTable<PriceRules>("price_rules", priceRulesColumns);

/** Undefined while a platform has set none. */
export const findPriceRules = platformRowFinderOf(priceRules);

const priceRuleVersionColumns = {
  id: fixed("uuid"),
  kind: fixed<"SPREADS" | "FEES">("text"),
  version: fixed("int4"),
  rules: fixed<readonly SpreadRule[] | readonly FeeRule[]>("json"),
  createdAt: fixed("time"),
};

export interface PriceRuleVersion extends RowOf<typeof priceRuleVersionColumns> {}

export const priceRuleVersions = defineTable<PriceRuleVersion>(
  "price_rule_versions",
  priceRuleVersionColumns,
  { isFinal: () => true },
);

export const listRuleVersions = listerOf(priceRuleVersions);

/** The most rules of one table. */
export const MOST_RULES = 500;

/** The rules of a platform that has set none. */
export const NO_RULES = { spreads: [], spreadsVersion: 0, fees: [], feesVersion: 0 } as const;

export function rulesOf(world: Loaded): Omit<PriceRules, "id" | "updatedAt"> {
  return world.find(priceRules.ref(world.platformId)) ?? NO_RULES;
}

/** Stores the next version of one of the tables. */
export function putRules(
  world: World,
  change:
    | { readonly kind: "SPREADS"; readonly rules: readonly SpreadRule[] }
    | { readonly kind: "FEES"; readonly rules: readonly FeeRule[] },
): PriceRules {
  const { spreads, spreadsVersion, fees, feesVersion } = rulesOf(world);
  const before = { spreads, spreadsVersion, fees, feesVersion };
  const after =
    change.kind === "SPREADS"
      ? { ...before, spreads: change.rules, spreadsVersion: spreadsVersion + 1 }
      : { ...before, fees: change.rules, feesVersion: feesVersion + 1 };
  const { kind, rules } = change;
  const version = kind === "SPREADS" ? after.spreadsVersion : after.feesVersion;
  world.put(priceRuleVersions, { id: world.newId(), kind, version, rules, createdAt: world.at });
  return world.put(priceRules, { id: world.platformId, ...after, updatedAt: world.at });
}
