/** An agent from its creation to its end: device codes, access, pause, policy, deletion. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic } from "../../kit/basic.ts";
import { fundedCustomer, ignoreUnknownFields, openStory, type Story } from "../../kit/story.ts";
import { connectedAgent, newAgent, OPEN_POLICY, redeem } from "../../kit/story-agents.ts";
import { advance } from "../../kit/story-money.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const fresh = async () => {
  story = await openStory(server);
};

const CODE = /^SERVICE-AGENT(-[0-9A-HJKMNP-TV-Z]{4}){7}$/;
const DAY_SECONDS = 86_400;

describe("a new agent", () => {
  beforeAll(fresh);

  it("is not connected, has spent nothing, and comes with a device code", async () => {
    const { customerId } = await fundedCustomer(story, 0);
    const policy = {
      ...OPEN_POLICY,
      spendingLimits: { ...OPEN_POLICY.spendingLimits, dailyLimit: null, monthlyLimit: 5_000 },
      accountRestrictions: { allowedAccountIds: null, accountRules: [] },
      approvalThresholds: { currency: "EUR", amount: 100 },
    };
    const made = await story.call("POST", "/agents", { name: "Bills", customerId, policy });
    expect(made.status).toBe(201);
    const { agent, deviceCode } = made.json;
    expect(agent).toMatchObject({
      id: expect.stringMatching(/^Agent:/),
      name: "Bills",
      customerId,
      isPaused: false,
      isConnected: false,
      policy,
      usage: { dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 0 },
    });
    expect(deviceCode).toMatchObject({ agentId: agent.id, redeemed: false });
    expect(deviceCode.code).toMatch(CODE);
    const life = Date.parse(deviceCode.expiresAt) - Date.parse(agent.createdAt);
    expect(life).toBe(DAY_SECONDS * 1000);
    expect((await story.call("GET", `/agents/${agent.id}`)).json).toEqual(agent);
    const status = await story.call("GET", `/agents/device-codes/${deviceCode.code}/status`);
    expect(status.json).toEqual({ code: deviceCode.code, redeemed: false });
  });

  it("drops unknown members of its policy where the platform ignores them", async () => {
    const story = await openStory(server);
    await ignoreUnknownFields(story);
    const { agentId } = await newAgent(story, {
      policy: { allowEverything: true, spendingLimits: { ...OPEN_POLICY.spendingLimits, x: 1 } },
    });
    const { policy } = (await story.call("GET", `/agents/${agentId}`)).json;
    expect(policy).toEqual(OPEN_POLICY);
  });

  it("is refused for an unknown or deleted customer, and for other customers' accounts", async () => {
    const { customerId } = await fundedCustomer(story, 0);
    const stranger = await fundedCustomer(story, 0);
    const gone = await fundedCustomer(story, 0);
    await story.call("DELETE", `/customers/${gone.customerId}`);
    const create = (body: object) =>
      story.call("POST", "/agents", { name: "Bills", customerId, policy: OPEN_POLICY, ...body });
    const restricted = (accountRestrictions: object) =>
      create({ policy: { ...OPEN_POLICY, accountRestrictions } });
    const ids = [stranger.accountId];
    expect((await create({ customerId: "Customer:x" })).json.code).toBe("USER_NOT_FOUND");
    expect((await create({ customerId: gone.customerId })).json.code).toBe("CUSTOMER_DELETED");
    const answers = [
      await restricted({ allowedAccountIds: ids }),
      await restricted({ allowedAccountIds: ["nonsense"] }),
      await restricted({ accountRules: [{ accountId: stranger.accountId }] }),
    ];
    for (const answer of answers) expect(answer.json.code).toBe("REFERENCE_NOT_FOUND");
  });

  it.each([
    [
      "a limit in words",
      { spendingLimits: { currency: "USD", perTransactionLimit: "5" } },
      "INVALID_AMOUNT",
    ],
    [
      "a limit below zero",
      { spendingLimits: { currency: "USD", perTransactionLimit: -1 } },
      "INVALID_AMOUNT",
    ],
    ["no limit", { spendingLimits: { currency: "USD" } }, "INVALID_INPUT"],
    [
      "no such currency",
      { spendingLimits: { currency: "XXQ", perTransactionLimit: 1 } },
      "INVALID_CURRENCY",
    ],
    ["no such permission", { permissions: ["FLY"] }, "INVALID_INPUT"],
    ["a permission twice", { permissions: ["CREATE_QUOTES", "CREATE_QUOTES"] }, "INVALID_INPUT"],
    ["a threshold without currency", { approvalThresholds: { amount: 5 } }, "INVALID_INPUT"],
    ["a mode of another kind", { defaultExecutionMode: "MAYBE" }, "INVALID_INPUT"],
  ])("is refused with %s", async (_why, part, code) => {
    const { customerId } = await fundedCustomer(story, 0);
    const policy = { ...OPEN_POLICY, ...part };
    const answer = await story.call("POST", "/agents", { name: "Bills", customerId, policy });
    expect([answer.status, answer.json.code]).toEqual([400, code]);
    expect(answer.json.details.errors[0].field).toMatch(/^policy\./);
  });

  it("is refused with two rules for one account", async () => {
    const { customerId, accountId } = await fundedCustomer(story, 0);
    const accountRules = [{ accountId }, { accountId }];
    const policy = { ...OPEN_POLICY, accountRestrictions: { accountRules } };
    const answer = await story.call("POST", "/agents", { name: "Bills", customerId, policy });
    expect(answer.json.details.errors[0].field).toBe(
      "policy.accountRestrictions.accountRules.1.accountId",
    );
  });
});

describe("the list of agents", () => {
  beforeAll(fresh);

  it("is narrowed by customer, pause, connection and time", async () => {
    const first = await newAgent(story);
    const second = await connectedAgent(story);
    await story.call("PATCH", `/agents/${first.agentId}`, { isPaused: true });
    const list = async (query: string) => {
      const answer = await story.call("GET", `/agents?${query}`);
      return answer.json.data.map(({ id }: { id: string }) => id);
    };
    expect(await list("")).toEqual([second.agentId, first.agentId]);
    expect(await list(`customerId=${first.customerId}`)).toEqual([first.agentId]);
    expect(await list("isPaused=true")).toEqual([first.agentId]);
    expect(await list("isPaused=false")).toEqual([second.agentId]);
    expect(await list("isConnected=true")).toEqual([second.agentId]);
    expect(await list("isConnected=false")).toEqual([first.agentId]);
    expect(await list("createdBefore=2020-01-01T00:00:00Z")).toEqual([]);
    const page = await story.call("GET", "/agents?limit=1");
    expect(page.json).toMatchObject({ hasMore: true, totalCount: 2 });
    const cursor = encodeURIComponent(page.json.nextCursor);
    expect(await list(`limit=1&cursor=${cursor}`)).toEqual([first.agentId]);
  });
});

describe("a device code", () => {
  beforeAll(fresh);

  it("gives the same access token again to the same call under the same key, out of a sealed answer", async () => {
    const { code } = await newAgent(story);
    const path = `/agents/device-codes/${code}/redeem`;
    const options = { authorization: null, headers: { "idempotency-key": "redeem-1" } };
    const redeemed = await story.call("POST", path, undefined, options);
    const again = await story.call("POST", path, undefined, options);
    expect([again.status, again.text]).toEqual([200, redeemed.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const { code: other } = await newAgent(story);
    const elsewhere = await story.call(
      "POST",
      `/agents/device-codes/${other}/redeem`,
      undefined,
      options,
    );
    expect(elsewhere.json.accessToken).not.toBe(redeemed.json.accessToken);
    const kept = await server.database.asSuperuser((client) =>
      client.query("select row_to_json(l)::text as text from command_log l"),
    );
    for (const { text } of kept.rows) {
      expect(text).not.toContain(code);
      expect(text).not.toContain(redeemed.json.accessToken);
    }
  });

  it("gives an access token once, and shows neither again", async () => {
    const { agentId, code } = await newAgent(story);
    const path = `/agents/device-codes/${code}/redeem`;
    const redeemed = await story.call("POST", path, undefined, { authorization: null });
    expect(redeemed.status).toBe(200);
    expect(redeemed.json).toEqual({
      agentId,
      agentName: "Bill payer",
      accessToken: expect.stringMatching(/^sat_[0-9a-f]{40}$/),
      policy: OPEN_POLICY,
    });
    const again = await story.call("POST", path, undefined, { authorization: null });
    expect([again.status, again.json.code]).toEqual([400, "INVALID_INPUT"]);
    expect((await story.call("GET", `/agents/${agentId}`)).json.isConnected).toBe(true);
    const status = await story.call("GET", `/agents/device-codes/${code}/status`);
    expect(status.json.redeemed).toBe(true);
    const more = await story.call("POST", `/agents/${agentId}/device-codes`);
    expect([more.status, more.json.code]).toEqual([409, "CONFLICT"]);
    const kept = await server.database.asSuperuser((client) =>
      client.query(
        "select row_to_json(t)::text as text from agents t union all select row_to_json(c)::text from agent_device_codes c union all select row_to_json(d)::text from directory d union all select row_to_json(l)::text from command_log l",
      ),
    );
    const { accessToken } = redeemed.json;
    for (const { text } of kept.rows) {
      expect(text).not.toContain(accessToken);
      expect(text).not.toContain(code);
    }
  });

  it("is invalid after another one was requested", async () => {
    const { agentId, code } = await newAgent(story);
    const next = await story.call("POST", `/agents/${agentId}/device-codes`);
    expect(next.status).toBe(201);
    expect(next.json).toMatchObject({ agentId, redeemed: false });
    const old = await story.call("POST", `/agents/device-codes/${code}/redeem`, undefined, {
      authorization: null,
    });
    expect([old.status, old.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    expect((await story.call("GET", `/agents/device-codes/${code}/status`)).status).toBe(404);
    expect(await redeem(story, next.json.code)).toMatch(/^Bearer sat_/);
  });

  it("expires after 24 hours, to the second", async () => {
    const early = await newAgent(story);
    const late = await newAgent(story);
    await advance(story, DAY_SECONDS - 30);
    expect(await redeem(story, early.code)).toMatch(/^Bearer/);
    await advance(story, 31);
    const path = `/agents/device-codes/${late.code}/redeem`;
    const expired = await story.call("POST", path, undefined, { authorization: null });
    expect([expired.status, expired.json.details.reason]).toEqual([400, "has expired"]);
  });

  it("comes again, byte for byte, under the same key", async () => {
    const { customerId } = await fundedCustomer(story, 0);
    const body = { name: "Bills", customerId, policy: OPEN_POLICY };
    const [first, second] = [
      await story.call("POST", "/agents", body, { key: "same" }),
      await story.call("POST", "/agents", body, { key: "same" }),
    ];
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  it("of another platform gets the answer of an unknown one", async () => {
    const { code } = await newAgent(story);
    const other = await openStory(server);
    expect((await other.call("GET", `/agents/device-codes/${code}/status`)).status).toBe(404);
  });
});

describe("wrong device codes", () => {
  it("is stopped after five wrong ones, and right ones are not counted", async () => {
    const alone = await startTestServer();
    try {
      const there = await openStory(alone);
      const post = (code: string) =>
        there.call("POST", `/agents/device-codes/${code}/redeem`, undefined, {
          authorization: null,
        });
      const used: string[] = [];
      for (let index = 0; index < 6; index++) {
        const { code } = await newAgent(there);
        expect((await post(code)).status).toBe(200);
        used.push(code);
      }
      expect((await post(used[0] ?? "")).status).toBe(400);
      const wrong = `SERVICE-AGENT${"-0000".repeat(7)}`;
      for (const code of [wrong, wrong.toLowerCase(), "x", "a".repeat(300)]) {
        const answer = await post(code);
        expect([answer.status, answer.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
      }
      const limited = await post(wrong);
      expect([limited.status, limited.json.code]).toEqual([429, "RATE_LIMITED"]);
      expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    } finally {
      await alone.close();
    }
  });
});

describe("an agent's access", () => {
  beforeAll(fresh);

  it("is by its own token alone", async () => {
    const agent = await connectedAgent(story);
    expect((await agent.call("GET", "")).json.id).toBe(agent.agentId);
    for (const authorization of [
      null,
      story.authorization,
      "Bearer x",
      `Bearer sat_${"0".repeat(40)}`,
      agent.bearer.replace("Bearer", "Basic"),
      `${agent.bearer}0`,
      basic(agent.agentId, agent.bearer),
    ]) {
      const answer = await agent.call("GET", "", undefined, { authorization });
      expect([authorization, answer.status]).toEqual([authorization, 401]);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="florin"');
    }
  });

  it("opens nothing that is the platform's", async () => {
    const agent = await connectedAgent(story);
    for (const path of ["/config", "/agents", `/agents/${agent.agentId}`, "/transactions"]) {
      const answer = await story.call("GET", path, undefined, { authorization: agent.bearer });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers.get("www-authenticate")).toBe('Basic realm="florin"');
    }
  });

  it("ends the moment the agent is deleted", async () => {
    const agent = await connectedAgent(story);
    const spare = await newAgent(story);
    const used = await newAgent(story);
    const status = () => story.call("GET", `/agents/device-codes/${used.code}/status`);
    await redeem(story, used.code);
    expect((await status()).json).toEqual({ code: used.code, redeemed: true });
    expect((await story.call("DELETE", `/agents/${used.agentId}`)).status).toBe(204);
    expect((await status()).status).toBe(404);
    expect((await story.call("DELETE", `/agents/${agent.agentId}`)).status).toBe(204);
    for (const path of ["", "/actions", "/internal-accounts", "/transactions"]) {
      expect([path, (await agent.call("GET", path)).status]).toEqual([path, 401]);
    }
    expect((await agent.pay(100)).status).toBe(401);
    expect((await story.call("GET", `/agents/${agent.agentId}`)).status).toBe(404);
    expect((await story.call("DELETE", `/agents/${agent.agentId}`)).status).toBe(404);
    expect((await story.call("DELETE", `/agents/${spare.agentId}`)).status).toBe(204);
    const path = `/agents/device-codes/${spare.code}/redeem`;
    expect((await story.call("POST", path, undefined, { authorization: null })).status).toBe(404);
  });

  it("ends the moment its customer is deleted", async () => {
    const agent = await connectedAgent(story, { funds: 0 });
    const other = await connectedAgent(story);
    expect((await agent.call("GET", "/internal-accounts")).status).toBe(200);
    const gone = await story.call("DELETE", `/customers/${agent.customerId}`);
    expect(gone.status).toBe(200);
    for (const path of ["", "/actions", "/internal-accounts", "/external-accounts"]) {
      expect([path, (await agent.call("GET", path)).status]).toEqual([path, 401]);
    }
    expect((await agent.pay(100)).status).toBe(401);
    expect((await story.call("GET", `/agents/${agent.agentId}`)).status).toBe(200);
    expect((await other.call("GET", "")).status).toBe(200);
  });

  it("is for reading alone while the agent is paused", async () => {
    const agent = await connectedAgent(story);
    const pause = (isPaused: boolean) =>
      story.call("PATCH", `/agents/${agent.agentId}`, { isPaused, name: "Paused" });
    expect((await pause(true)).json).toMatchObject({ isPaused: true, name: "Paused" });
    const refused = [
      await agent.pay(100),
      await agent.pull(100),
      await agent.call("DELETE", `/external-accounts/${agent.payeeId}`),
    ];
    for (const answer of refused) {
      expect([answer.status, answer.json.details.rule]).toEqual([403, "PAUSED"]);
    }
    for (const path of ["", "/actions", "/internal-accounts", "/transactions"]) {
      expect((await agent.call("GET", path)).status).toBe(200);
    }
    await pause(false);
    expect((await agent.pay(100)).json.status).toBe("APPROVED");
  });

  it("gets the pause as its error before any error about the customer or the lookup", async () => {
    const agent = await connectedAgent(story);
    const stranger = await fundedCustomer(story, 0);
    const account = {
      currency: "USD",
      customerId: stranger.customerId,
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: "555000222789",
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
      },
    };
    const quote = {
      source: { sourceType: "ACCOUNT", accountId: agent.accountId },
      destination: { destinationType: "UMA_ADDRESS", umaAddress: "$ana@elsewhere.test" },
      lookupId: "Lookup:x",
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: 100,
    };
    const ask = async () => [
      (await agent.call("POST", "/external-accounts", account)).json,
      (await agent.call("POST", "/quotes", quote)).json,
    ];
    const path = `/agents/${agent.agentId}`;
    await story.call("PATCH", path, { isPaused: true });
    expect((await ask()).map(({ details }) => details)).toEqual([
      { rule: "PAUSED" },
      { rule: "PAUSED" },
    ]);
    await story.call("PATCH", path, { isPaused: false });
    expect((await ask()).map(({ code }) => code)).toEqual([
      "USER_NOT_FOUND",
      "LOOKUP_REQUEST_NOT_FOUND",
    ]);
  });

  it("changes with the policy at once", async () => {
    const agent = await connectedAgent(story);
    expect((await agent.call("GET", "/transactions")).status).toBe(200);
    const permissions = ["CREATE_TRANSFERS"];
    await story.call("PATCH", `/agents/${agent.agentId}/policy`, { permissions });
    const answer = await agent.call("GET", "/transactions");
    expect([answer.status, answer.json.details]).toEqual([
      403,
      { rule: "PERMISSION", permission: "VIEW_TRANSACTIONS" },
    ]);
    expect((await agent.pay(100)).status).toBe(201);
  });

  it.each([
    ["VIEW_TRANSACTIONS", "GET", "/internal-accounts"],
    ["VIEW_TRANSACTIONS", "GET", "/transactions"],
    ["VIEW_TRANSACTIONS", "GET", "/transactions/Transaction:x"],
    ["CREATE_QUOTES", "POST", "/quotes"],
    ["EXECUTE_QUOTES", "POST", "/quotes/Quote:x/execute"],
    ["CREATE_TRANSFERS", "POST", "/transfer-out"],
    ["CREATE_TRANSFERS", "POST", "/transfer-in"],
    ["MANAGE_EXTERNAL_ACCOUNTS", "GET", "/external-accounts"],
    ["MANAGE_EXTERNAL_ACCOUNTS", "POST", "/external-accounts"],
    ["MANAGE_EXTERNAL_ACCOUNTS", "GET", "/external-accounts/ExternalAccount:x"],
    ["MANAGE_EXTERNAL_ACCOUNTS", "DELETE", "/external-accounts/ExternalAccount:x"],
  ])("without %s is refused %s %s", async (permission, method, path) => {
    const permissions = OPEN_POLICY.permissions.filter((one) => one !== permission);
    const agent = await connectedAgent(story, { policy: { permissions } });
    const answer = await agent.call(method, path, method === "POST" ? {} : undefined);
    expect([answer.status, answer.json.details]).toEqual([403, { rule: "PERMISSION", permission }]);
    expect((await agent.call("GET", "")).status).toBe(200);
  });
});
