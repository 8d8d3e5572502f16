/** Agents on two servers of one database: concurrent use of limits, approvals and codes. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { type Call, type Reachable, type Reply, send } from "../faults/history.ts";
import { CLEAN, judge } from "../faults/judge.ts";
import {
  balanceOf,
  type Customer,
  customerWith,
  expectReply,
  type Rig,
  startRig,
  tally,
} from "../faults/rig.ts";
import { limitMs, rounds } from "../faults/rounds.ts";

let rig: Rig;
let servers: readonly Reachable[];
beforeAll(async () => {
  rig = await startRig({ servers: [{}, {}] });
  servers = rig.servers;
});
afterAll(() => rig.close());

const serverOf = (index: number) => present(servers[index % servers.length], "a server");

afterEach(async () => {
  const history = { operations: [], unknownTries: 0, abandoned: [], slowestRefusalMs: 0 };
  expect(await judge({ history, address: rig.database.address })).toMatchObject(CLEAN);
});

/** Sends all calls concurrently, alternating between the servers. */
function atOnce(calls: readonly Call[]): Promise<readonly Reply[]> {
  return Promise.all(
    calls.map((call, index) => send(serverOf(index), { limitMs: 30_000, ...call })),
  );
}

const jsonOf = ({ text }: Reply) => JSON.parse(text);
const EVERYTHING = ["CREATE_TRANSFERS", "CREATE_QUOTES", "EXECUTE_QUOTES", "VIEW_TRANSACTIONS"];

interface RacingAgent {
  readonly customer: Customer;
  readonly agentId: string;
  readonly code: string;
}

interface ConnectedAgent extends RacingAgent {
  readonly authorization: string;
}

async function agentWith(limits: object, more: object = {}): Promise<RacingAgent> {
  const customer = await customerWith(serverOf(0), 10_000);
  const policy = {
    permissions: EVERYTHING,
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 10_000, ...limits },
    ...more,
  };
  const body = { name: "racer", customerId: customer.customerId, policy };
  const made = await expectReply(serverOf(0), 201, { method: "POST", path: "/agents", body });
  const { agent, deviceCode } = made as { agent: { id: string }; deviceCode: { code: string } };
  return { customer, agentId: agent.id, code: deviceCode.code };
}

async function connected(limits: object = {}, more: object = {}): Promise<ConnectedAgent> {
  const agent = await agentWith(limits, more);
  const path = `/agents/device-codes/${agent.code}/redeem`;
  const redeemed = await expectReply(serverOf(1), 200, { method: "POST", path });
  return { ...agent, authorization: `Bearer ${redeemed.accessToken}` };
}

function payment({ customer, authorization }: ConnectedAgent, amount: number): Call {
  const body = {
    source: { accountId: customer.accountId },
    destination: { accountId: customer.destinationId },
    amount,
  };
  return { method: "POST", path: "/agents/me/transfer-out", body, authorization };
}

const WAITS = { defaultExecutionMode: "APPROVAL_REQUIRED" };

async function waiting(agent: ConnectedAgent, amount = 10): Promise<string> {
  const action = await expectReply(serverOf(0), 201, payment(agent, amount));
  expect(action.status).toBe("PENDING_APPROVAL");
  return `/agents/${agent.agentId}/actions/${action.id}`;
}

const post = (path: string): Call => ({ method: "POST", path });

async function outcomeOf({ agentId }: RacingAgent) {
  return rig.database.asSuperuser(async (client) => {
    const id = agentId.split(":")[1];
    const actions = await client.query<{ status: string; n: number }>(
      "select status, count(*)::int4 n from agent_actions where agent_id = $1 group by status",
      [id],
    );
    const made = await client.query<{ n: number }>(
      "select count(*)::int4 n from transactions where agent_id = $1 and status <> 'EXPIRED'",
      [id],
    );
    const { rows } = await client.query(
      "select usage_day_count, usage_day_minor::int4, reserved_count, reserved_minor::int4 from agents where id = $1",
      [id],
    );
    const byStatus = Object.fromEntries(actions.rows.map(({ status, n }) => [status, n]));
    return { byStatus, transactions: made.rows[0]?.n, figures: rows[0] };
  });
}

