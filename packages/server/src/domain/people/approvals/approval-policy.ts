/**
 * The approval policy of a platform, or of a workspace for what concerns people: which acts of people wait for others. It stores only
 * the differences from the defaults of `approval-kinds.ts`.
 */
import { platformRowFinderOf } from "../../../tables/find-row.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { Environment } from "../../platform.ts";
import { type Amounts, type ApprovalKind, type KindRule, noteOf } from "./approval-kinds.ts";

export type PolicyRules = Readonly<Partial<Record<ApprovalKind, KindRule>>>;

const columns = {
  /** The id of the platform or the workspace. */
  id: fixed("uuid"),
  rules: mutable<PolicyRules>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface ApprovalPolicy extends RowOf<typeof columns> {}

export const approvalPolicies = defineTable<ApprovalPolicy>("approval_policies", columns);

/** Undefined where every rule has its default. */
export const findApprovalPolicy = platformRowFinderOf(approvalPolicies);

/** The rule in force. A policy cannot change `waits` of a fixed kind. */
export function ruleFor(
  kind: ApprovalKind,
  environment: Environment,
  policy: Pick<ApprovalPolicy, "rules"> | undefined,
): KindRule {
  const { defaults, isFixed } = noteOf(kind);
  const own = policy?.rules[kind];
  const merged = { ...defaults[environment], ...own };
  return isFixed === true ? { ...merged, waits: defaults[environment].waits } : merged;
}

export interface Amount {
  readonly currency: string;
  readonly minor: bigint;
}

/** How many people must agree: none for an act that does not wait. */
export function approvalsNeeded(
  { waits, above, twoAbove }: KindRule,
  asked: { readonly amount?: Amount | undefined; readonly hasTwoOwners?: boolean },
): 0 | 1 | 2 {
  const isOn = waits === "WITH_TWO_OWNERS" ? asked.hasTwoOwners === true : waits;
  if (!isOn) return 0;
  const { amount } = asked;
  if (amount === undefined) return 1;
  if (amount.minor <= (limitIn(above, amount.currency) ?? 0n)) return 0;
  const two = limitIn(twoAbove, amount.currency);
  return two !== undefined && amount.minor > two ? 2 : 1;
}

function limitIn(amounts: Amounts | undefined, currency: string): bigint | undefined {
  const limit = amounts?.[currency];
  return limit === undefined ? undefined : BigInt(limit);
}
