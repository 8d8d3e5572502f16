/** Compares agents, device codes, actions and usage figures in the database with the model. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { Limits } from "./agent-orders.ts";
import type { Model } from "./model.ts";
import {
  APPROVAL_LIFE_MS,
  EXPIRED,
  isSameDay,
  isSameMonth,
  type ModelAction,
  sumIn,
} from "./model-actions.ts";
import type { ModelAgent } from "./model-agents.ts";
import { dayOf } from "./model-policy.ts";
import { count } from "./verdict.ts";

export const AGENT_QUERIES = {
  agents:
    "select id, customer_id, is_paused, deleted_at is not null, coalesce(access_token_hash, '-'), " +
    "usage_day, usage_day_count, usage_day_minor, usage_month_minor, reserved_count, reserved_minor " +
    "from agents where platform_id = $1",
  codes:
    "select code_hash, agent_id, case when redeemed_at is not null then 'redeemed' " +
    "when voided_at is not null then 'void' else 'live' end from agent_device_codes where platform_id = $1",
  actions:
    "select id, status, coalesce(failure_reason, '-'), agent_id, type, coalesce(quote_id::text, '-'), " +
    "coalesce(transaction_id::text, '-'), usage_returned_at is not null, amount_minor, currency, counted_minor, counted_currency " +
    "from agent_actions where platform_id = $1",
} as const;

export const FOLLOW_PAYMENT = "follow-agent-payment";
export const EXPIRE_ACTION = "expire-agent-action";

type Cells = readonly string[];

export function learnActions(
  model: Model,
  { rows, now }: { readonly rows: readonly Cells[]; readonly now: number },
): void {
  const { all, hasFailed } = bound(model);
  expect(rows).toHaveLength(all.size);
  for (const [id = "", status, failureReason, ...rest] of rows) {
    const action = present(all.get(id), `action ${id}`);
    if (failureReason === EXPIRED && action.failureReason !== EXPIRED) {
      learnExpiry(model, action, { counted: rest.slice(-2), now });
    }
    const { agentId, order, transactionId, minor, currency, counted, countedCurrency } = action;
    const quoteId = order.type === "EXECUTE_QUOTE" ? order.quoteId : "-";
    learnReturn(model, action, rest[4]);
    expect(rest).toEqual([
      ...[agentId, order.type, quoteId, transactionId ?? "-", `${action.isUsageReturned}`],
      ...[minor.toString(), currency, counted.toString(), countedCurrency],
    ]);
    if (action.status === "APPROVED" && status === "FAILED") {
      expect(hasFailed(action), `the payment of ${id} has failed`).toBe(true);
      action.status = status;
      action.failureReason = "COUNTERPARTY_POST_TX_FAILED";
      count(model.agents.met, `${order.type}: FAILED later`);
    }
    expect([status, failureReason]).toEqual([action.status, action.failureReason ?? "-"]);
  }
}

/** Usage is returned once, and not before the money is back. */
function learnReturn({ agents }: Model, action: ModelAction, found: string | undefined): void {
  if (action.isUsageReturned || found !== "true") return;
  const { id, transactionId, order } = action;
  const isBack = transactionId !== null && agents.actions.isMoneyBack(transactionId);
  expect(isBack, `the money of ${id} is back`).toBe(true);
  action.isUsageReturned = true;
  count(agents.met, `${order.type}: money back`);
}

/** The action may have expired before the currency of its limits changed. */
function learnExpiry(
  { agents }: Model,
  action: ModelAction,
  { counted, now }: { readonly counted: Cells; readonly now: number },
): void {
  const { id, status, mayHaveExpired, askedAt } = action;
  expect(status === "PENDING_APPROVAL" || mayHaveExpired, `${id} was ${status}`).toBe(true);
  expect(now, `the time of ${id} is over`).toBeGreaterThanOrEqual(askedAt + APPROVAL_LIFE_MS);
  const [minor = "", currency = ""] = counted;
  Object.assign(action, { counted: BigInt(minor), countedCurrency: currency });
  agents.actions.expire(action);
  count(agents.met, "EXPIRED");
}

