/**
 * Judges an agent's action: a pure function of the agent, the action, the rates and the time. Amounts are converted into the
 * currency of the limit and rounded up, so that rounding never lets an amount pass a limit. Rules are evaluated in the order
 * of `policyRules`, and then the need for approval. Reserved amounts of pending actions count like spent amounts.
 */
import { type Ratio, scale } from "../../../money/ratio.ts";
import type { AccountRule, AgentPermission, AgentPolicy, Payees } from "../agent-policy.ts";
import { type Reserved, type Usage, usageAt } from "./usage.ts";

/** In evaluation order. The first broken rule is the refusal. */
export const policyRules = [
  "PERMISSION",
  "PAUSED",
  "ACCOUNT_NOT_ALLOWED",
  "FUNDING_ACCOUNT_NOT_ALLOWED",
  "PAYEE_NOT_ALLOWED",
  "PER_TRANSACTION_LIMIT",
  "DAILY_TRANSACTION_LIMIT",
  "DAILY_LIMIT",
  "MONTHLY_LIMIT",
] as const;
export type PolicyRule = (typeof policyRules)[number];

export interface Standing extends Usage, Reserved {
  readonly policy: AgentPolicy;
  readonly isPaused: boolean;
}

/** A payee outside the customer's internal accounts. */
export type Payee =
  | { readonly kind: "external"; readonly accountId: string }
  /** Normalized. */
  | { readonly kind: "uma"; readonly umaAddress: string };

/** The source and destination of an action; accounts by their wire ids. */
export interface ActionSides {
  /** The internal accounts that it touches, as source or destination. */
  readonly accountIds: readonly string[];
  /** The external account that money is pulled from; null when none is. */
  readonly fundingAccountId: string | null;
  /** Null for a payment to an internal account of the customer; `accountIds` contains that account. */
  readonly payee: Payee | null;
}

/** The facts of an action that a policy judges. */
export interface ActionFacts extends ActionSides {
  readonly permission: AgentPermission;
  readonly currency: string;
  readonly minor: bigint;
}

/** Smallest units of `to` for one smallest unit of `from`; undefined when there is no rate. */
export type RateOf = (from: string, to: string) => Ratio | undefined;

/** Why an allowed action waits, in evaluation order. */
export const approvalReasons = ["EXECUTION_MODE", "ACCOUNT_RULE", "THRESHOLD"] as const;
export type ApprovalReason = (typeof approvalReasons)[number];

export type Verdict =
  /** `countedMinor`: the amount counted against the limits, in their currency. */
  | { readonly kind: "allowed"; readonly countedMinor: bigint }
  | {
      readonly kind: "needs-approval";
      readonly reason: ApprovalReason;
      readonly countedMinor: bigint;
    }
  | { readonly kind: "refused"; readonly rule: PolicyRule }
  /** The amount cannot be converted into the currency of the limits. */
  | { readonly kind: "no-rate"; readonly from: string; readonly to: string };

export function judgeAction(
  standing: Standing,
  action: ActionFacts,
  { rateOf, at }: { readonly rateOf: RateOf; readonly at: number },
): Verdict {
  const { policy } = standing;
  const standingRule = brokenByStanding(standing, action);
  if (standingRule !== undefined) return { kind: "refused", rule: standingRule };
  const { currency } = policy.spendingLimits;
  const countedMinor = convertUp(action, currency, rateOf);
  if (countedMinor === undefined) return { kind: "no-rate", from: action.currency, to: currency };
  const limitRule = brokenByAmount(standing, { action, countedMinor, at });
  if (limitRule !== undefined) return { kind: "refused", rule: limitRule };
  const isAbove = isAboveThreshold(policy, action, rateOf);
  if (isAbove === undefined) {
    const to = policy.approvalThresholds?.currency ?? currency;
    return { kind: "no-rate", from: action.currency, to };
  }
  const reason = waitsByMode(policy, action) ?? (isAbove ? "THRESHOLD" : undefined);
  if (reason === undefined) return { kind: "allowed", countedMinor };
  return { kind: "needs-approval", reason, countedMinor };
}

function brokenByStanding(
  { policy, isPaused }: Standing,
  action: ActionFacts,
): PolicyRule | undefined {
  if (!policy.permissions.includes(action.permission)) return "PERMISSION";
  if (isPaused) return "PAUSED";
  return brokenBySides(policy, action);
}

