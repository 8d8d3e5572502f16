/**
 * The submitted actions of the model's agents: verdicts, states and usage of the limits. Usage is not stored; it is summed from
 * the actions when it is needed.
 */
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { AgentOrder, AgentsOrder, Limits, Permission } from "./agent-orders.ts";
import type { Model } from "./model.ts";
import type { ModelAgent, ModelAgents } from "./model-agents.ts";
import {
  type Counted,
  countedOf,
  dayOf,
  type Facts,
  type Figures,
  measured,
  monthOf,
  mustWait,
  startOfDay,
  verdictsOfPolicy,
} from "./model-policy.ts";
import { factsOf } from "./quote-states.ts";
import { andThen, type Verdict } from "./verdict.ts";

export interface ModelAction {
  readonly id: string;
  readonly agentId: string;
  readonly order: AgentsOrder;
  readonly minor: bigint;
  readonly currency: string;
  counted: bigint;
  countedCurrency: string;
  readonly waited: boolean;
  readonly askedAt: number;
  /** The number of the answer, and the limits at that time. */
  readonly asked: Moment;
  /** The time of approval, rejection or failure; undefined while it is pending. */
  decided: Moment | undefined;
  status: "PENDING_APPROVAL" | "APPROVED" | "REJECTED" | "FAILED";
  transactionId: string | null;
  /** The time of its payment, and whether the payment failed immediately. */
  executedAt: number | null;
  failedAtOnce: boolean;
  /** Whether its usage had been returned at the last check. */
  isUsageReturned: boolean;
  failureReason: string | null;
  /** Rejected with its agent, or expired before. */
  mayHaveExpired: boolean;
}

/** The lifetime of a pending action. */
export const APPROVAL_LIFE_MS = 86_400_000;
export const EXPIRED = "APPROVAL_EXPIRED";

export interface Moment {
  readonly turn: number;
  readonly limits: Limits;
}

type Submission = Extract<AgentOrder, { kind: "submit" }>;
type Decision = Extract<AgentOrder, { kind: "decide" }>;

interface MadeAction {
  readonly action: {
    readonly id: string;
    readonly status: ModelAction["status"];
    readonly transactionId: string | null;
    readonly createdAt: number;
    readonly updatedAt: number;
    readonly executedAt: number | null;
    readonly failureReason: string | null;
  };
  readonly transaction: { readonly id: string; readonly status: string } | null;
}

interface Counts {
  readonly withWaiting: boolean;
}

export class ModelActions {
  readonly all = new Map<string, ModelAction>();
  readonly #model: Model;
  readonly #agents: ModelAgents;
  #turn = 0;

  constructor(model: Model, agents: ModelAgents) {
    this.#model = model;
    this.#agents = agents;
  }

  of(agentId: string): readonly ModelAction[] {
    return [...this.all.values()].filter((action) => action.agentId === agentId);
  }

  waiting(): readonly ModelAction[] {
    return [...this.all.values()].filter(({ status }) => status === "PENDING_APPROVAL");
  }

  verdicts(order: Submission | Decision): readonly Verdict[] {
    return order.kind === "submit" ? this.#submission(order) : this.#decision(order);
  }

  apply(order: Submission | Decision, made: unknown): void {
    if (order.kind === "submit") this.#add(order, made as MadeAction);
    else this.#decide(order, made as MadeAction);
  }

  rejectAll(agentId: string): void {
    for (const action of this.waiting()) {
      if (action.agentId !== agentId) continue;
      action.mayHaveExpired = this.#mayHaveExpired(action);
      action.status = "REJECTED";
      action.decided = this.#moment(agentId);
    }
  }

  expire(action: ModelAction): void {
    action.status = "FAILED";
    action.failureReason = EXPIRED;
    action.decided = this.#moment(action.agentId);
  }

