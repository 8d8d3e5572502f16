/** Which past orders of an agent two policies judge differently. Pure. */
import type { ApprovalReason, PolicyRule, RateOf, Verdict } from "../actions/judge-action.ts";
import type { AgentPolicy } from "../agent-policy.ts";
import { type PastOrder, replayOrders } from "./replay-orders.ts";

export const verdictWords = ["ALLOWED", "NEEDS_APPROVAL", "REFUSED"] as const;

export const verdictChanges = [
  "NOW_REFUSED",
  "NOW_ALLOWED",
  "NOW_WAITS",
  "NO_LONGER_WAITS",
] as const;
export type VerdictChange = (typeof verdictChanges)[number];

export interface Judged {
  readonly verdict: (typeof verdictWords)[number];
  /** Null when the order is allowed. */
  readonly reason: PolicyRule | ApprovalReason | "NO_RATE" | null;
}

export interface Difference {
  readonly order: PastOrder;
  readonly change: VerdictChange;
  readonly before: Judged;
  readonly after: Judged;
}

export interface PolicyPair {
  readonly before: AgentPolicy;
  readonly after: AgentPolicy;
}

/**
 * The differences, oldest first. `orders` must begin before `since`, so that daily and monthly limits count the earlier usage. Orders
 * before `since` are not compared.
 */
export function comparePolicies(
  orders: readonly PastOrder[],
  { before, after }: PolicyPair,
  { rateOf, since }: { readonly rateOf: RateOf; readonly since: number },
): readonly Difference[] {
  const [old, now] = [before, after].map((policy) => replayOrders(orders, policy, rateOf));
  return orders.flatMap((order, index) => {
    if (order.action.createdAt < since) return [];
    const [one, other] = [judgedBy(old?.[index]), judgedBy(now?.[index])];
    const change = changeOf(one, other);
    return change === undefined ? [] : [{ order, change, before: one, after: other }];
  });
}

function judgedBy(verdict: Verdict | undefined): Judged {
  switch (verdict?.kind) {
    case "needs-approval":
      return { verdict: "NEEDS_APPROVAL", reason: verdict.reason };
    case "refused":
      return { verdict: "REFUSED", reason: verdict.rule };
    case "no-rate":
      return { verdict: "REFUSED", reason: "NO_RATE" };
    default:
      return { verdict: "ALLOWED", reason: null };
  }
}

/** Undefined when the verdict is the same, even if another rule causes it. */
function changeOf(before: Judged, after: Judged): VerdictChange | undefined {
  if (before.verdict === after.verdict) return undefined;
  switch (after.verdict) {
    case "REFUSED":
      return "NOW_REFUSED";
    case "NEEDS_APPROVAL":
      return "NOW_WAITS";
    case "ALLOWED":
      return before.verdict === "REFUSED" ? "NOW_ALLOWED" : "NO_LONGER_WAITS";
  }
}
