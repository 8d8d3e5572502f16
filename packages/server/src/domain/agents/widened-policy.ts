/**
 * Whether a policy lets an agent do more than another one. Pure, and cautious: a change whose effect depends on rates counts as more.
 * If nothing is widened, the new policy refuses or delays whatever the old one refused or delayed.
 */
import type { AccountRule, AgentPolicy, Payees } from "./agent-policy.ts";

/** The members of the policy that let the agent do more than before. */
export function widenedBy(before: AgentPolicy, after: AgentPolicy): readonly string[] {
  const members: Readonly<Record<string, boolean>> = {
    permissions: after.permissions.some((one) => !before.permissions.includes(one)),
    defaultExecutionMode: isFreer(before.defaultExecutionMode, after.defaultExecutionMode),
    ...widenedLimits(before, after),
    ...widenedRestrictions(before, after),
    approvalThresholds: isThresholdWidened(before, after),
  };
  return Object.keys(members).filter((name) => members[name]);
}

function isFreer(before: string, after: string): boolean {
  return before === "APPROVAL_REQUIRED" && after === "AUTO";
}

/** An absent limit and null are no limit. */
function isRaised(before: number | null | undefined, after: number | null | undefined): boolean {
  return (after ?? Number.POSITIVE_INFINITY) > (before ?? Number.POSITIVE_INFINITY);
}

function isCurrencyKept(before: AgentPolicy, after: AgentPolicy): boolean {
  return before.spendingLimits.currency === after.spendingLimits.currency;
}

/** Limits in different currencies are not compared: the change of the currency itself counts as widening. */
function widenedLimits(before: AgentPolicy, after: AgentPolicy): Readonly<Record<string, boolean>> {
  const [old, limits] = [before.spendingLimits, after.spendingLimits];
  const isRaisedIn = (name: "perTransactionLimit" | "dailyLimit" | "monthlyLimit") =>
    isCurrencyKept(before, after) && isRaised(old[name], limits[name]);
  return {
    "spendingLimits.currency": !isCurrencyKept(before, after),
    "spendingLimits.perTransactionLimit": isRaisedIn("perTransactionLimit"),
    "spendingLimits.dailyLimit": isRaisedIn("dailyLimit"),
    "spendingLimits.dailyTransactionLimit": isRaised(
      old.dailyTransactionLimit,
      limits.dailyTransactionLimit,
    ),
    "spendingLimits.monthlyLimit": isRaisedIn("monthlyLimit"),
  };
}

function widenedRestrictions(
  before: AgentPolicy,
  after: AgentPolicy,
): Readonly<Record<string, boolean>> {
  const [old, restrictions] = [before.accountRestrictions ?? {}, after.accountRestrictions ?? {}];
  return {
    "accountRestrictions.allowedAccountIds": hasMore(
      old.allowedAccountIds,
      restrictions.allowedAccountIds,
    ),
    "accountRestrictions.accountRules": areRulesWidened(before, after),
    "accountRestrictions.payees": arePayeesWidened(old.payees, restrictions.payees),
    "accountRestrictions.fundingAccountIds": hasMore(
      old.fundingAccountIds,
      restrictions.fundingAccountIds,
    ),
  };
}

type List = readonly string[] | null | undefined;

/** An absent list and null contain everything. */
function hasMore(before: List, after: List): boolean {
  if (before === undefined || before === null) return false;
  if (after === undefined || after === null) return true;
  return after.some((one) => !before.includes(one));
}

/** Compares the effective mode and limit of each account that has a rule in either policy. */
function areRulesWidened(before: AgentPolicy, after: AgentPolicy): boolean {
  const ids = [before, after].flatMap((policy) => rulesIn(policy).map((rule) => rule.accountId));
  return ids.some((id) => {
    const [old, rule] = [ruleFor(before, id), ruleFor(after, id)];
    return (
      isFreer(old.mode, rule.mode) ||
      (isCurrencyKept(before, after) && isRaised(old.limit, rule.limit))
    );
  });
}

function rulesIn({ accountRestrictions }: AgentPolicy): readonly AccountRule[] {
  return accountRestrictions?.accountRules ?? [];
}

function ruleFor(policy: AgentPolicy, id: string) {
  const rule = rulesIn(policy).find(({ accountId }) => accountId === id);
  return {
    mode: rule?.executionMode ?? policy.defaultExecutionMode,
    limit: rule?.perTransactionLimit ?? policy.spendingLimits.perTransactionLimit,
  };
}

function arePayeesWidened(before: Payees | undefined, after: Payees | undefined): boolean {
  if (before?.mode !== "LISTED") return false;
  if (after?.mode !== "LISTED") return true;
  return (
    hasMore(before.externalAccountIds ?? [], after.externalAccountIds ?? []) ||
    hasMore(before.umaAddresses ?? [], after.umaAddresses ?? [])
  );
}

/** A threshold in another currency counts as widened. */
function isThresholdWidened(before: AgentPolicy, after: AgentPolicy): boolean {
  const [old, threshold] = [thresholdOf(before), thresholdOf(after)];
  if (old === undefined) return false;
  if (threshold === undefined) return true;
  return threshold.amount > old.amount || threshold.currency !== old.currency;
}

function thresholdOf({ approvalThresholds, spendingLimits }: AgentPolicy) {
  const { amount, currency = spendingLimits.currency } = approvalThresholds ?? {};
  return typeof amount === "number" ? { amount, currency } : undefined;
}