  #mayHaveExpired({ status, askedAt }: ModelAction): boolean {
    return status === "PENDING_APPROVAL" && this.#model.time.latest >= askedAt + APPROVAL_LIFE_MS;
  }

  /** Pending actions are counted in the currency of the limits, exactly. */
  recast({ id, policy }: ModelAgent): void {
    const to = policy.limits.currency;
    for (const action of this.waiting()) {
      if (action.agentId !== id) continue;
      action.counted = measured(action.counted, { from: action.countedCurrency, to });
      action.countedCurrency = to;
    }
  }

  /** Bounds of the usage of an agent's limits at a time. */
  figuresAt(agentId: string, time: number, { withWaiting }: Counts): Counted {
    const waiting = withWaiting ? this.waiting().filter((one) => one.agentId === agentId) : [];
    const done = this.#using(agentId);
    const least = {
      done: done.filter((action) => !this.mayBeBack(action)),
      waiting: waiting.filter((action) => !this.#mayHaveExpired(action)),
    };
    return this.#between(agentId, { least, done, waiting, time });
  }

  /** The usage of executed actions, as of the last check. */
  spentAt(agentId: string, time: number): Counted {
    const done = this.#using(agentId);
    return this.#between(agentId, { least: {}, done, waiting: [], time });
  }

  /** Executed actions whose usage was not returned, as of the last check. */
  #using(agentId: string): readonly ModelAction[] {
    return this.of(agentId).filter(
      ({ executedAt, isUsageReturned }) => executedAt !== null && !isUsageReturned,
    );
  }

  #between(
    agentId: string,
    { least, ...standing }: Standing & { readonly least: Partial<Standing> },
  ): Counted {
    const agent = present(this.#agents.all.get(agentId), "an agent");
    const most = figuresOf(agent, standing);
    const slack = slackOf(agent, { actions: this.of(agentId), time: standing.time });
    return {
      least: figuresOf(agent, { ...standing, ...least }),
      most: { ...most, day: most.day + slack.day, month: most.month + slack.month },
    };
  }

  /** Whether the money of its payment is returned, or may be returned by now. */
  mayBeBack({ transactionId }: ModelAction): boolean {
    if (transactionId === null) return false;
    if (this.isMoneyBack(transactionId)) return true;
    const ofQuote = this.#model.quotes.ofTransaction(transactionId);
    if (ofQuote === undefined) return this.#model.reportsOf(transactionId).has("declined");
    return this.#model.reportsOf(`${transactionId}/refund`).has("settled");
  }

  /** Whether the payer had the money again, or never paid, as of the last check. */
  isMoneyBack(transactionId: string): boolean {
    const transfer = this.#model.transfers.get(transactionId);
    if (transfer !== undefined) return transfer.status === "FAILED";
    const quote = present(this.#model.quotes.ofTransaction(transactionId), "a payment");
    return factsOf(quote.state).money === "home" && quote.state !== "waiting";
  }

  hasFailed(transactionId: string): boolean {
    const transfer = this.#model.transfers.get(transactionId);
    if (transfer !== undefined) return transfer.status === "FAILED";
    const quote = present(this.#model.quotes.ofTransaction(transactionId), "a payment");
    return factsOf(quote.state).failureReason !== undefined;
  }

  factsOf(agent: ModelAgent, order: AgentsOrder): Facts | Verdict {
    if (order.type === "EXECUTE_QUOTE") {
      const quote = this.#model.quotes.all.get(order.quoteId);
      if (quote?.agentId !== agent.id) return "QUOTE_NOT_FOUND";
      const { fromId, toId, isInHouse, price } = quote;
      const accounts = [...(fromId === null ? [] : [fromId]), ...(isInHouse ? [toId] : [])];
      const payee = isInHouse ? null : toId;
      const sides = { accounts, payee, funding: null };
      return { needs: permissionFor(order), ...sides, currency: "USD", minor: price.sent };
    }
    const { internalId, externalId, minor } = order;
    const internal = this.#model.internals.get(internalId);
    const external = this.#model.externals.get(externalId);
    if (internal?.customerId !== agent.customerId) return "REFERENCE_NOT_FOUND";
    if (external?.customerId !== agent.customerId || external.isDeleted)
      return "REFERENCE_NOT_FOUND";
    const { currency } = internal;
    const isOut = order.type === "TRANSFER_OUT";
    const outside = { payee: isOut ? externalId : null, funding: isOut ? null : externalId };
    const sides = { accounts: [internalId], ...outside };
    return { needs: permissionFor(order), ...sides, currency, minor };
  }

  #submission({ agentId, order }: Submission): readonly Verdict[] {
    const agent = this.#agents.live(agentId);
    if (agent === undefined) return ["UNAUTHORIZED"];
    const hindrance = this.#agents.hindrance(agent, permissionFor(order));
    if (hindrance !== undefined) return [hindrance];
    const facts = this.factsOf(agent, order);
    if (typeof facts === "string") return [facts];
    return andThen(this.#allowance(agent, facts, { withWaiting: true }), () => {
      const waiting = this.#waitingFor(order);
      if (waiting !== undefined && !this.#mayHaveExpired(waiting)) return ["CONFLICT"];
      const verdicts = andThen(this.#refusals(order), () =>
        mustWait(agent.policy, facts) ? ["PENDING_APPROVAL"] : this.#outcomes(order),
      );
      return waiting === undefined ? verdicts : ["CONFLICT", ...verdicts];
    });
  }

  #decision({ agentId, actionId, word }: Decision): readonly Verdict[] {
    const agent = this.#agents.live(agentId);
    const action = this.all.get(actionId);
    if (agent === undefined || action?.agentId !== agentId) return ["REFERENCE_NOT_FOUND"];
    if (action.status !== "PENDING_APPROVAL") return ["CONFLICT"];
    const verdicts = word === "reject" ? ["REJECTED" as const] : this.#approval(agent, action);
    return this.#mayHaveExpired(action) ? ["CONFLICT", ...verdicts] : verdicts;
  }

  #approval(agent: ModelAgent, { order }: ModelAction): readonly Verdict[] {
    const facts = this.factsOf(agent, order);
    if (typeof facts === "string") return [`FAILED ${facts}`];
    const hindrance = this.#agents.hindrance(agent, facts.needs);
    if (hindrance !== undefined) return [`FAILED ${hindrance}`];
    const refusals = andThen(this.#allowance(agent, facts, { withWaiting: false }), () =>
      this.#refusals(order),
    );
    return refusals.flatMap((refusal) =>
      refusal === "OK" ? this.#outcomes(order) : [`FAILED ${refusal}`],
    );
  }

  /** Around midnight, the day of an order is uncertain. */
  #allowance(agent: ModelAgent, facts: Facts, counts: Counts) {
    const { earliest, latest } = this.#model.time;
    const found = new Set<Verdict>();
    for (let time = earliest; time <= latest; time = startOfDay(dayOf(time) + 1)) {
      const counted = this.figuresAt(agent.id, time, counts);
      for (const verdict of verdictsOfPolicy(agent.policy, facts, counted)) found.add(verdict);
    }
    return [...found];
  }

  #waitingFor(order: AgentsOrder): ModelAction | undefined {
    if (order.type !== "EXECUTE_QUOTE") return undefined;
    return this.waiting().find(
      ({ order: other }) => other.type === "EXECUTE_QUOTE" && other.quoteId === order.quoteId,
    );
  }

  /** Refusals that also apply to the platform, without the balance check. */
  #refusals(order: AgentsOrder): readonly Verdict[] {
    if (order.type === "EXECUTE_QUOTE") return this.#model.quotes.refusals(order.quoteId);
    return [this.#model.transferRefusal(order, order.type === "TRANSFER_OUT")];
  }

  /** The outcomes of an action that passes all checks except, possibly, the balance check. */
  #outcomes(order: AgentsOrder): readonly Verdict[] {
    if (order.type === "EXECUTE_QUOTE") {
      const { fromId, price } = present(this.#model.quotes.all.get(order.quoteId), "a quote");
      return this.#paid(present(fromId, "the payer"), price.sent, "APPROVED");
    }
    const { internalId, externalId, minor } = order;
    const failure = this.#model.failureAtOnce(externalId);
    const done = failure === undefined ? "APPROVED" : `FAILED ${failure}`;
    return order.type === "TRANSFER_IN" ? [done] : this.#paid(internalId, minor, done);
  }

  #paid(internalId: string, minor: bigint, done: Verdict): readonly Verdict[] {
    return this.#model
      .affords(internalId, minor)
      .map((verdict) => (verdict === "OK" ? done : `FAILED ${verdict}`));
  }

  #add({ agentId, order }: Submission, made: MadeAction): void {
    const agent = present(this.#agents.all.get(agentId), "an agent");
    const facts = this.factsOf(agent, order);
    if (typeof facts === "string") throw new Error(`an action came of ${facts}`);
    const { id, status, createdAt, failureReason } = made.action;
    const counted = countedOf(agent.policy, facts);
    this.#model.learnTime(createdAt);
    expect(made.action).toMatchObject({
      ...{ agentId, customerId: agent.customerId, type: order.type },
      ...{ amountMinor: facts.minor.toString(), currency: facts.currency },
      ...{ countedMinor: counted.toString(), countedCurrency: agent.policy.limits.currency },
    });
    expect(this.all.has(id), "a new action has a new id").toBe(false);
    const waited = status === "PENDING_APPROVAL";
    const action: ModelAction = {
      ...{ id, agentId, order, status, failureReason, waited },
      ...{ counted, countedCurrency: agent.policy.limits.currency },
      ...{ minor: facts.minor, currency: facts.currency },
      ...{ transactionId: null, executedAt: null, failedAtOnce: false, decided: undefined },
      isUsageReturned: false,
      ...{ askedAt: createdAt, asked: this.#moment(agentId), mayHaveExpired: false },
    };
    this.all.set(id, action);
    this.#carryOut(action, made, createdAt);
  }

  #decide({ agentId, actionId }: Decision, made: MadeAction): void {
    const action = present(this.all.get(actionId), "an action");
    const { status, failureReason, updatedAt } = made.action;
    this.#model.learnTime(updatedAt);
    action.decided = this.#moment(agentId);
    action.status = status;
    action.failureReason = failureReason;
    this.#carryOut(action, made, updatedAt);
  }

  #carryOut(action: ModelAction, { action: made, transaction }: MadeAction, at: number): void {
    const { order, agentId } = action;
    expect(made.transactionId).toBe(transaction?.id ?? null);
    expect(made.executedAt).toBe(transaction === null ? null : at);
    expect(made.status === "APPROVED" && transaction === null, "a payment was made").toBe(false);
    if (transaction === null) return;
    action.transactionId = transaction.id;
    action.executedAt = at;
    const agent = present(this.#agents.all.get(agentId), "an agent");
    const facts = this.factsOf(agent, order);
    if (typeof facts === "string") throw new Error(`a payment came of ${facts}`);
    action.counted = countedOf(agent.policy, facts);
    action.countedCurrency = agent.policy.limits.currency;
    action.failedAtOnce = made.status === "FAILED";
    action.isUsageReturned = action.failedAtOnce;
    if (order.type !== "EXECUTE_QUOTE") {
      this.#model.startTransfer({ ...order, agentId }, transaction);
      return;
    }
    const quote = present(this.#model.quotes.all.get(order.quoteId), "a quote");
    expect(transaction).toMatchObject({ id: quote.transactionId, status: "PROCESSING" });
    quote.state = "paying";
  }

  #moment(agentId: string): Moment {
    const { policy } = present(this.#agents.all.get(agentId), "an agent");
    return { turn: this.#turn++, limits: policy.limits };
  }
}

export function permissionFor({ type }: AgentsOrder): Permission {
  return type === "EXECUTE_QUOTE" ? "EXECUTE_QUOTES" : "CREATE_TRANSFERS";
}

interface Standing {
  readonly done: readonly ModelAction[];
  readonly waiting: readonly ModelAction[];
  readonly time: number;
}

function figuresOf({ policy }: ModelAgent, { done, waiting, time }: Standing): Figures {
  const { currency } = policy.limits;
  const today = [...done.filter(({ executedAt }) => isSameDay(executedAt, time)), ...waiting];
  const month = [...done.filter(({ executedAt }) => isSameMonth(executedAt, time)), ...waiting];
  return {
    count: BigInt(today.length),
    day: sumIn(currency, today),
    month: sumIn(currency, month),
  };
}

/**
 * The bound by which the counted usage may exceed the sum: usage is rounded up at each change of the currency, and returned
 * usage is rounded down.
 */
function slackOf(
  { recasts }: ModelAgent,
  { actions, time }: { readonly actions: readonly ModelAction[]; readonly time: number },
): { readonly day: bigint; readonly month: bigint } {
  const within = (isSame: (at: number | null, time: number) => boolean) => {
    const changes = recasts.filter((at) => isSame(at, time)).length;
    const done = actions.filter(({ executedAt }) => isSame(executedAt, time)).length;
    return changes === 0 ? 0n : 2n * BigInt(changes + done);
  };
  return { day: within(isSameDay), month: within(isSameMonth) };
}

export function isSameDay(at: number | null, time: number): boolean {
  return at !== null && dayOf(at) === dayOf(time);
}

export function isSameMonth(at: number | null, time: number): boolean {
  return at !== null && monthOf(at) === monthOf(time);
}

/** Sums first and rounds up once. */
export function sumIn(currency: string, actions: readonly ModelAction[]): bigint {
  let sum = 0n;
  let others = 0n;
  for (const { counted, countedCurrency } of actions) {
    if (countedCurrency === currency) sum += counted;
    else others += counted;
  }
  const from = currency === "EUR" ? "USD" : "EUR";
  return sum + measured(others, { from, to: currency });
}