describe("fifty concurrent actions", () => {
  it("with a limit for one: one is executed", { timeout: limitMs(15) }, async () => {
    for (const limits of [{ dailyLimit: 10 }, { dailyTransactionLimit: 1 }, { monthlyLimit: 19 }]) {
      const agent = await connected(limits);
      const replies = await atOnce(Array.from({ length: 50 }, () => payment(agent, 10)));
      expect(tally(replies)).toEqual({ 201: 1, 403: 49 });
      expect(await outcomeOf(agent)).toMatchObject({ byStatus: { APPROVED: 1 }, transactions: 1 });
      expect(await balanceOf(serverOf(1), agent.customer)).toBe(9_990);
    }
  });

  it("reserve no more than the limit, and approving them all exceeds no limit", {
    timeout: limitMs(15),
  }, async () => {
    const agent = await connected({ dailyLimit: 70 }, WAITS);
    const replies = await atOnce(Array.from({ length: 50 }, () => payment(agent, 10)));
    expect(tally(replies)).toEqual({ 201: 7, 403: 43 });
    const actions = replies.filter(({ status }) => status === 201).map(jsonOf);
    const approvals = await atOnce(
      actions.map(({ id }) => post(`/agents/${agent.agentId}/actions/${id}/approve`)),
    );
    expect(approvals.map((reply) => jsonOf(reply).status)).toEqual(actions.map(() => "APPROVED"));
    expect(await outcomeOf(agent)).toEqual({
      byStatus: { APPROVED: 7 },
      transactions: 7,
      figures: { usage_day_count: 7, usage_day_minor: 70, reserved_count: 0, reserved_minor: 0 },
    });
  });

  it("under one key are one action", { timeout: limitMs(10) }, async () => {
    const agent = await connected();
    const calls = Array.from({ length: 20 }, () => ({ ...payment(agent, 10), key: "once" }));
    const replies = await atOnce(calls);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await outcomeOf(agent)).toMatchObject({ byStatus: { APPROVED: 1 }, transactions: 1 });
  });
});

describe("twenty concurrent approvals and twenty rejections", () => {
  it("are one decision", { timeout: limitMs(20) }, async () => {
    for (let round = 0; round < rounds(4); round++) {
      const agent = await connected({}, WAITS);
      const path = await waiting(agent);
      const words = Array.from({ length: 40 }, (_, index) =>
        index % 4 < 2 ? "approve" : "reject",
      );
      const replies = await atOnce(words.map((word) => post(`${path}/${word}`)));
      expect(tally(replies)).toEqual({ 200: 1, 409: 39 });
      const winner = jsonOf(
        present(
          replies.find(({ status }) => status === 200),
          "a winner",
        ),
      );
      const isApproved = winner.status === "APPROVED";
      expect(["APPROVED", "REJECTED"]).toContain(winner.status);
      expect(await outcomeOf(agent)).toMatchObject({
        byStatus: { [winner.status]: 1 },
        transactions: isApproved ? 1 : 0,
        figures: { reserved_count: 0, reserved_minor: 0, usage_day_count: isApproved ? 1 : 0 },
      });
    }
  });
});

