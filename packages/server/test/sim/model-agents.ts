/** The agents of the model: policies, codes and pauses. Their actions are in `model-actions.ts`. */
import { expect } from "vitest";
import { present } from "../../src/std/assert.ts";
import type { AgentOrder, Permission, Policy } from "./agent-orders.ts";
import type { Model } from "./model.ts";
import { ModelActions } from "./model-actions.ts";
import { patched } from "./model-policy.ts";
import { count, type Tally, type Verdict } from "./verdict.ts";

export interface ModelAgent {
  readonly id: string;
  readonly customerId: string;
  readonly createdAt: number;
  policy: Policy;
  isPaused: boolean;
  /** Times at which its limits and their usage were converted to another currency. */
  readonly recasts: number[];
  /** Null until a code is redeemed. */
  token: string | null;
  isDeleted: boolean;
}

interface ModelCode {
  readonly agentId: string;
  readonly expiresAt: number;
  state: "live" | "redeemed" | "void";
}

const CODE_LIFE_MS = 86_400_000;

export class ModelAgents {
  readonly all = new Map<string, ModelAgent>();
  readonly codes = new Map<string, ModelCode>();
  readonly actions: ModelActions;
  readonly met: Tally = new Map();
  /** All answers, and those with exactly one possible verdict. */
  answers = 0;
  certain = 0;
  /** Failed payments whose actions were not updated yet, as of the last check. */
  untold = 0;
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
    this.actions = new ModelActions(model, this);
  }

  note(
    order: AgentOrder,
    { verdict, isCertain }: { readonly verdict: Verdict; readonly isCertain: boolean },
  ): void {
    const what = order.kind === "submit" ? order.order.type : whatIs(order);
    count(this.met, `${what}: ${verdict}`);
    this.answers++;
    if (isCertain) this.certain++;
  }

  connected(): readonly ModelAgent[] {
    return [...this.all.values()].filter(({ token, isDeleted }) => token !== null && !isDeleted);
  }

  verdicts(order: AgentOrder): readonly Verdict[] {
    switch (order.kind) {
      case "create-agent":
        return [this.#creation(order)];
      case "issue-code": {
        const agent = this.live(order.agentId);
        if (agent === undefined) return ["REFERENCE_NOT_FOUND"];
        if (this.#isOrphan(agent)) return ["CUSTOMER_DELETED"];
        return [agent.token === null ? "OK" : "CONFLICT"];
      }
      case "redeem-code":
        return this.#redemption(order.code);
      case "update-agent":
      case "delete-agent":
        return [this.live(order.agentId) === undefined ? "REFERENCE_NOT_FOUND" : "OK"];
      case "update-policy": {
        const agent = this.live(order.agentId);
        if (agent === undefined) return ["REFERENCE_NOT_FOUND"];
        const policy = patched(agent.policy, order.patch);
        const isOwn = this.#namesOwn(policy, agent.customerId, agent.policy);
        return [isOwn ? "OK" : "REFERENCE_NOT_FOUND"];
      }
      case "submit":
      case "decide":
        return this.actions.verdicts(order);
    }
  }

  apply(order: AgentOrder, made: unknown): void {
    switch (order.kind) {
      case "create-agent":
        this.#create(order, made as CreatedAgent);
        return;
      case "issue-code": {
        this.#voidCodes(order.agentId);
        this.#addCode(order.code, made as MadeCode);
        return;
      }
      case "redeem-code": {
        const code = present(this.codes.get(order.code), "a code");
        code.state = "redeemed";
        present(this.all.get(code.agentId), "an agent").token = order.token;
        return;
      }
      case "update-agent":
        this.#known(order.agentId).isPaused = order.isPaused;
        return;
      case "update-policy": {
        const agent = this.#known(order.agentId);
        const { currency } = agent.policy.limits;
        agent.policy = patched(agent.policy, order.patch);
        if (agent.policy.limits.currency === currency) return;
        const { at } = made as { readonly at: number };
        this.#model.learnTime(at);
        agent.recasts.push(at);
        this.actions.recast(agent);
        return;
      }
      case "delete-agent":
        this.#known(order.agentId).isDeleted = true;
        this.#voidCodes(order.agentId);
        this.actions.rejectAll(order.agentId);
        return;
      case "submit":
      case "decide":
        this.actions.apply(order, made);
    }
  }

  live(agentId: string): ModelAgent | undefined {
    const agent = this.all.get(agentId);
    return agent?.isDeleted === false ? agent : undefined;
  }

  hindrance({ policy, isPaused }: ModelAgent, needs: Permission): Verdict | undefined {
    if (!policy.permissions.includes(needs)) return "PERMISSION";
    return isPaused ? "PAUSED" : undefined;
  }

  #known(agentId: string): ModelAgent {
    return present(this.all.get(agentId), "an agent");
  }

  #creation({ customerId, policy }: Extract<AgentOrder, { kind: "create-agent" }>): Verdict {
    const customer = this.#model.customers.get(customerId);
    if (customer === undefined) return "USER_NOT_FOUND";
    if (customer.isDeleted) return "CUSTOMER_DELETED";
    return this.#namesOwn(policy, customerId) ? "OK" : "REFERENCE_NOT_FOUND";
  }

  #isOrphan({ customerId }: ModelAgent): boolean {
    return this.#model.customers.get(customerId)?.isDeleted === true;
  }

  /** A newly named external account must exist; one that was named before may be deleted. */
  #namesOwn(policy: Policy, customerId: string, before?: Policy): boolean {
    const { allowed, rules } = policy;
    const internals = [...(allowed ?? []), ...rules.map(({ accountId }) => accountId)];
    const known = before === undefined ? [] : externalsOf(before);
    const isOwn = (id: string) => {
      const account = this.#model.externals.get(id);
      return account?.customerId === customerId && !account.isDeleted;
    };
    return (
      internals.every((id) => this.#model.internals.get(id)?.customerId === customerId) &&
      externalsOf(policy).every((id) => known.includes(id) || isOwn(id))
    );
  }

  #redemption(text: string): readonly Verdict[] {
    const code = this.codes.get(text);
    if (code === undefined || code.state === "void") return ["REFERENCE_NOT_FOUND"];
    const agent = this.live(code.agentId);
    if (agent === undefined || this.#isOrphan(agent)) return ["REFERENCE_NOT_FOUND"];
    if (code.state === "redeemed") return ["INVALID_INPUT"];
    const { earliest, latest } = this.#model.time;
    if (earliest >= code.expiresAt) return ["INVALID_INPUT"];
    return latest < code.expiresAt ? ["OK"] : ["INVALID_INPUT", "OK"];
  }

  #create(order: Extract<AgentOrder, { kind: "create-agent" }>, made: CreatedAgent): void {
    const { customerId, policy, code } = order;
    const { id, createdAt } = made.agent;
    this.#model.learnTime(createdAt);
    expect(this.all.has(id), "a new agent has a new id").toBe(false);
    const state = { isPaused: false, recasts: [], token: null, isDeleted: false };
    this.all.set(id, { id, customerId, createdAt, policy, ...state });
    this.#addCode(code, made.deviceCode);
  }

  #addCode(text: string, { agentId, createdAt, expiresAt }: MadeCode): void {
    this.#model.learnTime(createdAt);
    expect(expiresAt).toBe(createdAt + CODE_LIFE_MS);
    this.codes.set(text, { agentId, expiresAt, state: "live" });
  }

  #voidCodes(agentId: string): void {
    for (const code of this.codes.values())
      if (code.agentId === agentId && code.state === "live") code.state = "void";
  }
}

function externalsOf({ payees, funding }: Policy): readonly string[] {
  return [...(payees ?? []), ...(funding ?? [])];
}

interface MadeCode {
  readonly agentId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

interface CreatedAgent {
  readonly agent: { readonly id: string; readonly createdAt: number };
  readonly deviceCode: MadeCode;
}

function whatIs(order: Exclude<AgentOrder, { kind: "submit" }>): string {
  return order.kind === "decide" ? order.word : order.kind;
}
