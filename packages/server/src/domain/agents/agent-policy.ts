/**
 * The policy of an agent. It is stored as the API shows it, with the members that were sent. An absent limit and a null
 * limit both mean no limit. UMA addresses are normalized.
 */
import { type CodedFault, invalid } from "../../engine/refusal.ts";
import { isCurrencyCode } from "../../money/currency.ts";
import { MAX_AMOUNT_MINOR } from "../../money/money.ts";
import { type Ratio, scale } from "../../money/ratio.ts";
import { normalizeUmaAddress } from "../customers/uma-address.ts";

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
  /** Null: the policy's limit for all accounts applies. */
  readonly perTransactionLimit?: number | null;
}

export const payeeModes = ["ANY", "LISTED"] as const;
export type PayeeMode = (typeof payeeModes)[number];

/** The payees outside the customer's internal accounts. With LISTED, an absent list is an empty list. */
export interface Payees {
  readonly mode: PayeeMode;
  /** Wire ids of external accounts. */
  readonly externalAccountIds?: readonly string[];
  readonly umaAddresses?: readonly string[];
}

export interface AccountRestrictions {
  /** Wire ids of internal accounts; null is all of them, an empty list none. */
  readonly allowedAccountIds?: readonly string[] | null;
  readonly accountRules?: readonly AccountRule[];
  /** Absent: no restriction. */
  readonly payees?: Payees;
  /** Wire ids of the external accounts that money may be pulled from; null is all of them, an empty list none. */
  readonly fundingAccountIds?: readonly string[] | null;
}

/** An amount above the threshold needs approval, even where the mode is AUTO. */
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

/** The policy with these changes. Permissions are replaced as a whole, everything else member by member. */
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

/** Converts the account rules as well, because their amounts are in the currency of the limits. */
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

/** The largest limit and the largest amount of usage: what a JSON number holds exactly. */
export const MAX_FIGURE_MINOR = MAX_AMOUNT_MINOR;

export function cappedFigure(minor: bigint): bigint {
  return minor < MAX_FIGURE_MINOR ? minor : MAX_FIGURE_MINOR;
}

/**
 * The members that can contradict each other. Their types are unknown, because they may come from an unvalidated request.
 */
export interface PolicyClaims {
  readonly spendingLimits?: { readonly currency?: unknown };
  readonly approvalThresholds?: { readonly currency?: unknown; readonly amount?: unknown };
  readonly accountRestrictions?: {
    readonly accountRules?: readonly { readonly accountId?: unknown }[];
    readonly payees?: {
      readonly mode?: unknown;
      readonly externalAccountIds?: readonly unknown[];
      readonly umaAddresses?: readonly unknown[];
    };
  };
}

/** Contradictions and unknown currencies in a policy. `at` is the path of the policy in the request. */
export function policyFaults(policy: PolicyClaims, at = ""): readonly CodedFault[] {
  const { approvalThresholds: thresholds } = policy;
  const lacksCurrency = typeof thresholds?.amount === "number" && thresholds.currency === undefined;
  const field = `${at}approvalThresholds.currency`;
  return [
    ...(lacksCurrency ? [invalid(field, "is required with amount")] : []),
    ...changeFaults(policy, at),
  ];
}

/** Faults of a partial policy that are visible without the policy that it changes. */
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
  faults.push(...payeeFaults(accountRestrictions?.payees, `${at}accountRestrictions.payees`));
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

/** A list with the mode ANY has no effect, so it is refused. Two spellings of one UMA address are one address. */
function payeeFaults(
  payees: NonNullable<PolicyClaims["accountRestrictions"]>["payees"],
  at: string,
): readonly CodedFault[] {
  if (payees === undefined) return [];
  const { mode, externalAccountIds = [], umaAddresses = [] } = payees;
  const faults: CodedFault[] = [];
  for (const [name, list] of Object.entries({ externalAccountIds, umaAddresses })) {
    if (mode !== "ANY" || list.length === 0) continue;
    faults.push(invalid(`${at}.${name}`, "must be empty with mode ANY; LISTED pays these alone"));
  }
  const seen = new Set<string>();
  for (const [index, text] of umaAddresses.entries()) {
    if (typeof text !== "string") continue;
    const field = `${at}.umaAddresses.${index}`;
    const address = normalizeUmaAddress(text);
    if (address === undefined) {
      const error = { field, message: "must be a UMA address, $user@domain" };
      faults.push({ code: "INVALID_UMA_ADDRESS", error });
    } else if (seen.has(address)) faults.push(invalid(field, "is in the list already"));
    else seen.add(address);
  }
  return faults;
}

/** Every internal account that a policy names. */
export function internalsNamedBy({ accountRestrictions }: AgentPolicy): readonly string[] {
  const allowed = accountRestrictions?.allowedAccountIds ?? [];
  const ruled = (accountRestrictions?.accountRules ?? []).map(({ accountId }) => accountId);
  return [...allowed, ...ruled];
}

/** Every external account that these restrictions name. */
export function externalsNamedBy(restrictions: AccountRestrictions = {}): readonly string[] {
  const { payees, fundingAccountIds } = restrictions;
  return [...(payees?.externalAccountIds ?? []), ...(fundingAccountIds ?? [])];
}