/** A pending action has one expiry job. */
export function checkExpiryJobs(
  model: Model,
  jobs: ReadonlyMap<string, number>,
  now: number,
): void {
  const { all } = bound(model);
  for (const { id, waited, status, askedAt } of all.values()) {
    const count = jobs.get(id) ?? 0;
    const isNeeded = status === "PENDING_APPROVAL" || now < askedAt + APPROVAL_LIFE_MS;
    if (!waited) expect(count, `jobs of ${id}`).toBe(0);
    else if (isNeeded) expect(count, `the job of ${id}`).toBe(1);
    else expect(count, `the job of ${id}`).toBeLessThanOrEqual(1);
  }
  for (const id of jobs.keys()) expect(all.has(id), `the action of a job, ${id}`).toBe(true);
}

/**
 * An action whose state is older than that of its payment has a job that updates it: one for the failure, one for the refund.
 * A current action may still have such a job, which changes nothing: the job of the failure may have run after the refund.
 */
export function checkActionJobs(model: Model, jobs: ReadonlyMap<string, number>): void {
  const { actions } = model.agents;
  model.agents.untold = jobs.size;
  const { all, hasFailed } = bound(model);
  for (const action of all.values()) {
    const { id, transactionId, status } = action;
    if (transactionId === null) continue;
    const isBehind =
      (status === "APPROVED" && hasFailed(action)) ||
      (actions.isMoneyBack(transactionId) && !action.isUsageReturned);
    const count = jobs.get(transactionId) ?? 0;
    if (isBehind) expect(count, `jobs for the action ${id}`).toBeGreaterThanOrEqual(1);
    expect(count, `jobs for the action ${id}`).toBeLessThanOrEqual(2);
  }
  for (const id of jobs.keys())
    expect(actions.hasFailed(id) || actions.isMoneyBack(id), `${id} does not stand`).toBe(true);
}

export function checkAgents(
  model: Model,
  seen: {
    readonly agents: readonly Cells[];
    readonly codes: readonly Cells[];
    readonly now: number;
  },
): void {
  const { all, codes } = model.agents;
  expect(seen.agents).toHaveLength(all.size);
  for (const [id = "", ...cells] of seen.agents) {
    const agent = present(all.get(id), `agent ${id}`);
    checkAgent(model, agent, { cells, now: seen.now });
  }
  const expected = [...codes].map(([text, { agentId, state }]) => [hashOf(text), agentId, state]);
  expect(seen.codes.toSorted()).toEqual(expected.toSorted());
}

/** The day of the figures is between the last counted action and today. */
function checkAgent(
  model: Model,
  agent: ModelAgent,
  { cells, now }: { readonly cells: Cells; readonly now: number },
): void {
  const { id, customerId, isPaused, isDeleted, token } = agent;
  const [owner, paused, deleted, tokenHash, usageDay = "", ...figures] = cells;
  expect([owner, paused, deleted]).toEqual([customerId, `${isPaused}`, `${isDeleted}`]);
  expect(tokenHash).toBe(token === null ? "-" : hashOf(token));
  const actions = model.agents.actions.of(id);
  const executed = actions.map(({ executedAt }) => executedAt ?? 0);
  const day = Date.parse(`${usageDay}T00:00:00Z`);
  const last = Math.max(...executed.filter((_at, index) => wasCounted(actions[index])), 0);
  expect(dayOf(day), `${usageDay} of ${id}`).toBeGreaterThanOrEqual(dayOf(last));
  expect(dayOf(day), `${usageDay} of ${id}`).toBeLessThanOrEqual(dayOf(now));
  const [ofDay, minorOfDay, minorOfMonth, reserved, minorReserved] = figures.map(BigInt);
  const waiting = actions.filter(({ status }) => status === "PENDING_APPROVAL");
  const sum = sumIn(agent.policy.limits.currency, waiting);
  expect([reserved, minorReserved], `reserved by ${id}`).toEqual([BigInt(waiting.length), sum]);
  const { least, most } = model.agents.actions.spentAt(id, day);
  expect(ofDay, `the count of ${id} on ${usageDay}`).toBe(least.count);
  expectBetween([least.day, minorOfDay, most.day], `the day of ${id} on ${usageDay}`);
  expectBetween([least.month, minorOfMonth, most.month], `the month of ${id} on ${usageDay}`);
}

