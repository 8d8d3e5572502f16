/**
 * Finds the rule that applies: the most specific one that matches. A rule that names the receiving currency comes before one for any; among
 * equals the sending currency decides, then the rail, then the type of account. No two rules tie, because a table refuses two rules with
 * the same criteria.
 */
import { ANY, type FeeRule, type SpreadRule } from "./price-rules.ts";

export interface Priced {
  readonly from: string;
  readonly to: string;
  /** Undefined for an internal account. */
  readonly accountType: string | undefined;
  readonly paymentRail: string | undefined;
}

type Criteria = Pick<FeeRule, "from" | "to" | "accountType" | "paymentRail">;

export function findFee(rules: readonly FeeRule[], priced: Priced): FeeRule | undefined {
  return mostSpecific(rules, priced, (rule) => rule);
}

export function findSpread(
  rules: readonly SpreadRule[],
  pair: Pick<Priced, "from" | "to">,
): SpreadRule | undefined {
  const priced = { ...pair, accountType: undefined, paymentRail: undefined };
  return mostSpecific(rules, priced, criteriaOfSpread);
}

export function criteriaOfSpread({ from, to }: SpreadRule): Criteria {
  return { from, to, accountType: null, paymentRail: null };
}

function mostSpecific<Rule>(
  rules: readonly Rule[],
  priced: Priced,
  criteriaOf: (rule: Rule) => Criteria,
): Rule | undefined {
  let found: { readonly rule: Rule; readonly weight: number } | undefined;
  for (const rule of rules) {
    const criteria = criteriaOf(rule);
    if (!fits(criteria, priced)) continue;
    const weight = weightOf(criteria);
    if (found === undefined || weight > found.weight) found = { rule, weight };
  }
  return found?.rule;
}

function fits({ from, to, accountType, paymentRail }: Criteria, priced: Priced): boolean {
  return (
    (from === ANY || from === priced.from) &&
    (to === ANY || to === priced.to) &&
    (accountType === null || accountType === priced.accountType) &&
    (paymentRail === null || paymentRail === priced.paymentRail)
  );
}

function weightOf({ from, to, accountType, paymentRail }: Criteria): number {
  return (
    (to === ANY ? 0 : 8) +
    (from === ANY ? 0 : 4) +
    (paymentRail === null ? 0 : 2) +
    (accountType === null ? 0 : 1)
  );
}

/** The indexes of rules whose criteria equal those of an earlier rule. */
export function sameRules(rules: readonly Criteria[]): readonly number[] {
  const seen = new Set<string>();
  return rules.flatMap(({ from, to, accountType, paymentRail }, index) => {
    const key = JSON.stringify([from, to, accountType, paymentRail]);
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}
