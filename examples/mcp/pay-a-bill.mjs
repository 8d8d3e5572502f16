/**
 * An agent that pays bills over the Model Context Protocol. Against a sandbox platform:
 *
 *   FLORIN_URL=http://127.0.0.1:8080 CLIENT_ID=… CLIENT_SECRET=… node examples/mcp/pay-a-bill.mjs
 *
 * The platform's part comes first: a customer with money, somebody to pay, an agent whose policy lists that payee alone.
 * Then the agent connects with its own access token, pays a small bill by itself, and waits for the platform with a large one.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { FLORIN_URL = "http://127.0.0.1:8080", CLIENT_ID, CLIENT_SECRET } = process.env;
if (CLIENT_ID === undefined || CLIENT_SECRET === undefined) {
  console.error("CLIENT_ID and CLIENT_SECRET must be those of a sandbox platform");
  process.exit(1);
}
const credentials = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString("base64");

async function platform(method, path, body) {
  const response = await fetch(`${FLORIN_URL}/2025-10-13${path}`, {
    method,
    headers: {
      authorization: `Basic ${credentials}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const customer = await platform("POST", "/customers", {
  customerType: "INDIVIDUAL",
  fullName: "Ana Ruiz",
  currencies: ["USD"],
});
const accounts = await platform(
  "GET",
  `/customers/internal-accounts?customerId=${customer.id}&currency=USD`,
);
const [account] = accounts.data;
await platform("POST", `/sandbox/internal-accounts/${account.id}/fund`, { amount: 100_000 });
const payee = await platform("POST", "/customers/external-accounts", {
  customerId: customer.id,
  currency: "USD",
  accountInfo: {
    accountType: "USD_ACCOUNT",
    accountNumber: "000987654321",
    routingNumber: "021000021",
    beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Power and Light" },
  },
});
const { agent, deviceCode } = await platform("POST", "/agents", {
  name: "Bill payer",
  customerId: customer.id,
  policy: {
    permissions: ["VIEW_TRANSACTIONS", "CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 50_000, dailyLimit: 80_000 },
    accountRestrictions: {
      payees: { mode: "LISTED", externalAccountIds: [payee.id] },
      fundingAccountIds: [],
    },
    approvalThresholds: { currency: "USD", amount: 10_000 },
  },
});

// From here on it is the agent's part: all it was given is the device code.
const { accessToken } = await platform("POST", `/agents/device-codes/${deviceCode.code}/redeem`);
const client = new Client({ name: "bill-payer", version: "1.0.0" });
await client.connect(
  new StreamableHTTPClientTransport(new URL("/mcp", FLORIN_URL), {
    requestInit: { headers: { authorization: `Bearer ${accessToken}` } },
  }),
);
const { tools } = await client.listTools();
console.log(`tools: ${tools.map(({ name }) => name).join(", ")}`);

async function pay(amount, idempotencyKey) {
  const result = await client.callTool({
    name: "agentTransferOut",
    arguments: {
      source: { accountId: account.id },
      destination: { accountId: payee.id },
      amount,
      idempotencyKey,
    },
  });
  return result.structuredContent;
}

const small = await pay(4_200, "power-may");
console.log(`small bill: ${small.status}`);
const large = await pay(25_000, "roof-repair");
console.log(`large bill: ${large.status} (${large.id})`);

// The platform has been told by a webhook; here it says yes at once.
await platform("POST", `/agents/${agent.id}/actions/${large.id}/approve`);
const decided = await client.callTool({
  name: "agentGetAction",
  arguments: { actionId: large.id },
});
console.log(`after approval: ${decided.structuredContent.status}`);
await client.close();
