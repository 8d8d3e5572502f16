/** Applies changes to a policy. The command that saves a change and the preview of a change both use it. */
import { Refusal, refuseFaults } from "../../engine/refusal.ts";
import type { Ratio } from "../../money/ratio.ts";
import type { RateOf } from "./actions/judge-action.ts";
import {
  type AgentPolicy,
  convertLimits,
  convertRules,
  mergePolicy,
  type PolicyChanges,
  policyFaults,
} from "./agent-policy.ts";

/** The conversion from the old currency of the limits to the new one. */
export interface CurrencyChange {
  readonly currency: string;
  readonly rate: Ratio;
}

export interface ChangedPolicy {
  readonly policy: AgentPolicy;
  readonly currencyChange: CurrencyChange | undefined;
}

/**
 * Refuses, in this order: a policy that contradicts itself, names an unknown currency or a malformed UMA address; a currency without a
 * rate. Calls `rates` only when the currency changes.
 */
export function changedPolicy(
  before: AgentPolicy,
  changes: PolicyChanges,
  rates: () => RateOf,
): ChangedPolicy {
  refuseFaults(policyFaults(mergePolicy(before, changes)));
  const currencyChange = currencyChangeOf(before, changes, rates);
  const base = currencyChange === undefined ? before : convertPolicy(before, currencyChange);
  return { policy: mergePolicy(base, changes), currencyChange };
}

/** Undefined without a change. */
function currencyChangeOf(
  policy: AgentPolicy,
  { spendingLimits }: PolicyChanges,
  rates: () => RateOf,
): CurrencyChange | undefined {
  const { currency: before } = policy.spendingLimits;
  const currency = spendingLimits?.currency;
  if (currency === undefined || currency === before) return undefined;
  const rate = rates()(before, currency);
  if (rate === undefined) {
    const field = "spendingLimits.currency";
    const message = `${field}: there is no rate from ${before} to ${currency} to convert what was spent`;
    throw new Refusal("INVALID_CURRENCY", { field, currency }, message);
  }
  return { currency, rate };
}

function convertPolicy(policy: AgentPolicy, currencyChange: CurrencyChange): AgentPolicy {
  const { accountRestrictions } = policy;
  const accountRules = convertRules(accountRestrictions?.accountRules, currencyChange.rate);
  return {
    ...policy,
    spendingLimits: convertLimits(policy.spendingLimits, currencyChange),
    ...(accountRules === undefined
      ? {}
      : { accountRestrictions: { ...accountRestrictions, accountRules } }),
  };
}
