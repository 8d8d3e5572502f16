import { afterEach, describe, expect, it } from "vitest";
import { type FakeApi, type Reply, startFakeApi } from "../test/fake-api.ts";
import { type AgentClient, createAgentClient, redeemDeviceCode } from "./client.ts";

let api: FakeApi;
afterEach(() => api.close());

const ok: Reply = { status: 200, json: { data: [], hasMore: false } };

async function agentFor(reply: Reply = ok): Promise<AgentClient> {
  api = await startFakeApi(() => reply);
  return createAgentClient({ baseUrl: api.baseUrl, accessToken: "sat_1" });
}

const move = { source: { accountId: "a" }, destination: { accountId: "b" }, amount: 5 };
const quote = {
  source: { sourceType: "ACCOUNT", accountId: "a" },
  destination: { destinationType: "ACCOUNT", accountId: "b" },
  lockedCurrencySide: "SENDING",
  lockedCurrencyAmount: 5,
} as const;
const usd = {
  accountType: "USD_ACCOUNT",
  accountNumber: "1",
  routingNumber: "021000021",
  beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
} as const;
const account = { currency: "USD", accountInfo: usd } as const;

const rows: readonly (readonly [
  name: string,
  call: (client: AgentClient) => Promise<unknown>,
  request: string,
])[] = [
  ["me", (c) => c.me(), "GET /agents/me"],
  [
    "listActions",
    (c) => c.listActions({ status: "APPROVED" }),
    "GET /agents/me/actions?status=APPROVED",
  ],
  ["getAction", (c) => c.getAction("AgentAction:1"), "GET /agents/me/actions/AgentAction%3A1"],
  [
    "listInternalAccounts",
    (c) => c.listInternalAccounts({ currency: "USD" }),
    "GET /agents/me/internal-accounts?currency=USD",
  ],
  [
    "listTransactions",
    (c) => c.listTransactions({ limit: 2 }),
    "GET /agents/me/transactions?limit=2",
  ],
  [
    "getTransaction",
    (c) => c.getTransaction("Transaction:1"),
    "GET /agents/me/transactions/Transaction%3A1",
  ],
  ["createQuote", (c) => c.createQuote(quote), "POST /agents/me/quotes"],
  ["getQuote", (c) => c.getQuote("Quote:1"), "GET /agents/me/quotes/Quote%3A1"],
  ["executeQuote", (c) => c.executeQuote("Quote:1"), "POST /agents/me/quotes/Quote%3A1/execute"],
  ["transferOut", (c) => c.transferOut(move), "POST /agents/me/transfer-out"],
  ["dryRuns", (c) => c.dryRuns.transferOut(move), "POST /agents/me/transfer-out?dryRun=true"],
  ["transferIn", (c) => c.transferIn(move), "POST /agents/me/transfer-in"],
  ["listExternalAccounts", (c) => c.listExternalAccounts(), "GET /agents/me/external-accounts"],
  [
    "createExternalAccount",
    (c) => c.createExternalAccount(account),
    "POST /agents/me/external-accounts",
  ],
  [
    "getExternalAccount",
    (c) => c.getExternalAccount("ExternalAccount:1"),
    "GET /agents/me/external-accounts/ExternalAccount%3A1",
  ],
  [
    "deleteExternalAccount",
    (c) => c.deleteExternalAccount("ExternalAccount:1"),
    "DELETE /agents/me/external-accounts/ExternalAccount%3A1",
  ],
];

describe("an agent's client", () => {
  it.each(rows)("%s is sent as the API has it", async (_name, call, request) => {
    await call(await agentFor());
    const [method, target] = request.split(" ");
    expect(api.seen).toHaveLength(1);
    expect(api.seen[0]).toMatchObject({ method, url: `/2025-10-13${target}` });
    expect(api.seen[0]?.headers.authorization).toBe("Bearer sat_1");
  });

  it("has every function in this table", async () => {
    expect(Object.keys(await agentFor()).sort()).toEqual(rows.map(([name]) => name).sort());
  });

  it("carries the stamp of a wallet's owner", async () => {
    await (await agentFor()).executeQuote("Quote:1", { walletSignature: "stamp" });
    expect(api.seen[0]?.headers["service-wallet-signature"]).toBe("stamp");
  });
});

describe("redeeming a device code", () => {
  it("sends no credentials", async () => {
    api = await startFakeApi(() => ({ status: 200, json: { accessToken: "sat_1" } }));
    const redeemed = await redeemDeviceCode({ baseUrl: api.baseUrl }, "CODE-1");
    expect(redeemed.accessToken).toBe("sat_1");
    expect(api.seen[0]?.url).toBe("/2025-10-13/agents/device-codes/CODE-1/redeem");
    expect(api.seen[0]?.headers).not.toHaveProperty("authorization");
  });

  it("is tried again under the same key", async () => {
    api = await startFakeApi(() => ({ status: 503, headers: { "retry-after": "0" } }));
    const redeeming = redeemDeviceCode({ baseUrl: api.baseUrl, retries: 1 }, "CODE-1");
    await expect(redeeming).rejects.toThrow();
    const [first, second] = api.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(/./);
    expect(second).toBe(first);
  });
});
