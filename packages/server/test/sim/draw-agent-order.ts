/** Generates orders about agents: mostly payments close to the limits of an agent, and decisions about pending actions. */
import { present } from "../../src/std/assert.ts";
import type { AgentOrder, AgentsOrder, Limits, Permission, Policy } from "./agent-orders.ts";
import type { Model } from "./model.ts";
import type { ModelAgent } from "./model-agents.ts";
import type { QuoteOrder } from "./orders.ts";

type Chance = (below: number) => number;

interface Draw {
  readonly model: Model;
  readonly chance: Chance;
  readonly pick: <T>(values: Iterable<T>, otherwise: T) => T;
  readonly anyId: (ids: Iterable<string>) => string;
}

const ALL: readonly Permission[] = ["CREATE_TRANSFERS", "CREATE_QUOTES", "EXECUTE_QUOTES"];

/** The first orders: agents of each customer; the first agent has most permissions. */
export function firstAgents(model: Model, chance: Chance): readonly AgentOrder[] {
  return [...model.customers.keys()].flatMap((customerId) =>
    [0, 1].map((index) => {
      const drawn = drawPolicy(model, customerId, chance);
      const limits = { ...drawn.limits, perTransaction: 3_000, count: null };
      const anyone = { allowed: null, payees: null, funding: null } as const;
      const open = { permissions: ALL, ...anyone, mode: "AUTO", limits } as const;
      const permissions = chance(4) === 0 ? (["CREATE_QUOTES"] as const) : ALL;
      const policy = index === 0 ? { ...drawn, ...open } : { ...drawn, permissions };
      return { kind: "create-agent", customerId, policy, code: newSecret(chance) } as const;
    }),
  );
}

export function firstRedemptions(model: Model, chance: Chance): readonly AgentOrder[] {
  return [...model.agents.codes.keys()].map((code) => ({
    kind: "redeem-code",
    code,
    token: newSecret(chance),
  }));
}

/** A quote per agent, from its customer's dollars to a euro account. */
export function firstAgentQuotes(model: Model): readonly QuoteOrder[] {
  return model.agents.connected().flatMap(({ id, customerId }) => {
    const [from] = ownAccounts(model.internals, { customerId, currency: "USD" });
    const [to] = ownAccounts(model.externals, { customerId, currency: "EUR" });
    if (from === undefined || to === undefined) return [];
    const terms = { side: "SENDING", minor: 210n, customerId: null, executes: false } as const;
    const ends = { fromId: from, to: { kind: "external", id: to } } as const;
    return [{ kind: "make-quote", agentId: id, ...ends, ...terms }];
  });
}

/** The first orders of each agent: its quote, and a payment to and from each dollar account. */
export function firstSubmissions(model: Model): readonly AgentOrder[] {
  const quotes = [...model.quotes.all.values()].filter(({ agentId }) => agentId !== null);
  const executions = quotes.map(({ id, agentId }) => {
    const order = { type: "EXECUTE_QUOTE", quoteId: id } as const;
    return { kind: "submit", agentId: present(agentId, "an agent"), order } as const;
  });
  const transfers = model.agents.connected().flatMap(({ id, customerId }) => {
    const own = { customerId, currency: "USD" };
    const [internalId] = ownAccounts(model.internals, own);
    return ownAccounts(model.externals, own).flatMap((externalId) =>
      (["TRANSFER_OUT", "TRANSFER_IN"] as const).map((type) => {
        const ends = { internalId: present(internalId, "an account"), externalId };
        return { kind: "submit", agentId: id, order: { type, ...ends, minor: 120n } } as const;
      }),
    );
  });
  return [...executions, ...transfers];
}

function ownAccounts(
  accounts: ReadonlyMap<string, { readonly customerId: string | null; readonly currency: string }>,
  own: { readonly customerId: string; readonly currency: string },
): readonly string[] {
  return [...accounts]
    .filter(([, account]) => account.customerId === own.customerId)
    .filter(([, { currency }]) => currency === own.currency)
    .map(([id]) => id);
}

