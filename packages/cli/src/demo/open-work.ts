/** What is left to do for people at the end of a demo: queued payments, unexplained money, approvals, frozen customers. */
import { textOf } from "../trigger/sandbox.ts";
import { makeWorkers } from "./agents.ts";
import { type Balances, tellLastBalances } from "./books.ts";
import { forEach } from "./calls.ts";
import type { DemoTools } from "./customers.ts";
import { leaveUnexplained } from "./desks.ts";
import { type Cast, planPayment } from "./payments.ts";

export interface OpenWork {
  readonly queued: number;
  readonly unexplained: number;
  readonly approvals: number;
  readonly askingAgents: number;
  readonly frozen: number;
}

const QUEUED = 60;
const UNEXPLAINED = 20;
const ADJUSTMENTS = 8;
const ASKING_AGENTS = 4;
const ACTIONS_EACH = 3;
/** How much time passes after each part of the queue, in seconds: its orders are of different ages. */
const PAUSES = [3 * 3_600, 5_400, 1_500];
const MOST_DRAWS = 20_000;

export async function leaveOpenWork(
  tools: DemoTools,
  cast: Cast,
  balances: Balances,
): Promise<OpenWork> {
  const { customers, desks } = cast;
  const most = Math.max(1, Math.ceil(customers.length / 5));
  const unexplained = Math.min(UNEXPLAINED, most);
  const now = textOf(await tools.calls.get("/sandbox/clock"), "now");
  const day = now.slice(0, 10);
  const wanted = { desks, customers, count: unexplained, day };
  const cameIn = await leaveUnexplained(tools, wanted);
  await tellLastBalances(tools, { desks, day, balances, cameIn });
  const queued = await queueForDesks(tools, cast, Math.min(QUEUED, most));
  const adjustments = await askAdjustments(tools, cast, Math.min(ADJUSTMENTS, most));
  const asking = await askByAgents(tools, cast, Math.min(ASKING_AGENTS, most));
  const frozen = await freezeSome(tools, cast);
  return {
    queued,
    unexplained,
    approvals: adjustments + asking.actions,
    askingAgents: asking.agents,
    frozen,
  };
}

async function queueForDesks(
  { calls, chance }: DemoTools,
  cast: Cast,
  count: number,
): Promise<number> {
  const plans = [];
  for (let drawn = 0; plans.length < count && drawn < MOST_DRAWS; drawn += 1) {
    const plan = planPayment(chance, cast);
    if (plan.kind === "desk") plans.push(plan);
  }
  let queued = 0;
  for (const [nth, seconds] of PAUSES.entries()) {
    const part = plans.filter((_, place) => place % PAUSES.length === nth);
    await forEach(part, async ({ path, body }) => {
      if ((await calls.ask(path, body)) !== undefined) queued += 1;
    });
    await calls.post("/sandbox/clock/advance", { seconds });
  }
  return queued;
}

/** An adjustment that a token asks for waits for people. */
async function askAdjustments(
  { calls, chance }: DemoTools,
  { customers }: Cast,
  count: number,
): Promise<number> {
  const asked = Array.from({ length: count }, () => ({
    accountId: chance.pick(customers).accounts.get("USD"),
    direction: "CREDIT",
    amount: chance.between(500, 25_000),
    currency: "USD",
    reasonCode: chance.pick(["GOODWILL", "ERROR_CORRECTION", "FEE_REVERSAL"]),
    note: `Case ${chance.between(1_000, 9_999)}: the fee was charged twice`,
  }));
  await forEach(asked, (body) => calls.post("/adjustments", body));
  return asked.length;
}

async function askByAgents(
  { calls, chance }: DemoTools,
  { customers }: Cast,
  count: number,
): Promise<{ readonly agents: number; readonly actions: number }> {
  const workers = await makeWorkers(calls, customers.slice(-count), { count, isAsking: true });
  const wishes = workers.flatMap((worker) =>
    Array.from({ length: ACTIONS_EACH }, () => ({
      ...worker,
      amount: chance.between(1_000, 60_000),
    })),
  );
  let actions = 0;
  await forEach(wishes, async ({ token, customer, payee, amount }) => {
    const body = {
      source: { accountId: customer.accounts.get("USD") },
      destination: { accountId: payee.id },
      amount,
    };
    if ((await calls.ask("/agents/me/transfer-out", body, token)) !== undefined) actions += 1;
  });
  return { agents: workers.length, actions };
}

async function freezeSome({ calls, chance }: DemoTools, { customers }: Cast): Promise<number> {
  const chosen = customers.filter((_, nth) => nth % 60 === 31);
  const asked = chosen.map(({ id }) => ({
    id,
    reason: chance.pick(["SUSPECTED_FRAUD", "COMPLIANCE"]),
  }));
  await forEach(asked, ({ id, reason }) => calls.post(`/customers/${id}/freeze`, { reason }));
  return asked.length;
}
