/** Valid calls of what reads a platform's history: events, the books, and what is made of them. */
import { present } from "../../src/std/assert.ts";
import type { Make } from "./made-objects.ts";
import { fundedCustomer, type Story } from "./story.ts";

async function event(story: Story): Promise<string> {
  const { accountId } = await fundedCustomer(story, 1);
  const { json } = await story.call("GET", `/events?resourceId=${accountId}`);
  return present(json.data[0]?.id as string | undefined, "an event of an account");
}

async function ledgerAccount(story: Story): Promise<string> {
  const { accountId } = await fundedCustomer(story, 1);
  return accountId.replace("InternalAccount", "LedgerAccount");
}

async function transaction(story: Story): Promise<string> {
  const { customerId } = await fundedCustomer(story, 1);
  const { json } = await story.call("GET", `/transactions?customerId=${customerId}`);
  return present(json.data[0]?.id as string | undefined, "a transaction");
}

async function statementOrder(story: Story) {
  const { accountId } = await fundedCustomer(story, 1);
  return { accountId, from: "2020-01-01", to: "2020-01-31", format: "CSV" };
}

async function statement(story: Story): Promise<string> {
  const { json } = await story.call("POST", "/statements", await statementOrder(story));
  await story.settle();
  return json.id;
}

async function exported(story: Story): Promise<string> {
  const { json } = await story.call("POST", "/exports", { kind: "LEDGER", format: "CSV" });
  await story.settle();
  return json.id;
}

/** The filters of exports that take an id, and the kind of the id. */
export const exportFilters = {
  "filter.accountId": "LedgerAccount",
  "filter.accountIdentifier": "InternalAccount",
  "filter.agentId": "Agent",
  "filter.connectionId": "RailConnection",
  "filter.customerId": "Customer",
  "filter.endpointId": "WebhookEndpoint",
  "filter.eventId": "Webhook",
  "filter.groupId": "TransferGroup",
  "filter.receiverAccountIdentifier": "InternalAccount",
  "filter.resourceId": "Transaction",
  "filter.senderAccountIdentifier": "InternalAccount",
  "filter.tokenId": "Token",
  "filter.transactionId": "Transaction",
};

export const bookObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  Webhook: event,
  Statement: statement,
  Export: exported,
  LedgerAccount: ledgerAccount,
};

export const bookCalls: Readonly<Record<string, Make>> = {
  getEvent: async (story) => ({ path: `/events/${await event(story)}` }),
  getEventRaw: async (story) => ({ path: `/events/${await event(story)}/raw` }),
  getTransactionTimeline: async (story) => ({
    path: `/transactions/${await transaction(story)}/timeline`,
  }),
  createStatement: async (story) => ({ path: "/statements", body: await statementOrder(story) }),
  getStatement: async (story) => ({ path: `/statements/${await statement(story)}` }),
  getStatementFile: async (story) => ({ path: `/statements/${await statement(story)}/file` }),
  createExport: () => ({ path: "/exports", body: { kind: "EVENTS", format: "JSONL" } }),
  getExport: async (story) => ({ path: `/exports/${await exported(story)}` }),
  getExportFile: async (story) => ({ path: `/exports/${await exported(story)}/file` }),
  listLedgerEntries: async (story) => ({
    path: `/ledger/accounts/${await ledgerAccount(story)}/entries`,
  }),
  getPosting: async (story) => {
    await ledgerAccount(story);
    const { json } = await story.call("GET", "/ledger/postings?limit=1");
    return { path: `/ledger/postings/${json.data[0].id}` };
  },
  search: () => ({ path: "/search?q=ana" }),
  getLedgerCommand: () => ({ path: "/ledger/commands/1" }),
  getCommandProof: () => ({ path: "/ledger/commands/1/proof" }),
  getChain: () => ({ path: "/ledger/chain?from=1" }),
};