/** Without a change of currency both bounds are equal. */
function expectBetween([least, found = 0n, most]: readonly (bigint | undefined)[], what: string) {
  expect(found, what).toBeGreaterThanOrEqual(least ?? 0n);
  expect(found, what).toBeLessThanOrEqual(most ?? 0n);
}

/** An action that failed immediately was never counted. */
function wasCounted(action: ModelAction | undefined): boolean {
  return action !== undefined && action.executedAt !== null && !action.failedAtOnce;
}

/** Each action that waited for approval has one event. */
export function checkActionEvents(
  model: Model,
  emitted: ReadonlyMap<string, readonly string[]>,
): void {
  for (const { id, waited } of model.agents.actions.all.values())
    expect(emitted.get(id) ?? [], `events of ${id}`).toEqual(waited ? ["PENDING_APPROVAL"] : []);
}

/**
 * The usage by executed and pending actions never exceeded the limits at the time of a submission or approval. Only payments
 * whose usage is certain are counted.
 */
export function checkLimitsKept(model: Model): void {
  const all = [...model.agents.actions.all.values()];
  for (const action of all) {
    const others = all.filter((other) => other.agentId === action.agentId && other !== action);
    const { asked, decided } = action;
    const waiting = others.filter(
      (other) =>
        other.waited &&
        other.asked.turn < asked.turn &&
        (other.failureReason !== EXPIRED || action.askedAt < other.askedAt + APPROVAL_LIFE_MS) &&
        (other.decided === undefined || other.decided.turn > asked.turn),
    );
    const spent = (turn: number) =>
      others.filter(({ executedAt, isUsageReturned, waited, ...other }) => {
        const done = waited ? other.decided : other.asked;
        const isUsing = executedAt !== null && !isUsageReturned;
        return isUsing && done !== undefined && done.turn < turn;
      });
    const { recasts } = present(model.agents.all.get(action.agentId), "an agent");
    const slack = 2n * BigInt(recasts.length * (others.length + 1));
    const { askedAt, executedAt } = action;
    expectWithin(asked.limits, { at: askedAt, action, waiting, spent: spent(asked.turn), slack });
    if (decided === undefined || executedAt === null) continue;
    const spentByThen = { waiting: [], spent: spent(decided.turn) };
    expectWithin(decided.limits, { at: executedAt, action, ...spentByThen, slack });
  }
}

function expectWithin(
  limits: Limits,
  counts: {
    readonly at: number;
    readonly action: ModelAction;
    readonly waiting: readonly ModelAction[];
    readonly spent: readonly ModelAction[];
    /** The bound of rounding differences. */
    readonly slack: bigint;
  },
): void {
  const { at, action, waiting, spent, slack } = counts;
  const today = spent.filter(({ executedAt }) => isSameDay(executedAt, at)).concat(waiting, action);
  const month = spent.filter(({ executedAt }) => isSameMonth(executedAt, at));
  const ofMonth = sumIn(limits.currency, month.concat(waiting, action)) - slack;
  const ofDay = sumIn(limits.currency, today) - slack;
  const { id } = action;
  expect(today.length, `actions by ${id}`).toBeLessThanOrEqual(limits.count ?? today.length);
  expect(ofDay, `a day by ${id}`).toBeLessThanOrEqual(BigInt(limits.day ?? ofDay));
  expect(ofMonth, `a month by ${id}`).toBeLessThanOrEqual(BigInt(limits.month ?? ofMonth));
}

function bound({ agents: { actions } }: Model) {
  const hasFailed = ({ transactionId }: ModelAction) =>
    transactionId !== null && actions.hasFailed(transactionId);
  return { all: actions.all, hasFailed };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