/** The last orders: a decision on each pending action. */
export function lastDecisions(model: Model, chance: Chance): readonly AgentOrder[] {
  return model.agents.actions.waiting().map(({ id, agentId }) => ({
    kind: "decide",
    agentId,
    actionId: id,
    word: chance(3) === 0 ? "reject" : "approve",
  }));
}

export function drawAgentOrder(kind: AgentOrder["kind"], draw: Draw): AgentOrder {
  const { model, chance, anyId } = draw;
  const { agents } = model;
  const anyAgent = () => anyId(agents.all.keys());
  const busyAgent = () => {
    const busy = agents.actions.waiting().map(({ agentId }) => agentId);
    return busy.length > 0 && chance(3) > 0 ? anyId(busy) : anyAgent();
  };
  switch (kind) {
    case "create-agent": {
      const customerId = anyId(model.customers.keys());
      const policy = drawPolicy(model, customerId, chance);
      return { kind, customerId, policy, code: newSecret(chance) };
    }
    case "issue-code": {
      const idle = [...agents.all.values()].filter(({ token }) => token === null);
      const agentId = chance(3) === 0 ? anyAgent() : anyId(idle.map(({ id }) => id));
      return { kind, agentId, code: newSecret(chance) };
    }
    case "redeem-code": {
      const live = [...agents.codes].filter(([, { state }]) => state === "live");
      const code = chance(3) === 0 ? anyId(agents.codes.keys()) : anyId(live.map(([text]) => text));
      return { kind, code, token: newSecret(chance) };
    }
    case "update-agent": {
      const agentId = busyAgent();
      const wasPaused = agents.all.get(agentId)?.isPaused === true;
      return { kind, agentId, isPaused: wasPaused ? chance(5) === 0 : chance(3) === 0 };
    }
    case "update-policy": {
      const agentId = busyAgent();
      return { kind, agentId, patch: drawPatch(draw, agentId) };
    }
    case "delete-agent": {
      const [spared, ...others] = agents.all.keys();
      return { kind, agentId: anyId(chance(8) === 0 && spared ? [spared] : others) };
    }
    case "submit":
      return drawSubmission(draw);
    case "decide":
      return drawDecision(draw);
  }
}

/** Mostly between accounts of the agent's customer. */
export function drawAgentQuote({ model, chance, anyId, pick }: Draw): QuoteOrder | undefined {
  const agent = pick(model.agents.connected(), undefined);
  if (agent === undefined) return undefined;
  const isOwn = ([, { customerId }]: readonly [string, { readonly customerId: string | null }]) =>
    customerId === agent.customerId || chance(15) === 0;
  const own = [...model.internals].filter(isOwn);
  const inDollars = own.filter(([, { currency }]) => currency === "USD").map(([id]) => id);
  const inEuros = own.filter(([, { currency }]) => currency === "EUR").map(([id]) => id);
  const payees = [...model.externals]
    .filter(([, { currency, isDeleted }]) => currency === "EUR" && !isDeleted)
    .filter(isOwn)
    .map(([id]) => id);
  const isInHouse = chance(4) === 0;
  return {
    kind: "make-quote",
    agentId: agent.id,
    fromId: chance(6) === 0 ? null : anyId(inDollars),
    customerId: null,
    to: isInHouse
      ? { kind: "internal", id: anyId(inEuros) }
      : { kind: "external", id: anyId(payees) },
    side: chance(3) === 0 ? "RECEIVING" : "SENDING",
    minor: drawMinor({ model, chance, pick, anyId }, agent),
    executes: chance(25) === 0,
  };
}