/** The rule that the source or the destination breaks. It needs no amount, so a quote is checked before it has a price. */
export function brokenBySides(
  { accountRestrictions = {} }: AgentPolicy,
  { accountIds, fundingAccountId, payee }: ActionSides,
): PolicyRule | undefined {
  const { allowedAccountIds, fundingAccountIds, payees } = accountRestrictions;
  if (accountIds.some((id) => !isNamed(allowedAccountIds, id))) return "ACCOUNT_NOT_ALLOWED";
  if (fundingAccountId !== null && !isNamed(fundingAccountIds, fundingAccountId))
    return "FUNDING_ACCOUNT_NOT_ALLOWED";
  if (payee !== null && !isPayable(payees, payee)) return "PAYEE_NOT_ALLOWED";
  return undefined;
}

/** An absent list and null contain every account. */
function isNamed(list: readonly string[] | null | undefined, id: string): boolean {
  return list === undefined || list === null || list.includes(id);
}

function isPayable(payees: Payees | undefined, payee: Payee): boolean {
  if (payees === undefined) return true;
  switch (payees.mode) {
    case "ANY":
      return true;
    case "LISTED":
      return payee.kind === "external"
        ? payees.externalAccountIds?.includes(payee.accountId) === true
        : payees.umaAddresses?.includes(payee.umaAddress) === true;
  }
}

function brokenByAmount(
  standing: Standing,
  asked: { readonly action: ActionFacts; readonly countedMinor: bigint; readonly at: number },
): PolicyRule | undefined {
  const { policy, reservedCount, reservedMinor } = standing;
  const { countedMinor } = asked;
  const { dailyTransactionLimit, dailyLimit, monthlyLimit } = policy.spendingLimits;
  const usage = usageAt(standing, asked.at);
  const perTransaction = perTransactionLimits(policy, asked.action);
  if (perTransaction.some((limit) => countedMinor > BigInt(limit))) return "PER_TRANSACTION_LIMIT";
  if (isAbove(BigInt(usage.usageDayCount + reservedCount + 1), dailyTransactionLimit))
    return "DAILY_TRANSACTION_LIMIT";
  if (isAbove(usage.usageDayMinor + reservedMinor + countedMinor, dailyLimit)) return "DAILY_LIMIT";
  if (isAbove(usage.usageMonthMinor + reservedMinor + countedMinor, monthlyLimit))
    return "MONTHLY_LIMIT";
  return undefined;
}

function isAbove(figure: bigint, limit: number | null | undefined): boolean {
  return typeof limit === "number" && figure > BigInt(limit);
}

/** One limit for each touched account: that of its account rule, or else the policy's own. */
function perTransactionLimits(policy: AgentPolicy, action: ActionFacts): readonly number[] {
  const common = policy.spendingLimits.perTransactionLimit;
  return rulesOf(policy, action).map((rule) => rule?.perTransactionLimit ?? common);
}

function waitsByMode(policy: AgentPolicy, action: ActionFacts): ApprovalReason | undefined {
  const rules = rulesOf(policy, action);
  const isRequired = (mode: string | undefined) => mode === "APPROVAL_REQUIRED";
  const hasDefault = rules.some((rule) => rule?.executionMode === undefined);
  if (hasDefault && isRequired(policy.defaultExecutionMode)) return "EXECUTION_MODE";
  return rules.some((rule) => isRequired(rule?.executionMode)) ? "ACCOUNT_RULE" : undefined;
}

/** The rule of each account. An action without an internal account gets one entry without a rule, so the policy's defaults apply. */
function rulesOf(
  { accountRestrictions }: AgentPolicy,
  { accountIds }: ActionFacts,
): readonly (AccountRule | undefined)[] {
  const rules = accountRestrictions?.accountRules ?? [];
  if (accountIds.length === 0) return [undefined];
  return accountIds.map((id) => rules.find(({ accountId }) => accountId === id));
}

function isAboveThreshold(
  { approvalThresholds, spendingLimits }: AgentPolicy,
  action: ActionFacts,
  rateOf: RateOf,
): boolean | undefined {
  const amount = approvalThresholds?.amount;
  if (typeof amount !== "number") return false;
  const minor = convertUp(action, approvalThresholds?.currency ?? spendingLimits.currency, rateOf);
  return minor === undefined ? undefined : minor > BigInt(amount);
}

function convertUp(
  { currency, minor }: ActionFacts,
  to: string,
  rateOf: RateOf,
): bigint | undefined {
  if (currency === to) return minor;
  const rate = rateOf(currency, to);
  return rate === undefined ? undefined : scale(minor, rate, "up");
}