describe("an approval", () => {
  const rivals: readonly (readonly [what: string, rival: (agent: ConnectedAgent) => Call])[] = [
    [
      "a pause",
      ({ agentId }) => ({ method: "PATCH", path: `/agents/${agentId}`, body: { isPaused: true } }),
    ],
    [
      "a narrower policy",
      ({ agentId }) => ({
        method: "PATCH",
        path: `/agents/${agentId}/policy`,
        body: { spendingLimits: { perTransactionLimit: 1 } },
      }),
    ],
    ["the agent's end", ({ agentId }) => ({ method: "DELETE", path: `/agents/${agentId}` })],
  ];

  it.each(rivals)(
    "concurrent with %s: paid before it, or not at all",
    {
      timeout: limitMs(15),
    },
    async (_what, rival) => {
      for (let round = 0; round < rounds(3); round++) {
        const agent = await connected({}, WAITS);
        const path = await waiting(agent);
        const [approval, other] = await atOnce([post(`${path}/approve`), rival(agent)]);
        expect(present(other, "the rival").status).toBeLessThan(300);
        const { byStatus, transactions } = await outcomeOf(agent);
        const isPaid = byStatus.APPROVED === 1;
        expect(transactions).toBe(isPaid ? 1 : 0);
        const answered = present(approval, "the approval");
        expect([200, 404]).toContain(answered.status);
        if (answered.status === 200) expect(byStatus[jsonOf(answered).status]).toBe(1);
        else expect(byStatus).toEqual({ REJECTED: 1 });
        expect(await balanceOf(serverOf(round), agent.customer)).toBe(isPaid ? 9_990 : 10_000);
      }
    },
  );

  it("concurrent with the expiry of the quote: paid in time, or not at all", {
    timeout: limitMs(20),
  }, async () => {
    for (let round = 0; round < rounds(3); round++) {
      const agent = await connected({}, WAITS);
      const { customer, authorization } = agent;
      const quote = await expectReply(serverOf(0), 201, {
        method: "POST",
        path: "/agents/me/quotes",
        authorization,
        body: {
          source: { sourceType: "ACCOUNT", accountId: customer.accountId },
          destination: { destinationType: "ACCOUNT", accountId: await euroAccount(customer) },
          lockedCurrencySide: "SENDING",
          lockedCurrencyAmount: 1_000,
        },
      });
      const action = await expectReply(serverOf(1), 200, {
        ...post(`/agents/me/quotes/${quote.id}/execute`),
        authorization,
      });
      const path = `/agents/${agent.agentId}/actions/${action.id}/approve`;
      const clock: Call = { ...post("/sandbox/clock/advance"), body: { seconds: 301 } };
      const [approval] = await atOnce([post(path), clock]);
      const decided = jsonOf(present(approval, "the approval"));
      expect(["APPROVED", "FAILED"]).toContain(decided.status);
      const isPaid = decided.status === "APPROVED";
      if (!isPaid) expect(decided.failureReason).toBe("QUOTE_EXPIRED");
      expect(await balanceOf(serverOf(0), customer)).toBe(isPaid ? 9_000 : 10_000);
    }
  });
});

let ibans = 0;

async function euroAccount({ customerId }: Customer): Promise<string> {
  const iban = `DE892${String(++ibans).padStart(14, "0")}789`;
  const body = {
    customerId,
    currency: "EUR",
    accountInfo: {
      accountType: "EUR_ACCOUNT",
      iban,
      beneficiary: {
        beneficiaryType: "INDIVIDUAL",
        fullName: "Ana Ruiz",
        birthDate: "1990-04-05",
        countryOfResidence: "DE",
      },
    },
  };
  const path = "/customers/external-accounts";
  return String((await expectReply(serverOf(0), 201, { method: "POST", path, body })).id);
}

describe("a device code", () => {
  it("redeemed twice concurrently gives one access token", { timeout: limitMs(15) }, async () => {
    // Few rounds, because each leaves a failed redemption, and these are rate-limited.
    for (const _ of [1, 2]) {
      const agent = await agentWith({});
      const path = `/agents/device-codes/${agent.code}/redeem`;
      const replies = await atOnce([post(path), post(path)]);
      expect(tally(replies)).toEqual({ 200: 1, 400: 1 });
    }
  });

  it("redeemed while another one is requested works, or is void", {
    timeout: limitMs(15),
  }, async () => {
    const agent = await agentWith({});
    const [redeemed, renewed] = await atOnce([
      post(`/agents/device-codes/${agent.code}/redeem`),
      post(`/agents/${agent.agentId}/device-codes`),
    ]);
    const statuses = [redeemed?.status, renewed?.status];
    expect([
      [200, 409],
      [404, 201],
    ]).toContainEqual(statuses);
  });
});

describe("a deleted agent", () => {
  it("is refused by every server from then on", { timeout: limitMs(10) }, async () => {
    const agent = await connected();
    const { authorization } = agent;
    const me: Call = { method: "GET", path: "/agents/me", authorization };
    expect(tally(await atOnce([me, me]))).toEqual({ 200: 2 });
    await expectReply(serverOf(0), 204, { method: "DELETE", path: `/agents/${agent.agentId}` });
    expect(tally(await atOnce([me, me, payment(agent, 1), payment(agent, 1)]))).toEqual({ 401: 4 });
  });
});