/** Mostly by a connected agent; sometimes by a deleted or unknown one. */
function drawSubmission(draw: Draw): AgentOrder {
  const { model, chance, pick, anyId } = draw;
  const waiting = [...model.quotes.all.values()].filter(
    ({ agentId, state, fromId }) =>
      agentId !== null && state === "waiting" && (fromId !== null || chance(4) === 0),
  );
  if (waiting.length > 0 && chance(2) === 0) {
    const quote = pick(waiting, undefined);
    const owner = chance(20) === 0 ? anyId(model.agents.all.keys()) : quote?.agentId;
    const order = { type: "EXECUTE_QUOTE", quoteId: anyId(quote ? [quote.id] : []) } as const;
    return { kind: "submit", agentId: owner ?? anyId([]), order };
  }
  const expired = [...model.quotes.all.values()].filter(
    ({ agentId, state, fromId }) => agentId !== null && state === "expired" && fromId !== null,
  );
  if (expired.length > 0 && chance(8) === 0) {
    const { id: quoteId, agentId } = pick(expired, present(expired[0], "an expired quote"));
    const order = { type: "EXECUTE_QUOTE", quoteId } as const;
    return { kind: "submit", agentId: present(agentId, "an agent"), order };
  }
  const payees = [...model.externals.values()].filter(
    ({ isDeleted, currency }) => !isDeleted && currency === "USD",
  );
  const equipped = new Set(payees.map(({ customerId }) => customerId));
  const able = model.agents
    .connected()
    .filter(({ customerId }) => equipped.has(customerId))
    .filter(({ isPaused }) => !isPaused || chance(3) === 0);
  // One agent acts often, so that it reaches its limits.
  const agent = chance(2) === 0 ? able[0] : pick(able, undefined);
  const gone = [...model.agents.all.values()].filter(({ isDeleted }) => isDeleted);
  const isGone = agent === undefined || chance(40) === 0;
  const agentId = isGone ? anyId(gone.map(({ id }) => id)) : agent.id;
  return { kind: "submit", agentId, order: drawWish(draw, agent) };
}

function drawWish(draw: Draw, agent: ModelAgent | undefined): AgentsOrder {
  const { model, chance, anyId } = draw;
  if (chance(40) === 0) return { type: "EXECUTE_QUOTE", quoteId: anyId(model.quotes.all.keys()) };
  const isOwn = ([, { customerId }]: readonly [string, { readonly customerId: string | null }]) =>
    customerId === agent?.customerId || chance(40) === 0;
  const isUsual = ([, { currency }]: readonly [string, { readonly currency: string }]) =>
    currency === "USD" || chance(15) === 0;
  const internalId = anyId(
    [...model.internals]
      .filter(isOwn)
      .filter(isUsual)
      .map(([id]) => id),
  );
  // Transfers without exchange exist in dollars only.
  const isPaidInEuros = model.internals.get(internalId)?.currency === "EUR";
  const externals = [...model.externals]
    .filter(isOwn)
    .filter(([, { isDeleted }]) => !isDeleted || chance(10) === 0)
    .filter(isPaidInEuros ? ([, { currency }]) => currency === "USD" : isUsual);
  // A policy that names funding accounts is met by transfers in.
  const isIn = chance(agent?.policy.funding ? 2 : 3) === 0;
  return {
    type: isIn ? "TRANSFER_IN" : "TRANSFER_OUT",
    internalId,
    externalId: anyId(externals.map(([id]) => id)),
    minor: drawMinor(draw, agent),
  };
}

/** Often exactly the rest of a limit, or one unit more. */
function drawMinor({ model, chance, pick }: Draw, agent: ModelAgent | undefined): bigint {
  const small = BigInt(1 + chance(700));
  if (agent === undefined || chance(3) > 0) return small;
  const { limits, threshold } = agent.policy;
  const time = model.time.latest;
  const { most } = model.agents.actions.figuresAt(agent.id, time, { withWaiting: true });
  const edges = [
    BigInt(limits.perTransaction),
    ...(limits.day === null ? [] : [BigInt(limits.day) - most.day]),
    ...(limits.month === null ? [] : [BigInt(limits.month) - most.month]),
    ...(threshold.amount === null ? [] : [BigInt(threshold.amount)]),
  ];
  const edge = pick(edges, small);
  // The largest dollar amount whose euro value does not exceed the limit.
  const minor = limits.currency === "EUR" ? (edge * 25n) / 23n : edge;
  return minor < 1n ? small : minor + (chance(3) === 0 ? 1n : 0n);
}

