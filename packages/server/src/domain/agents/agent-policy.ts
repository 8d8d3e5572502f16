/**
 * What an agent may do. A policy is kept as the API shows it, with the members that were given and no others; an absent
 * limit and one that is null are both none.
 */
import { type CodedFault, invalid } from "../../engine/refusal.ts";
import { isCurrencyCode } from "../../money/currency.ts";
import { MAX_AMOUNT_MINOR } from "../../money/money.ts";
import { type Ratio, scale } from "../../money/ratio.ts";

export const agentPermissions = [
  "VIEW_TRANSACTIONS",
  "CREATE_TRANSFERS",
  "CREATE_QUOTES",
  "EXECUTE_QUOTES",
  "MANAGE_EXTERNAL_ACCOUNTS",
] as const;
export type AgentPermission = (typeof agentPermissions)[number];

export const executionModes = ["AUTO", "APPROVAL_REQUIRED"] as const;
export type ExecutionMode = (typeof executionModes)[number];

/** Amounts in the smallest unit of `currency`. */
export interface SpendingLimits {
  readonly currency: string;
  readonly perTransactionLimit: number;
  readonly dailyLimit?: number | null;
  readonly dailyTransactionLimit?: number | null;
  readonly monthlyLimit?: number | null;
}

export interface AccountRule {
  readonly accountId: string;
  readonly executionMode?: ExecutionMode;
  /** Null: as the policy says for all accounts. */
  readonly perTransactionLimit?: number | null;
}

export interface AccountRestrictions {
  /** Wire ids of internal accounts; null is all of them, none at all is none. */
  readonly allowedAccountIds?: readonly string[] | null;
  readonly accountRules?: readonly AccountRule[];
}

/** Whatever is above the amount waits for approval, even where the mode is AUTO. */
export interface ApprovalThresholds {
  readonly currency?: string;
  readonly amount?: number | null;
}

export interface AgentPolicy {
  readonly permissions: readonly AgentPermission[];
  readonly defaultExecutionMode: ExecutionMode;
  readonly spendingLimits: SpendingLimits;
  readonly accountRestrictions?: AccountRestrictions;
  readonly approvalThresholds?: ApprovalThresholds;
}

export interface PolicyChanges {
  readonly permissions?: readonly AgentPermission[] | undefined;
  readonly defaultExecutionMode?: ExecutionMode | undefined;
  readonly spendingLimits?: Partial<SpendingLimits> | undefined;
  readonly accountRestrictions?: AccountRestrictions | undefined;
  readonly approvalThresholds?: ApprovalThresholds | undefined;
}

/** The policy with these changes: permissions as a whole, everything else member by member. */
export function mergePolicy(policy: AgentPolicy, changes: PolicyChanges): AgentPolicy {
  const accountRestrictions = merged(policy.accountRestrictions, changes.accountRestrictions);
  const approvalThresholds = merged(policy.approvalThresholds, changes.approvalThresholds);
  return {
    permissions: changes.permissions ?? policy.permissions,
    defaultExecutionMode: changes.defaultExecutionMode ?? policy.defaultExecutionMode,
    spendingLimits: { ...policy.spendingLimits, ...changes.spendingLimits },
    ...(accountRestrictions === undefined ? {} : { accountRestrictions }),
    ...(approvalThresholds === undefined ? {} : { approvalThresholds }),
  };
}

function merged<Part extends object>(
  before: Part | undefined,
  changes: Part | undefined,
): Part | undefined {
  return changes === undefined ? before : ({ ...before, ...changes } as Part);
}

/** The same limits in another currency, rounded down: a limit never grows by being converted. */
export function convertLimits(
  limits: SpendingLimits,
  to: { readonly currency: string; readonly rate: Ratio },
): SpendingLimits {
  const convert = (limit: number) => Number(cappedFigure(scale(BigInt(limit), to.rate, "down")));
  const { perTransactionLimit, dailyLimit, monthlyLimit } = limits;
  return {
    ...limits,
    currency: to.currency,
    perTransactionLimit: convert(perTransactionLimit),
    ...(typeof dailyLimit === "number" ? { dailyLimit: convert(dailyLimit) } : {}),
    ...(typeof monthlyLimit === "number" ? { monthlyLimit: convert(monthlyLimit) } : {}),
  };
}

/** Account rules carry amounts in the currency of the limits, too. */
export function convertRules(
  rules: readonly AccountRule[] | undefined,
  rate: Ratio,
): readonly AccountRule[] | undefined {
  return rules?.map((rule) => {
    const { perTransactionLimit: limit } = rule;
    if (typeof limit !== "number") return rule;
    return {
      ...rule,
      perTransactionLimit: Number(cappedFigure(scale(BigInt(limit), rate, "down"))),
    };
  });
}

/** The most that a limit or a figure of usage can be: what a JSON number says exactly. */
export const MAX_FIGURE_MINOR = MAX_AMOUNT_MINOR;

export function cappedFigure(minor: bigint): bigint {
  return minor < MAX_FIGURE_MINOR ? minor : MAX_FIGURE_MINOR;
}

/** The members by which a policy can contradict itself; of any type, as they may come out of a request. */
export interface PolicyClaims {
  readonly spendingLimits?: { readonly currency?: unknown };
  readonly approvalThresholds?: { readonly currency?: unknown; readonly amount?: unknown };
  readonly accountRestrictions?: {
    readonly accountRules?: readonly { readonly accountId?: unknown }[];
  };
}

/** Where a policy contradicts itself or names an unknown currency; `at` is where it stands in the request. */
export function policyFaults(policy: PolicyClaims, at = ""): readonly CodedFault[] {
  const { approvalThresholds: thresholds } = policy;
  const lacksCurrency = typeof thresholds?.amount === "number" && thresholds.currency === undefined;
  const field = `${at}approvalThresholds.currency`;
  return [
    ...(lacksCurrency ? [invalid(field, "is required with amount")] : []),
    ...changeFaults(policy, at),
  ];
}

/** What of it a part of a policy shows already. */
export function changeFaults(policy: PolicyClaims, at = ""): readonly CodedFault[] {
  const faults: CodedFault[] = [];
  const { spendingLimits, approvalThresholds: thresholds, accountRestrictions } = policy;
  const seen = new Set<unknown>();
  for (const [index, { accountId }] of (accountRestrictions?.accountRules ?? []).entries()) {
    if (typeof accountId !== "string") continue;
    if (seen.has(accountId)) {
      const field = `${at}accountRestrictions.accountRules.${index}.accountId`;
      faults.push(invalid(field, "has a rule already"));
    }
    seen.add(accountId);
  }
  const named = [
    [`${at}spendingLimits.currency`, spendingLimits?.currency],
    [`${at}approvalThresholds.currency`, thresholds?.currency],
  ] as const;
  for (const [field, currency] of named) {
    if (typeof currency !== "string" || isCurrencyCode(currency)) continue;
    const error = { field, message: "is not a known currency" };
    faults.push({ code: "INVALID_CURRENCY", error });
  }
  return faults;
}

/** Every account that a policy names. */
export function accountsNamedBy({ accountRestrictions }: AgentPolicy): readonly string[] {
  const allowed = accountRestrictions?.allowedAccountIds ?? [];
  const ruled = (accountRestrictions?.accountRules ?? []).map(({ accountId }) => accountId);
  return [...allowed, ...ruled];
}
