/**
 * Judges past orders of an agent by a policy, with the function that judges new orders. Pure.
 *
 * The usage at the time of an order is that of the earlier orders that this policy allows: a refused order counts nothing for later
 * ones. An order that needs approval reserves its amount until it was decided; an allowed order counts from its submission. Amounts are
 * converted at today's rates. Balances, freezes and pauses are not replayed. Usage starts at zero with the first given order.
 */
import type { Quote } from "../../payments/quotes/quote.ts";
import { factsOf } from "../actions/action-order.ts";
import type { AgentAction } from "../actions/agent-action.ts";
import { judgeAction, type RateOf, type Standing, type Verdict } from "../actions/judge-action.ts";
import { NOTHING_RESERVED, noUsage, release, reserve, spend, unspend } from "../actions/usage.ts";
import type { AgentPolicy } from "../agent-policy.ts";

export interface PastOrder {
  readonly action: AgentAction;
  /** Null unless the action executes a quote. */
  readonly quote: Quote | null;
}

/** A later change of the usage, derived from what happened to the action. */
interface Later {
  readonly at: number;
  readonly apply: (standing: Standing) => Standing;
}

/** The verdict of each order. `orders` must be sorted oldest first. */
export function replayOrders(
  orders: readonly PastOrder[],
  policy: AgentPolicy,
  rateOf: RateOf,
): readonly Verdict[] {
  let standing: Standing = { policy, isPaused: false, ...noUsage(0), ...NOTHING_RESERVED };
  let later: readonly Later[] = [];
  return orders.map(({ action, quote }) => {
    const at = action.createdAt;
    const isDue = (one: Later) => one.at <= at;
    standing = applied(standing, later.filter(isDue));
    later = later.filter((one) => !isDue(one));
    const verdict = judgeAction(standing, factsOf(action, quote), { rateOf, at });
    later = [...later, ...countedBy(action, verdict)];
    return verdict;
  });
}

function applied(standing: Standing, due: readonly Later[]): Standing {
  const inOrder = [...due].sort((one, other) => one.at - other.at);
  return inOrder.reduce((now, { apply }) => apply(now), standing);
}

/** The changes of usage that an order causes, with their times. The first applies before the next order, which is never older. */
function countedBy(action: AgentAction, verdict: Verdict): readonly Later[] {
  switch (verdict.kind) {
    case "refused":
    case "no-rate":
      return [];
    case "allowed":
      return hasFailedAtOnce(action)
        ? []
        : spending(action, verdict.countedMinor, action.createdAt);
    case "needs-approval":
      return waiting(action, verdict.countedMinor);
  }
}

/** Whether the platform's own command failed the action at once, so that nothing was counted. */
function hasFailedAtOnce({ status, executedAt, createdAt, updatedAt }: AgentAction): boolean {
  return status === "FAILED" && executedAt === null && createdAt === updatedAt;
}

function spending(action: AgentAction, minor: bigint, at: number): readonly Later[] {
  const { usageReturnedAt: returnedAt } = action;
  const spent: Later = { at, apply: (now) => ({ ...now, ...spend(now, minor, at) }) };
  if (returnedAt === null) return [spent];
  const returned = (now: Standing) => unspend(now, { minor, countedAt: at }, returnedAt);
  return [spent, { at: returnedAt, apply: (now) => ({ ...now, ...returned(now) }) }];
}

function waiting(action: AgentAction, minor: bigint): readonly Later[] {
  const { status, executedAt, createdAt, updatedAt } = action;
  const reserved: Later = {
    at: createdAt,
    apply: (now) => ({ ...now, ...reserve(now, minor) }),
  };
  if (status === "PENDING_APPROVAL") return [reserved];
  const released: Later = {
    at: executedAt ?? updatedAt,
    apply: (now) => ({ ...now, ...release(now, minor) }),
  };
  return [reserved, released, ...(executedAt === null ? [] : spending(action, minor, executedAt))];
}