function drawDecision(draw: Draw): AgentOrder {
  const { model, chance, pick, anyId } = draw;
  const { all } = model.agents.actions;
  const waiting = model.agents.actions.waiting();
  if (waiting.length === 0 && chance(3) > 0) return drawSubmission(draw);
  const isOpen = waiting.length > 0 && chance(4) > 0;
  const action = pick(isOpen ? waiting : all.values(), undefined);
  const agentId = chance(25) === 0 ? anyId(model.agents.all.keys()) : action?.agentId;
  const word = chance(3) === 0 ? "reject" : "approve";
  return {
    ...{ kind: "decide", word },
    agentId: agentId ?? anyId([]),
    actionId: chance(30) === 0 ? anyId([]) : (action?.id ?? anyId([])),
  };
}

function drawPolicy(model: Model, customerId: string, chance: Chance): Policy {
  const own = [...model.internals].filter(([, account]) => account.customerId === customerId);
  const ids = own.map(([id]) => id);
  return {
    permissions: drawPermissions(chance),
    mode: chance(2) === 0 ? "APPROVAL_REQUIRED" : "AUTO",
    limits: drawLimits(chance),
    allowed: drawAllowed(ids, chance),
    payees: drawAllowed(liveExternals(model, customerId), chance),
    funding: drawAllowed(liveExternals(model, customerId), chance),
    rules: drawRules(ids, chance),
    threshold: drawThreshold(chance),
  };
}

function liveExternals(model: Model, customerId: string | undefined): readonly string[] {
  return [...model.externals]
    .filter(([, account]) => account.customerId === customerId && !account.isDeleted)
    .map(([id]) => id);
}

function drawPatch({ model, chance }: Draw, agentId: string) {
  const customerId = model.agents.all.get(agentId)?.customerId;
  const isForeign = chance(15) === 0;
  const ids = [...model.internals]
    .filter(([, account]) => isForeign || account.customerId === customerId)
    .map(([id]) => id);
  const { currency, ...limits } = drawLimits(chance);
  const patches = [
    { permissions: ALL.filter((_permission, index) => index !== chance(4)) },
    { limits: { day: chance(600) } },
    { mode: chance(2) === 0 ? ("APPROVAL_REQUIRED" as const) : ("AUTO" as const) },
    { limits },
    { limits: { day: limits.day } },
    { limits: { currency } },
    { limits: { currency, month: limits.month } },
    { limits: { count: limits.count, month: limits.month } },
    { allowed: drawAllowed(ids, chance) },
    { payees: drawAllowed(liveExternals(model, customerId), chance, 2) },
    { funding: drawAllowed(liveExternals(model, customerId), chance, 2) },
    { rules: drawRules(ids, chance) },
    { threshold: drawThreshold(chance) },
  ];
  return present(patches[chance(patches.length)], "a patch");
}

function drawPermissions(chance: Chance): readonly Permission[] {
  const missing = chance(8);
  return ALL.filter((_permission, index) => index !== missing);
}

function drawLimits(chance: Chance): Limits {
  const orNone = (oneIn: number, limit: number) => (chance(oneIn) === 0 ? null : limit);
  return {
    currency: chance(3) === 0 ? "EUR" : "USD",
    perTransaction: 500 + chance(2_500),
    day: orNone(3, 500 + chance(2_500)),
    count: orNone(3, chance(10) === 0 ? 0 : 2 + chance(7)),
    month: orNone(3, 500 + chance(3_000)),
  };
}

function drawAllowed(ids: readonly string[], chance: Chance, oneIn = 4): readonly string[] | null {
  return chance(oneIn) === 0 ? ids.filter(() => chance(3) > 0) : null;
}

function drawRules(ids: readonly string[], chance: Chance): Policy["rules"] {
  return ids
    .filter(() => chance(4) === 0)
    .map((accountId) => ({
      accountId,
      mode: chance(2) === 0 ? "APPROVAL_REQUIRED" : "AUTO",
      perTransaction: chance(2) === 0 ? null : 300 + chance(2_000),
    }));
}

function drawThreshold(chance: Chance): Policy["threshold"] {
  const amount = chance(2) === 0 ? null : 200 + chance(1_200);
  return { currency: chance(3) === 0 ? "EUR" : "USD", amount };
}

/** Unique among all runs. */
function newSecret(chance: Chance): string {
  return `${chance(2 ** 30)}-${chance(2 ** 30)}`;
}
